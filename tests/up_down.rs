//! Up and down a tree on every kind of network: whatever has failed, as long as the rest hangs together, every packet
//! arrives and no packets wait for each other in a circle.

use crate::common::damage::{NETWORKS, damage};
use mkns::routing::{self, verify};
use mkns::spec;
use mkns::topology;
use proptest::prelude::*;

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
