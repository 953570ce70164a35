//! Credits: those owed to the senders, and those held for the next buffers (sections 1.5, 1.6).

use super::{CreditVector, SwitchCore, keys};

impl SwitchCore {
    /// The rx_credit registers of the next cycle, from the state at the start of this one.
    pub(super) fn return_credits(&mut self) {
        self.rx_credit = 0;
        for key in keys(self.owed & !self.full) {
            let (input, channel) = (self.shape.input_of(key), self.shape.channel_of(key));
            self.rx_credit |= 1 << self.shape.credit_bit(input, channel);
            let owed = &mut self.inputs[input].owed[channel];
            *owed -= 1;
            if *owed == 0 {
                self.owed &= !(1 << key);
            }
        }
    }

    /// One more credit to give back to the sender of `key`.
    #[inline]
    pub(super) fn owe(&mut self, input: usize, channel: usize) {
        self.inputs[input].owed[channel] += 1;
        self.owed |= 1 << self.shape.key(input, channel);
    }

    /// Credits from the next blocks; they count from the next cycle on.
    pub(super) fn take_credits(&mut self, tx_credit: CreditVector) {
        for bit in keys(tx_credit) {
            let (output, channel) = self.shape.credit_of_bit(bit);
            self.outputs[output].channels[channel].credit += 1;
        }
    }
}
