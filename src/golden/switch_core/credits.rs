//! Credits: those owed to the senders, and those held for the next buffers (sections 1.5, 1.6).
//!
//! Unless queues are nearly full, the credit of a flit is certain as soon as the flit is looked up.
//! Such a credit is *promised* and appears in `owed` of no input: it is given back two cycles later,
//! when the flit would have been in `owed` for the first time.

use super::key_set::KeySet;
use super::{SwitchCore, bits};
use crate::flit::{Flit, FlitSink};

/// Cycles from the lookup of a flit until its promised credit is in the rx_credit register.
pub const PROMISE: usize = 3;

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// The rx_credit registers of the next cycle, from the state at the start of this one.
    #[inline]
    pub(super) fn return_credits(&mut self, sink: &mut impl FlitSink<F>) {
        debug_assert!((self.due & self.full).is_empty(), "a promise is kept");
        self.rx_credit = self.due;
        self.due = std::mem::replace(&mut self.promised, K::EMPTY);
        if !self.owed.is_empty() {
            self.return_owed_credits(sink);
        }
    }

    #[inline(never)]
    fn return_owed_credits(&mut self, sink: &mut impl FlitSink<F>) {
        let returned = self.owed & !self.full & !self.rx_credit;
        self.rx_credit |= returned;
        for key in returned.keys() {
            self.pay(key);
            sink.give_back(K::port_of(key), K::channel_of(key), 1);
        }
    }

    /// The credit of a flit in the lookup cycle, which makes `length` flits of its queue. It is
    /// promised when the flits that are here before it have theirs and no queue of (input, channel)
    /// will hold F flits: then only this flit joins one until the credit is given. Returns
    /// whether it is.
    #[inline(always)]
    pub(super) fn promise_credit(
        &mut self,
        key: usize,
        length: u16,
        sink: &mut impl FlitSink<F>,
    ) -> bool {
        let input = K::port_of(key);
        if (self.owed | self.full).has(key) || length >= self.shape.full_mark() {
            self.owing |= 1 << input;
            return false;
        }
        self.promised.insert(key);
        sink.give_back(input, K::channel_of(key), PROMISE);
        true
    }

    /// One more credit to give back to the sender of (input, channel).
    pub(super) fn owe(&mut self, key: usize) {
        self.inputs[key].owed += 1;
        self.owed.insert(key);
    }

    /// `owed` of section 1.1: with the credit that is due in the next cycle.
    pub(super) fn owed_by(&self, key: usize) -> u16 {
        self.inputs[key].owed + u16::from(self.due.has(key))
    }

    /// Gives back now what [`Self::return_credits`] would in the next two cycles, as far as it is
    /// certain already. Returns the inputs where anything is not; a link that goes down adds more.
    #[inline]
    pub fn decide_credits(&mut self, sink: &mut impl FlitSink<F>) -> u32 {
        let mut owing = K::EMPTY;
        for input in bits(self.owing) {
            owing.insert(self.stages[input].key.into());
        }
        let owed = self.owed | owing;
        if owed.is_empty() {
            return 0;
        }
        self.decide_owed_credits(owed, sink)
    }

    #[inline(never)]
    fn decide_owed_credits(&mut self, owed: K, sink: &mut impl FlitSink<F>) -> u32 {
        for key in (self.owed & !self.full & !self.due).keys() {
            self.due.insert(key);
            self.pay(key);
            sink.give_back(K::port_of(key), K::channel_of(key), 2);
        }
        let mut undecided = 0;
        for key in (owed & !self.promised).keys() {
            let input = K::port_of(key);
            let is_owing =
                self.owing >> input & 1 == 1 && usize::from(self.stages[input].key) == key;
            if self.inputs[key].owed == 0 && !is_owing {
                continue;
            }
            // A queue gains at most the flit of stage 1 and loses at most one.
            if !self.full.has(key) && !self.stage1_fills_queue(input) {
                self.promised.insert(key);
                if is_owing {
                    self.owing &= !(1 << input);
                } else {
                    self.pay(key);
                }
                sink.give_back(input, K::channel_of(key), 3);
            } else {
                undecided |= u32::from(self.inputs[key].fuller_queues == 0) << input;
            }
        }
        undecided
    }

    /// Whether the flit in stage 1 of an input makes F flits of its queue.
    fn stage1_fills_queue(&self, input: usize) -> bool {
        let queue = self.stages[input].queue;
        self.joining >> input & 1 == 1 && self.queues.length(queue) + 1 >= self.shape.full_mark()
    }

    /// One credit less to give back.
    fn pay(&mut self, key: usize) {
        let owed = &mut self.inputs[key].owed;
        *owed -= 1;
        if *owed == 0 {
            self.owed.remove(key);
        }
    }

    /// Credits from the next blocks; they count from the next cycle on.
    #[inline]
    pub(super) fn take_credits(&mut self, tx_credit: K) {
        for key in tx_credit.keys() {
            self.output_channels[key].credit += 1;
        }
    }
}
