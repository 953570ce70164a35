//! The watch: who waits long enough is overdue (rule 5 of section 1.6).
//!
//! `watched[o][w]` moves in every cycle in which it does not stay, in idle blocks too. So it is kept as a
//! distance from a clock of the output, and all clocks move in a few instructions.

use super::SwitchCore;
use super::key_set::KeySet;

impl<K: KeySet> SwitchCore<K> {
    /// `watched[o][w]` as a key, by the place of (o, w).
    #[inline]
    pub(super) fn watched(&self, place: usize) -> usize {
        let (output, channel) = (K::port_of(place), K::channel_of(place));
        let number = self.watch_offsets[place] + self.watch_clocks[output];
        let requests = self.shape.watched_requests[output];
        // Modulo the requests: below them, the difference wraps around to something greater.
        let number = number.min(number.wrapping_sub(requests));
        self.shape.key_of_watched::<K>(output, channel, number)
    }

    /// The rule, from the state at the start of the cycle; `watched` itself moves in `end_watch`. Returns `overdue`
    /// after it.
    #[inline]
    pub(super) fn watch(&mut self) -> K {
        let watching = self.shape.keys_of_inputs::<K>(self.requested) | self.staying;
        let mut overdue = K::EMPTY;
        for place in watching.keys() {
            // Nearly always: one packet flows, and nothing else waits.
            if !self.staying.has(place) && self.only_popped_waits(K::port_of(place)) {
                continue;
            }
            if !self.stays(place) {
                self.staying.remove(place);
                self.passed[place] = 0;
                continue;
            }
            self.staying.insert(place);
            if self.passed[place] == self.shape.patience {
                let output = K::port_of(place);
                let leaving = self.outgoing_channel(output, self.watched(place));
                overdue.insert(K::key(output, leaving));
            } else if self.flows >> K::port_of(place) & 1 == 0 {
                self.passed[place] += 1;
            }
        }
        overdue
    }

    /// Whether the request that was popped in the last cycle, which does not stay, is the only one that waits for an output.
    #[inline]
    fn only_popped_waits(&self, output: usize) -> bool {
        let state = &self.outputs[output];
        self.popped_outputs >> output & 1 == 1 && state.waiting == K::of(state.popped.into())
    }

    /// Whether the watched request of a place stays.
    #[inline]
    fn stays(&self, place: usize) -> bool {
        let (output, channel) = (K::port_of(place), K::channel_of(place));
        let key = self.watched(place);
        // Adaptive blocks keep the watch by the channel on which requests came.
        let is_of_channel =
            || self.adaptive.is_some() || self.outgoing_channel(output, key) == channel;
        self.is_ready(output, key) && !self.was_popped(output, key) && is_of_channel()
    }

    /// The watched requests among those that leave on a channel of an output.
    pub(super) fn watched_requests(&self, place: usize) -> K {
        if self.shape.adaptive.is_none() {
            return K::of(self.watched(place));
        }
        let output = K::port_of(place);
        (0..self.shape.channels).fold(K::EMPTY, |keys, channel| {
            keys | K::of(self.watched(K::key(output, channel)))
        })
    }

    /// Moves `watched` at the end of the cycle.
    #[inline]
    pub(super) fn end_watch(&mut self, overdue: K) {
        self.overdue = overdue;
        for place in self.staying.keys() {
            let output = K::port_of(place);
            let offset = &mut self.watch_offsets[place];
            *offset = match *offset {
                0 => self.shape.watched_requests[output] - 1,
                offset => offset - 1,
            };
        }
        self.move_watch_clocks();
    }

    /// A cycle in which nothing but the watch moves.
    #[inline]
    pub fn rest(&mut self) {
        self.move_watch_clocks();
        if let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) {
            adaptive.advance(shape, self.shape.ports);
        }
    }

    #[inline]
    fn move_watch_clocks(&mut self) {
        let requests = &self.shape.watched_requests;
        // Without branches, so that the compiler moves many clocks at a time.
        for (clock, &requests) in self.watch_clocks.iter_mut().zip(requests) {
            let next = *clock + 1;
            *clock = if next == requests { 0 } else { next };
        }
    }
}
