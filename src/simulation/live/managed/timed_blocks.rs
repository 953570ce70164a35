//! Registers of blocks that are reached in given cycles.

use mkns_contract::address::LINK_UP;
use mkns_topology::BlockId;

/// The blocks of a network, and the clock of the one master that reaches them. Cycles never go back by more than a message
/// takes.
pub trait TimedBlocks {
    /// The cycle in which the master may begin its next access.
    fn clock(&self) -> u64;

    /// The master is busy for so long.
    fn wait(&mut self, cycles: u64);

    /// What a register holds in a cycle; none when there is none.
    fn read_at(&mut self, cycle: u64, block: BlockId, address: u32) -> Option<u32>;

    /// Writes a register at the end of a cycle; false when there is none.
    fn write_at(&mut self, cycle: u64, block: BlockId, address: u32, value: u32) -> bool;

    /// LINK_UP of a block in a cycle.
    fn links_at(&mut self, cycle: u64, block: BlockId) -> u32 {
        self.read_at(cycle, block, LINK_UP).unwrap_or(0)
    }

    /// Blocks whose LINK_UP has changed since they were asked for, and the cycles in which it did.
    fn take_changed(&mut self) -> Vec<(u64, BlockId)> {
        Vec::new()
    }

    /// Hosts begin no packets any more, or again.
    fn hold(&mut self, stop: bool);
}
