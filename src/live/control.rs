//! A connection that gives commands: what it waits for.

use std::mem::replace;

use rustix::fd::OwnedFd;

/// A place for a connection.
#[derive(Debug)]
pub enum Control {
    Free,
    /// It may ask.
    Idle(OwnedFd),
    /// The network has to answer it first; until then nobody else gets its place.
    Waiting(OwnedFd),
}

impl Control {
    pub fn is_free(&self) -> bool {
        matches!(self, Self::Free)
    }

    /// The connection if it may ask; its place is free then.
    pub fn take_idle(&mut self) -> Option<OwnedFd> {
        match replace(self, Self::Free) {
            Self::Idle(socket) => Some(socket),
            other => {
                *self = other;
                None
            }
        }
    }

    /// The connection if it waits; its place is free then.
    pub fn take_waiting(&mut self) -> Option<OwnedFd> {
        match replace(self, Self::Free) {
            Self::Waiting(socket) => Some(socket),
            other => {
                *self = other;
                None
            }
        }
    }
}
