//! What the addresses of the blocks of a network mean.

use crate::registers::{Place, Registers};
use mkns_design::Plan;
use mkns_topology::BlockId;

/// What an address means, by module.
#[derive(Debug)]
pub struct RegisterFiles {
    files: Vec<Registers>,
    /// Module of each block.
    modules: Vec<usize>,
}

impl RegisterFiles {
    pub fn new(plan: &Plan) -> Self {
        let modules = plan.modules.iter();
        Self {
            files: modules.map(|module| Registers::new(module, 0)).collect(),
            modules: plan.instances.iter().map(|block| block.module).collect(),
        }
    }

    pub(super) fn place(&self, block: BlockId, address: u32) -> Option<Place> {
        self.files[self.modules[block.0 as usize]].place(address)
    }
}
