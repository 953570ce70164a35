//! Which host a rank runs on.

use mkns_random::Random;

/// The order in which hosts are given to ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// By their numbers.
    Block,
    /// Drawn.
    Random,
    /// Rack after rack, the racks in an order that is drawn.
    Rack,
}

/// All hosts in the order in which ranks get them; `racks`: hosts by rack, which hold each host once.
pub fn host_order(placement: Placement, racks: &[Vec<u32>], seed: u64) -> Vec<u32> {
    let mut random = Random::branch(seed, 0x706c_6163);
    let mut hosts: Vec<u32> = racks.iter().flatten().copied().collect();
    hosts.sort_unstable();
    match placement {
        Placement::Block => hosts,
        Placement::Random => {
            let order = random.permutation(hosts.len());
            order.into_iter().map(|place| hosts[place]).collect()
        }
        Placement::Rack => {
            let order = random.permutation(racks.len());
            let racks = order.into_iter().map(|rack| &racks[rack]);
            racks.flatten().copied().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_a_place_and_racks_stay_together() {
        let racks: Vec<Vec<u32>> = vec![vec![4, 5], vec![0, 1], vec![2, 3], vec![6, 7]];
        assert_eq!(
            host_order(Placement::Block, &racks, 1),
            (0..8).collect::<Vec<_>>()
        );
        for placement in [Placement::Random, Placement::Rack] {
            let mut order = host_order(placement, &racks, 3);
            let by_rack = order
                .chunks(2)
                .all(|pair| racks.iter().any(|rack| rack == pair));
            assert_eq!(by_rack, placement == Placement::Rack, "{order:?}");
            assert_ne!(order, host_order(placement, &racks, 4));
            order.sort_unstable();
            assert_eq!(order, (0..8).collect::<Vec<_>>());
        }
    }
}
