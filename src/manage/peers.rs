//! Who is at the other ends of serial cables, as the link ports of the blocks say in their PEER registers
//! (`docs/microarchitecture.md`, 7.9).

use mkns_design::serial_link;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, End, Network, PortIndex};

use super::Registers;

/// First address of the registers of port 0, bytes from one port to the next.
const LINKS: u32 = 0x0_5000;
const STRIDE: u32 = 0x80;
/// Words of a port.
const PEER_BLOCK: u32 = 7;
const PEER_PORT: u32 = 8;
const STATE: u32 = 16;
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
        let mut read = |word: u32| {
            let address = LINKS + STRIDE * u32::from(end.port.0) + 4 * word;
            registers.read(end.block, address)
        };
        let state = read(STATE)?.unwrap_or(0);
        if state & SIGNAL == 0 {
            continue;
        }
        let mut peer = None;
        if state & (UP | PEER_KNOWN) != 0 {
            let (block, port) = (read(PEER_BLOCK)?, read(PEER_PORT)?);
            peer = block.zip(port).and_then(|(block, port)| {
                // A number that no port can have is nobody of this network.
                let port = PortIndex(u8::try_from(port).ok()?);
                let block = BlockId(block);
                Some(End { block, port })
            });
        }
        let is_there = |end: &End| {
            let block = network.blocks.get(end.block.0 as usize);
            block.is_some_and(|block| end.port.0 < block.network_ports)
        };
        seen.push(SeenPeer {
            end,
            peer: peer.filter(is_there),
        });
    }
    Ok(seen)
}
