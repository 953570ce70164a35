//! 7.5: the sender.

use mkns_cable::{EndInputs, Word};

use super::state::{LinkPort, State};
use super::words::{Field, Hello, SessionWord, Sessions, Status, control_word, resume};

impl LinkPort {
    /// A cycle; a step when the line is ready.
    pub(super) fn send(&mut self, at: &State, inputs: &EndInputs) {
        if inputs.line_tx_ready {
            let word = self.choose(at);
            let [one, two, _] = at.sender.chosen;
            let next = &mut self.state.sender;
            next.chosen = [word, one, two];
            if let (true, Some(word)) = (at.sender.damage, &mut next.chosen[2]) {
                word.data ^= 1;
                next.damage = false;
            }
            next.slot = (at.sender.slot + 1) % 1024;
            if at.sender.slot % 32 == 31 {
                next.due = true;
            }
        }
        if at.inject_seen.seen() != at.inject_before {
            self.state.sender.damage = true;
        }
    }

    /// The word of the slot: the first rule that applies.
    fn choose(&mut self, at: &State) -> Option<Word> {
        let sender = &at.sender;
        // 1
        if sender.slot == 1023 {
            return None;
        }
        // 2
        if !at.session.up {
            self.state.sender.held = 0;
            return Some(self.hello(at));
        }
        // 7.10
        if at.messages.message > 0 {
            return Some(self.message_word_or_m(at));
        }
        // 3, 4
        if sender.held > 0 {
            let is_closed = sender.held == 8 || sender.ends_bad || !sender.at_hand;
            return Some(if is_closed {
                self.close(at)
            } else {
                self.data(at)
            });
        }
        // 5
        if sender.resume {
            let next = &mut self.state;
            next.sender.send = sender.ack;
            next.sender.resume = false;
            next.session.replays = next.session.replays.wrapping_add(1);
            let e = SessionWord::new(at.sessions_of_sender(), 0, resume(sender.ack));
            return Some(control_word(&[], e));
        }
        // 7.10, behind 6
        if !sender.due && self.message_may_begin(at) {
            return Some(self.begin_message());
        }
        // 6, 7, 8
        Some(if sender.at_hand && !sender.due {
            self.data(at)
        } else {
            self.status(at)
        })
    }

    fn hello(&self, at: &State) -> Word {
        let index = at.sender.slot as usize % 16;
        let hello = Hello {
            index,
            seen: at.session.full,
            content: self.hello_content(at, index),
        };
        control_word(&[], SessionWord::of_hello(hello.field()))
    }

    fn close(&mut self, at: &State) -> Word {
        let sender = &at.sender;
        self.state.sender.held = 0;
        let field = Field::of_t(&sender.ends[..sender.held], sender.ends_bad);
        let e = SessionWord::new(at.sessions_of_sender(), sender.first, field);
        control_word(&sender.data[..sender.held], e)
    }

    fn data(&mut self, at: &State) -> Word {
        let sender = &at.sender;
        let flit = self.ring[sender.send as usize % 256];
        let next = &mut self.state.sender;
        next.send = (sender.send + 1) % 512;
        if sender.held == 0 {
            next.first = sender.send;
        }
        next.ends[sender.held] = (flit.last, flit.channel);
        next.data[sender.held] = flit.data;
        next.held = sender.held + 1;
        next.ends_bad = flit.bad;
        Word {
            control: false,
            data: flit.data,
        }
    }

    fn status(&mut self, at: &State) -> Word {
        let channel = at.sender.channel;
        let status = Status {
            error: at.receiver.error,
            request: at.receiver.request,
            ack: at.receiver.expected,
            free: at.place_read_seen.seen()[channel],
            channel,
        };
        let next = &mut self.state.sender;
        next.due = false;
        next.channel = (channel + 1) % self.parameters.channels;
        control_word(
            &[],
            SessionWord::new(at.sessions_of_sender(), 0, status.field()),
        )
    }
}

impl State {
    /// Of the words that this side sends.
    pub(super) fn sessions_of_sender(&self) -> Sessions {
        Sessions {
            sender: self.session.session,
            receiver: self.session.peer_session,
        }
    }
}
