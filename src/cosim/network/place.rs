//! Where a block of a network stands among the groups.

use mkns_design::Plan;

use super::crew::Share;

/// Where a block's words are.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub group: usize,
    pub instance: usize,
}

/// The place of each block of a plan, with a group for each share.
pub fn places(plan: &Plan, shares: &[Share]) -> Vec<Place> {
    let nowhere = Place {
        group: 0,
        instance: 0,
    };
    let mut places = vec![nowhere; plan.instances.len()];
    for (group, share) in shares.iter().enumerate() {
        for (instance, block) in share.blocks.iter().enumerate() {
            places[block.0 as usize] = Place { group, instance };
        }
    }
    places
}
