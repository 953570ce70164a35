//! Credits: those owed to the senders, and those that come from the next blocks (section 1.5).
//!
//! Everything about a credit is known when its flit leaves: so it gets its cycle at once, or, when
//! another one has that cycle, the first that is free.

use super::SwitchCore;
use super::key_set::KeySet;
use crate::flit::FlitSink;

impl<K: KeySet> SwitchCore<K> {
    /// The rx_credit registers of the next cycle.
    #[inline]
    pub(super) fn return_credits(&mut self, sink: &mut impl FlitSink) {
        self.rx_credit = std::mem::replace(&mut self.due_next, self.due_last);
        self.due_last = K::EMPTY;
        if !self.queued.is_empty() {
            self.return_queued_credits(sink);
        }
    }

    #[inline(never)]
    fn return_queued_credits(&mut self, sink: &mut impl FlitSink) {
        for key in self.queued.keys() {
            let queued = &mut self.inputs[key].queued_credits;
            *queued -= 1;
            if *queued == 0 {
                self.queued.remove(key);
            }
            self.promise_credit(key, sink);
        }
    }

    /// A flit of (input, channel) leaves or vanishes in this cycle; the first after a made-up tail pays for that.
    #[inline(always)]
    pub(super) fn give_credit(&mut self, key: usize, sink: &mut impl FlitSink) {
        if (self.debt | self.due_last).has(key) {
            self.keep_credit(key);
        } else {
            self.promise_credit(key, sink);
        }
    }

    #[inline(never)]
    fn keep_credit(&mut self, key: usize) {
        if self.debt.has(key) {
            self.debt.remove(key);
        } else {
            self.inputs[key].queued_credits += 1;
            self.queued.insert(key);
        }
    }

    #[inline(always)]
    fn promise_credit(&mut self, key: usize, sink: &mut impl FlitSink) {
        self.due_last.insert(key);
        sink.give_back(K::port_of(key), K::channel_of(key));
    }

    /// Credits that the block has still to give back.
    #[cfg(debug_assertions)]
    pub(super) fn owed(&self, key: usize) -> u16 {
        let due = [self.due_next, self.due_last].map(|due| u16::from(due.has(key)));
        self.inputs[key].queued_credits + due[0] + due[1]
    }

    /// More credits for every channel of some outputs, whose links hold flits themselves.
    pub fn add_credits(&mut self, outputs: u32, more: u16) {
        for key in self.shape.keys_of_inputs::<K>(outputs).keys() {
            self.output_channels[key].credit += more;
        }
        self.add_room(outputs, more);
    }

    /// Credits from the next blocks; they count from the next cycle on.
    #[inline]
    pub(super) fn take_credits(&mut self, tx_credit: K) {
        for key in tx_credit.keys() {
            self.output_channels[key].credit += 1;
        }
    }
}
