//! Up and down a tree on every kind of network: whatever has failed, as long as the rest hangs together, every packet
//! arrives and no packets wait for each other in a circle.

use mkns::routing::{self, verify};
use mkns::spec;
use mkns::topology::{self, Faults, Network, Part};
use proptest::prelude::*;

/// One network of each kind, of sizes that a thousand cases can be made of.
const NETWORKS: [&str; 12] = [
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
fn damage(network: &Network, keys: &[u64], share: usize) -> Faults {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_network_works_down_to_its_last_tree(
        text in prop::sample::select(&NETWORKS[..]),
        keys in prop::collection::vec(any::<u64>(), 64),
        share in prop_oneof![0..=1000_usize, Just(1000)],
    ) {
        let spec = spec::parse_with(text, &["routing=up_down".to_owned()]).expect("a valid spec");
        let network = topology::build(&spec);
        let faults = damage(&network, &keys, share);
        let routing = routing::build(&spec, &network, &faults).expect("routes");
        let report = verify::verify(&spec, &network, &faults, &routing, &|_| {});
        prop_assert!(report.passed, "{text} without {} cables:\n{}", faults.parts().count(), report.to_text());
        if share == 1000 {
            let left = network.cables.len() - faults.parts().count();
            prop_assert_eq!(left, network.blocks.len() - 1, "a tree is left");
        }
    }
}
