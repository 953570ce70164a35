//! 7.7: the receiver.

use mkns_cable::{EndInputs, Flit, Word};

use super::state::{Accepted, AcceptedWord, LinkPort, State};
use super::words::{Crc, Field, Hello, Meaning, SessionWord, Sessions, Status};

/// What the word that is judged in a cycle is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Events {
    pub hello: Option<Hello>,
    pub status: Option<Status>,
    pub accepted: Option<Field>,
    pub failed: bool,
    pub resumed: bool,
    /// Rule 5.
    pub crc_error: bool,
    pub ack_advances: bool,
    /// A good M (7.10).
    pub message: bool,
}

impl LinkPort {
    /// What the word that is judged in this cycle is; HELLO and STATUS only when they are good.
    pub(super) fn judge(&self, at: &State) -> Events {
        let mut events = Events::default();
        let receiver = &at.receiver;
        let Some(word) = receiver.came[2].filter(|word| word.control) else {
            return events;
        };
        let (field, is_good) = (
            Field::of(word),
            at.is_good(word, self.parameters.management),
        );
        let meaning = field.meaning();
        match meaning {
            Meaning::Hello(hello) if is_good => events.hello = Some(hello),
            Meaning::Status(status) if is_good => events.status = Some(status),
            _ => {}
        }
        if !at.session.up {
            return events;
        }
        let is_t = is_good && meaning == Meaning::T;
        if is_t && !receiver.error && field.flits() == receiver.pending {
            events.accepted = Some(field);
        }
        let resume = match meaning {
            Meaning::Resume { number } if is_good => Some(number),
            _ => None,
        };
        events.message = is_good && meaning == Meaning::Message;
        let other = events.accepted.is_none() && !events.message && receiver.pending > 0;
        let wrong_number = resume.is_some_and(|number| number != receiver.expected);
        events.failed = !receiver.error && (other || wrong_number);
        events.resumed = receiver.error && resume == Some(receiver.expected);
        events.crc_error = !receiver.error && (events.failed || !is_good);
        events.ack_advances = (events.status)
            .is_some_and(|status| (1..=256).contains(&((status.ack + 512 - at.sender.ack) % 512)));
        events
    }

    pub(super) fn receive(&mut self, at: &State, events: &Events, inputs: &EndInputs) {
        self.move_one(at);
        self.count_words(at);
        let up = at.session.up;
        let (line_flits, channels) = (self.parameters.line_flits, self.parameters.channels);
        let next = &mut self.state;
        let word = inputs.line_rx.filter(|_| inputs.line_rx_up);
        let [one, two, _] = at.receiver.came;
        next.receiver.came = [word, one, two];
        if !up {
            return;
        }
        // 1
        if let Some(field) = events.accepted {
            let n = field.flits();
            next.receiver.expected = (at.receiver.expected + n as u32) % 512;
            for place in 0..n {
                let (last, channel, bad) = field.flit(place);
                next.receiver.accepted.join(AcceptedWord::Flit(Flit {
                    channel: channel % channels,
                    last,
                    bad,
                    data: at.receiver.words[place],
                }));
            }
        }
        // 2
        if events.failed {
            next.receiver.error = true;
            next.receiver.request = !at.receiver.request;
            next.sender.due = true;
        }
        // 3
        if events.resumed {
            next.receiver.error = false;
        }
        // 4
        if let Some(status) = events.status {
            if events.ack_advances {
                next.sender.ack = status.ack;
            }
            let (v, f) = (status.channel % channels, (status.free + line_flits) % 256);
            if (f + 256 - at.sender.limit[v]) % 256 < 224 {
                next.sender.limit[v] = f;
            }
            if status.error && status.request != at.sender.served {
                next.sender.served = status.request;
                next.sender.resume = true;
            }
        }
        // 5
        if events.crc_error {
            next.session.crc_errors = next.session.crc_errors.wrapping_add(1);
        }
    }

    /// *Move.*
    fn move_one(&mut self, at: &State) {
        let next = &mut self.state.receiver;
        if at.session.up && at.receiver.accepted.count > 0 {
            match at.receiver.accepted.words[0] {
                AcceptedWord::Flit(flit) => {
                    let place = at.receiver.place_write[flit.channel];
                    self.places[flit.channel][place as usize] = flit;
                    next.place_write[flit.channel] = (place + 1) % 256;
                }
                AcceptedWord::Message(number, word) => {
                    self.message_received[number] = word;
                    self.state.messages.arrived ^= number == 7;
                }
            }
            self.state.receiver.accepted.leave();
        }
        if !at.session.up {
            self.state.receiver.accepted = Accepted::default();
        }
    }

    /// `pending`, and what the CRC covers so far.
    fn count_words(&mut self, at: &State) {
        let Some(word) = at.receiver.came[2] else {
            return;
        };
        let next = &mut self.state.receiver;
        if word.control {
            next.pending = 0;
            next.crc = None;
            return;
        }
        let pending = at.receiver.pending;
        if pending < 8 {
            next.words[pending] = word.data;
        }
        next.pending = (pending + 1).min(9);
        next.crc = Some(at.receiver.crc.unwrap_or(Crc::START).over(word.data));
    }
}

impl State {
    /// *Good.*
    fn is_good(&self, word: Word, management: bool) -> bool {
        let sessions = Sessions {
            sender: self.session.peer_session,
            receiver: self.session.session,
        };
        let (field, pending) = (Field::of(word), self.receiver.pending);
        let (start, e) = match field.meaning() {
            Meaning::T => {
                let start = self.receiver.crc.unwrap_or(Crc::START);
                (
                    start,
                    SessionWord::new(sessions, self.receiver.expected, field),
                )
            }
            Meaning::Message if management && pending == 8 => {
                let start = self.receiver.crc.unwrap_or(Crc::START);
                (start, SessionWord::new(sessions, 0, field))
            }
            Meaning::Message | Meaning::Nothing => return false,
            _ if pending > 0 => return false,
            Meaning::Hello(_) => (Crc::START, SessionWord::of_hello(field)),
            Meaning::Status(_) | Meaning::Resume { .. } => {
                (Crc::START, SessionWord::new(sessions, 0, field))
            }
        };
        e.crc_behind(start) == (word.data >> 24) as u32
    }
}
