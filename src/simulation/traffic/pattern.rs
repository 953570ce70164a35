//! Where packets go: the usual patterns of network evaluation (Dally and Towles, *Principles and
//! Practices of Interconnection Networks*, table 3.1), for any number of hosts.
//!
//! Bit patterns are defined there for powers of two. Here a host number is written with the prime
//! factors of the number of hosts as radices, so that reversal and transposition are permutations
//! for every number of hosts and the textbook's for powers of two.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use mkns_design::{BlockModule, Plan};
use mkns_random::Random;
use mkns_topology::{BlockId, Network, Terminal};

/// The patterns by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PatternKind {
    /// All hosts equally, including the sender.
    Uniform,
    /// Every host has one partner, drawn by the seed; nobody is its own.
    Permutation,
    /// Low and high half of the digits of the number change places.
    Transpose,
    BitReversal,
    /// The highest number less its own.
    BitComplement,
    /// The sender's own port number, of the next adapter block.
    Neighbour,
    /// The sender's own port number, of the adapter block that is ⌈k / 2⌉ − 1 away in every dimension of k.
    Tornado,
    /// The sender's own port number, of the adapter block half of dimension 2 away, of dimension 1 where there is one only.
    HalfShift,
    /// A share `fraction` (0…1) of the packets goes to host `host`, the rest is uniform.
    HotSpot {
        host: u32,
        fraction: f64,
    },
    /// Every host sends to all others in turn, each beginning with its successor.
    AllToAll,
    /// Host `root` sends to all along a spanning tree; who receives passes on.
    Broadcast {
        root: u32,
    },
}

/// A pattern made for a network; cheap to clone.
#[derive(Debug, Clone)]
pub enum Pattern {
    Uniform,
    /// One destination for every host.
    Fixed(Arc<[u32]>),
    HotSpot {
        host: u32,
        fraction: f64,
    },
    AllToAll,
    /// The hosts to which each host passes on.
    Broadcast(Arc<Vec<Vec<u32>>>),
}

impl PatternKind {
    /// Whether every host has a path to all that the pattern asks for: parallel ports of a terminal of
    /// a distributed switch lead to few hosts each, and only patterns that name all hosts can leave
    /// out the others.
    pub fn suits(self, plan: &Plan) -> bool {
        let is_parallel = |module: &BlockModule| module.pok.is_some_and(|shape| shape.parallel);
        matches!(self, PatternKind::Uniform | PatternKind::AllToAll)
            || !plan.modules.iter().any(is_parallel)
    }

    /// Whether it is made from the graph, not from the number of hosts alone.
    pub fn needs_graph(self) -> bool {
        matches!(
            self,
            PatternKind::Tornado | PatternKind::HalfShift | PatternKind::Broadcast { .. }
        )
    }

    /// The pattern for the hosts of a plan. Without its graph for patterns that [need](Self::needs_graph) none.
    pub fn prepare(self, plan: &Plan, seed: u64) -> Pattern {
        let (network, hosts) = (&plan.network, plan.hosts());
        let fixed =
            |partner: &dyn Fn(u32) -> u32| Pattern::Fixed((0..hosts).map(partner).collect());
        match self {
            PatternKind::Uniform => Pattern::Uniform,
            PatternKind::Permutation => Pattern::Fixed(derangement(hosts, seed).into()),
            PatternKind::Transpose => fixed(&|host| exchange_halves(host, hosts)),
            PatternKind::BitReversal => fixed(&|host| reverse_digits(host, hosts)),
            PatternKind::BitComplement => fixed(&|host| hosts - 1 - host),
            PatternKind::Neighbour => {
                let step = plan.spec.kind.vms_per_node();
                fixed(&|host| (host + step) % hosts)
            }
            PatternKind::Tornado => Pattern::Fixed(tornado(network).into()),
            PatternKind::HalfShift => Pattern::Fixed(half_shift(network).into()),
            PatternKind::HotSpot { host, fraction } => Pattern::HotSpot { host, fraction },
            PatternKind::AllToAll => Pattern::AllToAll,
            PatternKind::Broadcast { root } => {
                Pattern::Broadcast(Arc::new(broadcast_tree(network, root)))
            }
        }
    }
}

impl Pattern {
    /// Whether every host sends to itself and to nobody else.
    pub fn is_identity(&self) -> bool {
        match self {
            Pattern::Fixed(partners) => (0..).zip(&**partners).all(|(host, &to)| host == to),
            _ => false,
        }
    }

    /// Destination of packet number `count` of host `host` among `hosts`.
    #[inline]
    pub fn draw(&self, host: u32, hosts: u32, count: u64, random: &mut Random) -> u32 {
        match self {
            Pattern::Uniform => random.below(hosts.into()) as u32,
            Pattern::Fixed(partners) => partners[host as usize],
            Pattern::HotSpot {
                host: hot,
                fraction,
            } => {
                if random.fraction() < *fraction {
                    *hot
                } else {
                    random.below(hosts.into()) as u32
                }
            }
            Pattern::AllToAll if hosts > 1 => {
                let distance = 1 + (count % u64::from(hosts - 1)) as u32;
                (host + distance) % hosts
            }
            Pattern::AllToAll | Pattern::Broadcast(_) => host,
        }
    }
}

/// Tornado of the literature, as BookSim has it: in every dimension of k places ⌈k / 2⌉ − 1 up, so that shortest paths
/// round a ring all go one way.
fn tornado(network: &Network) -> Vec<u32> {
    shifted(network, |sizes| {
        sizes.iter().map(|size| size.div_ceil(2) - 1).collect()
    })
}

/// Half of dimension 2 up, or of dimension 1 where dimension 2 has one place only.
fn half_shift(network: &Network) -> Vec<u32> {
    shifted(network, |sizes| {
        let dimension = usize::from(sizes.get(1).is_some_and(|&size| size > 1));
        let shift = |(at, size)| if at == dimension { size / 2 } else { 0 };
        sizes.iter().copied().enumerate().map(shift).collect()
    })
}

/// For every host the one of its port on the adapter block (in distributed switches the terminal) that is so far up in
/// each dimension; `shifts` gets the sizes of the dimensions.
fn shifted(network: &Network, shifts: impl Fn(&[u32]) -> Vec<u32>) -> Vec<u32> {
    let place_of = |terminal: &Terminal| &network.block(terminal.block).coordinates;
    let hosts: HashMap<(&[u32], u8), u32> = network
        .terminals
        .iter()
        .map(|terminal| ((&place_of(terminal)[..], terminal.pcie_port), terminal.host))
        .collect();
    let size = |dimension: usize| {
        let places = network.terminals.iter().map(place_of);
        let last = places.filter_map(|place| place.get(dimension)).max();
        last.map_or(0, |last| last + 1)
    };
    let dimensions = network
        .terminals
        .first()
        .map_or(0, |first| place_of(first).len());
    let sizes: Vec<u32> = (0..dimensions).map(size).collect();
    let shifts = shifts(&sizes);
    let partner = |terminal: &Terminal| {
        let mut place = place_of(terminal).clone();
        for (at, coordinate) in place.iter_mut().enumerate() {
            *coordinate = (*coordinate + shifts[at]) % sizes[at];
        }
        hosts[&(&place[..], terminal.pcie_port)]
    };
    network.terminals.iter().map(partner).collect()
}

/// A random order in which nobody keeps its own place (unless there is only one).
fn derangement(count: u32, seed: u64) -> Vec<u32> {
    let mut random = Random::branch(seed, u64::MAX);
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
fn reverse_digits(host: u32, hosts: u32) -> u32 {
    let mut rest = host;
    prime_factors(hosts).into_iter().fold(0, |reversed, radix| {
        let digit = rest % radix;
        rest /= radix;
        reversed * radix + digit
    })
}

/// The number with its low and high half of digits exchanged: row and column of a matrix.
fn exchange_halves(host: u32, hosts: u32) -> u32 {
    let factors = prime_factors(hosts);
    let columns: u32 = factors[..factors.len() / 2].iter().product();
    let rows = hosts / columns;
    host % columns * rows + host / columns
}

/// The hosts to which each host sends: the first host of an adapter block to the first hosts of its
/// children in a breadth-first spanning tree of the network and to the others of its own block.
fn broadcast_tree(network: &Network, root: u32) -> Vec<Vec<u32>> {
    let mut first_host = vec![None; network.blocks.len()];
    for terminal in network.terminals.iter().rev() {
        first_host[terminal.block.0 as usize] = Some(terminal.host);
    }
    let root_block = network.terminals[root as usize].block;
    // The root speaks for its block.
    first_host[root_block.0 as usize] = Some(root);
    let mut children = vec![Vec::new(); network.terminals.len()];
    for terminal in &network.terminals {
        let speaker = first_host[terminal.block.0 as usize].expect("its block has a host");
        if speaker != terminal.host {
            children[speaker as usize].push(terminal.host);
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
            let order = derangement(hosts, 3);
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
        let is_identity = |notation, kind: PatternKind| {
            let spec = spec::parse(notation).expect("a valid spec");
            let plan = design::build(&spec).expect("a plan");
            kind.prepare(&plan, 1).is_identity()
        };
        for notation in ["torus(11)", "MKNS(1,3,1,0)", "random_shortcut(13,4)"] {
            assert!(is_identity(notation, PatternKind::Transpose), "{notation}");
            assert!(
                is_identity(notation, PatternKind::BitReversal),
                "{notation}"
            );
            assert!(!is_identity(notation, PatternKind::BitComplement));
        }
        assert!(is_identity("torus(2x2,1)", PatternKind::Tornado));
        assert!(!is_identity("torus(12)", PatternKind::Transpose));
        assert!(!is_identity("torus(11)", PatternKind::Uniform));
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
            let hosts = plan.network.terminals.len() as u32;
            let reached = children.iter().flatten().copied().chain([root]);
            assert!(is_permutation(reached, hosts), "{notation}: {children:?}");
        }
    }
}
