//! 1.4 Stage 1 and queues: what an output's requests hold. All answers are of the start of the cycle.

use super::shape::{Request, RequestSet};
use super::state::{Fate, SwitchCore};
use crate::Flit;

impl SwitchCore {
    /// k is *ready* at output o: its queue holds a flit besides that of `popped[o]`.
    pub(super) fn is_ready(&self, o: usize, k: Request) -> bool {
        self.queue[k.input][o][k.channel].len() > self.flits_popped(o, k)
    }

    /// The *oldest flit* of a ready k.
    pub(super) fn oldest_flit(&self, o: usize, k: Request) -> &Flit {
        &self.queue[k.input][o][k.channel][self.flits_popped(o, k)]
    }

    /// A popped flit counts in its queue for a cycle more.
    fn flits_popped(&self, o: usize, k: Request) -> usize {
        usize::from(self.popped[o] == Some(k))
    }

    /// The *waiting* requests of every output: those that are ready, or have a flit in stage 1.
    pub(super) fn waiting(&self) -> Vec<RequestSet> {
        let mut waiting = vec![RequestSet::default(); self.shape.ports];
        for (o, waiting) in waiting.iter_mut().enumerate() {
            for channel in 0..self.shape.channels {
                for input in 0..self.shape.ports {
                    let k = Request { input, channel };
                    if self.is_ready(o, k) {
                        waiting.insert(self.shape.number(k));
                    }
                }
            }
        }
        for (input, stage1) in self.stage1.iter().enumerate() {
            if let Some(stage1) = stage1
                && let Fate::To(o) | Fate::MadeUpTo(o) = stage1.fate
            {
                let channel = stage1.flit.channel;
                waiting[o].insert(self.shape.number(Request { input, channel }));
            }
        }
        waiting
    }

    /// A flit in stage 1 goes to the end of its queue; a dropped or lost one vanishes.
    pub(super) fn push(&mut self, i: usize) {
        if let Some(stage1) = self.stage1[i]
            && let Fate::To(o) | Fate::MadeUpTo(o) = stage1.fate
        {
            self.queue[i][o][stage1.flit.channel].push_back(stage1.flit);
        }
    }
}
