//! A network under traffic for 2,000 cycles: enough to set networks beside each other in a table, when it has settled before.

use mkns_design::{Plan, RouteSource};
use mkns_routing as routing;
use mkns_simulation::measure::{Experiment, Point, WarmUp};
use mkns_spec::NetworkSpec;
use mkns_topology::{Faults, Network};
use mkns_traffic::{Pattern, Traffic};

/// Flits of a packet.
const PACKET: u32 = 9;

/// Cycles in which uniform traffic settles.
pub const UNIFORM_SETTLES: u64 = 1_000;

/// A network with failed parts, and the routes that its engine makes.
pub fn plan(spec: &NetworkSpec, network: Network, faults: Faults) -> Plan {
    let routes = routing::build(spec, &network, &faults).expect("routes");
    Plan::with_faults(spec, network, faults, routes)
}

/// Packets at random, this many flits per host and cycle, measured after `settling` cycles.
pub fn run(plan: &Plan, pattern: Pattern, load: f64, settling: u64) -> Point {
    let traffic = Traffic {
        pattern,
        ..Traffic::uniform(load, PACKET, 1)
    };
    let experiment = Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic,
        warm_up: WarmUp::Cycles(settling),
        cycles: 2_000,
        parts: 1,
        flows: false,
        links: false,
    };
    experiment.run()
}
