//! The registers of link ports (`docs/microarchitecture.md`, 7.9) as far as a manager uses them.

use mkns_contract::address::link_word::{EXPECTED_PEER, PEER_BLOCK, PEER_PORT, STATE};
use mkns_contract::address::{LINK_STRIDE, LINKS, UNNUMBERED};
use mkns_topology::{BlockId, End, NetworkIndex, PortIndex};

use super::timed_blocks::TimedBlocks;

/// STATE of a link that is up: it has a signal, and its peer is known.
const UP: u32 = 0xe0;

/// Port and word.
fn place(address: u32) -> (u32, u32) {
    let offset = address - LINKS;
    (offset / LINK_STRIDE, offset % LINK_STRIDE / 4)
}

/// Cables are plugged as planned, so a peer is the one of the network. Links rise before the blocks have numbers.
pub fn read(
    index: &NetworkIndex,
    blocks: &mut impl TimedBlocks,
    (block, address): (BlockId, u32),
    cycle: u64,
) -> Option<u32> {
    let (port, word) = place(address);
    let port = PortIndex(port as u8);
    let peer = index.peer(End { block, port })?;
    let is_up = blocks.links_at(cycle, block) >> port.0 & 1 == 1;
    match word {
        STATE => Some(if is_up { UP } else { 0 }),
        PEER_BLOCK => Some(UNNUMBERED),
        PEER_PORT => Some(peer.port.0.into()),
        _ => None,
    }
}

/// An expected peer may be written; it is the planned one, so nothing follows from it.
pub fn is_written(address: u32) -> bool {
    place(address).1 == EXPECTED_PEER
}
