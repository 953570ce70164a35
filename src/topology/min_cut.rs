//! The cheapest way to put joined switch blocks on two sides: a minimum cut by augmenting paths.
//!
//! Source and sink stand for the two sides; a switch block is joined to each as strongly as it costs to
//! stand on the other one, and to its neighbours by their cables.

use std::collections::VecDeque;

/// An arc of the residual graph; arc `i ^ 1` is the way back.
struct Arc {
    to: usize,
    room: u64,
}

/// Flow network over the switch blocks, the source and the sink.
struct Flow {
    arcs: Vec<Arc>,
    /// Arcs that leave each node.
    leaving: Vec<Vec<usize>>,
}

/// Least total of `costs[i][side]` over all switch blocks plus the pairs that stand on different sides;
/// side 0 is the far one.
pub fn least(costs: &[[u64; 2]], pairs: &[(usize, usize)]) -> u64 {
    let (near, far) = (costs.len(), costs.len() + 1);
    let mut flow = Flow {
        arcs: Vec::new(),
        leaving: (0..costs.len() + 2).map(|_| Vec::new()).collect(),
    };
    for (switch, [on_far_side, on_near_side]) in costs.iter().enumerate() {
        flow.join(near, switch, *on_far_side, 0);
        flow.join(switch, far, *on_near_side, 0);
    }
    for &(a, b) in pairs {
        flow.join(a, b, 1, 1);
    }
    let mut total = 0;
    while let Some(amount) = flow.augment(near, far) {
        total += amount;
    }
    total
}

impl Flow {
    fn join(&mut self, a: usize, b: usize, there: u64, back: u64) {
        self.leaving[a].push(self.arcs.len());
        self.arcs.push(Arc { to: b, room: there });
        self.leaving[b].push(self.arcs.len());
        self.arcs.push(Arc { to: a, room: back });
    }

    /// Sends as much as fits along a shortest path; `None` when there is no path left.
    fn augment(&mut self, source: usize, sink: usize) -> Option<u64> {
        let mut reached_by: Vec<Option<usize>> = vec![None; self.leaving.len()];
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for &arc in &self.leaving[node] {
                let to = self.arcs[arc].to;
                if self.arcs[arc].room > 0 && to != source && reached_by[to].is_none() {
                    reached_by[to] = Some(arc);
                    queue.push_back(to);
                }
            }
        }
        let mut path = Vec::new();
        let mut node = sink;
        while node != source {
            let arc = reached_by[node]?;
            path.push(arc);
            node = self.arcs[arc ^ 1].to;
        }
        let amount = path.iter().map(|&arc| self.arcs[arc].room).min()?;
        for arc in path {
            self.arcs[arc].room -= amount;
            self.arcs[arc ^ 1].room += amount;
        }
        Some(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_to_trying_every_way() {
        // A ring of five switch blocks with a chord, costs as if adapter blocks hung on them.
        let costs = [[3, 1], [0, 4], [2, 2], [5, 0], [1, 1]];
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 3), (0, 3)];
        let cost = |way: usize| {
            let own = costs.iter().enumerate().map(|(i, cost)| cost[way >> i & 1]);
            let split = |(a, b): &&(usize, usize)| (way >> a ^ way >> b) & 1 == 1;
            own.sum::<u64>() + pairs.iter().filter(split).count() as u64
        };
        let tried = (0..1 << costs.len()).map(cost).min();
        assert_eq!(Some(least(&costs, &pairs)), tried);
    }
}
