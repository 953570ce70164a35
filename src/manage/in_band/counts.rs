//! How many messages a manager sent, and how often it had to ask.

use std::fmt;

use serde::Serialize;

/// Messages of a manager.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MessageCounts {
    /// Messages that were sent, repetitions among them.
    pub messages: u64,
    /// Requests by the number of messages that they took: the first for one message, and so on.
    pub attempts: Vec<u64>,
    /// Requests that nobody answered.
    pub unanswered: u64,
}

impl MessageCounts {
    /// A request was answered after this many messages, or not at all.
    pub(super) fn note(&mut self, sent: usize, is_answered: bool) {
        self.messages += sent as u64;
        if !is_answered {
            self.unanswered += 1;
        } else if sent > 0 {
            let longest = self.attempts.len().max(sent);
            self.attempts.resize(longest, 0);
            self.attempts[sent - 1] += 1;
        }
    }
}

impl fmt::Display for MessageCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answered: u64 = self.attempts.iter().sum();
        write!(
            f,
            "{} messages, {answered} requests answered",
            self.messages
        )?;
        let attempts = (1..).zip(&self.attempts).filter(|(_, count)| **count > 0);
        for (number, (attempts, count)) in attempts.enumerate() {
            let separator = if number == 0 { ": " } else { ", " };
            let plural = if attempts == 1 { "" } else { "s" };
            write!(f, "{separator}{count} after {attempts} attempt{plural}")?;
        }
        match self.unanswered {
            0 => Ok(()),
            count => write!(f, "; {count} without an answer"),
        }
    }
}
