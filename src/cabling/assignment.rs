//! Which cable of a machine becomes which cable of the plan, so that as many ends as possible stay where they are.
//!
//! A socket holds at most one end in the machine and one in the plan. So with cables as nodes, and an edge between a
//! found and a planned cable for each socket that they share, every node has at most two edges: the components are
//! paths and cycles, in which taking every second edge matches as many nodes as there can be. `docs/cabling.md` has the
//! proof that this gives the least number of moves.

use std::collections::BTreeMap;

use super::{Socket, Way};

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

/// Matches found cables with planned ones.
pub fn assign(planned: &[[Socket; 2]], found: &[[Socket; 2]]) -> Assignment {
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
    let nodes = (0..found.len()).map(Node::Found);
    let nodes: Vec<Node> = nodes.chain((0..planned.len()).map(Node::Planned)).collect();
    // A path is walked from an end; what is left then is cycles.
    for is_end_wanted in [true, false] {
        for &node in &nodes {
            if !walker.is_visited(node) && (!is_end_wanted || walker.fellows(node).count() < 2) {
                let component = walker.walk(node);
                for pair in component.chunks_exact(2) {
                    all.pair(pair[0], pair[1]);
                }
            }
        }
    }
    all.pair_rest(planned, found);
    all
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

    /// Cables that are left over become planned cables that are left over, as far as there are both of a sort.
    fn pair_rest(&mut self, planned: &[[Socket; 2]], found: &[[Socket; 2]]) {
        for is_duplex in [true, false] {
            let is_sort = |ends: &[Socket; 2]| (ends[0].way == Way::Both) == is_duplex;
            let idle: Vec<usize> = (0..found.len())
                .filter(|&number| self.planned_of[number].is_none() && is_sort(&found[number]))
                .collect();
            let open: Vec<usize> = (0..planned.len())
                .filter(|&number| self.found_of[number].is_none() && is_sort(&planned[number]))
                .collect();
            for (found, planned) in idle.into_iter().zip(open) {
                self.pair(Node::Found(found), Node::Planned(planned));
            }
        }
    }
}
