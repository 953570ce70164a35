//! Random shortcut topologies and distributed loop networks: a regular base, and cables across it
//! (`docs/design/sources.md`).

use super::distances::Adjacency;
use super::drawing::Drawing;
use super::{BlockId, CableKind, Network, PortIndex};
use mkns_random::Random;
use mkns_spec::{Base, LoopSpec, Method, RandomShortcutSpec};

/// Partners that are drawn for a block before the graph is begun anew.
const MOST_DRAWS: usize = 10_000;

/// Pairs of blocks: those of the base first.
struct Joined {
    nodes: u32,
    base: usize,
    pairs: Vec<(u32, u32)>,
    neighbours: Vec<Vec<u32>>,
}

/// The best of the graphs that the seed leads to: the one of the least diameter, among these that of the fewest
/// cables, among these the first.
pub fn build_random(name: &str, spec: &RandomShortcutSpec) -> Network {
    let mut random = Random::new(u64::from(spec.seed));
    let mut graphs = (0..spec.best_of).map(|_| {
        let network = drawn(spec, &mut random).network(name, spec.vms_per_node);
        (diameter(&network), network)
    });
    let first = graphs.next().expect("one graph at least");
    let best = graphs.fold(first, |best, next| {
        let rank = |(diameter, network): &(u32, Network)| (*diameter, network.cables.len());
        if rank(&next) < rank(&best) {
            next
        } else {
            best
        }
    });
    best.1
}

/// A ring with chords of N/2, N/4, ….
pub fn build_loop(name: &str, spec: &LoopSpec) -> Network {
    let mut joined = Joined::new(spec.nodes);
    for (number, offset) in spec.offsets().into_iter().enumerate() {
        for node in 0..spec.nodes {
            joined.join(node, (node + offset) % spec.nodes);
        }
        if number == 0 {
            joined.base = joined.pairs.len();
        }
    }
    joined.network(name, spec.vms_per_node)
}

fn diameter(network: &Network) -> u32 {
    let adjacency = Adjacency::new(network, &network.index());
    let nodes: Vec<u32> = (0..network.blocks.len() as u32).collect();
    let mut diameter = 0;
    for sources in nodes.chunks(super::distances::BATCH) {
        adjacency.search(sources, |distance, _, _| diameter = diameter.max(distance));
    }
    diameter
}

/// One graph.
fn drawn(spec: &RandomShortcutSpec, random: &mut Random) -> Joined {
    loop {
        let mut joined = Joined::new(spec.nodes);
        add_base(&mut joined, spec.base);
        let is_complete = match spec.method {
            Method::Uniform => add_uniform(&mut joined, spec.degree, random),
            Method::Average => add_average(&mut joined, spec.degree, random),
        };
        if is_complete {
            return joined;
        }
    }
}

fn add_base(joined: &mut Joined, base: Base) {
    let nodes = joined.nodes;
    match base {
        Base::Ring => (0..nodes).for_each(|node| joined.join(node, (node + 1) % nodes)),
        Base::Torus => {
            let mut width =
                (3..=nodes).filter(|side| nodes.is_multiple_of(*side) && side * side <= nodes);
            let width = width.next_back().expect("validation refuses other numbers");
            for node in 0..nodes {
                let (row, column) = (node / width, node % width);
                joined.join(node, row * width + (column + 1) % width);
                joined.join(node, (row + 1) % (nodes / width) * width + column);
            }
        }
        Base::Hypercube => {
            for node in 0..nodes {
                for bit in 0..nodes.ilog2() {
                    joined.join(node, node ^ 1 << bit);
                }
            }
        }
        Base::Tree => (1..nodes).for_each(|node| joined.join(node, (node - 1) / 2)),
    }
    joined.base = joined.pairs.len();
}

/// Joins every block of too few cables to others of too few; false when partners run out.
fn add_uniform(joined: &mut Joined, degree: u32, random: &mut Random) -> bool {
    let nodes = joined.nodes;
    let degree = degree as usize;
    for node in 0..nodes {
        while joined.neighbours[node as usize].len() < degree {
            let mut draws = (0..MOST_DRAWS).map(|_| random.below(u64::from(nodes)) as u32);
            let partner = draws.find(|&other| {
                joined.neighbours[other as usize].len() < degree && joined.may_join(node, other)
            });
            match partner {
                Some(partner) => joined.join(node, partner),
                None => return false,
            }
        }
    }
    true
}

/// Joins random pairs until blocks have `degree` cables on the average; false when pairs run out.
fn add_average(joined: &mut Joined, degree: u32, random: &mut Random) -> bool {
    let nodes = u64::from(joined.nodes);
    let wanted = joined.nodes as usize * degree as usize / 2;
    while joined.pairs.len() < wanted {
        let mut draws = (0..MOST_DRAWS).map(|_| [(); 2].map(|()| random.below(nodes) as u32));
        match draws.find(|&[a, b]| joined.may_join(a, b)) {
            Some([a, b]) => joined.join(a, b),
            None => return false,
        }
    }
    true
}

impl Joined {
    fn new(nodes: u32) -> Self {
        Self {
            nodes,
            base: 0,
            pairs: Vec::new(),
            neighbours: vec![Vec::new(); nodes as usize],
        }
    }

    fn may_join(&self, a: u32, b: u32) -> bool {
        a != b && !self.neighbours[a as usize].contains(&b)
    }

    /// Joins two blocks that are not joined yet.
    fn join(&mut self, a: u32, b: u32) {
        if self.may_join(a, b) {
            self.pairs.push((a, b));
            self.neighbours[a as usize].push(b);
            self.neighbours[b as usize].push(a);
        }
    }

    /// The network: a block's ports are its cables in the order in which they were joined, and all blocks have as many
    /// as the one of most cables.
    fn network(&self, name: &str, vms_per_node: u32) -> Network {
        let degrees = self.neighbours.iter().map(Vec::len);
        let ports = degrees.max().unwrap_or(0) as u32;
        let mut drawing =
            Drawing::with_adapters((0..self.nodes).map(|node| vec![node]), ports, vms_per_node);
        let mut next = vec![0; self.nodes as usize];
        let mut end = |node: u32| {
            let port = next[node as usize];
            next[node as usize] += 1;
            (BlockId(node), PortIndex(port))
        };
        for (number, &(a, b)) in self.pairs.iter().enumerate() {
            let ends = (end(a), end(b));
            let dimension = usize::from(number >= self.base);
            drawing.cable(ends.0, ends.1, dimension, CableKind::Mesh);
        }
        drawing.finish(name)
    }
}
