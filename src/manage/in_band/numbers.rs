//! The number of a block, which its links announce: read, and written without half a number in any session
//! (`docs/microarchitecture.md`, 7.9).

use std::fmt::Display;

use mkns_contract::address::link_word::{CONTROL, EXPECTED_PEER, STATE};
use mkns_contract::address::{BLOCK_NUMBER, LINK_UP, link};
use mkns_design::{Plan, expected_peer};
use mkns_topology::{BlockId, End, PortIndex};

use super::messenger::InBandError;
use super::registers::{CHECK, DISABLED, InBandRegisters};
use crate::Registers;

pub use mkns_contract::address::UNNUMBERED;

/// Stands for whoever is at the other end of a cable, until it has said who it is.
const SOMEBODY: BlockId = BlockId(u32::MAX);
/// Looks at a link that is held down, until its peer has heard two sets of HELLO words after a write.
const LOOKS: usize = 16;

type Result<T, R> = std::result::Result<T, InBandError<<R as Registers>::Error>>;

impl<R: Registers<Error: Display>> InBandRegisters<'_, R> {
    /// The number of the block that a message reaches through this end, whatever its link has announced; none when nobody
    /// answers, or the block has no such register.
    pub(super) fn number_behind(&mut self, end: End) -> Result<Option<u32>, R> {
        let port = PortIndex(0);
        let block = SOMEBODY;
        self.messenger.map.join(end, End { block, port });
        let number = self.read(SOMEBODY, BLOCK_NUMBER);
        self.messenger.map.separate_leaf(end);
        number
    }

    /// Writes the number of a block. A link that is down would announce old and new bits together in one HELLO, so it is
    /// held down meanwhile.
    pub(super) fn set_number(
        &mut self,
        plan: &Plan,
        block: BlockId,
        number: u32,
    ) -> Result<bool, R> {
        let held = self.hold_links_that_are_down(plan, block)?;
        let is_written = self.write(block, BLOCK_NUMBER, number)?;
        if let Some(&port) = held.first() {
            for _ in 0..LOOKS {
                self.read(block, link(port, STATE))?;
            }
        }
        for port in held {
            self.write(block, link(port, CONTROL), 0)?;
        }
        Ok(is_written)
    }

    /// Whether a link that is down refuses a block because it expects one with a number: the block was reset.
    pub(super) fn expects_a_number(&mut self, end: End) -> Result<bool, R> {
        let expected = self.read(end.block, link(end.port.0.into(), EXPECTED_PEER))?;
        Ok(expected.is_some_and(|word| word & CHECK != 0 && word & 0xffff != UNNUMBERED))
    }

    /// Sets whom a link that is down accepts: this end, or a block without a number in its place.
    pub(super) fn expect(&mut self, end: End, peer: End, is_numbered: bool) -> Result<(), R> {
        let [control, expected, state] =
            [CONTROL, EXPECTED_PEER, STATE].map(|word| link(end.port.0.into(), word));
        let peer = match is_numbered {
            true => expected_peer(peer),
            false => expected_peer(peer) | UNNUMBERED,
        };
        self.write(end.block, control, DISABLED)?;
        // Some cycles until the link side has seen it.
        self.read(end.block, state)?;
        self.write(end.block, expected, peer)?;
        self.write(end.block, control, 0)?;
        Ok(())
    }

    /// Ports whose links are now held down and were not before.
    fn hold_links_that_are_down(&mut self, plan: &Plan, block: BlockId) -> Result<Vec<u32>, R> {
        let module = &plan.modules[plan.instances[block.0 as usize].module];
        let up = self.read(block, LINK_UP)?.unwrap_or(0);
        let mut held = Vec::new();
        for port in module.serial_port_numbers() {
            let control = link(port, CONTROL);
            if up >> port & 1 == 0
                && self.read(block, control)? == Some(0)
                && self.write(block, control, DISABLED)?
            {
                held.push(port);
            }
        }
        Ok(held)
    }
}
