//! The partners of each host under the patterns that give it some.
//!
//! Bit patterns are defined in the literature for powers of two. Here a host number is written with the prime
//! factors of the number of hosts as radices, so that reversal and transposition are permutations
//! for every number of hosts and the textbook's for powers of two.

use std::collections::{HashMap, VecDeque};

use mkns_random::Random;
use mkns_topology::{BlockId, HostAttachment, Network};

/// Tornado of the literature, as BookSim has it: in every dimension of k places ⌈k / 2⌉ − 1 up, so that shortest paths
/// around a ring all go one way.
pub fn tornado(network: &Network) -> Vec<u32> {
    shifted(network, |sizes| {
        sizes.iter().map(|size| size.div_ceil(2) - 1).collect()
    })
}

/// Half of dimension 2 up, or of dimension 1 where dimension 2 has one place only.
pub fn half_shift(network: &Network) -> Vec<u32> {
    shifted(network, |sizes| {
        let dimension = usize::from(sizes.get(1).is_some_and(|&size| size > 1));
        let shift = |(at, size)| if at == dimension { size / 2 } else { 0 };
        sizes.iter().copied().enumerate().map(shift).collect()
    })
}

/// For every host the one of its port on the adapter block (in distributed switches the host) that is so far up in
/// each dimension; `shifts` gets the sizes of the dimensions.
fn shifted(network: &Network, shifts: impl Fn(&[u32]) -> Vec<u32>) -> Vec<u32> {
    let place_of = |host: &HostAttachment| &network.block(host.block).coordinates;
    let hosts: HashMap<(&[u32], u8), u32> = network
        .hosts
        .iter()
        .map(|host| ((&place_of(host)[..], host.pcie_port), host.host))
        .collect();
    let size = |dimension: usize| {
        let places = network.hosts.iter().map(place_of);
        let last = places.filter_map(|place| place.get(dimension)).max();
        last.map_or(0, |last| last + 1)
    };
    let dimensions = network
        .hosts
        .first()
        .map_or(0, |first| place_of(first).len());
    let sizes: Vec<u32> = (0..dimensions).map(size).collect();
    let shifts = shifts(&sizes);
    let partner = |host: &HostAttachment| {
        let mut place = place_of(host).clone();
        for (at, coordinate) in place.iter_mut().enumerate() {
            *coordinate = (*coordinate + shifts[at]) % sizes[at];
        }
        hosts[&(&place[..], host.pcie_port)]
    };
    network.hosts.iter().map(partner).collect()
}

/// A random order in which nobody keeps its own place (unless there is only one).
pub fn derangement(count: u32, random: &mut Random) -> Vec<u32> {
    let order = random.permutation(count as usize);
    let mut order: Vec<u32> = order.into_iter().map(|host| host as u32).collect();
    for place in 0..order.len() {
        if order[place] as usize == place {
            let next = (place + 1) % order.len();
            order.swap(place, next);
        }
    }
    order
}

/// Prime factors, smallest first.
fn prime_factors(mut number: u32) -> Vec<u32> {
    let mut factors = Vec::new();
    let mut factor = 2;
    while number > 1 {
        while number.is_multiple_of(factor) {
            factors.push(factor);
            number /= factor;
        }
        factor += 1;
    }
    factors
}

/// The number with its digits in reverse order.
pub fn reverse_digits(host: u32, hosts: u32) -> u32 {
    let mut rest = host;
    prime_factors(hosts).into_iter().fold(0, |reversed, radix| {
        let digit = rest % radix;
        rest /= radix;
        reversed * radix + digit
    })
}

/// The number with its low and high half of digits exchanged: row and column of a matrix.
pub fn exchange_halves(host: u32, hosts: u32) -> u32 {
    let factors = prime_factors(hosts);
    let columns: u32 = factors[..factors.len() / 2].iter().product();
    let rows = hosts / columns;
    host % columns * rows + host / columns
}

/// The hosts to which each host sends: the first host of an adapter block to the first hosts of its
/// children in a breadth-first spanning tree of the network and to the others of its own block.
pub fn broadcast_tree(network: &Network, root: u32) -> Vec<Vec<u32>> {
    let mut first_host = vec![None; network.blocks.len()];
    for host in network.hosts.iter().rev() {
        first_host[host.block.0 as usize] = Some(host.host);
    }
    let root_block = network.hosts[root as usize].block;
    // The root speaks for its block.
    first_host[root_block.0 as usize] = Some(root);
    let mut children = vec![Vec::new(); network.hosts.len()];
    for host in &network.hosts {
        let speaker = first_host[host.block.0 as usize].expect("its block has a host");
        if speaker != host.host {
            children[speaker as usize].push(host.host);
        }
    }
    let mut neighbours = vec![Vec::new(); network.blocks.len()];
    for cable in &network.cables {
        for (from, to) in cable.directions() {
            neighbours[from.block.0 as usize].push(to.block);
        }
    }
    // The speaker that each block found has heard the message from, or is.
    let mut speakers: Vec<Option<u32>> = vec![None; network.blocks.len()];
    speakers[root_block.0 as usize] = Some(root);
    let mut found: VecDeque<BlockId> = [root_block].into();
    while let Some(block) = found.pop_front() {
        let speaker = speakers[block.0 as usize].expect("found with its speaker");
        for &next in &neighbours[block.0 as usize] {
            let next_place = next.0 as usize;
            if speakers[next_place].is_some() {
                continue;
            }
            speakers[next_place] = Some(match first_host[next_place] {
                Some(child) => {
                    children[speaker as usize].push(child);
                    child
                }
                None => speaker,
            });
            found.push_back(next);
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use super::super::Pattern;
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    fn is_permutation(partners: impl Iterator<Item = u32>, hosts: u32) -> bool {
        let mut seen: Vec<u32> = partners.collect();
        seen.sort_unstable();
        seen.into_iter().eq(0..hosts)
    }

    #[test]
    fn bit_patterns_are_the_textbooks_for_powers_of_two() {
        for host in 0..64u32 {
            assert_eq!(reverse_digits(host, 64), host.reverse_bits() >> 26);
            assert_eq!(exchange_halves(host, 64), (host & 7) << 3 | host >> 3);
        }
    }

    #[test]
    fn all_fixed_patterns_are_permutations_for_any_number_of_hosts() {
        for hosts in [1, 2, 7, 12, 64, 160] {
            assert!(is_permutation(
                (0..hosts).map(|host| reverse_digits(host, hosts)),
                hosts
            ));
            assert!(is_permutation(
                (0..hosts).map(|host| exchange_halves(host, hosts)),
                hosts
            ));
            let order = derangement(hosts, &mut Random::new(3));
            assert!(hosts == 1 || order.iter().enumerate().all(|(at, &to)| at as u32 != to));
            assert!(is_permutation(order.into_iter(), hosts));
        }
    }

    #[test]
    fn numbers_a5_a_tornado_goes_just_below_half_of_every_dimension() {
        let partners = |notation| {
            let spec = spec::parse(notation).expect("a valid spec");
            tornado(&design::build(&spec).expect("a plan").network)
        };
        // BookSim: every digit + (k + 1) / 2 - 1.
        assert_eq!(partners("torus(8,1)"), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(partners("torus(5)"), [2, 3, 4, 0, 1]);
        let torus = partners("torus(4x6,1)");
        assert_eq!((torus[0], torus[3 + 4 * 5]), (1 + 4 * 2, 4));
        // Host 2 · (x + 4 · y) + port; x + 1, y + 2.
        let mkns = partners("MKNS(2,4x6,2,1)");
        assert_eq!((mkns[0], mkns[1]), (2 * 9, 2 * 9 + 1));
        for notation in [
            "slim_fly(4,3)",
            "fat_tree(3x4,2)",
            "hypercube(3)",
            "dln(30,1)",
        ] {
            let partners = partners(notation);
            let hosts = partners.len() as u32;
            assert!(is_permutation(partners.into_iter(), hosts), "{notation}");
        }
    }

    #[test]
    fn reports_5_patterns_that_leave_every_host_with_itself_are_known() {
        let is_identity = |notation, kind: Pattern| {
            let spec = spec::parse(notation).expect("a valid spec");
            let plan = design::build(&spec).expect("a plan");
            kind.prepare(&plan, 1).is_identity()
        };
        for notation in ["torus(11)", "MKNS(1,3,1,0)", "random_shortcut(13,4)"] {
            assert!(is_identity(notation, Pattern::Transpose), "{notation}");
            assert!(is_identity(notation, Pattern::BitReversal), "{notation}");
            assert!(!is_identity(notation, Pattern::BitComplement));
        }
        assert!(is_identity("torus(2x2,1)", Pattern::Tornado));
        assert!(!is_identity("torus(12)", Pattern::Transpose));
        assert!(!is_identity("torus(11)", Pattern::Uniform));
    }

    #[test]
    fn a_half_shift_goes_half_of_dimension_2_away() {
        let partners = |notation| {
            let spec = spec::parse(notation).expect("a valid spec");
            half_shift(&design::build(&spec).expect("a plan").network)
        };
        // Host 2 · (x + 4 · y) + port of 4 × 6 blocks; y + 3.
        let mkns = partners("MKNS(2,4x6,2,1)");
        assert_eq!(
            (mkns[0], mkns[1], mkns[2 * (3 + 4 * 5) + 1]),
            (24, 25, 2 * (3 + 4 * 2) + 1)
        );
        assert_eq!(partners("torus(5)"), [2, 3, 4, 0, 1]);
        for notation in ["slim_fly(4,3)", "fat_tree(3x4,2)", "hypercube(3)"] {
            let partners = partners(notation);
            let hosts = partners.len() as u32;
            assert!(is_permutation(partners.into_iter(), hosts), "{notation}");
        }
    }

    #[test]
    fn a_broadcast_reaches_every_host_once() {
        let plan = |notation| {
            let spec = spec::parse(notation).expect("a valid spec");
            design::build(&spec).expect("a plan")
        };
        for (notation, root) in [
            ("MKNS(2,4,2,1)", 5),
            ("MKNS(1,3x2,2,0)", 0),
            ("multi_ring(2,2)", 3),
        ] {
            let plan = plan(notation);
            let children = broadcast_tree(&plan.network, root);
            let hosts = plan.network.hosts.len() as u32;
            let reached = children.iter().flatten().copied().chain([root]);
            assert!(is_permutation(reached, hosts), "{notation}: {children:?}");
        }
    }
}
