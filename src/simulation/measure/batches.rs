//! The measured cycles in tenths: whether the first ones still show the empty network that a run begins with.

use crate::ranks::RankCommunicator;

const COUNT: usize = 10;
/// Batches at the beginning that are held against the others.
const FIRST: usize = 2;
/// This many standard deviations below the others are no chance.
const DEVIATIONS: f64 = 4.0;
/// Differences below this share of the mean do not matter.
const TOLERANCE: f64 = 0.02;

/// Sums over each tenth.
#[derive(Debug, Default)]
pub struct Batches {
    start: u64,
    cycles: u64,
    packets: [u64; COUNT],
    latencies: [u64; COUNT],
    flits: [u64; COUNT],
}

impl Batches {
    /// Of `cycles` cycles from `start` on.
    pub fn new(start: u64, cycles: u64) -> Self {
        Self {
            start,
            cycles,
            ..Self::default()
        }
    }

    /// A packet arrived.
    #[inline]
    pub fn add(&mut self, cycle: u64, latency: u64, flits: u32) {
        let since = u128::from(cycle.saturating_sub(self.start)) * COUNT as u128;
        let place = (since / u128::from(self.cycles.max(1))).min(COUNT as u128 - 1) as usize;
        self.packets[place] += 1;
        self.latencies[place] += latency;
        self.flits[place] += u64::from(flits);
    }

    /// Those of all ranks, on every rank.
    pub fn sum(&mut self, ranks: &dyn RankCommunicator) {
        for sums in [&mut self.packets, &mut self.latencies, &mut self.flits] {
            ranks.sum(sums);
        }
    }

    /// Whether the first tenths look like the others: neither fewer flits nor lower latencies than chance gives.
    pub fn is_steady(&self) -> bool {
        let latencies = self.latencies.iter().zip(&self.packets);
        let latencies = latencies.map(|(sum, packets)| *sum as f64 / (*packets).max(1) as f64);
        let flits = self.flits.map(|flits| flits as f64);
        !rises(&latencies.collect::<Vec<_>>()) && !rises(&flits)
    }
}

/// Whether one of the first values is lower than chance makes it.
fn rises(values: &[f64]) -> bool {
    let (first, others) = values.split_at(FIRST);
    let mean = others.iter().sum::<f64>() / others.len() as f64;
    let squares: f64 = others.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (others.len() - 1) as f64).sqrt();
    let least = mean - (DEVIATIONS * deviation).max(TOLERANCE * mean);
    first.iter().any(|value| *value < least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batches(latency: impl Fn(u64) -> u64) -> Batches {
        let mut batches = Batches::new(500, 1000);
        for cycle in 500..1500 {
            batches.add(cycle, latency(cycle - 500), 9);
        }
        batches
    }

    #[test]
    fn rising_latencies_are_seen_and_scatter_is_not() {
        assert!(batches(|_| 80).is_steady());
        assert!(batches(|cycle| 80 + cycle * 7 % 13).is_steady());
        assert!(!batches(|cycle| 80 + cycle.min(200) / 4).is_steady());
    }
}
