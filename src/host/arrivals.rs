//! Packets that a thread reads from a card, for the program that asks for them.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::{PortError, ReceivedPacket};

/// Packets that wait for the program; the card keeps what comes after them.
const WAITING: usize = 1024;

pub type Arrival = Result<ReceivedPacket, PortError>;

/// What has been read.
#[derive(Debug)]
pub struct Arrivals(Mutex<Receiver<Arrival>>);

impl Arrivals {
    /// The end that the thread has, and the program's.
    pub fn channel() -> (SyncSender<Arrival>, Self) {
        let (sender, receiver) = sync_channel(WAITING);
        (sender, Self(Mutex::new(receiver)))
    }

    /// The next packet; none when none comes in time. Without a limit it waits for ever.
    pub fn receive(&self, patience: Option<Duration>) -> Result<Option<ReceivedPacket>, PortError> {
        let from_card = self.0.lock().unwrap_or_else(|held| held.into_inner());
        let arrival = match patience {
            None => from_card.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(patience) => from_card.recv_timeout(patience),
        };
        match arrival {
            Ok(arrival) => arrival.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(PortError::Closed),
        }
    }
}
