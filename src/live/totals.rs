//! What became of packets at the sockets.

use serde::Serialize;

/// Packets that went no further than the sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SocketTotals {
    /// Of hosts, that the network does not carry: to an address that nobody has, too long, or with a layer too high.
    pub refused: u64,
    /// That arrived where no program was connected.
    pub nobody_there: u64,
    /// That arrived for programs which were too far behind, or had gone.
    pub not_read: u64,
}
