//! Which cable of a machine becomes which cable of the plan, so that as many ends as possible stay where they are.
//!
//! A socket holds at most one end in the machine and one in the plan. So with cables as nodes, and an edge between a
//! found and a planned cable for each socket that they share, every node has at most two edges: the components are
//! paths and cycles, in which taking every second edge matches as many nodes as there can be. `docs/reference/cabling.md` has the
//! proof that this gives the least number of moves. Where there is a choice, cables come first that are surely long
//! enough for their new way.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Millimetres, Socket, Way};

/// For each cable its fellow on the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// By found cable: what it becomes; none: it is taken away.
    pub planned_of: Vec<Option<usize>>,
    /// By planned cable: what becomes it; none: a new cable.
    pub found_of: Vec<Option<usize>>,
}

/// A node of the graph of cables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Found(usize),
    Planned(usize),
}

/// Matches found cables with planned ones. `length` is that of the cable that is bought for two ends.
pub fn assign(
    planned: &[[Socket; 2]],
    found: &[[Socket; 2]],
    length: impl Fn(&[Socket; 2]) -> Millimetres,
) -> Assignment {
    let mut walker = Walker {
        planned,
        found,
        planned_at: by_socket(planned),
        found_at: by_socket(found),
        visited: [vec![false; found.len()], vec![false; planned.len()]],
    };
    let mut all = Assignment {
        planned_of: vec![None; found.len()],
        found_of: vec![None; planned.len()],
    };
    let may_be_short = |pair: [Node; 2]| match pair {
        [Node::Found(one), Node::Planned(other)] | [Node::Planned(other), Node::Found(one)] => {
            length(&planned[other]) > length(&found[one])
        }
        _ => false,
    };
    let nodes = (0..found.len()).map(Node::Found);
    let nodes: Vec<Node> = nodes.chain((0..planned.len()).map(Node::Planned)).collect();
    // A path is walked from an end; what is left then is cycles.
    for is_path in [true, false] {
        for &node in &nodes {
            if !walker.is_visited(node) && (!is_path || walker.fellows(node).count() < 2) {
                let component = walker.walk(node);
                for [one, other] in matching(component, !is_path, may_be_short) {
                    all.pair(one, other);
                }
            }
        }
    }
    all.pair_rest(planned, found, length);
    all
}

/// As many disjoint pairs of neighbours as there are, with as few bad ones as possible: on a cycle there are two
/// choices, on a path of odd length one for each node at an even place, which is left out.
fn matching(
    mut nodes: Vec<Node>,
    is_cycle: bool,
    is_bad: impl Fn([Node; 2]) -> bool,
) -> Vec<[Node; 2]> {
    let pairs = |nodes: &[Node]| -> Vec<[Node; 2]> {
        nodes
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect()
    };
    let bad = |pairs: &[[Node; 2]]| pairs.iter().filter(|pair| is_bad(**pair)).count();
    if is_cycle {
        let straight = pairs(&nodes);
        nodes.rotate_left(1);
        let shifted = pairs(&nodes);
        return if bad(&shifted) < bad(&straight) {
            shifted
        } else {
            straight
        };
    }
    if nodes.len().is_multiple_of(2) {
        return pairs(&nodes);
    }
    // Bad pairs before the node left out, and behind it; moved on from node to node.
    let mut count = bad(&pairs(&nodes[1..]));
    let mut best = (count, 0);
    for left_out in (2..nodes.len()).step_by(2) {
        let pair = |at: usize| usize::from(is_bad([nodes[at], nodes[at + 1]]));
        count = count + pair(left_out - 2) - pair(left_out - 1);
        best = best.min((count, left_out));
    }
    nodes.remove(best.1);
    pairs(&nodes)
}

fn by_socket(cables: &[[Socket; 2]]) -> BTreeMap<Socket, usize> {
    let numbered = cables.iter().enumerate();
    numbered
        .flat_map(|(number, ends)| ends.map(|socket| (socket, number)))
        .collect()
}

struct Walker<'a> {
    planned: &'a [[Socket; 2]],
    found: &'a [[Socket; 2]],
    planned_at: BTreeMap<Socket, usize>,
    found_at: BTreeMap<Socket, usize>,
    /// Of found cables, of planned ones.
    visited: [Vec<bool>; 2],
}

impl Walker<'_> {
    fn is_visited(&self, node: Node) -> bool {
        match node {
            Node::Found(number) => self.visited[0][number],
            Node::Planned(number) => self.visited[1][number],
        }
    }

    /// Cables of the other side in the same sockets: twice the same where the cable is as planned.
    fn fellows(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let ends = match node {
            Node::Found(number) => self.found[number],
            Node::Planned(number) => self.planned[number],
        };
        ends.into_iter().filter_map(move |socket| match node {
            Node::Found(_) => self.planned_at.get(&socket).copied().map(Node::Planned),
            Node::Planned(_) => self.found_at.get(&socket).copied().map(Node::Found),
        })
    }

    /// The component of an unvisited node, each cable beside its neighbours.
    fn walk(&mut self, start: Node) -> Vec<Node> {
        let mut way = Vec::new();
        let mut next = Some(start);
        while let Some(node) = next {
            match node {
                Node::Found(number) => self.visited[0][number] = true,
                Node::Planned(number) => self.visited[1][number] = true,
            }
            way.push(node);
            next = self.fellows(node).find(|fellow| !self.is_visited(*fellow));
        }
        way
    }
}

impl Assignment {
    fn pair(&mut self, one: Node, other: Node) {
        if let (Node::Found(found), Node::Planned(planned))
        | (Node::Planned(planned), Node::Found(found)) = (one, other)
        {
            self.planned_of[found] = Some(planned);
            self.found_of[planned] = Some(found);
        }
    }

    /// Cables that are left over become planned cables that are left over, the longest first, as far as there are both
    /// of a sort.
    fn pair_rest(
        &mut self,
        planned: &[[Socket; 2]],
        found: &[[Socket; 2]],
        length: impl Fn(&[Socket; 2]) -> Millimetres,
    ) {
        for is_duplex in [true, false] {
            let is_sort = |ends: &[Socket; 2]| (ends[0].way == Way::Both) == is_duplex;
            let mut idle: Vec<usize> = (0..found.len())
                .filter(|&number| self.planned_of[number].is_none() && is_sort(&found[number]))
                .collect();
            let mut open: Vec<usize> = (0..planned.len())
                .filter(|&number| self.found_of[number].is_none() && is_sort(&planned[number]))
                .collect();
            idle.sort_by_key(|&number| Reverse(length(&found[number])));
            open.sort_by_key(|&number| Reverse(length(&planned[number])));
            for (found, planned) in idle.into_iter().zip(open) {
                self.pair(Node::Found(found), Node::Planned(planned));
            }
        }
    }
}
