//! What a block does at a port against the rules of links.

use mkns_topology::BlockId;

/// What no block may do at a port.
#[derive(Debug, Clone, Copy)]
pub struct ProtocolViolation {
    pub block: BlockId,
    pub port: u8,
    pub channel: usize,
    pub kind: ViolationKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViolationKind {
    /// A flit without a credit.
    NoCredit,
    /// It is given a credit that it has not spent.
    StrayCredit,
    /// A flit for a link port whose link has been down for 15 cycles (7.4).
    LateFlit,
}
