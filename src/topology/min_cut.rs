//! The cheapest way to put joined switch blocks on two sides: a minimum cut by augmenting paths.
//!
//! Source and sink stand for the two sides; a switch block is joined to each as strongly as it costs to
//! stand on the other one, and to its neighbours by their cables.

use super::flow::Flow;

/// Least total of `costs[i][side]` over all switch blocks plus the pairs that stand on different sides;
/// side 0 is the far one.
pub fn least(costs: &[[u32; 2]], pairs: &[(usize, usize)]) -> u32 {
    let mut flow = Flow::new(costs.len() + 2);
    let (near, far) = (costs.len() as u32, costs.len() as u32 + 1);
    for (switch, [on_far_side, on_near_side]) in (0..).zip(costs) {
        flow.join(near, switch, *on_far_side, 0);
        flow.join(switch, far, *on_near_side, 0);
    }
    for &(a, b) in pairs {
        flow.join(a as u32, b as u32, 1, 1);
    }
    flow.most(near, |node| node == far, u32::MAX)
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
            own.sum::<u32>() + pairs.iter().filter(split).count() as u32
        };
        let tried = (0..1 << costs.len()).map(cost).min();
        assert_eq!(Some(least(&costs, &pairs)), tried);
    }
}
