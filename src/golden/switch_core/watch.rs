//! 1.6 rule 5: the watch, so that nobody starves.

use super::shape::Request;
use super::state::SwitchCore;

impl SwitchCore {
    /// Bit w: output o goes on watching the request of its channel w. In adaptive blocks the watch is kept by the
    /// channel on which requests came, whatever channel they leave on (1.8).
    pub(super) fn watches_on(&self, o: usize) -> u32 {
        let stays = |&w: &usize| {
            let k = self.watched[o][w];
            let is_popped = self.popped[o] == Some(k);
            let is_of_channel = self.adaptive.is_some() || self.outgoing_channel(o, k) == w;
            self.is_ready(o, k) && is_of_channel && !is_popped
        };
        let channels = (0..self.shape.channels).filter(stays);
        channels.fold(0, |bits, w| bits | 1 << w)
    }

    /// Bit w: `overdue[o][w]` at the end of the cycle, when output o goes on watching these.
    pub(super) fn overdue_after(&self, o: usize, watches_on: u32) -> u32 {
        let is_overdue =
            |&w: &usize| watches_on >> w & 1 == 1 && self.passed[o][w] == self.patience();
        let channel = |w: usize| self.outgoing_channel(o, self.watched[o][w]);
        let overdue = (0..self.shape.channels).filter(is_overdue).map(channel);
        overdue.fold(0, |bits, w| bits | 1 << w)
    }

    /// The watch of output o's channel w at the end of the cycle, with the flow that o had at its start.
    pub(super) fn finish_watch(&mut self, o: usize, w: usize, watches_on: u32, overdue: u32) {
        self.overdue[o][w] = overdue >> w & 1 == 1;
        if watches_on >> w & 1 == 0 {
            self.watched[o][w] = self.shape.next_watched(o, self.watched[o][w]);
            self.passed[o][w] = 0;
        } else if self.passed[o][w] < self.patience() && self.flow[o].is_none() {
            self.passed[o][w] += 1;
        }
    }

    /// Whether k is the watched request of the channel that keeps its watch; w is its outgoing channel.
    pub(super) fn is_watched(&self, o: usize, k: Request, w: usize) -> bool {
        let keeper = match self.adaptive {
            Some(_) => self.shape.channel(k),
            None => w,
        };
        self.watched[o][keeper] == k
    }

    fn patience(&self) -> usize {
        16 * self.shape.channels
    }
}
