//! 1.8 Candidate table: the ports on shortest paths to each node.

use mkns_design::{BlockModule, NodeShape};
use mkns_routing::BlockTables;

/// The table of an adaptive block.
#[derive(Debug, Clone)]
pub struct CandidateTable {
    shape: NodeShape,
    /// d low bits.
    kept: u32,
    /// By node address, bit o.
    entries: Vec<u32>,
}

impl CandidateTable {
    /// Power-up contents: `CANDIDATES_INIT`, or zeros. None of blocks that are not adaptive.
    pub fn new(module: &BlockModule, contents: Option<&BlockTables>) -> Option<Self> {
        let shape = module.candidates()?;
        let mut table = Self {
            shape,
            kept: u32::MAX >> (u32::BITS - module.network_ports),
            entries: vec![0; shape.entries() as usize],
        };
        let given = contents.iter().flat_map(|tables| &tables.candidates);
        for (a, &ports) in given.enumerate().take(table.entries.len()) {
            table.write(a, ports);
        }
        Some(table)
    }

    /// The entry of a destination address.
    pub fn of(&self, destination: u32) -> u32 {
        let a = destination >> self.shape.lsb & (self.shape.entries() - 1);
        self.entries[a as usize]
    }

    /// Entry a, as the control port reads it.
    pub fn read(&self, a: usize) -> u32 {
        self.entries[a]
    }

    /// Writes an entry that exists; bits at and above d are not kept.
    pub fn write(&mut self, a: usize, ports: u32) {
        self.entries[a] = ports & self.kept;
    }
}
