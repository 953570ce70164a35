//! Cuts a network into pieces of as many blocks each, for ranks: by coordinates where that leaves few cables between
//! them, along a breadth-first order where it does not.

use std::collections::VecDeque;

use mkns_topology::Network;

/// Other ends of the cables of every block.
struct Graph {
    firsts: Vec<u32>,
    others: Vec<u32>,
}

impl Graph {
    fn of(network: &Network) -> Graph {
        let ends = || {
            network
                .cables
                .iter()
                .map(|cable| (cable.a.block.0, cable.b.block.0))
        };
        let mut firsts = vec![0; network.blocks.len() + 1];
        for (a, b) in ends() {
            firsts[a as usize + 1] += 1;
            firsts[b as usize + 1] += 1;
        }
        for block in 1..firsts.len() {
            firsts[block] += firsts[block - 1];
        }
        let mut next = firsts.clone();
        let mut others = vec![0; 2 * network.cables.len()];
        for (a, b) in ends() {
            for (from, to) in [(a, b), (b, a)] {
                others[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Graph { firsts, others }
    }

    fn neighbours(&self, block: u32) -> &[u32] {
        let [first, end] = [self.firsts[block as usize], self.firsts[block as usize + 1]];
        &self.others[first as usize..end as usize]
    }
}

/// Rank of every block; ranks differ by a few blocks at most. The same for the same network.
pub fn cut(network: &Network, ranks: usize) -> Vec<u32> {
    let mut rank_of = vec![0; network.blocks.len()];
    if ranks < 2 {
        return rank_of;
    }
    let graph = Graph::of(network);
    let mut mark = vec![0; network.blocks.len()];
    let mut pieces = vec![(
        (0..network.blocks.len() as u32).collect::<Vec<_>>(),
        0..ranks,
    )];
    while let Some((blocks, ranks)) = pieces.pop() {
        if ranks.len() == 1 {
            for block in blocks {
                rank_of[block as usize] = ranks.start as u32;
            }
            continue;
        }
        let low = ranks.len() / 2;
        let size = blocks.len() * low / ranks.len();
        let orders = orders(network, &graph, &blocks, &mut mark);
        let fewest = orders
            .into_iter()
            .min_by_key(|order| crossing(&graph, order, size, &mut mark));
        let mut order = fewest.expect("the order of the numbers at least");
        let mut rest = order.split_off(size);
        order.sort_unstable();
        rest.sort_unstable();
        let middle = ranks.start + low;
        pieces.push((order, ranks.start..middle));
        pieces.push((rest, middle..ranks.end));
    }
    rank_of
}

/// Orders of which a first part may be a piece: by number, by each coordinate, breadth first.
fn orders(network: &Network, graph: &Graph, blocks: &[u32], mark: &mut [u8]) -> Vec<Vec<u32>> {
    let place = |block: u32| &network.blocks[block as usize].coordinates;
    let dimensions = blocks
        .iter()
        .map(|&block| place(block).len())
        .max()
        .unwrap_or(0);
    let mut orders = vec![blocks.to_vec()];
    for dimension in 0..dimensions {
        let coordinate = |block: u32| place(block).get(dimension).copied().unwrap_or(0);
        if blocks
            .iter()
            .any(|&block| coordinate(block) != coordinate(blocks[0]))
        {
            let mut order = blocks.to_vec();
            order.sort_by_key(|&block| coordinate(block));
            orders.push(order);
        }
    }
    // From one end of the piece: what is found last from anywhere.
    let from_anywhere = breadth_first(graph, blocks, blocks[0], mark);
    let end = *from_anywhere.last().expect("a piece has blocks");
    orders.push(breadth_first(graph, blocks, end, mark));
    orders
}

fn breadth_first(graph: &Graph, blocks: &[u32], start: u32, mark: &mut [u8]) -> Vec<u32> {
    for &block in blocks {
        mark[block as usize] = 1;
    }
    let mut order = Vec::with_capacity(blocks.len());
    let mut found = VecDeque::new();
    for &next in std::iter::once(&start).chain(blocks) {
        if std::mem::take(&mut mark[next as usize]) == 1 {
            found.push_back(next);
        }
        while let Some(block) = found.pop_front() {
            order.push(block);
            for &other in graph.neighbours(block) {
                if std::mem::take(&mut mark[other as usize]) == 1 {
                    found.push_back(other);
                }
            }
        }
    }
    order
}

/// Cables between the first `size` blocks of an order and the others.
fn crossing(graph: &Graph, order: &[u32], size: usize, mark: &mut [u8]) -> usize {
    let (first, rest) = order.split_at(size);
    for &block in rest {
        mark[block as usize] = 1;
    }
    let others = first.iter().flat_map(|&block| graph.neighbours(block));
    let crossing = others.filter(|&&other| mark[other as usize] == 1).count();
    for &block in rest {
        mark[block as usize] = 0;
    }
    crossing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing_cables(text: &str, ranks: usize) -> (usize, usize) {
        let network = mkns_topology::build(&mkns_spec::parse(text).expect("a valid spec"));
        let rank_of = cut(&network, ranks);
        let mut sizes = vec![0; ranks];
        rank_of.iter().for_each(|&rank| sizes[rank as usize] += 1);
        let (least, most) = (sizes.iter().min(), sizes.iter().max());
        assert!(
            most.zip(least)
                .is_some_and(|(most, least)| most - least <= ranks),
            "{sizes:?}"
        );
        let rank = |end: mkns_topology::End| rank_of[end.block.0 as usize];
        let cables = network.cables.iter();
        let crossing = cables
            .filter(|cable| rank(cable.a) != rank(cable.b))
            .count();
        (crossing, network.cables.len())
    }

    #[test]
    fn pieces_are_equal_and_few_cables_lie_between_them() {
        // A torus falls apart along planes: two of 8 · 8 cables.
        assert_eq!(crossing_cables("torus(8x8x8,1)", 2), (128, 1536));
        assert_eq!(crossing_cables("torus(8x8x8,1)", 4).0, 256);
        for text in [
            "MKNS(2,8x10x10,3,1)",
            "fat_tree(6,2)",
            "slim_fly(5,1)",
            "hypercube(5)",
        ] {
            for ranks in [2, 3, 5] {
                let (crossing, all) = crossing_cables(text, ranks);
                assert!(
                    crossing * 10 < all * 9,
                    "{text} on {ranks}: {crossing} of {all}"
                );
            }
        }
    }
}
