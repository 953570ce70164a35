//! The graph for other network simulators, so that results can be checked with them: the `anynet`
//! list of BookSim 2 and the adjacency file of CAMINOS.
//!
//! Neither format knows port numbers, and both join two routers once: parallel cables, which only
//! switch assemblies have, become one. Routers are numbered as blocks, nodes as compute modules.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Network;

/// For BookSim 2, `topology = anynet`: a line for each router with its nodes and its neighbours,
/// each with the latency of the channel to it, cycles.
pub fn booksim(network: &Network, link_latency: u32) -> String {
    let mut nodes = vec![Vec::new(); network.blocks.len()];
    for terminal in &network.terminals {
        nodes[terminal.block.0 as usize].push(terminal.vm);
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
    text
}

/// For CAMINOS, topology `File`: number of routers, greatest degree, then the neighbours of every
/// router. It gives every router the same number of servers; the routers that are adapter blocks
/// come first, so servers past the last compute module are to stay silent.
pub fn caminos(network: &Network) -> String {
    let neighbours = neighbours(network);
    let degree = neighbours.iter().map(BTreeSet::len).max().unwrap_or(0);
    let mut text = format!("NODOS {}\nGRADO {degree}\n", neighbours.len());
    for (router, neighbours) in neighbours.iter().enumerate() {
        let list: Vec<String> = neighbours.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "N {router}\n{}", list.join(" "));
    }
    text
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
        let list = booksim(&network, 3);
        assert_eq!(
            list.lines().next(),
            Some("router 0 node 0 node 1 router 1 3 router 4 3")
        );
        assert_eq!(list.lines().count(), 6);
        assert_eq!(list.matches(" node ").count(), 8);
        assert_eq!(list.matches(" router ").count(), 2 * network.cables.len());
        let file = caminos(&network);
        assert!(
            file.starts_with("NODOS 6\nGRADO 2\nN 0\n1 4\nN 1\n0 5\n"),
            "{file}"
        );
        let lists = file.lines().skip(3).step_by(2);
        let ends: usize = lists.map(|line| line.split(' ').count()).sum();
        assert_eq!(ends, 2 * network.cables.len());
    }
}
