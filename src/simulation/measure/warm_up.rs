//! When the empty network that a simulation starts with is forgotten.
//!
//! Mean latencies of consecutive periods are compared: while queues fill they grow from period to
//! period; in the steady state they only scatter. Beyond saturation latencies grow for ever, and the
//! longest warm-up ends the wait.

use crate::ranks::RankCommunicator;

/// How long the warm-up takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    Automatic,
    Cycles(u64),
}

/// Cycles of a period.
pub const PERIOD: u64 = 500;
/// Periods on each side of the comparison.
const SIDE: usize = 3;
/// The two sides differ by at most so much of the mean, or by one cycle.
const TOLERANCE: f64 = 0.02;
/// Most periods.
const LONGEST: usize = 40;

/// Decides from the mean latencies of periods.
#[derive(Debug, Default)]
pub struct Detector {
    means: Vec<f64>,
    sum: u64,
    packets: u64,
}

/// What the detector found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    GoOn,
    Settled,
    /// The longest warm-up is over and latencies still change.
    NeverSettled,
}

impl Detector {
    /// A packet was delivered.
    #[inline]
    pub fn add(&mut self, latency: u64) {
        self.sum += latency;
        self.packets += 1;
    }

    /// A period is over, on all ranks.
    pub fn end_period(&mut self, ranks: &dyn RankCommunicator) -> Finding {
        let mut sums = [self.sum, self.packets];
        ranks.sum(&mut sums);
        self.means.push(sums[0] as f64 / sums[1].max(1) as f64);
        (self.sum, self.packets) = (0, 0);
        let Some(first) = self.means.len().checked_sub(2 * SIDE) else {
            return Finding::GoOn;
        };
        let mean = |means: &[f64]| means.iter().sum::<f64>() / means.len() as f64;
        let (before, after) = self.means[first..].split_at(SIDE);
        let (before, after) = (mean(before), mean(after));
        if (after - before).abs() <= (TOLERANCE * before).max(1.0) {
            Finding::Settled
        } else if self.means.len() >= LONGEST {
            Finding::NeverSettled
        } else {
            Finding::GoOn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::SingleRank;

    fn periods_until_decided(latency: impl Fn(usize) -> u64) -> (usize, Finding) {
        let mut detector = Detector::default();
        for period in 0.. {
            detector.add(latency(period));
            match detector.end_period(&SingleRank) {
                Finding::GoOn => {}
                finding => return (period + 1, finding),
            }
        }
        unreachable!("the longest warm-up ends")
    }

    #[test]
    fn rising_latencies_are_waited_for() {
        let steady = periods_until_decided(|_| 80);
        assert_eq!(steady, (2 * SIDE, Finding::Settled));
        let rising = periods_until_decided(|period| 80 + 10 * period.min(8) as u64);
        assert!(rising.0 > 10 && rising.1 == Finding::Settled, "{rising:?}");
        let saturated = periods_until_decided(|period| 80 + 60 * period as u64);
        assert_eq!(saturated, (LONGEST, Finding::NeverSettled));
    }
}
