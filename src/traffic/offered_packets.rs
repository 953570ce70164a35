//! Which packets the hosts of a network send: random ones, or the list of a saved case.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// A packet as a host sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPacket {
    /// Cycle of traffic (setting up comes before) from which on it is offered.
    pub cycle: u64,
    /// host.
    pub source: u32,
    /// host.
    pub destination: u32,
    /// Payload, bytes.
    pub length: u32,
    pub layer: u32,
}

/// Bytes of the shortest payload: the scoreboard writes a packet's identity into it.
pub const SHORTEST_PAYLOAD: u32 = 8;

/// Where the packets of a run come from.
#[derive(Debug, Clone, Default)]
pub enum OfferedPackets {
    /// Drawn at random.
    #[default]
    Random,
    /// Drawn at random and written down, in the order in which they are offered.
    Recorded(Rc<RefCell<Vec<SentPacket>>>),
    /// These, in the order of the list for each source.
    Given {
        packets: Vec<SentPacket>,
        /// Receiving hosts pause at random.
        pauses: bool,
    },
}
