//! What a sort of load did: counted while it is driven, judged at the end.

use serde::Serialize;

use super::{Crossing, LoadOutcome, Packet};

/// What is claimed of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// No two packets ever meet.
    NonBlocking,
    /// Some loads collide: the paper claims otherwise, and is wrong.
    NotSelfRouting,
    /// Packets wait for each other at a serial POK, and no load is through in less than a packet time for
    /// each packet of a terminal.
    Serialises,
}

/// The fewest and the most packet times that a load took, measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PacketTimes {
    pub least: u64,
    pub most: u64,
}

/// What a sort of load did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoadResult {
    pub load: &'static str,
    pub claim: Claim,
    /// Loads driven.
    pub driven: u64,
    /// Whether these are all there are.
    pub exhaustive: bool,
    /// Loads in which packets met or went astray.
    pub failed: u64,
    /// The first of them.
    pub first_failure: Option<String>,
    /// Packet times that a load takes, and why.
    pub packet_times: String,
    /// What they were where time passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<PacketTimes>,
    pub passed: bool,
}

/// Failures and times of one sort of load while it is driven.
#[derive(Default)]
pub struct Tally {
    pub driven: u64,
    failed: u64,
    first: Option<String>,
    measured: Option<PacketTimes>,
}

impl Tally {
    pub fn crossed(&mut self, crossing: Crossing, packets: &[Packet]) {
        let failure = match crossing {
            Crossing::Free => return,
            Crossing::Conflict { first, second, at } => {
                let pair = |at: usize| format!("{} → {}", packets[at].from, packets[at].to);
                format!("{} and {} meet at {at}", pair(first), pair(second))
            }
            Crossing::Astray { packet, why } => {
                let Packet { from, to, train } = &packets[packet];
                format!("{from} → {to} with train {train} goes astray: {why}")
            }
            Crossing::Waited { why } => why,
        };
        self.fail(failure);
    }

    /// A load that was sent in turns.
    pub fn passed(&mut self, passage: LoadOutcome, turns: &[Vec<Packet>]) {
        self.driven += 1;
        self.crossed(passage.crossing, &turns.concat());
        if let Some(times) = passage.packet_times {
            self.took(times);
        }
    }

    pub fn took(&mut self, times: u64) {
        let seen = self.measured.get_or_insert(PacketTimes {
            least: times,
            most: times,
        });
        seen.least = seen.least.min(times);
        seen.most = seen.most.max(times);
    }

    pub fn fail(&mut self, why: String) {
        self.failed += 1;
        self.first.get_or_insert(why);
    }

    /// The verdict on `claim`; `times` is what a load takes, and `why` says why.
    pub fn judge(
        self,
        load: &'static str,
        claim: Claim,
        exhaustive: bool,
        (times, why): (u64, &str),
    ) -> LoadResult {
        let in_time = |fits: fn(PacketTimes, u64) -> bool| {
            self.measured.is_none_or(|measured| fits(measured, times))
        };
        let passed = match claim {
            Claim::NonBlocking => {
                self.failed == 0 && in_time(|seen, times| (seen.least, seen.most) == (times, times))
            }
            Claim::NotSelfRouting => self.failed > 0,
            Claim::Serialises => self.failed > 0 && in_time(|seen, times| seen.least >= times),
        };
        let least = match claim {
            Claim::NonBlocking => "",
            Claim::NotSelfRouting => "more than ",
            Claim::Serialises => "at least ",
        };
        LoadResult {
            load,
            claim,
            driven: self.driven,
            exhaustive,
            failed: self.failed,
            first_failure: self.first,
            packet_times: format!("{least}{times}: {why}"),
            measured: self.measured,
            passed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(times: &[u64], failures: usize) -> Tally {
        let mut tally = Tally::default();
        for times in times {
            tally.took(*times);
        }
        for _ in 0..failures {
            tally.fail("packets meet".to_owned());
        }
        tally
    }

    #[test]
    fn a_load_that_takes_another_time_than_claimed_does_not_pass() {
        let passes = |claim, times: &[u64], failures| {
            let result = tally(times, failures).judge("a load", claim, false, (3, "so"));
            result.passed
        };
        assert!(passes(Claim::NonBlocking, &[], 0));
        assert!(passes(Claim::NonBlocking, &[3, 3], 0));
        assert!(!passes(Claim::NonBlocking, &[3, 4], 0));
        assert!(!passes(Claim::NonBlocking, &[2], 0));
        assert!(!passes(Claim::NonBlocking, &[3], 1));
        assert!(passes(Claim::Serialises, &[3, 5], 1));
        assert!(!passes(Claim::Serialises, &[3, 5], 0), "nothing ever waits");
        assert!(!passes(Claim::Serialises, &[2, 5], 1), "faster than serial");
        assert!(!passes(Claim::NotSelfRouting, &[1], 0));
    }
}
