//! Loads, what they are driven through, and what comes of them.

use crate::train::Train;

/// One packet of a load: terminals by number, and the train in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    pub from: u32,
    pub to: u32,
    pub train: Train,
}

/// What a load did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crossing {
    /// Every packet crossed without waiting.
    Free,
    /// Two packets met, given as indices into the load, at a place.
    Conflict {
        first: usize,
        second: usize,
        at: String,
    },
    /// A packet did not arrive where it should.
    Astray { packet: usize, why: String },
    /// A packet, perhaps of an earlier load, waited or got lost.
    Waited { why: String },
}

/// What loads are driven through.
pub trait SwitchModel {
    /// Sends all packets at once, at most one over each trunk channel of a terminal. May return before they
    /// have arrived; what happens to them then is told by a later call.
    fn cross(&mut self, packets: &[Packet]) -> Crossing;

    /// Waits for what is still on its way.
    fn finish(&mut self) -> Crossing {
        Crossing::Free
    }

    /// Sends one load in turns, each right behind the one before, and waits for its end. A link may carry
    /// one packet of the load, a trunk channel one packet of each turn. Packets are numbered through all
    /// turns.
    fn cross_in_turns(&mut self, turns: &[Vec<Packet>]) -> LoadOutcome;
}

/// What a load that was sent in turns did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOutcome {
    pub crossing: Crossing,
    /// From the first beat of the first packet to the last beat of the last one, in packet times; `None`
    /// where no time passes.
    pub packet_times: Option<u64>,
}
