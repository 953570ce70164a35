//! A network without traffic: time passes for its manager only, so that even a large one is brought up in seconds.

use std::collections::VecDeque;

use mkns_design::Plan;
use mkns_topology::{BlockId, Faults, Part};

use super::timed_blocks::TimedBlocks;
use crate::fabric::{Fabric, RegisterFiles};
use crate::switch_core::KeySet;

/// Blocks that have nothing to do.
pub struct IdleNetwork<'a, K: KeySet> {
    plan: &'a Plan,
    pub fabric: &'a mut Fabric<K>,
    files: RegisterFiles,
    clock: u64,
    /// What fails, by cycle.
    coming: VecDeque<(Part, u64)>,
    faults: Faults,
    changed: Vec<(u64, BlockId)>,
}

impl<'a, K: KeySet> IdleNetwork<'a, K> {
    /// A network whose links have risen, and whose blocks have empty tables.
    pub fn powered_up(plan: &'a Plan, fabric: &'a mut Fabric<K>) -> Self {
        let files = RegisterFiles::new(plan);
        fabric.empty_tables(plan, &files);
        Self {
            plan,
            fabric,
            files,
            clock: 0,
            coming: VecDeque::new(),
            faults: plan.faults.clone(),
            changed: Vec::new(),
        }
    }

    /// From now on parts fail, in cycles counted from now.
    pub fn fail(&mut self, failures: &[(Part, u64)]) {
        let mut coming = failures.to_vec();
        coming.sort_by_key(|(_, cycle)| *cycle);
        self.coming = coming.into();
        self.clock = 0;
    }

    /// Whether all that is to fail has failed.
    pub fn has_failed(&self) -> bool {
        self.coming.is_empty()
    }

    /// Parts whose cycle has come fail.
    fn settle(&mut self, cycle: u64) {
        while let Some(&(part, due)) = self.coming.front()
            && due <= cycle
        {
            self.coming.pop_front();
            let network = &self.plan.network;
            let faults: Faults = self.faults.parts().chain([part]).collect();
            for (number, cable) in (0..).zip(&network.cables) {
                if self.faults.cable_works(network, number) && !faults.cable_works(network, number)
                {
                    self.fabric.cut(cable);
                    let ends = [cable.a, cable.b];
                    self.changed.extend(ends.map(|end| (due, end.block)));
                }
            }
            self.faults = faults;
        }
    }
}

impl<K: KeySet> TimedBlocks for IdleNetwork<'_, K> {
    fn clock(&self) -> u64 {
        self.clock
    }

    fn wait(&mut self, cycles: u64) {
        self.clock += cycles;
    }

    fn read_at(&mut self, cycle: u64, block: BlockId, address: u32) -> Option<u32> {
        self.settle(cycle);
        self.fabric.read(&self.files, block, address)
    }

    fn write_at(&mut self, cycle: u64, block: BlockId, address: u32, value: u32) -> bool {
        self.settle(cycle);
        self.fabric.write(&self.files, block, address, value)
    }

    fn take_changed(&mut self) -> Vec<(u64, BlockId)> {
        std::mem::take(&mut self.changed)
    }

    fn hold(&mut self, _stop: bool) {}
}
