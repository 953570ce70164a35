//! Addresses of all compute modules, looked up instead of computed, and what else a header needs.

use crate::design::Plan;

/// Shared by all hosts of a network.
#[derive(Debug)]
pub struct Addresses {
    /// By compute module.
    addresses: Box<[u32]>,
    /// By address; `u32::MAX`: nobody's.
    modules: Box<[u32]>,
    beat_bytes: u32,
    flit_bytes: u32,
    layers: u32,
}

impl Addresses {
    pub fn new(plan: &Plan) -> Addresses {
        let hosts = plan.network.terminals.len() as u32;
        let addresses: Box<[u32]> = (0..hosts).map(|vm| plan.layout.address_of(vm)).collect();
        let mut modules = vec![u32::MAX; 1 << plan.layout.bits()];
        for (vm, &address) in (0..).zip(&addresses) {
            modules[address as usize] = vm;
        }
        Addresses {
            addresses,
            modules: modules.into(),
            beat_bytes: plan.spec.block.pcie_bits / 8,
            flit_bytes: plan.spec.block.flit_bits / 8,
            layers: plan.spec.block.layers,
        }
    }

    pub fn hosts(&self) -> u32 {
        self.addresses.len() as u32
    }

    pub fn address_of(&self, vm: u32) -> u32 {
        self.addresses[vm as usize]
    }

    /// Compute module at an address that one has.
    pub fn vm_at(&self, address: u32) -> u32 {
        self.modules[address as usize]
    }

    /// Bytes of a beat of a host.
    pub fn beat_bytes(&self) -> u32 {
        self.beat_bytes
    }

    /// Payload bytes of a packet whose flits are full.
    pub fn length(&self, flits: u32) -> u32 {
        (flits - 1) * self.flit_bytes
    }

    pub fn layers(&self) -> u32 {
        self.layers
    }
}
