//! Credits: those owed to the senders, and those held for the next buffers (sections 1.5, 1.6).

use super::SwitchCore;
use super::key_set::KeySet;
use crate::golden::flit::{Flit, FlitSink};

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// The rx_credit registers of the next cycle, from the state at the start of this one.
    #[inline]
    pub(super) fn return_credits(&mut self, sink: &mut impl FlitSink<F>) {
        let returned = self.owed & !self.full;
        self.rx_credit = returned;
        for key in returned.keys() {
            let owed = &mut self.inputs[key].owed;
            *owed -= 1;
            // Without a branch, which would often be guessed wrong.
            self.owed &= !(K::of_ports(u32::from(*owed == 0)) << key);
            sink.give_back(K::port_of(key), K::channel_of(key));
        }
    }

    /// One more credit to give back to the sender of (input, channel).
    #[inline]
    pub(super) fn owe(&mut self, key: usize) {
        self.inputs[key].owed += 1;
        self.owed.insert(key);
    }

    /// Credits from the next blocks; they count from the next cycle on.
    #[inline]
    pub(super) fn take_credits(&mut self, tx_credit: K) {
        for key in tx_credit.keys() {
            self.output_channels[key].credit += 1;
        }
    }
}
