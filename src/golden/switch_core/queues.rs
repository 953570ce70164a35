//! 1.4 Stage 1 and queues: what an output's requests hold. All answers are of the start of the cycle.

use std::collections::VecDeque;

use super::shape::{MOST_PORTS, Request};
use super::state::{FlitDecision, SwitchCore, Word};
use crate::Flit;

impl SwitchCore {
    /// The queue that request k of output o stands for.
    fn queue_of(&self, o: usize, k: Request) -> &VecDeque<Word> {
        &self.queue[self.shape.input(k)][o][self.shape.channel(k)]
    }

    /// k is *ready* at output o: its queue is not empty.
    pub(super) fn is_ready(&self, o: usize, k: Request) -> bool {
        self.ready[o] >> k & 1 == 1
    }

    /// The *oldest flit* of a ready k.
    pub(super) fn oldest_flit(&self, o: usize, k: Request) -> &Flit {
        &self.queue_of(o, k)[0].flit
    }

    /// 1.8: `way[i][o][v]` of a ready k, and of a k that waits with an empty queue.
    pub(super) fn way(&self, o: usize, k: Request) -> bool {
        if self.is_ready(o, k) {
            return self.queue_of(o, k)[0].adaptive;
        }
        let stage1 = self.stage1[self.shape.input(k)].as_ref();
        stage1.is_some_and(|(word, _)| word.flit.channel == self.shape.channel(k) && word.adaptive)
    }

    /// The *waiting* requests of every output, bit k: those that are ready, or have a flit in stage 1.
    pub(super) fn waiting(&self) -> [u128; MOST_PORTS] {
        let mut waiting = [0; MOST_PORTS];
        waiting[..self.shape.ports].copy_from_slice(&self.ready);
        for (i, stage1) in self.stage1.iter().enumerate() {
            if let Some((word, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = stage1 {
                waiting[*o] |= 1 << self.shape.request(i, word.flit.channel);
            }
        }
        waiting
    }

    /// A flit in stage 1 goes to the end of its queue; a dropped or lost one vanishes.
    pub(super) fn push(&mut self, i: usize) {
        if let Some((word, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = self.stage1[i].take()
        {
            let v = word.flit.channel;
            self.ready[o] |= 1 << self.shape.request(i, v);
            self.queue[i][o][v].push_back(word);
        }
    }

    /// The oldest flit of a ready k leaves its queue.
    pub(super) fn take_oldest(&mut self, o: usize, k: Request) -> Word {
        let queue = &mut self.queue[self.shape.input(k)][o][self.shape.channel(k)];
        let word = queue.pop_front().expect("a request that is ready");
        if queue.is_empty() {
            self.ready[o] &= !(1 << k);
        }
        word
    }
}
