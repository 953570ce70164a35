//! Hosts outside this program, which send and receive packets while a network runs: what they and the network know of
//! each other.

use mkns_topology::{BlockId, Part};

/// A packet of a host outside, by the numbers of the hosts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutsidePacket {
    pub source: u32,
    pub destination: u32,
    /// Of the header, as the sender gave it.
    pub layer: u32,
    pub payload: Vec<u8>,
}

/// A network between two cycles, as hosts outside see it.
pub trait NetworkSide {
    /// Cycles done.
    fn cycle(&self) -> u64;

    /// Packets of a host that have not begun to leave it.
    fn waiting(&self, host: u32) -> usize;

    /// Queues a packet behind those that wait; its hosts have a route, and its payload fits the network.
    fn send(&mut self, packet: OutsidePacket);

    /// The packets that have arrived since the last call.
    fn take_arrived(&mut self) -> Vec<OutsidePacket>;

    /// Whether nothing waits and nothing is on its way.
    fn is_idle(&mut self) -> bool;
}

/// What hosts outside ask of a network.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// Parts that fail now.
    pub failing: Vec<Part>,
    /// The run ends: nothing more is sent, and what is on its way arrives.
    pub stop: bool,
    /// Accesses of the control port of [`OutsideHosts::window`], each to be answered in its turn.
    pub accesses: Vec<ControlAccess>,
}

/// An access of the control port that a network offers to a program outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlAccess {
    pub address: u32,
    /// What is written; none for a read.
    pub value: Option<u32>,
}

/// The hosts outside. While nothing is to be done they may wait for something, a few milliseconds at most.
pub trait OutsideHosts {
    /// Takes what has arrived and sends what is ready; called every few cycles of the network.
    fn exchange(&mut self, network: &mut dyn NetworkSide) -> Requests;

    /// What arrived after the last exchange.
    fn conclude(&mut self, arrived: Vec<OutsidePacket>);

    /// The block whose control port a manager outside uses. Then all blocks power up empty.
    fn window(&self) -> Option<BlockId> {
        None
    }

    /// The oldest access without an answer is done: the value that was read or written; none when the block refused.
    fn answer(&mut self, _value: Option<u32>) {}
}

/// Cycles between two exchanges.
pub const EXCHANGE_CYCLES: u64 = 64;

/// What became of the packets that hosts outside sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct OutsideTotals {
    /// Taken by the network's ports.
    pub sent: u64,
    /// Arrived whole.
    pub received: u64,
    /// Arrived marked bad, cut by a failure, and withheld from their hosts.
    pub bad: u64,
    /// Lost on the way because something failed.
    pub lost: u64,
    /// Never begun: no route was left to their destinations.
    pub withdrawn: u64,
}
