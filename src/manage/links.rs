//! What has failed, from the LINK_UP registers of all blocks.

use mkns_topology::{BlockId, Faults, Network, NetworkIndex, Part};

/// The LINK_UP word of every block; none of a block that does not answer.
pub type Readings = Vec<Option<u32>>;

/// What is up in both of two looks.
pub fn steady(one: &Readings, other: &Readings) -> Readings {
    let pairs = one.iter().zip(other);
    pairs
        .map(|(one, other)| one.zip(*other).map(|(one, other)| one & other))
        .collect()
}

/// The parts that have failed: cables that an end sees down, and blocks all of whose cables are down.
pub fn failed_parts(network: &Network, index: &NetworkIndex, readings: &Readings) -> Faults {
    let is_up = |end: mkns_topology::End| {
        let word = readings[end.block.0 as usize].unwrap_or(0);
        word >> end.port.0 & 1 == 1
    };
    let works: Vec<bool> = (network.cables.iter())
        .map(|cable| is_up(cable.a) && is_up(cable.b))
        .collect();
    let is_dead = |id: &BlockId| {
        let mut links = index.links(*id).peekable();
        links.peek().is_some() && links.all(|(_, link)| !works[link.cable as usize])
    };
    let dead: Vec<BlockId> = network.block_ids().filter(is_dead).collect();
    let is_lone = |&(number, works): &(u32, bool)| {
        let cable = &network.cables[number as usize];
        let ends = [cable.a.block, cable.b.block];
        !works && !ends.iter().any(|end| dead.binary_search(end).is_ok())
    };
    let cables = (0..).zip(works).filter(is_lone);
    let cables = cables.map(|(number, _)| Part::Cable(number));
    dead.iter()
        .copied()
        .map(Part::Block)
        .chain(cables)
        .collect()
}
