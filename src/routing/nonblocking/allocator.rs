//! A coordinated choice of switches for σ-permutations: list edge-colouring by Galvin's theorem.
//!
//! Packets are the edges of a bipartite multigraph (sources, destinations) of degree σ, the switches that
//! both ends share are the colours allowed on an edge, at least σ of them. Galvin (1995) proved that a
//! proper colouring exists, by stable matchings: colour the edges properly with σ numbers first; then, for
//! one switch after the other, give it to a stable matching of the edges that allow it, where sources prefer
//! high numbers and destinations low ones. Every edge is served before its switches run out.

use std::collections::BTreeMap;

/// A switch for every packet so that no source and no destination uses one twice; `packets` are (source,
/// destination), `allowed` the switches of each. `None` when an edge is left over, which Galvin's theorem
/// excludes where every packet has as many switches as its ends have packets.
pub fn edge_colouring(packets: &[(u32, u32)], allowed: &[Vec<u32>]) -> Option<Vec<u32>> {
    let ranks = proper_numbers(packets);
    let mut colours: Vec<Option<u32>> = vec![None; packets.len()];
    let mut switches: Vec<u32> = allowed.iter().flatten().copied().collect();
    switches.sort_unstable();
    switches.dedup();
    for switch in switches {
        let open = |edge: &usize| colours[*edge].is_none() && allowed[*edge].contains(&switch);
        let edges: Vec<usize> = (0..packets.len()).filter(open).collect();
        for edge in stable_matching(packets, &ranks, &edges) {
            colours[edge] = Some(switch);
        }
    }
    colours.into_iter().collect()
}

/// A proper edge-colouring with as many numbers as the largest degree (König): each edge takes the
/// lowest number free at its source, and an alternating path of the destination's frees it there too.
pub fn proper_numbers(packets: &[(u32, u32)]) -> Vec<u32> {
    let mut at_source: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut at_destination: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut numbers = vec![0; packets.len()];
    let free = |map: &BTreeMap<(u32, u32), usize>, end: u32| {
        (0..)
            .find(|number| !map.contains_key(&(end, *number)))
            .expect("finitely many are taken")
    };
    for (edge, &(from, to)) in packets.iter().enumerate() {
        let (wanted, other) = (free(&at_source, from), free(&at_destination, to));
        if wanted != other {
            // Exchange the two numbers along the path that starts at `to` with `wanted`.
            let mut path = Vec::new();
            let (mut end, mut number, mut is_destination) = (to, wanted, true);
            loop {
                let map = if is_destination {
                    &at_destination
                } else {
                    &at_source
                };
                let Some(&next) = map.get(&(end, number)) else {
                    break;
                };
                path.push(next);
                let (source, destination) = packets[next];
                end = if is_destination { source } else { destination };
                is_destination = !is_destination;
                number = wanted + other - number;
            }
            for &next in &path {
                let (source, destination) = packets[next];
                at_source.remove(&(source, numbers[next]));
                at_destination.remove(&(destination, numbers[next]));
            }
            for &next in &path {
                numbers[next] = wanted + other - numbers[next];
                let (source, destination) = packets[next];
                at_source.insert((source, numbers[next]), next);
                at_destination.insert((destination, numbers[next]), next);
            }
        }
        numbers[edge] = wanted;
        at_source.insert((from, wanted), edge);
        at_destination.insert((to, wanted), edge);
    }
    numbers
}

/// A stable matching of `edges` (Gale & Shapley): sources propose their edge of highest number first,
/// destinations keep the lowest that is offered.
fn stable_matching(packets: &[(u32, u32)], ranks: &[u32], edges: &[usize]) -> Vec<usize> {
    let mut proposals: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &edge in edges {
        proposals.entry(packets[edge].0).or_default().push(edge);
    }
    for list in proposals.values_mut() {
        list.sort_by_key(|edge| ranks[*edge]);
    }
    let mut kept: BTreeMap<u32, usize> = BTreeMap::new();
    let mut waiting: Vec<u32> = proposals.keys().copied().collect();
    while let Some(source) = waiting.pop() {
        let Some(edge) = proposals.get_mut(&source).and_then(Vec::pop) else {
            continue;
        };
        let destination = packets[edge].1;
        match kept.get(&destination) {
            Some(&held) if ranks[held] <= ranks[edge] => waiting.push(source),
            held => {
                waiting.extend(held.map(|held| packets[*held].0));
                kept.insert(destination, edge);
            }
        }
    }
    kept.into_values().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn is_proper(packets: &[(u32, u32)], colours: &[u32]) -> bool {
        let ends = |end: fn(&(u32, u32)) -> u32| {
            let pairs = packets.iter().map(end).zip(colours.iter().copied());
            pairs.collect::<BTreeSet<(u32, u32)>>().len()
        };
        ends(|packet| packet.0) == packets.len() && ends(|packet| packet.1) == packets.len()
    }

    proptest! {
        /// Any σ permutations, parallel packets among them, and any lists of σ switches.
        #[test]
        fn lists_as_long_as_the_degree_always_suffice(
            rounds in (2_u32..6, 1_usize..5).prop_flat_map(|(count, sigma)| {
                let order = Just((0..count).collect::<Vec<u32>>()).prop_shuffle();
                proptest::collection::vec(order, sigma)
            }),
            seed in proptest::collection::vec(0_u32..7, 200),
        ) {
            let packets: Vec<(u32, u32)> = rounds.iter().flat_map(|round| (0..).zip(round.clone())).collect();
            let sigma = rounds.len();
            let mut seeds = seed.iter().cycle();
            let allowed: Vec<Vec<u32>> = packets.iter().map(|_| {
                let mut list = BTreeSet::new();
                let mut next = *seeds.next().expect("a cycle");
                while list.len() < sigma {
                    list.insert(next % 7);
                    next = if list.contains(&(next % 7)) { next + 1 } else { next };
                }
                list.into_iter().collect()
            }).collect();
            let numbers = proper_numbers(&packets);
            prop_assert!(numbers.iter().all(|number| (*number as usize) < sigma));
            prop_assert!(is_proper(&packets, &numbers));
            let colours = edge_colouring(&packets, &allowed);
            prop_assert!(colours.is_some(), "Galvin's theorem");
            let colours = colours.expect("just seen");
            prop_assert!(is_proper(&packets, &colours));
            let are_allowed = colours.iter().zip(&allowed).all(|(colour, list)| list.contains(colour));
            prop_assert!(are_allowed);
        }
    }

    #[test]
    fn too_short_lists_are_not_coloured() {
        assert_eq!(edge_colouring(&[(0, 0), (0, 1)], &[vec![3], vec![3]]), None);
    }
}
