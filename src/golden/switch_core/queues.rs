//! 1.4 Stage 1 and queues: what an output's requests hold. All answers are of the start of the cycle.

use std::collections::VecDeque;

use super::shape::{MOST_PORTS, Request};
use super::state::{FlitDecision, SwitchCore};
use crate::Flit;

impl SwitchCore {
    /// The queue that request k of output o stands for.
    fn queue_of(&self, o: usize, k: Request) -> &VecDeque<Flit> {
        &self.queue[self.shape.input(k)][o][self.shape.channel(k)]
    }

    /// k is *ready* at output o: its queue is not empty.
    pub(super) fn is_ready(&self, o: usize, k: Request) -> bool {
        self.ready[o] >> k & 1 == 1
    }

    /// The *oldest flit* of a ready k.
    pub(super) fn oldest_flit(&self, o: usize, k: Request) -> &Flit {
        &self.queue_of(o, k)[0]
    }

    /// The *waiting* requests of every output, bit k: those that are ready, or have a flit in stage 1.
    pub(super) fn waiting(&self) -> [u128; MOST_PORTS] {
        let mut waiting = [0; MOST_PORTS];
        waiting[..self.shape.ports].copy_from_slice(&self.ready);
        for (i, stage1) in self.stage1.iter().enumerate() {
            if let Some((flit, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = stage1 {
                waiting[*o] |= 1 << self.shape.request(i, flit.channel);
            }
        }
        waiting
    }

    /// A flit in stage 1 goes to the end of its queue; a dropped or lost one vanishes.
    pub(super) fn push(&mut self, i: usize) {
        if let Some((flit, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = self.stage1[i].take()
        {
            self.ready[o] |= 1 << self.shape.request(i, flit.channel);
            self.queue[i][o][flit.channel].push_back(flit);
        }
    }

    /// The oldest flit of a ready k leaves its queue.
    pub(super) fn take_oldest(&mut self, o: usize, k: Request) -> Flit {
        let queue = &mut self.queue[self.shape.input(k)][o][self.shape.channel(k)];
        let flit = queue.pop_front().expect("a request that is ready");
        if queue.is_empty() {
            self.ready[o] &= !(1 << k);
        }
        flit
    }
}
