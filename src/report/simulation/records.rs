//! What every flow and every link of a simulation saw, as CSV.

use std::fmt::Write as _;

use mkns_simulation::measure::Point;
use mkns_topology::{End, Network};

/// The load of a line, none where no load decides what is sent.
fn load_cell(load: Option<f64>) -> String {
    load.map_or_else(String::new, |load| format!("{load:.4}"))
}

/// What every flow saw; points with their load and seed.
pub fn flows_csv(points: impl Iterator<Item = (Option<f64>, u64, Point)>) -> String {
    let mut text = String::from(
        "load,seed,source,destination,packets,flits,latency_mean,latency_min,latency_max\n",
    );
    for (load, seed, point) in points {
        let load = load_cell(load);
        for flow in &point.flows {
            let _ = writeln!(
                text,
                "{load},{seed},{},{},{},{},{:.3},{},{}",
                flow.source,
                flow.destination,
                flow.packets,
                flow.flits,
                flow.latency_mean,
                flow.latency_min,
                flow.latency_max,
            );
        }
    }
    text
}

/// The load of every link in flits per cycle, both directions of each cable in their order.
pub fn links_csv(
    network: &Network,
    points: impl Iterator<Item = (Option<f64>, u64, Point)>,
) -> String {
    let mut text = String::from("load,seed,from,from_port,to,to_port,dimension,link_load\n");
    let name = |end: End| &network.block(end.block).name;
    for (load, seed, point) in points {
        let load = load_cell(load);
        for link in &point.links {
            let _ = writeln!(
                text,
                "{load},{seed},{},{},{},{},{},{:.6}",
                name(link.from),
                link.from.port.0,
                name(link.to),
                link.to.port.0,
                link.dimension,
                link.load,
            );
        }
    }
    text
}
