//! Faults injected into a whole network during a run: cables that fail and are repaired, and
//! traffic on the control ports; and the account of the packets that failures cost.
//!
//! Every packet has one end: delivered, delivered with tuser, counted as dropped by a block, or lost
//! on a cable because its header arrived when the cable was down (no counter sees that). Knows cables
//! and ports, nothing of packets' contents.

use serde::Serialize;

use mkns_design::Plan;
use mkns_random::Random;
use mkns_topology::{Cable, End};

/// Inverse of the chance that a given cable fails in a cycle.
const RARITY: u64 = 5_000;
/// Longest outage beyond the shortest legal one, cycles.
const LONG_OUTAGE: u64 = 300;

/// Which faults a run injects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FaultPlan {
    /// Cables fail and are repaired.
    pub link_faults: bool,
    /// Tables are rewritten, registers and counters read and cleared.
    pub control_traffic: bool,
}

impl FaultPlan {
    pub fn any(self) -> bool {
        self.link_faults || self.control_traffic
    }
}

/// What the faults of a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FaultReport {
    pub cable_failures: u64,
    /// Packets of which nothing arrived; all of them accounted for.
    pub packets_lost: u64,
    /// Packets that arrived with tuser, cut by a failing cable.
    pub packets_bad: u64,
    /// Reads and writes of control ports that were begun.
    pub control_operations: u64,
}

/// A cable goes up or down.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub cable: usize,
    pub up: bool,
}

/// Decides when cables fail and when they are repaired.
#[derive(Debug)]
pub struct CableFaults {
    random: Random,
    cables: usize,
    /// Cables that are down, and the cycle of their repair.
    down: Vec<(usize, u64)>,
    /// 2·L + 4 (section 5).
    shortest: u64,
    /// Failures so far.
    pub failures: u64,
}

impl CableFaults {
    pub fn new(plan: &Plan, seed: u64) -> Self {
        Self {
            random: Random::branch(seed, 3),
            cables: plan.network.cables.len(),
            down: Vec::new(),
            shortest: u64::from(2 * plan.spec.block.link_latency + 4),
            failures: 0,
        }
    }

    /// What changes at the start of a cycle; without `may_fail` there are only repairs.
    pub fn step(&mut self, cycle: u64, may_fail: bool) -> Vec<Change> {
        let repaired =
            |&(cable, at): &(usize, u64)| (cycle >= at).then_some(Change { cable, up: true });
        let mut changes: Vec<Change> = self.down.iter().filter_map(repaired).collect();
        self.down.retain(|&(_, at)| cycle < at);
        if may_fail && self.random.below(RARITY) < self.cables as u64 {
            let cable = self.random.below(self.cables as u64) as usize;
            let busy = self.down.iter().any(|&(other, _)| other == cable)
                || changes.iter().any(|change| change.cable == cable);
            if !busy {
                let longer = match self.random.chance(300) {
                    true => 0,
                    false => self.random.below(LONG_OUTAGE),
                };
                self.down.push((cable, cycle + self.shortest + longer));
                self.failures += 1;
                changes.push(Change { cable, up: false });
            }
        }
        changes
    }

    pub fn all_up(&self) -> bool {
        self.down.is_empty()
    }
}

/// What arrives on one channel of an input, over a cable or from a link port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arriving {
    #[default]
    Nothing,
    /// A packet whose header was taken.
    Packet,
    /// The rest of a packet that is thrown away, because the link was down.
    Thrown,
}

/// A flit on the pins of an input.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub at: End,
    pub channel: usize,
    pub last: bool,
}

/// Packets that cables lost, as seen at their ends.
#[derive(Debug)]
pub struct CableLosses {
    /// By block, port and channel.
    arriving: Vec<Vec<[Arriving; 4]>>,
    down: Vec<Vec<bool>>,
    /// Ends of cables that change in this cycle; blocks notice in the next one.
    changing: Vec<(End, bool)>,
    /// Flits stay a cycle in adaptive blocks before they are looked up (section 1.8).
    adaptive: bool,
    lost: u64,
    cut: u64,
}

impl CableLosses {
    pub fn new(plan: &Plan) -> Self {
        let blocks = &plan.network.blocks;
        let ports = |ports: u8| usize::from(ports);
        Self {
            arriving: (blocks.iter())
                .map(|block| vec![[Arriving::Nothing; 4]; ports(block.network_ports)])
                .collect(),
            down: (blocks.iter())
                .map(|block| vec![false; ports(block.network_ports)])
                .collect(),
            changing: Vec::new(),
            adaptive: plan.spec.block.adaptive,
            lost: 0,
            cut: 0,
        }
    }

    /// A cable changes; at a repair, `cut` packets stand begun and not ended on its outputs. Their
    /// rest is a drop at the output, and what crossed the cable has an end of its own.
    pub fn change(&mut self, cable: &Cable, up: bool, cut: u64) {
        self.cut += cut;
        self.changing
            .extend([cable.a, cable.b].map(|end| (end, up)));
    }

    /// `cut` packets stand begun and not ended on the outputs of a cable that stays down.
    pub fn abandon(&mut self, cut: u64) {
        self.cut += cut;
    }

    /// Flits stand on the pins of inputs in this cycle, whose changes are known. For their lookup a link is what it
    /// was in the cycle before (`up`, section 1.1).
    pub fn arrive(&mut self, flits: impl Iterator<Item = Arrival>) {
        for flit in flits {
            // An adaptive block looks it up a cycle later (1.8), and finds the link down.
            let falls = self.adaptive && self.changing.contains(&(flit.at, false));
            self.look_up(flit, falls);
        }
        for (end, up) in std::mem::take(&mut self.changing) {
            let (block, port) = (end.block.0 as usize, usize::from(end.port.0));
            self.down[block][port] = !up;
            for arriving in &mut self.arriving[block][port] {
                *arriving = match *arriving {
                    // A packet in the middle becomes a bad one; its other flits are thrown away.
                    Arriving::Packet if !up => Arriving::Thrown,
                    _ if up => Arriving::Nothing,
                    unchanged => unchanged,
                };
            }
        }
    }

    /// `falls`: the link is down when the block looks the flit up, and was up when it came.
    fn look_up(&mut self, flit: Arrival, falls: bool) {
        let (block, port) = (flit.at.block.0 as usize, usize::from(flit.at.port.0));
        let down = self.down[block][port];
        let arriving = &mut self.arriving[block][port][flit.channel];
        if (down || falls) && *arriving == Arriving::Nothing {
            self.lost += 1;
        }
        *arriving = match (flit.last, down) {
            (true, _) => Arriving::Nothing,
            (false, true) => Arriving::Thrown,
            (false, false) => Arriving::Packet,
        };
    }

    /// Packets lost on cables without a count, less those that two blocks count: the one that sent
    /// the beginning and dropped the rest, and the one where the beginning found its end.
    pub fn balance(&self) -> i64 {
        self.lost as i64 - self.cut as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_topology::{BlockId, CableKind, PortIndex};

    fn plan() -> Plan {
        let spec = mkns_spec::parse("MKNS(1,3,1,1)").expect("a valid spec");
        mkns_design::build(&spec).expect("a plan")
    }

    #[test]
    fn outages_last_at_least_as_long_as_the_contract_says() {
        let mut faults = CableFaults::new(&plan(), 5);
        let mut since = [None; 3];
        let mut seen = 0;
        for cycle in 0..200_000 {
            for change in faults.step(cycle, cycle < 190_000) {
                let fallen = &mut since[change.cable];
                match (change.up, *fallen) {
                    (false, None) => *fallen = Some(cycle),
                    (true, Some(start)) => {
                        assert!(cycle - start >= 6, "2·1 + 4 cycles");
                        *fallen = None;
                        seen += 1;
                    }
                    _ => panic!("a cable changes to what it is"),
                }
            }
        }
        assert!(seen > 50 && faults.all_up());
        assert_eq!(faults.failures, seen);
    }

    #[test]
    fn a_packet_is_lost_when_its_header_finds_the_cable_down() {
        let plan = plan();
        let end = |block| End {
            block: BlockId(block),
            port: PortIndex(0),
        };
        let cable = Cable {
            a: end(0),
            b: end(1),
            dimension: 1,
            kind: CableKind::Mesh,
        };
        let mut losses = CableLosses::new(&plan);
        let flit = |last| Arrival {
            at: end(1),
            channel: 0,
            last,
        };
        // Cut in the middle: not lost, its beginning goes on; the sender drops the rest.
        losses.arrive([flit(false)].into_iter());
        losses.change(&cable, false, 0);
        losses.arrive([].into_iter());
        losses.arrive([flit(true)].into_iter());
        assert_eq!(losses.balance(), 0);
        // A whole packet and the beginning of another on the wire.
        losses.arrive([flit(true)].into_iter());
        losses.arrive([flit(false)].into_iter());
        losses.change(&cable, true, 1);
        losses.arrive([].into_iter());
        assert_eq!(losses.balance(), 2 - 1);
        losses.arrive([flit(true)].into_iter());
        assert_eq!(losses.balance(), 1, "after the repair all is as before");
    }

    #[test]
    fn a_lookup_sees_the_cable_of_the_cycle_before() {
        let plan = plan();
        let cable = plan.network.cables[0];
        let mut losses = CableLosses::new(&plan);
        let header = Arrival {
            at: cable.b,
            channel: 0,
            last: true,
        };
        losses.change(&cable, false, 0);
        losses.arrive([header].into_iter());
        assert_eq!(losses.balance(), 0);
        losses.arrive([header].into_iter());
        assert_eq!(losses.balance(), 1);
    }

    #[test]
    fn an_adaptive_block_loses_the_header_that_came_a_cycle_before() {
        let mut plan = plan();
        plan.spec.block.adaptive = true;
        let cable = plan.network.cables[0];
        let mut losses = CableLosses::new(&plan);
        let header = |at| Arrival {
            at,
            channel: 0,
            last: true,
        };
        losses.arrive([header(cable.a)].into_iter());
        losses.change(&cable, false, 0);
        losses.arrive([header(cable.b)].into_iter());
        assert_eq!(losses.balance(), 1);
    }
}
