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

    /// The queue of k holds a flit.
    pub(super) fn is_stored(&self, o: usize, k: Request) -> bool {
        self.stored[o] >> k & 1 == 1
    }

    /// What `stage1` holds for request k of output o.
    fn in_stage1(&self, o: usize, k: Request) -> Option<&Word> {
        match &self.stage1[self.shape.input(k)] {
            Some((word, FlitDecision::To(to) | FlitDecision::MadeUpTo(to)))
                if *to == o && word.flit.channel == self.shape.channel(k) =>
            {
                Some(word)
            }
            _ => None,
        }
    }

    /// k is *ready* at output o: its queue is not empty, or in adaptive blocks `stage1` holds a flit for it.
    pub(super) fn is_ready(&self, o: usize, k: Request) -> bool {
        self.is_stored(o, k) || self.adaptive.is_some() && self.in_stage1(o, k).is_some()
    }

    /// The word of k that leaves next; none of a request that waits for a header in `arrived`.
    fn oldest(&self, o: usize, k: Request) -> Option<&Word> {
        match self.is_stored(o, k) {
            true => self.queue_of(o, k).front(),
            false => self.in_stage1(o, k),
        }
    }

    /// The *oldest flit* of a ready k.
    pub(super) fn oldest_flit(&self, o: usize, k: Request) -> &Flit {
        &self.oldest(o, k).expect("a request that is ready").flit
    }

    /// 1.8: `way[i][o][v]` of a k that is ready or waits: in the cycle after a pop, that of the popped flit.
    pub(super) fn way(&self, o: usize, k: Request) -> bool {
        match &self.adaptive {
            Some(adaptive) if self.popped[o] == Some(k) => adaptive.popped_way[o],
            _ => self.oldest(o, k).is_some_and(|word| word.adaptive),
        }
    }

    /// The *waiting* requests of every output, bit k: those that are ready, or have a flit in stage 1, or in adaptive
    /// blocks a header in `arrived` for a host.
    pub(super) fn waiting(&self) -> [u128; MOST_PORTS] {
        let mut waiting = [0; MOST_PORTS];
        waiting[..self.shape.ports].copy_from_slice(&self.stored);
        for (i, stage1) in self.stage1.iter().enumerate() {
            if let Some((word, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = stage1 {
                waiting[*o] |= 1 << self.shape.request(i, word.flit.channel);
            }
        }
        for (i, o) in self.headers_for_hosts() {
            let last = self.shape.channels - 1;
            waiting[o] |= 1 << self.shape.request(i, last);
        }
        waiting
    }

    /// A flit in stage 1 goes to the end of its queue; a dropped or lost one vanishes.
    pub(super) fn push(&mut self, i: usize) {
        if let Some((word, FlitDecision::To(o) | FlitDecision::MadeUpTo(o))) = self.stage1[i].take()
        {
            let v = word.flit.channel;
            self.stored[o] |= 1 << self.shape.request(i, v);
            self.queue[i][o][v].push_back(word);
        }
    }

    /// The oldest flit of a ready k leaves its queue.
    pub(super) fn take_oldest(&mut self, o: usize, k: Request) -> Word {
        let queue = &mut self.queue[self.shape.input(k)][o][self.shape.channel(k)];
        let word = queue.pop_front().expect("a request that is ready");
        if queue.is_empty() {
            self.stored[o] &= !(1 << k);
        }
        word
    }
}
