//! What came of the requests of a flood.

use std::fmt;

use serde::Serialize;

/// Requests after more messages than this count as late.
pub const ATTEMPTS: usize = 20;

/// Requests and messages of all hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FloodReport {
    /// Messages that hosts sent, those whose answers nobody waits for among them.
    pub messages: u64,
    /// Requests that were answered, by the number of messages that each took: the first for one message, and so on.
    pub attempts: Vec<u64>,
    /// Requests that were given up.
    pub unanswered: u64,
    /// What was carried out although it should not, or not as it should, in words.
    pub wrong: Vec<String>,
    /// Flits that crossed cables while messages were sent.
    pub data_flits: u64,
    /// Cycles of that.
    pub cycles: u64,
}

impl FloodReport {
    /// A request was answered after this many messages.
    pub(super) fn note(&mut self, messages: usize) {
        let longest = self.attempts.len().max(messages);
        self.attempts.resize(longest, 0);
        self.attempts[messages - 1] += 1;
    }

    pub fn answered(&self) -> u64 {
        self.attempts.iter().sum()
    }

    /// Requests that took more than 20 messages.
    pub fn late(&self) -> u64 {
        self.attempts.iter().skip(ATTEMPTS).sum::<u64>() + self.unanswered
    }

    pub(super) fn with(mut self, other: &Self) -> Self {
        self.messages += other.messages;
        self.unanswered += other.unanswered;
        self.wrong.extend(other.wrong.iter().cloned());
        let longest = self.attempts.len().max(other.attempts.len());
        self.attempts.resize(longest, 0);
        for (all, more) in self.attempts.iter_mut().zip(&other.attempts) {
            *all += more;
        }
        self
    }
}

impl fmt::Display for FloodReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (messages, answered) = (self.messages, self.answered());
        write!(f, "{messages} messages, {answered} requests answered")?;
        for (attempts, count) in (1..).zip(&self.attempts).filter(|(_, count)| **count > 0) {
            write!(f, ", {count} after {attempts}")?;
        }
        let (unanswered, wrong) = (self.unanswered, self.wrong.len());
        let (flits, cycles) = (self.data_flits, self.cycles);
        write!(
            f,
            "; {unanswered} without an answer, {wrong} wrong; {flits} flits over cables in {cycles} cycles"
        )
    }
}
