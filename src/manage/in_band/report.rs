//! What a manager over the cables did in a run.

use std::fmt;

use serde::Serialize;

use super::bring_up::BringUp;
use super::counts::MessageCounts;

/// What one look at all links takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Round {
    pub cycles: u64,
    pub messages: u64,
}

/// What a manager did over the cables.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InBandReport {
    /// The block whose window it has.
    pub from: String,
    /// Cycles from the first one in which all links are up until every block had what it needs.
    pub bring_up_cycles: u64,
    pub bring_up: BringUp,
    /// One look at all links that found nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<Round>,
    /// Messages from one look at all links to the end of each repair.
    pub repair_messages: Vec<u64>,
    /// All messages of the run.
    #[serde(flatten)]
    pub counts: MessageCounts,
}

impl InBandReport {
    /// Of a machine that was brought up in this many cycles, from the window of the block `from`.
    pub fn new(
        from: String,
        bring_up_cycles: u64,
        bring_up: BringUp,
        counts: MessageCounts,
    ) -> Self {
        Self {
            from,
            bring_up_cycles,
            bring_up,
            round: None,
            repair_messages: Vec::new(),
            counts,
        }
    }

    /// Notes a look at all links, which took `cycles` and may have led to a repair.
    pub fn note(&mut self, cycles: u64, is_repair: bool, counts: &MessageCounts) {
        let messages = counts.messages - self.counts.messages;
        match is_repair {
            true => self.repair_messages.push(messages),
            false => self.round = Some(Round { cycles, messages }),
        }
        self.counts = counts.clone();
    }
}

impl fmt::Display for InBandReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            from,
            bring_up,
            bring_up_cycles: cycles,
            ..
        } = self;
        writeln!(
            f,
            "  {cycles} cycles from the rise of the links to the last write, from {from}: {bring_up}"
        )?;
        writeln!(f, "  {}", self.counts)?;
        if let Some(Round { cycles, messages }) = self.round {
            writeln!(
                f,
                "  one look at all links: {cycles} cycles, {messages} messages"
            )?;
        }
        let repairs = (1..).zip(&self.repair_messages);
        for (number, messages) in repairs {
            writeln!(f, "  repair {number} took {messages} messages")?;
        }
        Ok(())
    }
}
