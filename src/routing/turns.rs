//! The turns of a block: from which ports packets may go on to which others.
//!
//! A block has queues, requests and crossbar inputs for these pairs only (`docs/microarchitecture.md`, 1.3).

use serde::Serialize;

/// Pairs of an input and an output of a block's core, by port number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Turns {
    /// By input: bit o for each output o.
    pub(super) rows: Vec<u32>,
}

impl Turns {
    /// No pair of a core with this many ports.
    pub fn none(ports: u32) -> Self {
        Self {
            rows: vec![0; ports as usize],
        }
    }

    /// Every pair of two ports, and each port from `first_host` on with itself.
    pub fn between_all(ports: u32, first_host: u32) -> Self {
        let mut turns = Self::none(ports);
        for from in 0..ports {
            for to in (0..ports).filter(|&to| to != from || from >= first_host) {
                turns.insert(from as usize, to as usize);
            }
        }
        turns
    }

    /// Adds a pair.
    pub fn insert(&mut self, from: usize, to: usize) {
        self.rows[from] |= 1 << to;
    }

    /// Adds the pairs of another block with as many ports.
    pub fn extend(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            *row |= other;
        }
    }

    /// Whether packets may go from an input to an output.
    pub fn contains(&self, from: usize, to: usize) -> bool {
        self.rows.get(from).is_some_and(|row| row >> to & 1 == 1)
    }

    /// By input: bit o for each output o.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The inputs that lead to an output: bit i.
    pub fn inputs_of(&self, to: usize) -> u32 {
        let inputs = (0..self.rows.len()).filter(|&from| self.contains(from, to));
        inputs.fold(0, |inputs, from| inputs | 1 << from)
    }

    /// The ports that have a turn in either direction, bit p: the others are not built.
    pub fn built(&self) -> u32 {
        let rows = self.rows.iter().enumerate();
        let used = rows.map(|(from, &row)| row | u32::from(row != 0) << from);
        used.fold(0, |built, ports| built | ports)
    }

    /// Number of pairs.
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_between_all_leave_out_the_way_back_to_the_network() {
        let turns = Turns::between_all(4, 3);
        assert_eq!(turns.rows(), [0b1110, 0b1101, 0b1011, 0b1111]);
        assert_eq!(turns.inputs_of(0), 0b1110);
        assert_eq!((turns.count(), turns.built()), (13, 0b1111));
    }
}
