//! Random damage that leaves a network in one piece.

use mkns::topology::{Faults, Network, Part};

/// One network of each kind, of sizes that a thousand cases can be made of.
pub const NETWORKS: [&str; 12] = [
    "MKNS(1,4x4,2,1)",
    "MKNS(2,3x3x2,3,1)",
    "MKNS(1,4x3,2,0)",
    "MKNS(1,3x12,2,2)",
    "KNS(4x4,1)",
    "HyperX(4x3,1)",
    "torus(4x4)",
    "torus(3x3x3)",
    "fat_tree(2x4,2)",
    "slim_fly(3,1)",
    "random_shortcut(24,4,1)",
    "dln(24,2,1)",
];

/// Failed cables that leave one tree, `share` of all others in per mille, in an order that `keys` decides.
pub fn damage(network: &Network, keys: &[u64], share: usize) -> Faults {
    let mut order: Vec<u32> = (0..network.cables.len() as u32).collect();
    order.sort_by_key(|&cable| {
        keys[cable as usize % keys.len()].rotate_left(cable / keys.len() as u32 + cable)
    });
    let mut part: Vec<usize> = (0..network.blocks.len()).collect();
    let mut spare = Vec::new();
    for cable in order {
        let ends = &network.cables[cable as usize];
        let [a, b] = [ends.a, ends.b].map(|end| part[end.block.0 as usize]);
        match a == b {
            true => spare.push(Part::Cable(cable)),
            false => part
                .iter_mut()
                .filter(|part| **part == b)
                .for_each(|part| *part = a),
        }
    }
    let failed = spare.len() * share / 1000;
    spare.into_iter().take(failed).collect()
}
