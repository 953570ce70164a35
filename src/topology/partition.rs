//! Halves of a network with few cables between them: the method of Fiduccia & Mattheyses (1982) from several starts.
//!
//! A pass moves every block once to the other side, the one that gains most cables first, and goes back to the best
//! equal halves that it saw. Adapter blocks count for the halves, switch blocks stand where they cost least. Starts are
//! the second eigenvector of the network, found by power iteration from random vectors, and the blocks nearest to some
//! block. Results depend on the network alone.

use super::distances::{Adjacency, nearest_first};
use mkns_random::Random;
use rayon::prelude::*;

/// Starts of each sort, in networks of up to this many ends of cables; larger ones have fewer.
const STARTS: [(usize, usize); 3] = [(4_000, 32), (40_000, 12), (usize::MAX, 3)];
/// Steps of a power iteration.
const STEPS: usize = 60;

/// Sides of all blocks: the best halves found, of equal ones those of the first start.
pub fn halves(adapters: usize, adjacency: &Adjacency) -> Option<Vec<bool>> {
    let graph = Graph::new(adapters, adjacency);
    let ends: usize = (0..adjacency.len())
        .map(|block| adjacency.neighbours(block).len())
        .sum();
    let starts = STARTS.iter().find(|(most, _)| ends <= *most);
    let starts = starts.map_or(1, |(_, starts)| *starts);
    let all = (0..2 * starts).into_par_iter().map(|start| {
        let order = match start % 2 {
            0 => graph.by_eigenvector(&mut Random::branch(1, start as u64)),
            _ => nearest_first(start / 2 * adapters / starts, adapters, adjacency),
        };
        let mut side = graph.first_half(&order);
        while graph.pass(&mut side) {}
        (graph.crossing(&side), start, side)
    });
    all.min_by_key(|(crossing, start, _)| (*crossing, *start))
        .map(|(.., side)| side)
}

/// A network whose first blocks are adapter blocks.
struct Graph<'a> {
    adapters: usize,
    adjacency: &'a Adjacency,
    /// Most cables of a block.
    degree: i32,
}

impl<'a> Graph<'a> {
    fn new(adapters: usize, adjacency: &'a Adjacency) -> Self {
        let degrees = (0..adjacency.len()).map(|block| adjacency.neighbours(block).len());
        Self {
            adapters,
            adjacency,
            degree: degrees.max().unwrap_or(0) as i32,
        }
    }

    /// Adapter blocks in the order of an approximate second eigenvector.
    fn by_eigenvector(&self, random: &mut Random) -> Vec<u32> {
        let blocks = self.adjacency.len();
        let mut vector: Vec<f64> = (0..blocks).map(|_| random.fraction() - 0.5).collect();
        for _ in 0..STEPS {
            let mean = vector.iter().sum::<f64>() / blocks as f64;
            let step = |block: usize| {
                let neighbours = self.adjacency.neighbours(block);
                let sum: f64 = neighbours
                    .iter()
                    .map(|&next| vector[next as usize] - mean)
                    .sum();
                (vector[block] - mean + sum / neighbours.len().max(1) as f64) / 2.0
            };
            let next: Vec<f64> = (0..blocks).map(step).collect();
            let length = next.iter().map(|value| value * value).sum::<f64>().sqrt();
            vector = next
                .into_iter()
                .map(|value| value / length.max(f64::MIN_POSITIVE))
                .collect();
        }
        let mut order: Vec<u32> = (0..self.adapters as u32).collect();
        order.sort_by(|&a, &b| vector[a as usize].total_cmp(&vector[b as usize]));
        order
    }

    /// The first half of the adapter blocks on one side, and the switch blocks most of whose neighbours are there.
    fn first_half(&self, order: &[u32]) -> Vec<bool> {
        let mut side = vec![false; self.adjacency.len()];
        for &block in &order[..self.adapters / 2] {
            side[block as usize] = true;
        }
        for switch in self.adapters..side.len() {
            let neighbours = self.adjacency.neighbours(switch);
            let there = neighbours.iter().filter(|&&next| side[next as usize]);
            side[switch] = 2 * there.count() > neighbours.len();
        }
        side
    }

    /// Ends of cables between the sides.
    fn crossing(&self, side: &[bool]) -> usize {
        let ends = |block: usize| {
            let neighbours = self.adjacency.neighbours(block).iter();
            neighbours
                .filter(|&&next| side[next as usize] != side[block])
                .count()
        };
        (0..side.len()).map(ends).sum()
    }

    /// Moves every block once and keeps the best halves; false when they are no better than before.
    fn pass(&self, side: &mut [bool]) -> bool {
        let mut moves = Moves::new(self, side);
        let mut moved = Vec::with_capacity(side.len());
        let (mut gain, mut best_gain, mut best) = (0, 0, 0);
        while let Some((block, own)) = moves.take() {
            gain += own;
            moved.push(block);
            let from = side[block];
            side[block] = !from;
            if block < self.adapters {
                moves.sizes[usize::from(from)] -= 1;
                moves.sizes[usize::from(!from)] += 1;
            }
            for &next in self.adjacency.neighbours(block) {
                let change = if side[next as usize] == from { 2 } else { -2 };
                moves.change(next as usize, change, side);
            }
            if gain > best_gain && moves.sizes[0].abs_diff(moves.sizes[1]) <= 1 {
                (best_gain, best) = (gain, moved.len());
            }
        }
        for &block in &moved[best..] {
            side[block] = !side[block];
        }
        best_gain > 0
    }
}

/// The blocks that a pass has not moved, by what a move gains. Adapter blocks of each side and switch blocks have lists
/// of their own.
struct Moves {
    adapters: usize,
    degree: i32,
    /// Adapter blocks on each side.
    sizes: [usize; 2],
    gains: Vec<i32>,
    is_moved: Vec<bool>,
    /// By class, then gain + degree: blocks, the last first. Some stand at a former gain, too.
    lists: [Vec<Vec<u32>>; 3],
    /// By class: no list above this has a block.
    top: [usize; 3],
}

impl Moves {
    fn new(graph: &Graph<'_>, side: &[bool]) -> Self {
        let lists = || vec![Vec::new(); 2 * graph.degree as usize + 1];
        let mut moves = Self {
            adapters: graph.adapters,
            degree: graph.degree,
            sizes: [0; 2],
            gains: vec![0; side.len()],
            is_moved: vec![false; side.len()],
            lists: [lists(), lists(), lists()],
            top: [0; 3],
        };
        for block in 0..side.len() {
            if block < graph.adapters {
                moves.sizes[usize::from(side[block])] += 1;
            }
            let neighbours = graph.adjacency.neighbours(block);
            let crossing = neighbours
                .iter()
                .filter(|&&next| side[next as usize] != side[block]);
            let gain = 2 * crossing.count() as i32 - neighbours.len() as i32;
            moves.change(block, gain, side);
        }
        moves
    }

    fn change(&mut self, block: usize, by: i32, side: &[bool]) {
        if self.is_moved[block] {
            return;
        }
        self.gains[block] += by;
        let class = match block < self.adapters {
            true => usize::from(side[block]),
            false => 2,
        };
        let place = (self.gains[block] + self.degree) as usize;
        self.lists[class][place].push(block as u32);
        self.top[class] = self.top[class].max(place);
    }

    /// The block that gains most, and its gain. An adapter block must not leave the smaller side.
    fn take(&mut self) -> Option<(usize, i32)> {
        let may_move = |class: &usize| *class == 2 || self.sizes[*class] >= self.sizes[1 - class];
        let classes: Vec<usize> = (0..3).filter(may_move).collect();
        let tops = classes
            .into_iter()
            .filter_map(|class| self.settle(class).map(|place| (place, class)));
        let (place, class) =
            tops.max_by_key(|&(place, class)| (place, std::cmp::Reverse(class)))?;
        let block = self.lists[class][place].pop()? as usize;
        self.is_moved[block] = true;
        Some((block, place as i32 - self.degree))
    }

    /// Place of the greatest gain in a class, whose last block stands there rightly.
    fn settle(&mut self, class: usize) -> Option<usize> {
        loop {
            let place = self.top[class];
            let list = &mut self.lists[class][place];
            while let Some(&block) = list.last() {
                let block = block as usize;
                let stands = (self.gains[block] + self.degree) as usize == place;
                if stands && !self.is_moved[block] {
                    return Some(place);
                }
                list.pop();
            }
            self.top[class] = place.checked_sub(1)?;
        }
    }
}
