//! How much memory a simulated block takes.

use crate::measure::{Experiment, WarmUp};
use mkns_design::RouteSource;
use mkns_traffic::Traffic;

#[test]
fn the_state_of_a_block_takes_3_kib_at_most() {
    for notation in [
        "MKNS(2,8x10,2,1)",
        "torus(4x4)",
        "torus(8x8)",
        "torus(6x5,2)",
        "torus(5x6x7)",
        "fat_tree(4x4)",
        "hypercube(3)",
        "hypercube(3,1,1)",
        "block_design(7,4,2)",
        "block_design(7,4,2,1,1)",
    ] {
        let mut spec = mkns_spec::parse(notation).expect("a valid spec");
        spec.block.virtual_channels = 2;
        let plan = mkns_design::build(&spec).expect("a plan");
        let point = Experiment {
            plan: &plan,
            routes: RouteSource::Tables,
            traffic: Traffic::uniform(0.3, 9, 1),
            warm_up: WarmUp::Cycles(0),
            cycles: 500,
            parts: 1,
            flows: false,
            links: false,
        }
        .run();
        let bytes = point.state_bytes_per_router;
        assert!(bytes <= 3072.0, "{notation}: {bytes}");
    }
}
