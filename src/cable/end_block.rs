//! A block as a link port sees it: sends flits for credits, takes flits and gives credits back.

use std::collections::VecDeque;

use mkns_random::Random;

use crate::pins::Flit;

/// How much a block sends and takes, chances per 1000 in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockActivity {
    pub send_rate: u32,
    pub accept_rate: u32,
    /// Both change their minds for a while: long pauses and long bursts.
    pub bursty: bool,
}

impl BlockActivity {
    /// As much as there is room for.
    pub const FULL: Self = Self {
        send_rate: 1000,
        accept_rate: 1000,
        bursty: false,
    };
}

/// Cycles after the fall of a link in which a block may still send.
const ON_THE_WAY: u32 = 4;

/// A block at one end.
#[derive(Debug, Clone)]
pub struct EndBlock {
    channels: usize,
    credits: u32,
    activity: BlockActivity,
    now: BlockActivity,
    /// How long the link has been down.
    down_cycles: u32,
    random: Random,
    /// Credits for the link port, by channel.
    pub credit: Vec<u32>,
    /// Flits that came and were not taken yet, by channel.
    held: Vec<VecDeque<Flit>>,
}

impl EndBlock {
    pub fn new(channels: usize, credits: u32, activity: BlockActivity, seed: u64) -> Self {
        Self {
            channels,
            credits,
            activity,
            now: activity,
            down_cycles: ON_THE_WAY,
            random: Random::new(seed),
            credit: vec![credits; channels],
            held: vec![VecDeque::new(); channels],
        }
    }

    /// As after a reset of the block.
    pub fn reset(&mut self) {
        self.down_cycles = ON_THE_WAY;
        self.credit.fill(self.credits);
        self.held.iter_mut().for_each(VecDeque::clear);
    }

    /// No more flits from now on, and all that come are taken.
    pub fn drain(&mut self) {
        let drain = BlockActivity {
            send_rate: 0,
            accept_rate: 1000,
            bursty: false,
        };
        (self.activity, self.now) = (drain, drain);
    }

    /// The flit of this cycle. After a fall of the link comes what the block had on its way (1.7).
    pub fn send_while(&mut self, link_up: bool) -> Option<Flit> {
        self.down_cycles = match link_up {
            true => 0,
            false => self.down_cycles.saturating_add(1),
        };
        if self.down_cycles > ON_THE_WAY {
            return None;
        }
        if self.activity.bursty && self.random.below(500) == 0 {
            self.now = BlockActivity {
                send_rate: *self.random.pick(&[0, 100, 500, 1000]),
                accept_rate: *self.random.pick(&[0, 100, 500, 1000]),
                bursty: true,
            };
        }
        if !self.random.chance(self.now.send_rate) {
            return None;
        }
        let first = self.random.below(self.channels as u64) as usize;
        let mut channels = (0..self.channels).map(|n| (first + n) % self.channels);
        let channel = channels.find(|&channel| self.credit[channel] > 0)?;
        self.credit[channel] -= 1;
        let last = self.random.chance(150);
        let bad = last && self.random.chance(100);
        Some(Flit {
            channel,
            last,
            bad,
            data: self.random.bits(),
        })
    }

    /// Credits from the link port, bit v; whether they are more than were spent.
    pub fn credited(&mut self, credits: u32) -> bool {
        for (v, credit) in self.credit.iter_mut().enumerate() {
            *credit += credits >> v & 1;
        }
        self.credit.iter().any(|&credit| credit > self.credits)
    }

    /// A flit from the link port; whether it had no credit for it.
    pub fn receive(&mut self, flit: Flit) -> bool {
        self.held[flit.channel].push_back(flit);
        self.held[flit.channel].len() > self.credits as usize
    }

    /// Credits for flits that are taken in this cycle, bit v.
    pub fn take(&mut self) -> u32 {
        let mut credits = 0;
        for v in 0..self.channels {
            if !self.held[v].is_empty() && self.random.chance(self.now.accept_rate) {
                self.held[v].pop_front();
                credits |= 1 << v;
            }
        }
        credits
    }

    /// All flits were taken.
    pub fn is_empty(&self) -> bool {
        self.held.iter().all(VecDeque::is_empty)
    }

    /// Credits that did not come back, of both channels.
    pub fn credits_missing(&self) -> u32 {
        let all = self.credits * self.channels as u32;
        all - self.credit.iter().sum::<u32>()
    }
}
