//! The control port of one block of a running network, through the sockets of the network.

use std::fs::File;
use std::io;
use std::path::Path;

use serde_json::Value;

use crate::LiveError;
use crate::command::Connection;
use mkns_manage::Registers;
use mkns_topology::BlockId;

/// The registers of the block that a network offers, whatever block is named.
#[derive(Debug)]
pub struct LiveWindow {
    connection: Connection,
    /// Its name.
    block: String,
    /// Keeps its lock: two managers would undo each other's writes.
    _folder: File,
}

impl LiveWindow {
    /// # Errors
    /// When no network runs with these sockets, it offers no control port, or another manager uses it.
    pub fn open(folder: &Path) -> Result<Self, LiveError> {
        let connection = Connection::open(folder)?;
        let status = parsed(&connection.ask("status")?);
        let Some(block) = status["window"].as_str() else {
            return Err(LiveError::NoWindow(folder.to_owned()));
        };
        let failed = || LiveError::system(format!("lock {}", folder.display()));
        let file = File::open(folder).map_err(failed())?;
        match file.try_lock() {
            Ok(()) => Ok(Self {
                connection,
                block: block.to_owned(),
                _folder: file,
            }),
            Err(std::fs::TryLockError::WouldBlock) => {
                Err(LiveError::SecondManager(folder.to_owned()))
            }
            Err(std::fs::TryLockError::Error(error)) => Err(failed()(error)),
        }
    }

    /// The block that is offered.
    pub fn block(&self) -> &str {
        &self.block
    }

    /// What was read or written; none when the block refuses.
    fn access(&self, command: &str) -> io::Result<Option<u32>> {
        let answer = self.connection.ask(command).map_err(io::Error::other)?;
        let answer = parsed(&answer);
        if let Some(error) = answer["error"].as_str() {
            return Err(io::Error::other(error.to_owned()));
        }
        Ok(answer["value"].as_u64().map(|value| value as u32))
    }
}

impl Registers for LiveWindow {
    type Error = io::Error;

    fn read(&mut self, _block: BlockId, address: u32) -> io::Result<Option<u32>> {
        self.access(&format!("read {address:x}"))
    }

    fn write(&mut self, _block: BlockId, address: u32, value: u32) -> io::Result<bool> {
        let written = self.access(&format!("write {address:x} {value:x}"))?;
        Ok(written.is_some())
    }
}

/// An answer; null when it is none.
fn parsed(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap_or_default()
}
