//! Distributed full switches: `multi_ring(m)`, `hypercube(m)` and `block_design(N,m,sigma)`, each
//! extended by cascades and with serial or parallel РОК units at the terminals.
//!
//! Two more arguments may follow: k, the number of cascades (1 without it), and P, 0 for serial and 1 for
//! parallel РОК units (0 without it). Source: Karavay & Podlazov, section 1 of the digest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NetworkKind;
use super::findings::Findings;
use super::kind::{Kind, Reader};
use super::legal::{ADDRESS_BITS, Legal, bits_for};
use super::notation::Arguments;
use super::schema::NetworkEntry;
use super::table::{Table, choice};
use crate::block_design::{self, Parameters};

/// m: ports of a spine switch.
pub const SPINE_PORTS: Legal = Legal::Range(2, 16);
/// k: cascades of РОК units.
pub const CASCADES: Legal = Legal::Range(1, 6);
/// N of a block design: what m up to 16 and σ = 1 can reach.
pub const ELEMENTS: Legal = Legal::Range(2, 241);
/// σ of a block design.
pub const SIGMA: Legal = Legal::Range(1, 16);
/// N^k, most spine switches of a network; larger ones are neither built nor checked in useful time.
const MOST_SPINE_SWITCHES: u64 = 65_536;

/// What the wiring follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wiring {
    /// 2-D full multi-ring of N = m² terminals.
    MultiRing,
    /// 2-D generalised m-ary hypercube of N = m² terminals.
    Hypercube,
    /// Symmetric block design B(N, m, σ).
    BlockDesign { elements: u32, sigma: u32 },
}

/// How the РОК of a terminal joins its m channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rok {
    /// POK_m: one port at a time.
    Serial,
    /// POK_m*: all ports in parallel and independent.
    Parallel,
}

/// A distributed full switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistributedSwitchSpec {
    pub wiring: Wiring,
    /// m: ports of a spine switch and branches of a РОК, 2…16.
    pub ports: u32,
    /// k: cascades of РОК units, 1…6.
    pub cascades: u32,
    pub rok: Rok,
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
    /// РОК of the terminals: `serial` (POK_m, when absent) or `parallel` (POK_m*).
    rok: Option<Rok>,
}

pub const MULTI_RING: Reader = Reader {
    name: "multi_ring",
    title: "multi_ring",
    form: "write multi_ring(m), multi_ring(m,k) or multi_ring(m,k,P), for example `multi_ring(3)`",
    counts: &[1, 2, 3],
    arguments: "1 to 3 arguments, m, k and P",
    notation: |arguments, findings| digraph(Wiring::MultiRing, arguments, findings),
    table: |table, findings| read_table(Shape::MultiRing, table, findings),
};

pub const HYPERCUBE: Reader = Reader {
    name: "hypercube",
    title: "hypercube",
    form: "write hypercube(m), hypercube(m,k) or hypercube(m,k,P), for example `hypercube(3,2)`",
    counts: &[1, 2, 3],
    arguments: "1 to 3 arguments, m, k and P",
    notation: |arguments, findings| digraph(Wiring::Hypercube, arguments, findings),
    table: |table, findings| read_table(Shape::Hypercube, table, findings),
};

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
    let ports = argument(arguments, 0, "m", "network.ports", findings);
    let options = options(arguments, 1, findings);
    let (ports, (cascades, rok)) = (ports?, options?);
    let spec = DistributedSwitchSpec {
        wiring,
        ports,
        cascades,
        rok,
    };
    Some(spec.into())
}

fn design(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let elements = argument(arguments, 0, "N", "network.elements", findings);
    let ports = argument(arguments, 1, "m", "network.ports", findings);
    let sigma = argument(arguments, 2, "sigma", "network.sigma", findings);
    let options = options(arguments, 3, findings);
    let (elements, ports, sigma) = (elements?, ports?, sigma?);
    let (cascades, rok) = options?;
    let spec = DistributedSwitchSpec {
        wiring: Wiring::BlockDesign { elements, sigma },
        ports,
        cascades,
        rok,
    };
    Some(spec.into())
}

/// Argument `at`, which is `name` in messages and `field` in a file.
fn argument(
    arguments: &Arguments,
    at: usize,
    name: &str,
    field: &str,
    findings: &mut Findings,
) -> Option<u32> {
    let (value, span) = arguments.number(at, name, findings)?;
    findings.locate(field, span);
    Some(value)
}

/// k and P, which may be missing, from argument `at` on.
fn options(arguments: &Arguments, at: usize, findings: &mut Findings) -> Option<(u32, Rok)> {
    let cascades = match arguments.count() > at {
        true => argument(arguments, at, "k", "network.cascades", findings),
        false => Some(1),
    };
    let rok = match arguments.count() > at + 1 {
        true => rok_digit(arguments, at + 1, findings),
        false => Some(Rok::Serial),
    };
    Some((cascades?, rok?))
}

fn rok_digit(arguments: &Arguments, at: usize, findings: &mut Findings) -> Option<Rok> {
    let (digit, span) = arguments.number(at, "P", findings)?;
    match digit {
        0 => Some(Rok::Serial),
        1 => Some(Rok::Parallel),
        _ => {
            let fact = format!("P = {digit}, but 0 to 1 are allowed");
            let remedy = "use 0 for serial РОК units (POK_m), 1 for parallel ones (POK_m*)";
            findings.report_at(span, "E0205", fact, remedy);
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
            elements
                .zip(sigma)
                .map(|(elements, sigma)| Wiring::BlockDesign { elements, sigma })
        }
    };
    let cascades = table.number("cascades", CASCADES, findings);
    let rok = match table.string("rok", findings) {
        None => Some(Rok::Serial),
        Some(name) => choice("network.rok", &name, &["serial", "parallel"], findings)
            .map(|at| [Rok::Serial, Rok::Parallel][at]),
    };
    let spec = DistributedSwitchSpec {
        wiring: wiring?,
        ports: ports?,
        cascades: cascades.unwrap_or(1),
        rok: rok?,
    };
    Some(spec.into())
}

impl DistributedSwitchSpec {
    /// N: switches that a cascade joins, terminals of one cascade.
    pub fn copies(&self) -> u32 {
        match self.wiring {
            Wiring::MultiRing | Wiring::Hypercube => self.ports * self.ports,
            Wiring::BlockDesign { elements, .. } => elements,
        }
    }

    /// Bits of a local address.
    pub fn local_address_bits(&self) -> u32 {
        bits_for(self.ports)
    }

    /// Channels between a terminal and its РОК: 1, or m where that is parallel.
    pub fn trunks(&self) -> u32 {
        match self.rok {
            Rok::Serial => 1,
            Rok::Parallel => self.ports,
        }
    }

    /// The design's parameters; `None` for digraphs.
    pub fn design(&self) -> Option<Parameters> {
        match self.wiring {
            Wiring::BlockDesign { elements, sigma } => {
                Some(Parameters::new(elements, self.ports, sigma))
            }
            Wiring::MultiRing | Wiring::Hypercube => None,
        }
    }

    fn ranges(&self, findings: &mut Findings) -> bool {
        let mut fields = vec![
            ("network.ports", "m", self.ports, SPINE_PORTS),
            ("network.cascades", "k", self.cascades, CASCADES),
        ];
        if let Wiring::BlockDesign { elements, sigma } = self.wiring {
            fields.push(("network.elements", "N", elements, ELEMENTS));
            fields.push(("network.sigma", "sigma", sigma, SIGMA));
        }
        let wrong = fields
            .iter()
            .filter(|(.., value, legal)| !legal.allows(*value));
        let mut is_sound = true;
        for (field, name, value, legal) in wrong {
            let fact = format!("{name} = {value}, but {legal} are allowed");
            findings.report(field, "E0205", fact, format!("use {legal}"));
            is_sound = false;
        }
        is_sound
    }

    fn existence(&self, findings: &mut Findings) -> bool {
        let refusal = self.design().map(block_design::construct);
        let Some(Err(refusal)) = refusal else {
            return true;
        };
        let code = if refusal.is_proof() { "E0230" } else { "E0231" };
        let remedy = match refusal.elements_that_count() {
            Some(wanted) if Some(wanted) != self.design().map(|design| design.elements) => {
                format!("use N = {wanted}, or another m or sigma")
            }
            _ => "use another m or sigma; docs/distributed-switch.md lists the designs".to_owned(),
        };
        findings.report("network.elements", code, refusal.to_string(), remedy);
        false
    }

    fn size(&self, findings: &mut Findings) {
        let switches = u64::from(self.copies()).saturating_pow(self.cascades);
        if switches > MOST_SPINE_SWITCHES {
            let fact = format!(
                "{} cascades take {switches} spine switches, but at most {MOST_SPINE_SWITCHES} are built",
                self.cascades
            );
            let remedy = "use fewer cascades or smaller switches".to_owned();
            findings.report("network.cascades", "E0232", fact, remedy);
            return;
        }
        let bits = (self.cascades + 1) * self.local_address_bits();
        if bits > ADDRESS_BITS {
            let fact = format!(
                "an address train of {} local addresses of {} bits needs {bits} bits, but the header \
                 has {ADDRESS_BITS}",
                self.cascades + 1,
                self.local_address_bits()
            );
            let remedy = "use fewer cascades or smaller switches".to_owned();
            findings.report("network.cascades", "E0219", fact, remedy);
        }
    }

    fn name(&self) -> &'static str {
        match self.wiring {
            Wiring::MultiRing => MULTI_RING.name,
            Wiring::Hypercube => HYPERCUBE.name,
            Wiring::BlockDesign { .. } => BLOCK_DESIGN.name,
        }
    }
}

impl From<DistributedSwitchSpec> for NetworkKind {
    fn from(spec: DistributedSwitchSpec) -> Self {
        Self::DistributedSwitch(spec)
    }
}

impl Kind for DistributedSwitchSpec {
    fn notation(&self) -> String {
        let mut arguments = match self.wiring {
            Wiring::MultiRing | Wiring::Hypercube => vec![self.ports],
            Wiring::BlockDesign { elements, sigma } => vec![elements, self.ports, sigma],
        };
        match (self.cascades, self.rok) {
            (1, Rok::Serial) => {}
            (k, Rok::Serial) => arguments.push(k),
            (k, Rok::Parallel) => arguments.extend([k, 1]),
        }
        let arguments: Vec<String> = arguments.iter().map(u32::to_string).collect();
        format!("{}({})", self.name(), arguments.join(","))
    }

    fn vms_per_node(&self) -> u32 {
        self.trunks()
    }

    /// m, or the least m that can be: a wrong one has its own message and is not to blame for others.
    fn ports(&self) -> u32 {
        self.ports.max(2)
    }

    fn default_ports(&self) -> u32 {
        self.ports()
    }

    /// The address train: no field tells a PCIe port.
    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        let names = [
            "local1", "local2", "local3", "local4", "local5", "local6", "local7",
        ];
        let fields = names.into_iter().take(self.cascades as usize + 1);
        fields.map(|name| (name, self.ports)).collect()
    }

    fn validate(&self, findings: &mut Findings) {
        if self.ranges(findings) && self.existence(findings) {
            self.size(findings);
        }
    }

    fn table(&self) -> NetworkEntry {
        let (elements, sigma) = match self.wiring {
            Wiring::BlockDesign { elements, sigma } => (Some(elements), Some(sigma)),
            Wiring::MultiRing | Wiring::Hypercube => (None, None),
        };
        NetworkEntry::DistributedSwitch(DistributedSwitchTable {
            kind: self.name(),
            elements,
            ports: self.ports,
            sigma,
            cascades: Some(self.cascades),
            rok: Some(self.rok),
        })
    }
}
