//! 1.6 rule 5: the watch, so that nobody starves.

use super::state::SwitchCore;

impl SwitchCore {
    /// Bit w: output o goes on watching the request of its channel w.
    pub(super) fn watches_on(&self, o: usize) -> u32 {
        let stays = |&w: &usize| {
            let k = self.watched[o][w];
            let is_popped = self.popped[o] == Some(k);
            self.is_ready(o, k) && self.outgoing_channel(o, k) == w && !is_popped
        };
        let channels = (0..self.shape.channels).filter(stays);
        channels.fold(0, |bits, w| bits | 1 << w)
    }

    /// The watch of output o's channel w at the end of the cycle, with the flow that o had at its start.
    pub(super) fn finish_watch(&mut self, o: usize, w: usize, watches_on: u32) {
        let most = 16 * self.shape.channels;
        if watches_on >> w & 1 == 0 {
            self.watched[o][w] = self.shape.next_watched(o, self.watched[o][w]);
            self.passed[o][w] = 0;
            self.overdue[o][w] = false;
        } else if self.passed[o][w] == most {
            self.overdue[o][w] = true;
        } else if self.flow[o].is_none() {
            self.passed[o][w] += 1;
        }
    }
}
