//! Cables that go down and come up, and resets of the whole network.

use super::pair::Pair;
use crate::tests::random::Random;
use mkns_design::{Pins, Plan};
use mkns_topology::{BlockId, Cable};

pub struct Faults {
    /// Empty where cables must stay up.
    cables: Vec<Cable>,
    /// Whether each is up, and the cycles for which it must stay down.
    states: Vec<(bool, u64)>,
    /// 2·L + 4
    shortest: u64,
    /// Chances of 10,000 in a cycle that some cable changes.
    rate: u64,
    /// rst of every block.
    resets: Vec<(BlockId, usize)>,
    /// Cycles of reset left.
    resetting: u64,
    reset_rate: u64,
}

impl Faults {
    pub fn new(plan: &Plan, random: &mut Random) -> Self {
        let has_trains = mkns_design::Addressing::new(plan).has_trains();
        let cables = match has_trains {
            true => Vec::new(),
            false => plan.network.cables.clone(),
        };
        let rst = |instance: &mkns_design::BlockInstance| {
            let pins = Pins::new(&plan.modules[instance.module]);
            (instance.block, pins.rst)
        };
        Self {
            states: vec![(true, 0); cables.len()],
            cables,
            shortest: u64::from(2 * plan.spec.block.link_latency + 4),
            rate: [0, 100, 600, 3000][random.below(4) as usize],
            resets: plan.instances.iter().map(rst).collect(),
            resetting: 0,
            reset_rate: [0, 4][random.below(2) as usize],
        }
    }

    pub fn drive(&mut self, pair: &mut Pair, random: &mut Random, cycle: u64) {
        self.reset(pair, random, cycle);
        for (_, stays) in &mut self.states {
            *stays = stays.saturating_sub(1);
        }
        if self.cables.is_empty() || random.below(10_000) >= self.rate {
            return;
        }
        let n = random.below(self.cables.len() as u64) as usize;
        let (up, stays) = &mut self.states[n];
        if *stays > 0 {
            return;
        }
        *up = !*up;
        // Often as short as allowed: a repair before the rest of a packet comes by is the rare case.
        let longer = random.below(2) * random.below(60);
        *stays = if *up { longer } else { self.shortest + longer };
        pair.set_cable_up(&self.cables[n], *up);
    }

    /// The first cycles, and sometimes later. The registers of links are reset by the edges between.
    fn reset(&mut self, pair: &mut Pair, random: &mut Random, cycle: u64) {
        if self.resetting > 0 {
            pair.reset_links();
            self.resetting -= 1;
        } else if cycle == 0 || random.below(10_000) < self.reset_rate {
            self.resetting = 1 + random.below(4);
        }
        for &(block, rst) in &self.resets {
            pair.set(block, rst, 0, 1, u64::from(self.resetting > 0));
        }
    }
}
