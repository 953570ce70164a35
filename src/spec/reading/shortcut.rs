//! Reads `random_shortcut(N,degree,M)` and `dln(N,K,M)`, and their tables.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::{Table, choice};
use crate::data::{
    BEST_OF, Base, CHORDS, DEGREE, Limits, LoopSpec, Method, NetworkKind, RandomShortcutSpec,
    SHORTCUT_NODES, VMS_PER_NODE,
};
use crate::findings::Findings;

/// A network with random shortcuts spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RandomShortcutTable {
    #[schemars(extend("const" = "random_shortcut"))]
    kind: String,
    /// N: adapter blocks.
    #[schemars(range(min = 4, max = 4096))]
    nodes: u32,
    /// Cables of an adapter block, those of the base included.
    #[schemars(range(min = 3, max = 24))]
    degree: u32,
    /// M: hosts per adapter block, 1 when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
    /// What shortcuts are added to, `ring` when absent.
    base: Option<Base>,
    /// How they are drawn, `uniform` when absent.
    method: Option<Method>,
    /// Decides all random choices, 1 when absent.
    seed: Option<u32>,
    /// Graphs of which the one of the least diameter is taken, 1 when absent.
    #[schemars(range(min = 1, max = 1000))]
    best_of: Option<u32>,
}

/// A distributed loop network spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LoopTable {
    #[schemars(extend("const" = "dln"))]
    kind: String,
    /// N: adapter blocks.
    #[schemars(range(min = 4, max = 4096))]
    nodes: u32,
    /// K: chords of N/2, N/4, … N/2^K.
    #[schemars(range(min = 1, max = 11))]
    chords: u32,
    /// M: hosts per adapter block, 1 when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
}

pub const RANDOM_SHORTCUT: Reader = Reader {
    name: "random_shortcut",
    title: "random_shortcut",
    form: "write random_shortcut(N,DEGREE) or random_shortcut(N,DEGREE,M), for example \
           `random_shortcut(64,4,4)`; base, method and seed stand in a table",
    counts: &[2, 3],
    arguments: "2 or 3 arguments, N, DEGREE and M",
    notation: |arguments, findings| {
        let [nodes, degree, hosts] = numbers(arguments, "degree", findings)?;
        Some(RandomShortcutSpec::new(nodes, degree, hosts).into())
    },
    table: read_random,
};

pub const DLN: Reader = Reader {
    name: "dln",
    title: "dln",
    form: "write dln(N,K) or dln(N,K,M), for example `dln(16,2,1)`",
    counts: &[2, 3],
    arguments: "2 or 3 arguments, N, K and M",
    notation: |arguments, findings| {
        let [nodes, chords, vms_per_node] = numbers(arguments, "chords", findings)?;
        let spec = LoopSpec {
            nodes,
            chords,
            vms_per_node,
        };
        Some(spec.into())
    },
    table: read_loop,
};

/// N, a second number and M.
fn numbers(
    arguments: &Arguments,
    second: &'static str,
    findings: &mut Findings,
) -> Option<[u32; 3]> {
    let names = [("N", "nodes"), (second, second), ("M", "vms_per_node")];
    let mut values = [1; 3];
    for (at, (name, field)) in names.into_iter().enumerate().take(arguments.count()) {
        let (value, span) = arguments.number(at, name, findings)?;
        findings.locate(format!("network.{field}"), span);
        values[at] = value;
    }
    Some(values)
}

fn read_random(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let nodes = table.required_number("nodes", SHORTCUT_NODES, findings);
    let degree = table.required_number("degree", DEGREE, findings);
    let hosts = table.number("vms_per_node", VMS_PER_NODE, findings);
    let seed = table.number("seed", Limits::Range(0, u32::MAX), findings);
    let best_of = table.number("best_of", BEST_OF, findings);
    let base = table.string("base", findings);
    let bases = Base::ALL.map(Base::name);
    let base = base.and_then(|base| choice("network.base", &base, &bases, findings));
    let method = table.string("method", findings);
    let methods = Method::ALL.map(Method::name);
    let method = method.and_then(|method| choice("network.method", &method, &methods, findings));
    let mut spec = RandomShortcutSpec::new(nodes?, degree?, hosts.unwrap_or(1));
    spec.base = base.map_or(spec.base, |at| Base::ALL[at]);
    spec.method = method.map_or(spec.method, |at| Method::ALL[at]);
    spec.seed = seed.unwrap_or(spec.seed);
    spec.best_of = best_of.unwrap_or(spec.best_of);
    Some(spec.into())
}

fn read_loop(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let nodes = table.required_number("nodes", SHORTCUT_NODES, findings);
    let chords = table.required_number("chords", CHORDS, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let spec = LoopSpec {
        nodes: nodes?,
        chords: chords?,
        vms_per_node: vms_per_node.unwrap_or(1),
    };
    Some(spec.into())
}

impl From<&RandomShortcutSpec> for RandomShortcutTable {
    fn from(spec: &RandomShortcutSpec) -> Self {
        Self {
            kind: "random_shortcut".to_owned(),
            nodes: spec.nodes,
            degree: spec.degree,
            vms_per_node: Some(spec.vms_per_node),
            base: Some(spec.base),
            method: Some(spec.method),
            seed: Some(spec.seed),
            best_of: Some(spec.best_of),
        }
    }
}

impl From<&LoopSpec> for LoopTable {
    fn from(spec: &LoopSpec) -> Self {
        Self {
            kind: "dln".to_owned(),
            nodes: spec.nodes,
            chords: spec.chords,
            vms_per_node: Some(spec.vms_per_node),
        }
    }
}
