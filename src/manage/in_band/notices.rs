//! What a manager knows of notices (`docs/microarchitecture.md`, 8.5): the messages with which blocks tell that a link came
//! up or went down.

use std::collections::{BTreeMap, BTreeSet};

use mkns_topology::BlockId;

use super::message::Words;

/// What a manager knows of notices.
#[derive(Debug, Clone, Default)]
pub(super) struct Notices {
    /// Blocks that may be written to.
    pub(super) known: BTreeSet<BlockId>,
    /// What armed blocks hold.
    pub(super) held: BTreeMap<BlockId, Words>,
    /// Blocks whose notice has come.
    pub(super) come: BTreeSet<BlockId>,
}

impl Notices {
    /// A block is as planned: it may be written to.
    pub fn expect(&mut self, block: BlockId) {
        self.known.insert(block);
    }

    /// What the block holds is not known.
    pub fn forget(&mut self, block: BlockId) {
        self.held.remove(&block);
    }

    /// The block does not answer.
    pub fn lose(&mut self, block: BlockId) {
        self.known.remove(&block);
        self.forget(block);
    }

    /// Whether notices have come that nobody has looked into.
    pub fn have_come(&self) -> bool {
        !self.come.is_empty()
    }

    /// The notice of a block has come; of a block that holds none it is somebody else's.
    pub fn come(&mut self, block: BlockId) {
        if self.held.contains_key(&block) {
            self.come.insert(block);
        }
    }
}
