//! Drives the paper's loads through a distributed switch and says what was seen.
//!
//! Small networks see every permutation, larger ones a stated number of random ones; every result says
//! which. A planted wiring error turns at least one result, because trains are followed through the graph.

use serde::Serialize;

use super::allocator::edge_colouring;
use super::loads::{
    all_to_all_receivers, chosen_alone, homogeneous_load, packet_alone, packets_of, permutations,
    random_permutation, sigma_load, with_branches,
};
use super::result::{Claim, LoadResult, Tally};
use super::{Packet, SwitchModel, turns};
use crate::train::first_branches;
use mkns_random::Random;
use mkns_topology::distributed_switch::{DistributedSwitch, Structure};

/// Most terminals of which all permutations are driven unless the caller says otherwise: 9! = 362,880.
const EXHAUSTIVE_TERMINALS: u32 = 9;

/// How much is driven where not everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Random loads of each sort.
    pub samples: u64,
    pub seed: u64,
    /// Every permutation is driven through switches of at most this many terminals.
    #[serde(skip)]
    pub exhaustive_terminals: u32,
}

impl Effort {
    /// The number of random loads of each sort, and all permutations of up to 9 terminals.
    pub const fn new(samples: u64, seed: u64) -> Self {
        Self {
            samples,
            seed,
            exhaustive_terminals: EXHAUSTIVE_TERMINALS,
        }
    }
}

/// Results of all loads that make sense for the switch, driven through `model`. `trunks` is the number of
/// channels between a terminal and its POK.
pub fn run(
    switch: &DistributedSwitch,
    model: &mut dyn SwitchModel,
    trunks: u32,
    effort: Effort,
    progress: &dyn Fn(&str),
) -> Vec<LoadResult> {
    let mut campaign = Campaign {
        switch,
        model,
        trunks,
        effort,
        progress,
    };
    let mut results = vec![campaign.permutations()];
    results.extend(campaign.homogeneous());
    match switch.structure() {
        Structure::BlockDesign(_) if switch.disjoint_paths() > 1 => {
            results.extend(campaign.sigma_permutations());
        }
        Structure::BlockDesign(_) => {}
        // The exchange sends to m of N = m² terminals; only one cascade has that many.
        _ if switch.cascades() == 1 => results.push(campaign.all_to_all()),
        _ => {}
    }
    results
}

struct Campaign<'a> {
    switch: &'a DistributedSwitch,
    model: &'a mut dyn SwitchModel,
    trunks: u32,
    effort: Effort,
    progress: &'a dyn Fn(&str),
}

impl Campaign<'_> {
    fn random(&self) -> Random {
        Random::new(self.effort.seed)
    }

    /// Drives one load without waiting for its end.
    fn drive(&mut self, packets: &[Packet], tally: &mut Tally) {
        tally.driven += 1;
        let crossing = self.model.cross(packets);
        tally.crossed(crossing, packets);
    }

    /// Drives one load to its end in these turns.
    fn drive_in_turns(&mut self, turns: &[Vec<Packet>], tally: &mut Tally) {
        let passage = self.model.cross_in_turns(turns);
        tally.passed(passage, turns);
    }

    fn permutations(&mut self) -> LoadResult {
        let count = self.switch.terminals();
        let exhaustive = count <= self.effort.exhaustive_terminals;
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
        let crossing = self.model.finish();
        tally.crossed(crossing, &[]);
        let times = (1, "one packet per terminal, sent and received");
        tally.judge("permutations", Claim::NonBlocking, exhaustive, times)
    }

    /// At once through parallel POK units. Through serial ones in turns that are permutations, and as
    /// every host sends alone: then packets wait for each other.
    fn homogeneous(&mut self) -> Vec<LoadResult> {
        let m = u64::from(self.switch.ports());
        let (mut told, mut own) = (Tally::default(), Tally::default());
        let mut random = self.random();
        (self.progress)("homogeneous m-permutations");
        for _ in 0..self.effort.samples {
            let packets = homogeneous_load(self.switch, &mut random);
            self.drive_in_turns(&turns::agreed(&packets, self.trunks), &mut told);
            if self.trunks == 1 {
                self.drive_in_turns(&turns::own(&packets, self.trunks), &mut own);
            }
        }
        let at_once = (1, "the parallel POK of a terminal sends all at once");
        let in_turns = (
            m,
            "one after the other through a serial POK, in turns that are permutations",
        );
        let by_itself = (
            m,
            "one after the other through a serial POK, and some wait for others",
        );
        let is_serial = self.trunks == 1;
        let times = if is_serial { in_turns } else { at_once };
        let name = "homogeneous m-permutations";
        let mut results = vec![told.judge(name, Claim::NonBlocking, false, times)];
        if is_serial {
            let name = "homogeneous m-permutations, each source in its own order";
            results.push(own.judge(name, Claim::Serialises, false, by_itself));
        }
        results
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
        let turns = turns::agreed(&load, self.trunks);
        // Origins of the packets that each terminal holds, in order of arrival.
        let mut held: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
        let mut received = vec![vec![0_u32; n as usize]; n as usize];
        for packet in &load {
            held[packet.to as usize].push(packet.from);
        }
        // The first session, then in every packet time of the second one each terminal sends one held
        // packet to its m receivers: the links are those of the first session, the packets are not.
        let mut times = Some(0);
        for session in 0..=m as usize {
            let passage = self.model.cross_in_turns(&turns);
            times = times
                .zip(passage.packet_times)
                .map(|(sum, more)| sum + more);
            tally.driven += 1;
            tally.crossed(passage.crossing, &turns.concat());
            let Some(turn) = session.checked_sub(1) else {
                continue;
            };
            for packet in &load {
                if let Some(origin) = held[packet.from as usize].get(turn) {
                    received[packet.to as usize][*origin as usize] += 1;
                }
            }
        }
        if let Some(times) = times {
            tally.took(times);
        }
        let copies = received.iter().flatten();
        let missing = copies.filter(|copies| **copies != 1).count();
        if missing > 0 {
            tally.fail(format!(
                "{missing} pairs of origin and receiver have not exactly one packet"
            ));
        }
        let m = u64::from(m);
        let times = match self.trunks {
            1 => (
                m * (m + 1),
                "m(m + 1), m + 1 loads of m through a serial POK",
            ),
            _ => (m + 1, "m + 1, in two sessions of 1 and m"),
        };
        tally.judge("all-to-all", Claim::NonBlocking, true, times)
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
                    self.drive_in_turns(&turns::agreed(&packets, self.trunks), &mut together)
                }
                None => {
                    together.driven += 1;
                    together.fail("the allocator leaves a packet without a switch".to_owned());
                }
            }
            let packets = chosen_alone(self.switch, &pairs);
            self.drive_in_turns(&turns::own(&packets, self.trunks), &mut alone);
        }
        let times = match self.trunks {
            1 => u64::from(sigma),
            _ => 1,
        };
        let coordinated = (
            times,
            "the switches are chosen by an edge-colouring allocator",
        );
        let in_vain = (times, "where packets meet at a destination");
        let (free, alone_claim) = (Claim::NonBlocking, Claim::NotSelfRouting);
        [
            together.judge("σ-permutations, coordinated", free, false, coordinated),
            alone.judge(
                "σ-permutations, each source alone",
                alone_claim,
                false,
                in_vain,
            ),
        ]
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
