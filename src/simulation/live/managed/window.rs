//! The registers of one board as its host sees them: those of the block and of its links, and the window of the unit.

use std::convert::Infallible;

use mkns_contract::address::management;
use mkns_contract::address::management_word::{
    IS_RECEIVED, MANAGEMENT, RECEIVED, SEND, SENDS, TAKES,
};
use mkns_manage::Registers;
use mkns_topology::BlockId;

use super::timed_blocks::TimedBlocks;
use super::units::{Units, Words};

/// Cycles of an access, up to the next one of the same master: of the block, of the unit and of a link.
const OF_BLOCK: u64 = 3;
const OF_UNIT: u64 = 5;
const OF_LINK: u64 = 28;
/// Cycles from its valid until a register of the unit is read or written.
const SAMPLED: u64 = 1;

/// A host at a board.
pub struct Window<'a, B> {
    pub blocks: &'a mut B,
    pub units: &'a mut Units,
    pub state: &'a mut WindowState,
    pub own: BlockId,
}

/// What the window holds.
#[derive(Debug, Default)]
pub struct WindowState {
    send: Words,
    received: Words,
    /// From when on a message is there.
    there: Option<u64>,
    /// A notice that comes, and when.
    notice: Option<(u64, Words)>,
}

impl<B: TimedBlocks> Registers for Window<'_, B> {
    type Error = Infallible;

    fn read(&mut self, _board: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
        let cycle = self.begin(address);
        let value = match address
            .checked_sub(management(SEND))
            .map(|offset| offset / 4)
        {
            Some(MANAGEMENT) => {
                self.take_notice(cycle);
                let is_there = self.state.there.is_some_and(|there| there <= cycle);
                Some(if is_there { IS_RECEIVED } else { 0 })
            }
            Some(word @ RECEIVED..MANAGEMENT) => {
                Some(self.state.received[(word - RECEIVED) as usize])
            }
            _ => self.units.read(self.blocks, self.own, address, cycle),
        };
        Ok(value)
    }

    fn write(&mut self, _board: BlockId, address: u32, value: u32) -> Result<bool, Infallible> {
        let cycle = self.begin(address);
        match address
            .checked_sub(management(SEND))
            .map(|offset| offset / 4)
        {
            Some(word @ SEND..RECEIVED) => self.state.send[word as usize] = value,
            Some(MANAGEMENT) => {
                let is_there = self.state.there.is_some_and(|there| there <= cycle);
                if value & TAKES != 0 && is_there {
                    self.state.there = None;
                }
                if value & SENDS != 0 {
                    self.send(cycle + 1);
                }
                self.units
                    .write(self.blocks, (self.own, address), value, cycle);
            }
            _ => {
                return Ok(self
                    .units
                    .write(self.blocks, (self.own, address), value, cycle));
            }
        }
        Ok(true)
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Infallible> {
        self.blocks.hold(stop);
        Ok(true)
    }
}

impl<B: TimedBlocks> Window<'_, B> {
    /// The cycle in which a register of this address is read or written by an access that begins now.
    fn begin(&mut self, address: u32) -> u64 {
        let now = self.blocks.clock();
        self.blocks.wait(match address >> 12 {
            5 => OF_LINK,
            7 => OF_UNIT,
            _ => OF_BLOCK,
        });
        now + SAMPLED
    }

    /// A notice that has come is there, as soon as nothing else is: one that comes while an answer is waited for is taken to
    /// come after it.
    fn take_notice(&mut self, cycle: u64) {
        let state = &mut self.state;
        if state.notice.is_none() {
            state.notice = self.units.notice(self.blocks, cycle);
        }
        if state.there.is_none()
            && let Some((there, words)) = state.notice.take_if(|(there, _)| *there <= cycle)
        {
            (state.there, state.received) = (Some(there), words);
        }
    }

    /// A message that finds the window full on its way back is dropped.
    fn send(&mut self, cycle: u64) {
        let answer = self
            .units
            .send(self.blocks, self.own, &self.state.send, cycle);
        if let (Some((there, words)), None) = (answer, self.state.there) {
            (self.state.there, self.state.received) = (Some(there), words);
        }
    }
}
