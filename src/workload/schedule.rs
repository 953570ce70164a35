//! Operations of all ranks and what they wait for: the one form that collectives and traces have.

use std::collections::HashMap;

use thiserror::Error;

/// What a rank does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Hands a message to the rank's host port; done at once, the port sends one message after the other.
    Send { to: u32, bytes: u64, tag: u32 },
    /// Done when the whole message has arrived.
    Receive { from: u32, bytes: u64, tag: u32 },
    /// Computes; one after the other on each processor of a rank.
    Compute { nanoseconds: u64, processor: u32 },
}

/// An operation and what it waits for, as places in the list of all operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    pub rank: u32,
    pub action: Action,
    /// Operations that must be done before it starts.
    pub after_end: Vec<u32>,
    /// Operations that must have started before it does.
    pub after_start: Vec<u32>,
}

/// All operations of a piece of work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schedule {
    pub ranks: u32,
    pub operations: Vec<Operation>,
}

/// Messages that do not come out even.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ScheduleError {
    #[error(
        "{sends} messages from rank {from} to rank {to} with tag {tag}, {receives} receives of them"
    )]
    Unmatched {
        from: u32,
        to: u32,
        tag: u32,
        sends: usize,
        receives: usize,
    },
    #[error("rank {from} sends {sent} bytes to rank {to} with tag {tag}, which expects {expected}")]
    OtherSize {
        from: u32,
        to: u32,
        tag: u32,
        sent: u64,
        expected: u64,
    },
}

impl Schedule {
    /// Adds an operation and returns its place.
    pub fn add(&mut self, rank: u32, action: Action, after_end: &[u32]) -> u32 {
        self.operations.push(Operation {
            rank,
            action,
            after_end: after_end.to_vec(),
            after_start: Vec::new(),
        });
        self.operations.len() as u32 - 1
    }

    /// Puts another piece of work beside this one, on ranks of its own behind the present ones.
    pub fn append(&mut self, other: &Schedule) {
        let (first, ranks) = (self.operations.len() as u32, self.ranks);
        let moved = other.operations.iter().cloned().map(|mut operation| {
            operation.rank += ranks;
            match &mut operation.action {
                Action::Send { to: peer, .. } | Action::Receive { from: peer, .. } => {
                    *peer += ranks;
                }
                Action::Compute { .. } => {}
            }
            let waits = operation.after_end.iter_mut();
            waits
                .chain(&mut operation.after_start)
                .for_each(|place| *place += first);
            operation
        });
        self.operations.extend(moved);
        self.ranks += other.ranks;
    }

    /// For every send the place of its receive and the other way round: the n-th send between two ranks with a tag
    /// belongs to the n-th receive, in the order of the list. Computing is its own partner.
    ///
    /// # Errors
    /// When a message is sent and not received or the other way round, or sizes differ.
    pub fn partners(&self) -> Result<Vec<u32>, ScheduleError> {
        let mut messages: HashMap<(u32, u32, u32), [Vec<u32>; 2]> = HashMap::new();
        let mut order = Vec::new();
        for (place, operation) in self.operations.iter().enumerate() {
            let (key, side) = match operation.action {
                Action::Send { to, tag, .. } => ((operation.rank, to, tag), 0),
                Action::Receive { from, tag, .. } => ((from, operation.rank, tag), 1),
                Action::Compute { .. } => continue,
            };
            let sides = messages.entry(key).or_insert_with(|| {
                order.push(key);
                Default::default()
            });
            sides[side].push(place as u32);
        }
        let mut partners: Vec<u32> = (0..self.operations.len() as u32).collect();
        for key in order {
            let [sends, receives] = &messages[&key];
            self.match_pair(key, (sends, receives), &mut partners)?;
        }
        Ok(partners)
    }

    fn match_pair(
        &self,
        (from, to, tag): (u32, u32, u32),
        (sends, receives): (&[u32], &[u32]),
        partners: &mut [u32],
    ) -> Result<(), ScheduleError> {
        if sends.len() != receives.len() {
            return Err(ScheduleError::Unmatched {
                from,
                to,
                tag,
                sends: sends.len(),
                receives: receives.len(),
            });
        }
        for (&send, &receive) in sends.iter().zip(receives) {
            let (sent, expected) = (self.bytes(send), self.bytes(receive));
            if sent != expected {
                return Err(ScheduleError::OtherSize {
                    from,
                    to,
                    tag,
                    sent,
                    expected,
                });
            }
            partners[send as usize] = receive;
            partners[receive as usize] = send;
        }
        Ok(())
    }

    fn bytes(&self, place: u32) -> u64 {
        match self.operations[place as usize].action {
            Action::Send { bytes, .. } | Action::Receive { bytes, .. } => bytes,
            Action::Compute { .. } => 0,
        }
    }

    /// Whether an operation takes time by the clock on the wall, so that a clock rate is needed.
    pub fn computes(&self) -> bool {
        let takes_time = |operation: &Operation| matches!(operation.action, Action::Compute { nanoseconds, .. } if nanoseconds > 0);
        self.operations.iter().any(takes_time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(to: u32, bytes: u64) -> Action {
        Action::Send { to, bytes, tag: 0 }
    }

    fn receive(from: u32, bytes: u64) -> Action {
        Action::Receive {
            from,
            bytes,
            tag: 0,
        }
    }

    #[test]
    fn messages_are_matched_in_their_order() {
        let mut schedule = Schedule {
            ranks: 2,
            ..Schedule::default()
        };
        schedule.add(0, send(1, 8), &[]);
        schedule.add(0, send(1, 9), &[]);
        schedule.add(1, receive(0, 8), &[]);
        schedule.add(1, receive(0, 9), &[]);
        assert_eq!(schedule.partners(), Ok(vec![2, 3, 0, 1]));
        let once = schedule.clone();
        schedule.append(&once);
        assert_eq!(schedule.ranks, 4);
        assert_eq!(schedule.partners(), Ok(vec![2, 3, 0, 1, 6, 7, 4, 5]));
        schedule.add(3, receive(2, 9), &[]);
        let error = schedule.partners().expect_err("one message is missing");
        let words = "2 messages from rank 2 to rank 3 with tag 0, 3 receives of them";
        assert_eq!(error.to_string(), words);
    }

    #[test]
    fn sizes_must_agree() {
        let mut schedule = Schedule::default();
        schedule.add(0, send(1, 8), &[]);
        schedule.add(1, receive(0, 9), &[]);
        assert!(matches!(
            schedule.partners(),
            Err(ScheduleError::OtherSize {
                sent: 8,
                expected: 9,
                ..
            })
        ));
    }
}
