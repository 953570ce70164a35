//! Which cables of a network are serial, and how far hosts are from each other over them.

use std::collections::VecDeque;

use super::ZeroLoadLatency;
use mkns_spec::{NetworkSpec, SerialLink};
use mkns_topology::{BlockId, Cable, CableKind, End, Network};

/// The serial link that a cable is; none where it has register stages. The inner cables of a switch assembly do not leave
/// its board.
pub fn serial_link<'a>(spec: &'a NetworkSpec, cable: &Cable) -> Option<&'a SerialLink> {
    let link = spec.link.as_ref()?;
    let is_serial = link.joins(cable.dimension) && cable.kind != CableKind::AssemblyInternal;
    is_serial.then_some(link)
}

/// Of every block, the network ports with a serial cable: bit p for port p.
pub fn serial_ports(spec: &NetworkSpec, network: &Network) -> Vec<u32> {
    let mut ports = vec![0; network.blocks.len()];
    for cable in &network.cables {
        if serial_link(spec, cable).is_some() {
            for end in [cable.a, cable.b] {
                ports[end.block.0 as usize] |= 1 << end.port.0;
            }
        }
    }
    ports
}

/// What the EXPECTED_PEER register of a link port says when it has to be joined to this end.
pub fn expected_peer(end: End) -> u32 {
    1 << 31 | u32::from(end.port.0) << 16 | end.block.0 & 0xffff
}

/// FNV-1a, 32 bits, of a network's name: the two ends of a serial cable compare it.
pub fn network_hash(name: &str) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    name.bytes().fold(0x811c_9dc5, step)
}

/// Networks of at most this many adapter blocks are examined from all of them.
const EXHAUSTIVE: usize = 2_048;

/// Whether [`farthest_hosts`] looks at some adapter blocks only, so that others may be farther.
pub fn farthest_is_sampled(network: &Network) -> bool {
    network.adapters().len() > EXHAUSTIVE
}

/// Cycles of one common clock, counted from the end of a reset, within which every serial link of a network is up: both
/// sides have heard sixteen HELLO words, say so, and hear of it. With some to spare.
pub fn link_rise_cycles(link: &SerialLink) -> u32 {
    2 * link.flight_words + 200
}

/// Cycles of a header-only packet between the hosts farthest from each other on an idle network, over paths of the fewest
/// cables and among these of the fewest serial ones. Of networks of more than 2,048 adapter blocks some are looked at.
pub fn farthest_hosts(spec: &NetworkSpec, network: &Network) -> u32 {
    let latency = ZeroLoadLatency::of(spec);
    let adapters = network.adapters().len();
    let step = adapters.div_ceil(EXHAUSTIVE).max(1);
    let cables = Cables::new(spec, network);
    let sources = (0..adapters).step_by(step);
    let far = sources.flat_map(|from| {
        let paths = cables.paths_from(from);
        (0..adapters).filter_map(move |to| paths[to])
    });
    let all = far.map(|(cables, serial)| latency.host_to_host_over(cables, serial));
    all.max().unwrap_or_default()
}

/// Blocks that each block sends to, and whether through a serial cable.
struct Cables {
    from: Vec<Vec<(usize, bool)>>,
}

impl Cables {
    fn new(spec: &NetworkSpec, network: &Network) -> Self {
        let index = network.index();
        let of_block = |block: BlockId| {
            let links = index.links(block).map(|(_, link)| {
                let cable = &network.cables[link.cable as usize];
                let is_serial = serial_link(spec, cable).is_some();
                (link.peer.block.0 as usize, is_serial)
            });
            links.collect()
        };
        Self {
            from: network.block_ids().map(of_block).collect(),
        }
    }

    /// The fewest cables to every block, and of such paths the fewest serial ones.
    fn paths_from(&self, from: usize) -> Vec<Option<(u32, u32)>> {
        let mut found = vec![None; self.from.len()];
        found[from] = Some((0, 0));
        let mut next = VecDeque::from([from]);
        while let Some(block) = next.pop_front() {
            let (cables, serial) = found[block].expect("only blocks that were found are next");
            for &(peer, is_serial) in &self.from[block] {
                let path = (cables + 1, serial + u32::from(is_serial));
                match found[peer] {
                    None => {
                        found[peer] = Some(path);
                        next.push_back(peer);
                    }
                    Some(other) if path < other => found[peer] = Some(path),
                    Some(_) => {}
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn farthest(text: &str, settings: &[&str]) -> u32 {
        let settings: Vec<String> = settings.iter().map(|&word| word.to_owned()).collect();
        let spec = mkns_spec::parse_with(text, &settings).expect("the spec is valid");
        farthest_hosts(&spec, &mkns_topology::build(&spec))
    }

    #[test]
    fn the_hash_of_known_words() {
        let known = [
            ("", 0x811c_9dc5),
            ("a", 0xe40c_292c),
            ("foobar", 0xbf9c_f968),
        ];
        for (word, hash) in known {
            assert_eq!(network_hash(word), hash);
        }
    }

    #[test]
    fn a_serial_dimension_lengthens_the_way_across_it_alone() {
        let parallel = farthest("MKNS(2,3x3,2,1)", &[]);
        let both = "link.flight_words=40";
        let cables = farthest("MKNS(2,3x3,2,1)", &[both, "link.dimensions=[2]"]);
        // Two cables through a switch block, 57 cycles each instead of 1.
        assert_eq!(cables, parallel + 2 * 56);
        assert_eq!(farthest("MKNS(2,3x3,2,1)", &[both]), parallel + 3 * 56);
    }

    #[test]
    fn the_inner_cables_of_an_assembly_stay_on_its_board() {
        let parallel = farthest("MKNS(1,2x12,2,2)", &[]);
        let cables = farthest("MKNS(1,2x12,2,2)", &["link=serial", "link.dimensions=[2]"]);
        assert_eq!(cables, parallel + 2 * 56);
    }
}
