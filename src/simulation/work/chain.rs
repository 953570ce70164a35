//! The critical path: from the operation that ends last back through what each waited for last.

use serde::Serialize;

use super::progress::Record;
use mkns_workload::{Action, Schedule};

/// A message or a computation that the end of the work waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum ChainStep {
    /// From handing it over until its receiver has all of it; waiting in the sender's port counts.
    Message {
        from: u32,
        to: u32,
        bytes: u64,
        start: u64,
        end: u64,
    },
    Compute {
        rank: u32,
        start: u64,
        end: u64,
    },
}

impl ChainStep {
    /// Cycles.
    pub fn cycles(&self) -> u64 {
        match self {
            Self::Message { start, end, .. } | Self::Compute { start, end, .. } => end - start,
        }
    }
}

/// The chain of finished work, in the order of time.
pub fn slowest_chain(schedule: &Schedule, partners: &[u32], records: &[Record]) -> Vec<ChainStep> {
    let last = (0..records.len())
        .rev()
        .max_by_key(|&place| records[place].end);
    let mut next = last.map(|place| place as u32);
    let mut chain = Vec::new();
    while let Some(place) = next {
        let (record, operation) = (
            &records[place as usize],
            &schedule.operations[place as usize],
        );
        next = record.cause();
        match operation.action {
            Action::Receive { from, bytes, .. } if next == Some(partners[place as usize]) => {
                chain.push(ChainStep::Message {
                    from,
                    to: operation.rank,
                    bytes,
                    start: records[partners[place as usize] as usize].start,
                    end: record.end,
                });
            }
            Action::Compute { .. } => chain.push(ChainStep::Compute {
                rank: operation.rank,
                start: record.start,
                end: record.end,
            }),
            _ => {}
        }
    }
    chain.reverse();
    chain
}
