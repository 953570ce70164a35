//! The fat tree (folded Clos network): levels of switch blocks above the adapter blocks.
//!
//! `fat_tree(5x5x10)`: a leaf has 5 adapter blocks below it, a switch block of level 2 has 5 leaves, one
//! of level 3 has 10 switch blocks. Level by level upward there are as many ports up as down, unless
//! UP says less. In the literature's words an extended generalised fat tree XGFT(h; DOWN; 1, UP).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::kind::{Kind, Reader, x_list};
use super::legal::{Legal, PORTS, VMS_PER_NODE};
use super::notation::Arguments;
use super::schema::NetworkEntry;
use super::table::Table;
use super::{NetworkKind, validate};
use mkns_diag::Code;

/// Blocks below a switch block.
const DOWN: Legal = Legal::Range(2, 16);
/// Switch blocks above one.
const UP: Legal = Legal::Range(1, 15);
/// Levels of switch blocks.
const LEVELS: Legal = Legal::Range(1, 8);

/// `fat_tree(DOWN,M,UP)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FatTreeSpec {
    /// M: compute modules (VMs) per adapter block, 1…8.
    pub vms_per_node: u32,
    /// d: ports of a switch block, 4…16. An adapter block has one network port.
    pub ports: u32,
    /// Blocks below a switch block of each level, leaves first.
    pub down: Vec<u32>,
    /// Switch blocks above a switch block of each level but the last.
    pub up: Vec<u32>,
}

/// A fat tree spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FatTreeTable {
    #[schemars(extend("const" = "fat_tree"))]
    kind: String,
    /// Blocks below a switch block of each level, leaves first.
    #[schemars(length(min = 1, max = 8), inner(range(min = 2, max = 16)))]
    down: Vec<u32>,
    /// Switch blocks above a switch block of each level but the last; as many as below when absent.
    #[schemars(length(max = 7), inner(range(min = 1, max = 15)))]
    up: Option<Vec<u32>>,
    /// M: compute modules (VMs) per adapter block, 1 when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
    /// d: ports of a switch block; what the levels need, at least 4, when absent.
    #[schemars(range(min = 4, max = 16))]
    ports: Option<u32>,
}

pub const READER: Reader = Reader {
    name: "fat_tree",
    title: "fat_tree",
    form: "write fat_tree(DOWN), fat_tree(DOWN,M) or fat_tree(DOWN,M,UP), for example \
           `fat_tree(5x5x10)` or `fat_tree(8x10,2,4)`",
    counts: &[1, 2, 3],
    arguments: "1 to 3 arguments, DOWN, M and UP",
    notation,
    table,
};

fn notation(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let list = |at: usize, name: &str, field: &str, findings: &mut Findings| {
        let values = arguments.list(at, name, findings)?;
        for (at, (_, span)) in values.iter().enumerate() {
            findings.locate(format!("{field}[{at}]"), span.clone());
        }
        let (first, last) = (values[0].1.start, values[values.len() - 1].1.end);
        findings.locate(field, first..last);
        Some(
            values
                .into_iter()
                .map(|(value, _)| value)
                .collect::<Vec<_>>(),
        )
    };
    let down = list(0, "DOWN", "network.down", findings);
    let vms = match arguments.count() {
        1 => Some(1),
        _ => arguments.number(1, "M", findings).map(|(vms, span)| {
            findings.locate("network.vms_per_node", span);
            vms
        }),
    };
    let up = match arguments.count() {
        3 => Some(list(2, "UP", "network.up", findings)?),
        _ => None,
    };
    Some(FatTreeSpec::new(vms?, down?, up).into())
}

fn table(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let down = table.required_numbers("down", DOWN, "`down = [4, 4]`", findings);
    let up = table.numbers("up", UP, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let ports = table.number("ports", PORTS, findings);
    let mut tree = FatTreeSpec::new(vms_per_node.unwrap_or(1), down?, up);
    tree.ports = ports.unwrap_or(tree.ports);
    Some(tree.into())
}

impl FatTreeSpec {
    /// The tree with the default number of ports; `up` as many as below where it is not given.
    pub fn new(vms_per_node: u32, down: Vec<u32>, up: Option<Vec<u32>>) -> Self {
        let full = || down[..down.len().saturating_sub(1)].to_vec();
        let mut tree = Self {
            vms_per_node,
            ports: 0,
            up: up.unwrap_or_else(full),
            down,
        };
        tree.ports = tree.needed_ports().max(4);
        tree
    }

    /// Levels of switch blocks.
    pub fn levels(&self) -> usize {
        self.down.len()
    }

    /// Number of adapter blocks.
    pub fn nodes(&self) -> u32 {
        self.down.iter().copied().fold(1, u32::saturating_mul)
    }

    /// Cables upward of a block of `level`, 0 being the adapter blocks; 0 at the top.
    pub fn up_cables(&self, level: usize) -> u32 {
        match level {
            0 => 1,
            _ => self.up.get(level - 1).copied().unwrap_or(0),
        }
    }

    /// Ports of the largest switch block.
    fn needed_ports(&self) -> u32 {
        let levels = self.down.iter().zip(1..);
        let ports = levels.map(|(down, level)| down.saturating_add(self.up_cables(level)));
        ports.max().unwrap_or(0)
    }

    /// Reports the entries of a list that are out of range; false when there are any.
    fn all_legal(values: &[u32], legal: Legal, name: &str, findings: &mut Findings) -> bool {
        let mut sound = true;
        for (at, value) in values.iter().enumerate() {
            if !legal.allows(*value) {
                let fact = format!("{name} lists {value}, but {legal} are allowed");
                let field = format!("network.{name}[{at}]");
                findings.report(&field, Code::OutOfRange, fact, format!("use {legal}"));
                sound = false;
            }
        }
        sound
    }
}

impl Kind for FatTreeSpec {
    fn notation(&self) -> String {
        let full = Self::new(self.vms_per_node, self.down.clone(), None);
        let (down, vms) = (x_list(&self.down), self.vms_per_node);
        match (self.up == full.up, vms) {
            (true, 1) => format!("fat_tree({down})"),
            (true, _) => format!("fat_tree({down},{vms})"),
            (false, _) => format!("fat_tree({down},{vms},{})", x_list(&self.up)),
        }
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    /// The adapter blocks are the smallest.
    fn smallest_core(&self) -> u32 {
        1 + self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn default_ports(&self) -> u32 {
        self.needed_ports().max(4)
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        vec![("node", self.nodes())]
    }

    fn validate(&self, findings: &mut Findings) {
        let levels = self.levels();
        if u32::try_from(levels).map_or(true, |levels| !LEVELS.allows(levels)) {
            let fact = format!("down lists {levels} levels, but {LEVELS} are allowed");
            findings.report(
                "network.down",
                Code::OutOfRange,
                fact,
                format!("list {LEVELS} levels"),
            );
            return;
        }
        if self.up.len() + 1 != levels {
            let fact = format!(
                "up lists {} values, but a tree of {levels} levels has {} below the last",
                self.up.len(),
                levels - 1
            );
            let remedy = format!("give {} values, or leave `up` out", levels - 1);
            findings.report("network.up", Code::ListLength, fact, remedy);
            return;
        }
        let down = Self::all_legal(&self.down, DOWN, "down", findings);
        if !Self::all_legal(&self.up, UP, "up", findings) || !down {
            return;
        }
        let needed = self.needed_ports();
        if needed > self.ports.min(16) {
            let fact = format!(
                "a switch block needs {needed} ports, blocks below and above together, but it has d = {}",
                self.ports.min(16)
            );
            let remedy = "lower DOWN or UP, or set `ports` in a TOML file".to_owned();
            findings.report("network.down", Code::TooManyDimensions, fact, remedy);
            return;
        }
        validate::modules_and_ports(self.vms_per_node, self.ports, findings);
    }

    fn table(&self) -> NetworkEntry {
        NetworkEntry::FatTree(FatTreeTable {
            kind: "fat_tree".to_owned(),
            down: self.down.clone(),
            up: Some(self.up.clone()),
            vms_per_node: Some(self.vms_per_node),
            ports: Some(self.ports),
        })
    }
}
