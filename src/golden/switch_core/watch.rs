//! The watch: who waits long enough is overdue (rule 5 of section 1.6).
//!
//! `watched[o]` moves in every cycle in which it does not stay, in idle blocks too. So it is kept as a
//! distance from a clock that all outputs share: cycles of rest cost one addition.

use super::key_set::KeySet;
use super::state::Output;
use super::{SwitchCore, bits};
use crate::flit::Flit;

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// `watched[o]` as a key.
    #[inline]
    pub(super) fn watched(&self, output: usize) -> usize {
        let number = self.watch_offsets[output] + self.watch_clock;
        let requests = self.shape.requests;
        let number = if number >= requests {
            number - requests
        } else {
            number
        };
        self.shape.key_of_request::<K>(number.into())
    }

    /// The rule, from the state at the start of the cycle, but for what changes at its end. Returns `overdue`
    /// after it.
    #[inline]
    pub(super) fn watch(&mut self) -> u32 {
        let mut overdue = 0;
        for output in bits(self.requested | self.staying) {
            let Output {
                waiting, popped, ..
            } = self.outputs[output];
            let was_popped = K::of_ports(self.popped_outputs >> output & 1) << popped.into();
            let others = waiting & !was_popped;
            // Mostly none, beside a flow.
            let stays = !others.is_empty() && {
                let key = self.watched(output);
                others.has(key) && self.is_ready(output, key)
            };
            self.staying = self.staying & !(1 << output) | u32::from(stays) << output;
            if !stays {
                self.passed[output] = 0;
            } else if self.passed[output] == self.shape.patience && self.watched_may_leave(output) {
                overdue |= 1 << output;
            }
        }
        overdue
    }

    /// The end of the cycle; its flows are known.
    #[inline]
    pub(super) fn end_watch(&mut self, overdue: u32) {
        self.overdue = overdue;
        for output in bits(self.staying) {
            let has_flow = self.flows >> output & 1 == 1;
            let passed = &mut self.passed[output];
            *passed = self.shape.patience.min(*passed + u8::from(!has_flow));
            let offset = &mut self.watch_offsets[output];
            *offset = match *offset {
                0 => self.shape.requests - 1,
                offset => offset - 1,
            };
        }
        self.rest();
    }

    /// A cycle in which nothing but the watch moves.
    #[inline]
    pub fn rest(&mut self) {
        self.watch_clock += 1;
        if self.watch_clock == self.shape.requests {
            self.watch_clock = 0;
        }
    }

    fn watched_may_leave(&self, output: usize) -> bool {
        self.may_leave(output, self.watched(output))
    }
}
