//! A management unit as a link port sees it: it sends messages and takes those that come, at its own pace.

use mkns_random::Random;

use crate::pins::{MessageInputs, MessageOutputs};

/// Words of a message.
const WORDS: u32 = 8;

/// Calls of [`MessageDriver::drive`] until the port shows what one of them has done.
const SEEN: u32 = 3;

/// Eight words.
pub type Message = [u32; 8];

/// Who sends and takes the messages of one end.
#[derive(Debug, Clone)]
pub struct MessageDriver {
    random: Random,
    /// The message that is being written, and the number of its next word.
    writing: Option<(Message, u32)>,
    /// The message that is being read, and how many cycles that has taken: a word comes two cycles after the driver
    /// asks for it.
    reading: Option<(Message, u32)>,
    /// Cycles until `busy` and `full` show what was done.
    until_busy: u32,
    until_not_full: u32,
    /// Nothing more is begun.
    leaves: bool,
    /// Complete messages, to be taken by the scoreboard: those sent and those received.
    pub sent: Option<Message>,
    pub received: Option<Message>,
}

impl MessageDriver {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            writing: None,
            reading: None,
            until_busy: 0,
            until_not_full: 0,
            leaves: false,
            sent: None,
            received: None,
        }
    }

    /// Ends the work: what comes is still taken.
    pub fn leave(&mut self) {
        self.leaves = true;
    }

    /// As after a reset of the board.
    pub fn reset(&mut self) {
        (self.writing, self.reading) = (None, None);
    }

    /// The pins of a cycle; `before` is what the port showed in the cycle before.
    pub fn drive(&mut self, before: MessageOutputs) -> MessageInputs {
        let mut inputs = MessageInputs::default();
        self.until_busy = self.until_busy.saturating_sub(1);
        self.until_not_full = self.until_not_full.saturating_sub(1);
        self.send(before, &mut inputs);
        self.take(before, &mut inputs);
        inputs
    }

    fn send(&mut self, before: MessageOutputs, inputs: &mut MessageInputs) {
        let may_begin = self.writing.is_none() && self.until_busy == 0 && !before.busy;
        if may_begin && !self.leaves && self.random.chance(30) {
            let message = [0; 8].map(|_: u32| self.random.bits() as u32);
            self.writing = Some((message, 0));
            return;
        }
        let Some((message, next)) = &mut self.writing else {
            return;
        };
        if *next < WORDS {
            inputs.write = Some((*next, message[*next as usize]));
            *next += 1;
            // The last word may come in the cycle in which the message is complete.
            inputs.send = *next == WORDS && self.random.chance(500);
        } else {
            inputs.send = true;
        }
        if inputs.send {
            self.sent = Some(*message);
            self.writing = None;
            self.until_busy = SEEN;
        }
    }

    fn take(&mut self, before: MessageOutputs, inputs: &mut MessageInputs) {
        match &mut self.reading {
            None if before.full && self.until_not_full == 0 && self.random.chance(100) => {
                self.reading = Some(([0; 8], 0));
            }
            None => {}
            Some((message, cycles)) => {
                if let Some(came) = cycles.checked_sub(2) {
                    message[came as usize] = before.word;
                }
                inputs.read = (*cycles < WORDS).then_some(*cycles);
                *cycles += 1;
                if *cycles == WORDS + 2 {
                    self.received = Some(*message);
                    inputs.release = true;
                    self.reading = None;
                    self.until_not_full = SEEN;
                }
            }
        }
    }
}
