//! The blocks that one thread steps.

use super::block::{Delays, FabricBlock, Outlets};
use super::host::Delivery;
use super::wires::{Content, Message, Wires};
use crate::golden::prefetch::prefetch;
use crate::golden::switch_core::KeySet;

/// Blocks whose state stays in the caches of a core from one batch to the next, about.
const BLOCKS_IN_CACHE: usize = 250;

/// Steps of [`Part::prefetch_ahead`].
const PREFETCHES: u64 = 5;

/// Blocks one after the other in the network.
#[derive(Debug)]
pub struct Part<K: KeySet> {
    pub number: u16,
    pub first_block: u32,
    pub blocks: Vec<FabricBlock<K>>,
    pub wires: Wires<K>,
    /// Blocks that go first in the next batch, ascending; the others need the credits that these
    /// give back in its first cycles.
    pub first_blocks: Vec<u32>,
    /// For other parts.
    pub outbox: Vec<Message>,
    pub deliveries: Vec<Delivery>,
}

impl<K: KeySet> Part<K> {
    /// The blocks that go first, up to cycle `end`.
    pub fn step_first_blocks(&mut self, delays: Delays, end: u64) {
        let order = std::mem::take(&mut self.first_blocks);
        let number = |place: usize| order.get(place).map(|&block| block as usize);
        for place in 0..order.len() {
            self.step_block(number, place, delays, end);
        }
        self.first_blocks = order;
    }

    /// All blocks up to cycle `end`.
    pub fn step(&mut self, delays: Delays, end: u64) {
        self.first_blocks.clear();
        for number in 0..self.blocks.len() {
            self.step_block(Some, number, delays, end);
            let (block, mut out) = self.block_and_outlets(number);
            if block.decide_credits(end - 1, delays, &mut out) {
                self.first_blocks.push(number as u32);
            }
        }
    }

    /// What comes from another part.
    pub fn accept(&mut self, message: Message) {
        let Message { to, slot, content } = message;
        match content {
            Content::Flit(flit) => self.wires.put_flit(to, slot as usize, flit),
            Content::Credit(channel) => self.wires.put_credit(to, slot as usize, channel.into()),
        }
    }

    /// Block `order(place)`. Blocks after it are prefetched, spread over its cycles: a processor
    /// waits for few cache lines at a time.
    #[inline]
    fn step_block(
        &mut self,
        order: impl Fn(usize) -> Option<usize>,
        place: usize,
        delays: Delays,
        end: u64,
    ) {
        let Some(number) = order(place) else { return };
        let is_large = self.blocks.len() > BLOCKS_IN_CACHE;
        let from = self.blocks[number].now;
        let cycles = end - from;
        for now in from..end {
            if is_large {
                let steps = |cycle| PREFETCHES * cycle / cycles;
                for step in steps(now - from)..steps(now + 1 - from) {
                    self.prefetch_ahead(step, |ahead| order(place + ahead));
                }
            }
            let (block, mut out) = self.block_and_outlets(number);
            block.cycle(now, delays, &mut out);
        }
        self.blocks[number].now = end;
    }

    #[inline]
    fn block_and_outlets(&mut self, number: usize) -> (&mut FabricBlock<K>, Outlets<'_, K>) {
        let out = Outlets {
            part: self.number,
            wires: &mut self.wires,
            outbox: &mut self.outbox,
            deliveries: &mut self.deliveries,
        };
        (&mut self.blocks[number], out)
    }

    /// A step of the prefetch for the blocks 1, 2, … places later, in which what one block needs
    /// leads to what it needs next.
    #[inline]
    fn prefetch_ahead(&self, step: u64, number: impl Fn(usize) -> Option<usize>) {
        let block = |ahead| number(ahead).and_then(|number| self.blocks.get(number));
        match step {
            0 => block(1).map(FabricBlock::prefetch_flits),
            1 => block(1).map(|block| block.prefetch_outlets(&self.wires, self.number)),
            2 => block(2).map(FabricBlock::prefetch_hosts),
            3 => block(2).map(|block| block.prefetch_state(&self.wires)),
            _ => block(3).map(prefetch),
        };
    }
}
