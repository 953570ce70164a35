//! The graph for other network simulators, so that results can be checked with them: the `anynet`
//! list of BookSim 2 and the adjacency file of CAMINOS.
//!
//! Neither format knows port numbers. Both join two routers once and in both directions, and their channels carry one
//! flit per cycle: networks with parallel, one-way or serial cables are refused. Routers are numbered as blocks, nodes
//! as hosts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Cable, CableKind, Network};
use mkns_diag::{Code, Diagnostic};
use mkns_spec::NetworkSpec;

/// For BookSim 2, `topology = anynet`: a line for each router with its nodes and its neighbours,
/// each with the latency of the channel to it, cycles.
///
/// # Errors
/// Where the list cannot express a cable.
pub fn booksim(spec: &NetworkSpec, network: &Network) -> Result<String, Box<Diagnostic>> {
    ensure_expressible("BookSim's anynet list", spec, network)?;
    let link_latency = spec.block.link_latency;
    let mut nodes = vec![Vec::new(); network.blocks.len()];
    for host in &network.hosts {
        nodes[host.block.0 as usize].push(host.host);
    }
    let mut text = String::new();
    for (router, (nodes, neighbours)) in nodes.iter().zip(neighbours(network)).enumerate() {
        let _ = write!(text, "router {router}");
        for node in nodes {
            let _ = write!(text, " node {node}");
        }
        for neighbour in neighbours {
            let _ = write!(text, " router {neighbour} {link_latency}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// For CAMINOS, topology `File`: number of routers, greatest degree, then the neighbours of every
/// router. It gives every router the same number of servers; the routers that are adapter blocks
/// come first, so servers past the last host are to stay silent.
///
/// # Errors
/// Where the file cannot express a cable.
pub fn caminos(spec: &NetworkSpec, network: &Network) -> Result<String, Box<Diagnostic>> {
    ensure_expressible("CAMINOS's adjacency file", spec, network)?;
    let neighbours = neighbours(network);
    let degree = neighbours.iter().map(BTreeSet::len).max().unwrap_or(0);
    let mut text = format!("NODOS {}\nGRADO {degree}\n", neighbours.len());
    for (router, neighbours) in neighbours.iter().enumerate() {
        let list: Vec<String> = neighbours.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "N {router}\n{}", list.join(" "));
    }
    Ok(text)
}

/// Refuses a network of which the format would hold another one.
fn ensure_expressible(
    format: &str,
    spec: &NetworkSpec,
    network: &Network,
) -> Result<(), Box<Diagnostic>> {
    let mut joined = BTreeSet::new();
    for cable in &network.cables {
        let is_second = !joined.insert((cable.a.block, cable.b.block));
        let Some((what, why)) = inexpressible(spec, cable, is_second) else {
            continue;
        };
        let (a, b) = (network.block(cable.a.block), network.block(cable.b.block));
        let fact = format!(
            "{format} cannot express {what}: {} to {}; {why}",
            a.name, b.name
        );
        let remedy = match what {
            SERIAL => {
                "leave the serial links out with `--set link=\"parallel\"`, or use `--to graphml`"
            }
            _ => "use `--to graphml`, `--to json` or `--to csv`, which hold every cable",
        };
        return Err(Box::new(Diagnostic::new(
            Code::NotExpressible,
            fact,
            remedy,
        )));
    }
    Ok(())
}

const SERIAL: &str = "a serial cable";

/// What a cable is that the formats do not know, and what they know instead.
fn inexpressible(
    spec: &NetworkSpec,
    cable: &Cable,
    is_second: bool,
) -> Option<(&'static str, String)> {
    if cable.kind == CableKind::Simplex {
        return Some(("a one-way cable", "its channels go both ways".to_owned()));
    }
    if is_second {
        let why = "it joins two routers by one channel".to_owned();
        return Some(("parallel cables", why));
    }
    let link = spec.link.as_ref()?;
    let is_serial = link.joins(cable.dimension) && cable.kind != CableKind::AssemblyInternal;
    is_serial.then(|| {
        let rate = f64::from(link.flits_per_100_000_cycles()) / 100_000.0;
        let why = format!("this one carries at most {rate:.3} flits per cycle, its channels one");
        (SERIAL, why)
    })
}

/// The blocks that each block is joined to.
fn neighbours(network: &Network) -> Vec<BTreeSet<u32>> {
    let mut neighbours = vec![BTreeSet::new(); network.blocks.len()];
    for cable in &network.cables {
        let (a, b) = (cable.a.block.0, cable.b.block.0);
        neighbours[a as usize].insert(b);
        neighbours[b as usize].insert(a);
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as topology;
    use mkns_spec as spec;

    #[test]
    fn both_lists_hold_every_cable_in_both_directions() {
        let spec = spec::parse("MKNS(2,2,2,1)").expect("a valid spec");
        let network = topology::build(&spec);
        // Four adapter blocks in two lines, a cable in each, and a switch block for each column.
        let list = booksim(&spec, &network).expect("it can be expressed");
        assert_eq!(
            list.lines().next(),
            Some("router 0 node 0 node 1 router 1 1 router 4 1")
        );
        assert_eq!(list.lines().count(), 6);
        assert_eq!(list.matches(" node ").count(), 8);
        assert_eq!(list.matches(" router ").count(), 2 * network.cables.len());
        let file = caminos(&spec, &network).expect("it can be expressed");
        assert!(
            file.starts_with("NODOS 6\nGRADO 2\nN 0\n1 4\nN 1\n0 5\n"),
            "{file}"
        );
        let lists = file.lines().skip(3).step_by(2);
        let ends: usize = lists.map(|line| line.split(' ').count()).sum();
        assert_eq!(ends, 2 * network.cables.len());
    }
    #[test]
    fn numbers_a6_networks_that_a_format_cannot_express_are_refused() {
        let serial = ["link=\"serial\"".to_owned()];
        for (notation, settings, what) in [
            (
                "MKNS(1,3x12,2,2)",
                &[][..],
                "parallel cables: ksb_y0_leaf0 to ksb_y0_spine0",
            ),
            ("hypercube(2)", &[], "a one-way cable"),
            ("multi_ring(2,2)", &[], "a one-way cable"),
            ("torus(4x4)", &serial, "a serial cable"),
        ] {
            let spec = spec::parse_with(notation, settings).expect("a valid spec");
            let network = topology::build(&spec);
            for refusal in [booksim(&spec, &network), caminos(&spec, &network)] {
                let refusal = refusal.expect_err(notation);
                assert_eq!(refusal.code, Code::NotExpressible);
                assert!(refusal.fact.contains(what), "{}", refusal.fact);
            }
        }
    }
}
