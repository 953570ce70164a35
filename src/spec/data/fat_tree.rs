//! The fat tree (folded Clos network): levels of switch blocks above the adapter blocks.
//!
//! `fat_tree(5x5x10)`: a leaf has 5 adapter blocks below it, a switch block of level 2 has 5 leaves, one
//! of level 3 has 10 switch blocks. Level by level upward there are as many ports up as down, unless
//! UP says less. In the literature's words an extended generalised fat tree XGFT(h; DOWN; 1, UP).

use serde::Serialize;

use super::kind::{Kind, x_list};
use super::limits::Limits;

/// Blocks below a switch block.
pub(crate) const DOWN: Limits = Limits::Range(2, 16);
/// Switch blocks above one.
pub(crate) const UP: Limits = Limits::Range(1, 15);
/// Levels of switch blocks.
pub(crate) const LEVELS: Limits = Limits::Range(1, 8);

/// `fat_tree(DOWN,M,UP)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FatTreeSpec {
    /// M: hosts per adapter block, 1…8.
    pub vms_per_node: u32,
    /// d: ports of a switch block, 4…16. An adapter block has one network port.
    pub ports: u32,
    /// Blocks below a switch block of each level, leaves first.
    pub down: Vec<u32>,
    /// Switch blocks above a switch block of each level but the last.
    pub up: Vec<u32>,
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
    pub(crate) fn needed_ports(&self) -> u32 {
        let levels = self.down.iter().zip(1..);
        let ports = levels.map(|(down, level)| down.saturating_add(self.up_cables(level)));
        ports.max().unwrap_or(0)
    }
}

impl Kind for FatTreeSpec {
    fn notation(&self) -> String {
        let full = Self::new(self.vms_per_node, self.down.clone(), None);
        let (down, hosts) = (x_list(&self.down), self.vms_per_node);
        match (self.up == full.up, hosts) {
            (true, 1) => format!("fat_tree({down})"),
            (true, _) => format!("fat_tree({down},{hosts})"),
            (false, _) => format!("fat_tree({down},{hosts},{})", x_list(&self.up)),
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

    fn cable_dimensions(&self) -> u32 {
        self.levels() as u32
    }
}
