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
    /// A message is there.
    is_there: bool,
    /// Messages that come, and when.
    coming: Vec<(u64, Words)>,
}

impl WindowState {
    /// Takes what has come by this cycle: a message that finds the window full is dropped.
    fn note_arrivals(&mut self, cycle: u64) {
        self.coming.sort_by_key(|(there, _)| *there);
        let come = self.coming.partition_point(|(there, _)| *there <= cycle);
        for (_, words) in self.coming.drain(..come) {
            if !self.is_there {
                (self.is_there, self.received) = (true, words);
            }
        }
    }
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
                self.note_arrivals(cycle);
                Some(if self.state.is_there { IS_RECEIVED } else { 0 })
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
                self.note_arrivals(cycle);
                if value & TAKES != 0 {
                    self.state.is_there = false;
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

    /// Takes what has come by this cycle, notices among it.
    fn note_arrivals(&mut self, cycle: u64) {
        let notice = self.units.notice(self.blocks, cycle);
        self.state.coming.extend(notice);
        self.state.note_arrivals(cycle);
    }

    fn send(&mut self, cycle: u64) {
        let answer = self
            .units
            .send(self.blocks, self.own, &self.state.send, cycle);
        self.state.coming.extend(answer);
    }
}
