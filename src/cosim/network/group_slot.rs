//! Where a block of a network stands among the groups.

use mkns_design::Plan;

use super::worker_pool::Partition;

/// Where a block's words are.
#[derive(Debug, Clone, Copy)]
pub struct GroupSlot {
    pub group: usize,
    pub instance: usize,
}

/// The place of each block of a plan, with a group for each partition.
pub fn places(plan: &Plan, partitions: &[Partition]) -> Vec<GroupSlot> {
    let nowhere = GroupSlot {
        group: 0,
        instance: 0,
    };
    let mut places = vec![nowhere; plan.instances.len()];
    for (group, partition) in partitions.iter().enumerate() {
        for (instance, block) in partition.blocks.iter().enumerate() {
            places[block.0 as usize] = GroupSlot { group, instance };
        }
    }
    places
}
