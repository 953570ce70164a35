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
