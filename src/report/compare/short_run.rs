//! A network under traffic for 2,000 cycles: enough to set networks beside each other in a table.

use mkns_design::{Plan, RouteSource};
use mkns_simulation::measure::{Experiment, Point, WarmUp};
use mkns_simulation::traffic::{PatternKind, Traffic};

/// Flits of a packet.
const PACKET: u32 = 9;

/// Packets at random, so many flits a host and cycle.
pub fn run(plan: &Plan, pattern: PatternKind, load: f64) -> Point {
    let traffic = Traffic {
        pattern,
        ..Traffic::uniform(load, PACKET, 1)
    };
    let experiment = Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic,
        warm_up: WarmUp::Cycles(1_000),
        cycles: 2_000,
        parts: 1,
        flows: false,
        links: false,
    };
    experiment.run()
}
