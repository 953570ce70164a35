//! Reads distributed switches: the arguments of a notation, and the table of a file.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{
    CASCADES, DistributedSwitchSpec, ELEMENTS, NetworkKind, Pok, SIGMA, SPINE_PORTS, Wiring,
};
use crate::findings::Findings;
use mkns_diag::Code;

pub const MULTI_RING: Reader = digraph_reader(
    "multi_ring",
    "write multi_ring(m), multi_ring(m,k) or multi_ring(m,k,P), for example `multi_ring(3)`",
    |arguments, findings| digraph(Wiring::MultiRing, arguments, findings),
    |table, findings| read_table(Shape::MultiRing, table, findings),
);

pub const HYPERCUBE: Reader = digraph_reader(
    "hypercube",
    "write hypercube(m), hypercube(m,k) or hypercube(m,k,P), for example `hypercube(3,2)`",
    |arguments, findings| digraph(Wiring::Hypercube, arguments, findings),
    |table, findings| read_table(Shape::Hypercube, table, findings),
);

const fn digraph_reader(
    name: &'static str,
    form: &'static str,
    notation: fn(&Arguments, &mut Findings) -> Option<NetworkKind>,
    table: fn(&mut Table, &mut Findings) -> Option<NetworkKind>,
) -> Reader {
    Reader {
        name,
        title: name,
        form,
        counts: &[1, 2, 3],
        arguments: "1 to 3 arguments, m, k and P",
        notation,
        table,
    }
}

pub const BLOCK_DESIGN: Reader = Reader {
    name: "block_design",
    title: "block_design",
    form: "write block_design(N,m,sigma), with k and P behind it if need be, for example \
           `block_design(7,4,2)`",
    counts: &[3, 4, 5],
    arguments: "3 to 5 arguments, N, m, sigma, k and P",
    notation: design,
    table: |table, findings| read_table(Shape::BlockDesign, table, findings),
};

/// The wirings before their parameters are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    MultiRing,
    Hypercube,
    BlockDesign,
}

fn digraph(wiring: Wiring, arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let ports = arguments.field(0, "m", "ports", findings);
    let options = options(arguments, 1, findings);
    switch(Some(wiring), ports, options)
}

fn design(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let elements = arguments.field(0, "N", "elements", findings);
    let ports = arguments.field(1, "m", "ports", findings);
    let sigma = arguments.field(2, "sigma", "sigma", findings);
    let options = options(arguments, 3, findings);
    switch(block_design(elements, sigma), ports, options)
}

/// k and P, which may be missing, from argument `at` on.
fn options(arguments: &Arguments, at: usize, findings: &mut Findings) -> Option<(u32, Pok)> {
    let cascades = match arguments.count() > at {
        true => arguments.field(at, "k", "cascades", findings),
        false => Some(1),
    };
    let pok = match arguments.count() > at + 1 {
        true => pok_digit(arguments, at + 1, findings),
        false => Some(Pok::Serial),
    };
    Some((cascades?, pok?))
}

fn pok_digit(arguments: &Arguments, at: usize, findings: &mut Findings) -> Option<Pok> {
    let (digit, span) = arguments.number(at, "P", findings)?;
    match digit {
        0 => Some(Pok::Serial),
        1 => Some(Pok::Parallel),
        _ => {
            let fact = format!("P = {digit}, but 0 to 1 are allowed");
            let remedy = "use 0 for serial POK units (POK_m), 1 for parallel ones (POK_m*)";
            findings.report_at(span, Code::OutOfRange, fact, remedy);
            None
        }
    }
}

fn read_table(shape: Shape, table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let ports = table.required_number("ports", SPINE_PORTS, findings);
    let wiring = match shape {
        Shape::MultiRing => Some(Wiring::MultiRing),
        Shape::Hypercube => Some(Wiring::Hypercube),
        Shape::BlockDesign => {
            let elements = table.required_number("elements", ELEMENTS, findings);
            let sigma = table.required_number("sigma", SIGMA, findings);
            block_design(elements, sigma)
        }
    };
    let cascades = table.number("cascades", CASCADES, findings);
    let poks = [("serial", Pok::Serial), ("parallel", Pok::Parallel)];
    let pok = table.choice("rok", &poks, findings)?.unwrap_or(Pok::Serial);
    switch(wiring, ports, Some((cascades.unwrap_or(1), pok)))
}

fn block_design(elements: Option<u32>, sigma: Option<u32>) -> Option<Wiring> {
    let (elements, sigma) = (elements?, sigma?);
    Some(Wiring::BlockDesign { elements, sigma })
}

fn switch(
    wiring: Option<Wiring>,
    ports: Option<u32>,
    options: Option<(u32, Pok)>,
) -> Option<NetworkKind> {
    let (cascades, pok) = options?;
    Some(NetworkKind::DistributedSwitch(DistributedSwitchSpec {
        wiring: wiring?,
        ports: ports?,
        cascades,
        pok,
    }))
}

/// A multi-ring, hypercube or block design spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DistributedSwitchTable {
    #[schemars(extend("enum" = ["multi_ring", "hypercube", "block_design"]))]
    kind: &'static str,
    /// N: terminals of one cascade; block designs only.
    #[schemars(range(min = 2, max = 241))]
    elements: Option<u32>,
    /// m: ports of a spine switch.
    #[schemars(range(min = 2, max = 16))]
    ports: u32,
    /// σ: disjoint paths between two terminals; block designs only.
    #[schemars(range(min = 1, max = 16))]
    sigma: Option<u32>,
    /// k: cascades, 1 when absent.
    #[schemars(range(min = 1, max = 6))]
    cascades: Option<u32>,
    /// POK of the terminals: `serial` (POK_m, when absent) or `parallel` (POK_m*).
    #[serde(rename = "rok")]
    pok: Option<Pok>,
}

impl From<&DistributedSwitchSpec> for DistributedSwitchTable {
    fn from(spec: &DistributedSwitchSpec) -> Self {
        let (elements, sigma) = match spec.wiring {
            Wiring::BlockDesign { elements, sigma } => (Some(elements), Some(sigma)),
            Wiring::MultiRing | Wiring::Hypercube => (None, None),
        };
        Self {
            kind: spec.name(),
            elements,
            ports: spec.ports,
            sigma,
            cascades: Some(spec.cascades),
            pok: Some(spec.pok),
        }
    }
}
