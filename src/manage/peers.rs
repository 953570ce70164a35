//! Who is at the other ends of serial cables, as the link ports of the blocks say in their PEER registers
//! (`docs/microarchitecture.md`, 7.9).

use mkns_contract::address;
use mkns_contract::address::link_word::{PEER_BLOCK, PEER_PORT, STATE};
use mkns_design::serial_link;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, End, Network, PortIndex};

use super::Registers;

/// Bits of STATE.
const UP: u32 = 1 << 5;
const SIGNAL: u32 = 1 << 6;
const PEER_KNOWN: u32 = 1 << 7;

/// What stands in the socket of a serial port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenPeer {
    pub end: End,
    /// Nobody known: the plug is in, and nobody of this network answers.
    pub peer: Option<End>,
}

/// All serial ports with a signal.
///
/// # Errors
/// When registers cannot be reached.
pub fn seen_peers<R: Registers>(
    spec: &NetworkSpec,
    network: &Network,
    registers: &mut R,
) -> Result<Vec<SeenPeer>, R::Error> {
    let serial = network
        .cables
        .iter()
        .filter(|cable| serial_link(spec, cable).is_some());
    let mut seen = Vec::new();
    for end in serial.flat_map(|cable| [cable.a, cable.b]) {
        let state = port_state(end, registers)?;
        if state.has_signal {
            seen.push(SeenPeer {
                end,
                peer: state.peer_in(network),
            });
        }
    }
    Ok(seen)
}

/// What the link port at an end says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PortState {
    pub has_signal: bool,
    pub is_up: bool,
    /// Block and port that the peer announces.
    pub peer: Option<(u32, u32)>,
}

impl PortState {
    /// The peer as an end of this network.
    pub fn peer_in(&self, network: &Network) -> Option<End> {
        let (block, port) = self.peer?;
        let end = End {
            block: BlockId(block),
            // A number that no port can have is nobody of this network.
            port: PortIndex(u8::try_from(port).ok()?),
        };
        let block = network.blocks.get(block as usize)?;
        (end.port.0 < block.network_ports).then_some(end)
    }
}

/// Reads a link port.
pub(super) fn port_state<R: Registers>(end: End, registers: &mut R) -> Result<PortState, R::Error> {
    let mut read = |word: u32| registers.read(end.block, address::link(end.port.0.into(), word));
    let state = read(STATE)?.unwrap_or(0);
    let mut found = PortState {
        has_signal: state & SIGNAL != 0,
        is_up: state & UP != 0,
        peer: None,
    };
    if found.has_signal && state & (UP | PEER_KNOWN) != 0 {
        let (block, port) = (read(PEER_BLOCK)?, read(PEER_PORT)?);
        found.peer = block.zip(port);
    }
    Ok(found)
}
