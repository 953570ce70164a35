//! Loads of the paper: permutations, homogeneous m-permutations, all-to-all, σ-permutations.

use super::Packet;
use crate::train::{self, Train};
use mkns_random::Random;
use mkns_topology::distributed_switch::DistributedSwitch;

/// A permutation of 0…`count` − 1.
pub fn random_permutation(count: u32, random: &mut Random) -> Vec<u32> {
    let order = random.permutation(count as usize).into_iter();
    order.map(|number| number as u32).collect()
}

/// Calls `visit` with every permutation of 0…`count` − 1 until it returns false (Heap's algorithm).
pub fn permutations(count: u32, mut visit: impl FnMut(&[u32]) -> bool) {
    let mut permutation: Vec<u32> = (0..count).collect();
    let mut counters = vec![0; permutation.len()];
    if !visit(&permutation) {
        return;
    }
    let mut at = 1;
    while at < permutation.len() {
        if counters[at] < at {
            let other = if at % 2 == 0 { 0 } else { counters[at] };
            permutation.swap(other, at);
            if !visit(&permutation) {
                return;
            }
            counters[at] += 1;
            at = 1;
        } else {
            counters[at] = 0;
            at += 1;
        }
    }
}

/// A packet whose source chooses its train alone.
pub fn packet_alone(switch: &DistributedSwitch, from: u32, to: u32) -> Packet {
    let train = train::alone(switch, from, to);
    Packet { from, to, train }
}

/// The packets of a permutation: terminal a sends one to `permutation[a]`.
pub fn packets_of(switch: &DistributedSwitch, permutation: &[u32]) -> Vec<Packet> {
    let pairs = (0..).zip(permutation);
    pairs
        .map(|(from, to)| packet_alone(switch, from, *to))
        .collect()
}

/// A random homogeneous m-permutation: as many packets at every terminal as it has ports, of which each
/// leaves by a port of its own and each that arrives comes in by a port of its own. Every copy of the
/// outermost stage gets a random permutation of its terminals.
pub fn homogeneous_load(switch: &DistributedSwitch, random: &mut Random) -> Vec<Packet> {
    let stage = switch.stage(1);
    let mut packets = Vec::new();
    for copy in 0..stage.copies() {
        let senders: Vec<u32> = stage.inputs(copy).into_iter().flatten().collect();
        let receivers: Vec<u32> = stage.outputs(copy).into_iter().flatten().collect();
        let order = random_permutation(receivers.len() as u32, random);
        for (from, place) in senders.iter().zip(order) {
            let to = receivers[place as usize];
            let mut ways = stage.up(*from).iter().zip(0..);
            let branch = ways.find_map(|(at, branch)| (at.copy == copy).then_some(branch));
            let train = train::through(switch, *from, to, branch.expect("it sends there"));
            packets.push(Packet {
                from: *from,
                to,
                train: train.expect("both are attached to the copy"),
            });
        }
    }
    packets
}

/// Receivers of terminal a in either session of the all-to-all exchange: (m·a + c) mod N, c below m.
/// Which terminals they are in the paper's figures is not said; this choice serves both digraphs.
pub fn all_to_all_receivers(switch: &DistributedSwitch, from: u32) -> Vec<u32> {
    let (m, n) = (switch.ports(), switch.terminals());
    (0..m).map(|c| (m * from + c) % n).collect()
}

/// A random σ-permutation as pairs of terminals: every terminal sends σ packets and receives σ.
pub fn sigma_load(switch: &DistributedSwitch, sigma: u32, random: &mut Random) -> Vec<(u32, u32)> {
    let rounds = (0..sigma).map(|_| random_permutation(switch.terminals(), random));
    let mut pairs: Vec<(u32, u32)> = rounds.flat_map(|round| (0..).zip(round)).collect();
    pairs.sort_unstable();
    pairs
}

/// Trains of sources that choose alone: each gives its packets, in order of destination, the first
/// branch of its own that leads there and is still free; it knows nothing of the other sources.
pub fn chosen_alone(switch: &DistributedSwitch, pairs: &[(u32, u32)]) -> Vec<Packet> {
    let mut taken: Vec<(u32, u32)> = Vec::new();
    let packet = |&(from, to): &(u32, u32)| {
        let branches = train::first_branches(switch, from, to);
        let free = branches
            .iter()
            .find(|branch| !taken.contains(&(from, **branch)));
        let branch = *free.unwrap_or(&branches[0]);
        taken.push((from, branch));
        let train = train::through(switch, from, to, branch);
        Packet {
            from,
            to,
            train: train.expect("the branch leads there"),
        }
    };
    pairs.iter().map(packet).collect()
}

/// Trains with the first branches that an allocator gave.
pub fn with_branches(
    switch: &DistributedSwitch,
    pairs: &[(u32, u32)],
    branches: &[u32],
) -> Vec<Packet> {
    let packet = |(&(from, to), branch): (&(u32, u32), &u32)| Packet {
        from,
        to,
        train: train::through(switch, from, to, *branch).unwrap_or(Train(Vec::new())),
    };
    pairs.iter().zip(branches).map(packet).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_permutation_is_visited_once() {
        for (count, total) in [(1, 1), (2, 2), (4, 24), (6, 720)] {
            let mut seen = BTreeSet::new();
            permutations(count, |permutation| seen.insert(permutation.to_vec()));
            assert_eq!(seen.len(), total);
        }
    }

    #[test]
    fn a_visit_that_says_stop_is_the_last() {
        let mut visits = 0;
        permutations(5, |_| {
            visits += 1;
            visits < 7
        });
        assert_eq!(visits, 7);
    }
}
