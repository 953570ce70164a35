//! Latencies of packets: one counter for every number of cycles, so that means and percentiles are
//! exact.

use crate::ranks::RankCommunicator;

/// Counts by cycles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Latencies {
    counts: Vec<u64>,
    packets: u64,
    sum: u64,
}

impl Latencies {
    #[inline]
    pub fn add(&mut self, cycles: u64) {
        let place = cycles as usize;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.packets += 1;
        self.sum += cycles;
    }

    /// Those of all ranks, on every rank.
    pub fn sum(&mut self, ranks: &dyn RankCommunicator) {
        let places = ranks.greatest(self.counts.len() as u64);
        self.counts.resize(places as usize, 0);
        ranks.sum(&mut self.counts);
        let mut sums = [self.packets, self.sum];
        ranks.sum(&mut sums);
        [self.packets, self.sum] = sums;
    }

    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// 0 without packets.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.packets.max(1) as f64
    }

    /// The least latency that at least this share (0…1) of the packets does not exceed; 0 without
    /// packets.
    pub fn percentile(&self, share: f64) -> u64 {
        let wanted = (share * self.packets as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (cycles, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return cycles as u64;
            }
        }
        0
    }

    pub fn least(&self) -> u64 {
        let first = self.counts.iter().position(|&count| count > 0);
        first.unwrap_or(0) as u64
    }

    pub fn greatest(&self) -> u64 {
        self.counts.len().saturating_sub(1) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact() {
        let mut latencies = Latencies::default();
        (1..=100).rev().for_each(|cycles| latencies.add(cycles * 3));
        assert_eq!(latencies.mean(), 151.5);
        let of = |share| latencies.percentile(share);
        assert_eq!([of(0.0), of(0.5), of(0.99), of(1.0)], [3, 150, 297, 300]);
        assert_eq!((latencies.least(), latencies.greatest()), (3, 300));
        assert_eq!(Latencies::default().percentile(0.99), 0);
    }
}
