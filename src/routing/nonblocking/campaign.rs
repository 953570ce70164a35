//! Drives the paper's loads through a distributed switch and says what was seen.
//!
//! Small networks see every permutation, larger ones a stated number of random ones; every result says
//! which. A planted wiring error turns at least one result, because trains are followed through the graph.

use serde::Serialize;

use super::loads::{
    Random, all_to_all_receivers, chosen_alone, homogeneous_load, packet_alone, packets_of,
    permutations, random_permutation, sigma_load, with_branches,
};
use super::{Crossing, Level, Packet, edge_colouring};
use crate::routing::train::first_branches;
use crate::topology::distributed_switch::{DistributedSwitch, Structure};

/// Most terminals of which all permutations are driven: 9! = 362,880.
const EXHAUSTIVE_TERMINALS: u32 = 9;

/// How much is driven where not everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Random loads of each sort.
    pub samples: u64,
    pub seed: u64,
}

/// What is claimed of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// No two packets ever meet.
    NonBlocking,
    /// Some loads collide: the paper claims otherwise, and is wrong.
    NotSelfRouting,
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
    pub passed: bool,
}

/// Results of all loads that make sense for the switch, driven through `level`. `trunks` is the number of
/// channels between a terminal and its РОК.
pub fn run(
    switch: &DistributedSwitch,
    level: &mut dyn Level,
    trunks: u32,
    effort: Effort,
    progress: &dyn Fn(&str),
) -> Vec<LoadResult> {
    let mut campaign = Campaign {
        switch,
        level,
        trunks,
        effort,
        progress,
    };
    let mut results = vec![campaign.permutations()];
    if trunks == 1 && !campaign.level.ignores_trunks() {
        return results;
    }
    results.push(campaign.homogeneous());
    match switch.structure() {
        Structure::BlockDesign(_) if switch.disjoint_paths() > 1 => {
            results.extend(campaign.sigma_permutations());
        }
        Structure::BlockDesign(_) => {}
        // The exchange sends to m of N = m² terminals; only one cascade has so many.
        _ if switch.cascades() == 1 => results.push(campaign.all_to_all()),
        _ => {}
    }
    results
}

struct Campaign<'a> {
    switch: &'a DistributedSwitch,
    level: &'a mut dyn Level,
    trunks: u32,
    effort: Effort,
    progress: &'a dyn Fn(&str),
}

/// Failures of one sort of load while it is driven.
#[derive(Default)]
struct Tally {
    driven: u64,
    failed: u64,
    first: Option<String>,
}

impl Campaign<'_> {
    fn random(&self) -> Random {
        Random::new(self.effort.seed)
    }

    /// Drives one load.
    fn drive(&mut self, packets: &[Packet], tally: &mut Tally) {
        tally.driven += 1;
        let crossing = self.level.cross(packets);
        tally.note(crossing, packets);
    }

    fn finish(&mut self, tally: &mut Tally) {
        let crossing = self.level.finish();
        tally.note(crossing, &[]);
    }

    fn permutations(&mut self) -> LoadResult {
        let count = self.switch.terminals();
        let exhaustive = count <= EXHAUSTIVE_TERMINALS;
        let mut tally = Tally::default();
        (self.progress)("permutations");
        if exhaustive {
            permutations(count, |permutation| {
                self.drive(&packets_of(self.switch, permutation), &mut tally);
                true
            });
        } else {
            let mut random = self.random();
            for _ in 0..self.effort.samples {
                let permutation = random_permutation(count, &mut random);
                self.drive(&packets_of(self.switch, &permutation), &mut tally);
            }
        }
        self.finish(&mut tally);
        let times = "1: one packet per terminal, sent and received".to_owned();
        tally.result("permutations", exhaustive, times)
    }

    fn homogeneous(&mut self) -> LoadResult {
        let mut tally = Tally::default();
        let mut random = self.random();
        (self.progress)("homogeneous m-permutations");
        for _ in 0..self.effort.samples {
            let packets = homogeneous_load(self.switch, &mut random);
            self.drive(&packets, &mut tally);
        }
        self.finish(&mut tally);
        let m = self.switch.ports();
        let times = if self.trunks == 1 {
            format!("{m}: the serial РОК of a terminal sends its {m} packets one after the other")
        } else {
            "1: the parallel РОК of a terminal sends all at once".to_owned()
        };
        tally.result("homogeneous m-permutations", false, times)
    }

    /// Everybody sends to everybody in two sessions of homogeneous m-permutations.
    fn all_to_all(&mut self) -> LoadResult {
        let (m, n) = (self.switch.ports(), self.switch.terminals());
        let mut tally = Tally::default();
        (self.progress)("all-to-all");
        let switch = self.switch;
        let pairs = (0..n).flat_map(|from| {
            let receivers = all_to_all_receivers(switch, from).into_iter();
            receivers.map(move |to| (from, to))
        });
        let load: Vec<Packet> = pairs
            .map(|(from, to)| packet_alone(switch, from, to))
            .collect();
        // Origins of the packets that each terminal holds, in order of arrival.
        let mut held: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
        let mut received = vec![vec![0_u32; n as usize]; n as usize];
        for packet in &load {
            held[packet.to as usize].push(packet.from);
        }
        self.drive(&load, &mut tally);
        // In every packet time of the second session each terminal sends one held packet to its m
        // receivers: the links are those of the first session, the packets are not.
        for turn in 0..m as usize {
            self.drive(&load, &mut tally);
            for packet in &load {
                if let Some(origin) = held[packet.from as usize].get(turn) {
                    received[packet.to as usize][*origin as usize] += 1;
                }
            }
        }
        self.finish(&mut tally);
        let missing = received
            .iter()
            .flatten()
            .filter(|copies| **copies != 1)
            .count();
        if missing > 0 {
            tally.failed += 1;
            let fact =
                format!("{missing} pairs of origin and receiver have not exactly one packet");
            tally.first.get_or_insert(fact);
        }
        let times = if self.trunks == 1 {
            format!(
                "{}: m + 1 = {} sessions of {m} through a serial РОК",
                m * (m + 1),
                m + 1
            )
        } else {
            format!("{}: m + 1, in two sessions of 1 and m", m + 1)
        };
        tally.result("all-to-all", true, times)
    }

    /// σ packets per terminal: with a coordinated choice of switches, and with each source alone.
    fn sigma_permutations(&mut self) -> [LoadResult; 2] {
        let sigma = self.switch.disjoint_paths();
        let (mut together, mut alone) = (Tally::default(), Tally::default());
        let mut random = self.random();
        (self.progress)("σ-permutations");
        for _ in 0..self.effort.samples {
            let pairs = sigma_load(self.switch, sigma, &mut random);
            match self.coordinated(&pairs) {
                Some(packets) => {
                    self.drive(&packets, &mut together);
                    self.finish(&mut together);
                }
                None => {
                    together.driven += 1;
                    together.failed += 1;
                    let fact = "the allocator leaves a packet without a switch".to_owned();
                    together.first.get_or_insert(fact);
                }
            }
            self.drive(&chosen_alone(self.switch, &pairs), &mut alone);
            self.finish(&mut alone);
        }
        let times = |how: &str| match self.trunks {
            1 => format!("{sigma}: σ packets one after the other through a serial РОК; {how}"),
            _ => format!("1: all σ packets at once; {how}"),
        };
        let coordinated = times("the switches are chosen by an edge-colouring allocator");
        let mut alone = alone.result("σ-permutations, each source alone", false, times("in vain"));
        alone.packet_times = "more than 1 where packets meet at a destination".to_owned();
        alone.claim = Claim::NotSelfRouting;
        alone.passed = alone.failed > 0;
        let together = together.result("σ-permutations, coordinated", false, coordinated);
        [together, alone]
    }

    /// Trains through copies that an edge-colouring gives, so that no source and no destination uses one
    /// twice.
    fn coordinated(&self, pairs: &[(u32, u32)]) -> Option<Vec<Packet>> {
        let stage = self.switch.stage(1);
        let copy = |from: u32, branch: u32| stage.up(from)[branch as usize].copy;
        let allowed: Vec<Vec<u32>> = pairs
            .iter()
            .map(|&(from, to)| {
                let branches = first_branches(self.switch, from, to).into_iter();
                branches.map(|branch| copy(from, branch)).collect()
            })
            .collect();
        let copies = edge_colouring(pairs, &allowed)?;
        let branches: Option<Vec<u32>> = pairs
            .iter()
            .zip(copies)
            .map(|(&(from, _), wanted)| {
                (0..self.switch.ports()).find(|branch| copy(from, *branch) == wanted)
            })
            .collect();
        Some(with_branches(self.switch, pairs, &branches?))
    }
}

impl Tally {
    fn note(&mut self, crossing: Crossing, packets: &[Packet]) {
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
        self.failed += 1;
        self.first.get_or_insert(failure);
    }

    fn result(self, load: &'static str, exhaustive: bool, packet_times: String) -> LoadResult {
        LoadResult {
            load,
            claim: Claim::NonBlocking,
            driven: self.driven,
            exhaustive,
            failed: self.failed,
            first_failure: self.first,
            packet_times,
            passed: self.failed == 0,
        }
    }
}
