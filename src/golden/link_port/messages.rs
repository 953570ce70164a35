//! 7.10: messages.

use mkns_cable::{EndInputs, MessageOutputs, Word};

use super::receiver::Events;
use super::state::{AcceptedWord, LinkPort, State};
use super::words::{MESSAGE, SessionWord, control_word};

/// Bits 63:32 of a data word.
fn data_word(word: u32) -> Word {
    Word {
        control: false,
        data: u64::from(word) << 32,
    }
}

impl LinkPort {
    pub(super) fn message_pins(&self) -> MessageOutputs {
        let State {
            messages,
            message_taken_seen,
            message_arrived_seen,
            ..
        } = &self.state;
        MessageOutputs {
            word: messages.word,
            full: message_arrived_seen.seen() != messages.released,
            busy: messages.sent != message_taken_seen.seen(),
        }
    }

    pub(super) fn message_core_side(&mut self, at: &State, inputs: &EndInputs) {
        if !self.parameters.management {
            return;
        }
        let (pins, next) = (&inputs.message, &mut self.state.messages);
        next.sent = at.messages.sent ^ pins.send;
        next.released = at.messages.released ^ pins.release;
        let word = |number: u32| self.message_received[number as usize];
        next.word = pins.read.map_or(0, word);
        if let Some((number, word)) = pins.write {
            self.message_to_send[number as usize] = word;
        }
    }

    /// *Sender*, the rule behind rule 2.
    pub(super) fn message_word_or_m(&mut self, at: &State) -> Word {
        let messages = &at.messages;
        let next = &mut self.state.messages;
        if messages.message < 8 {
            next.message = messages.message + 1;
            return data_word(self.message_to_send[messages.message]);
        }
        next.message = 0;
        next.taken = !messages.taken;
        let covered = self.message_to_send.map(|word| data_word(word).data);
        control_word(
            &covered,
            SessionWord::new(at.sessions_of_sender(), 0, MESSAGE),
        )
    }

    /// *Sender*, the rule behind rule 6.
    pub(super) fn message_may_begin(&self, at: &State) -> bool {
        let is_idle = !at.sender.at_hand && at.sender.slot % 16 == 8;
        at.messages.waits && (at.messages.turn || is_idle)
    }

    pub(super) fn begin_message(&mut self) -> Word {
        let next = &mut self.state.messages;
        next.message = 1;
        next.turn = false;
        data_word(self.message_to_send[0])
    }

    /// *Sender*, what is not in its list, and *Receiver*.
    pub(super) fn message_link_side(&mut self, at: &State, events: &Events) {
        let next = &mut self.state;
        if !self.parameters.management {
            return;
        }
        if next.sender.slot != at.sender.slot && at.sender.slot == 1023 {
            next.messages.turn = true;
        }
        if !at.session.up {
            next.messages.message = 0;
            next.messages.taken = at.message_sent_seen.seen();
            next.messages.held = at.messages.arrived;
        }
        next.messages.waits = at.message_sent_seen.seen() != next.messages.taken;
        if !at.session.up {
            return;
        }
        if events.message && at.messages.held == at.message_released_seen.seen() {
            next.messages.held = !at.messages.held;
            for (number, word) in at.receiver.words.into_iter().enumerate() {
                let word = AcceptedWord::Message(number, (word >> 32) as u32);
                next.receiver.accepted.join(word);
            }
        }
    }
}
