//! The blocks that one thread steps.

use super::block::{Delays, FabricBlock, Outlets};
use super::host::Delivery;
use super::wires::{Content, Message, Wires};
use crate::golden::prefetch::prefetch;
use crate::golden::switch_core::KeySet;

/// Blocks whose state stays in the caches of a core from one batch to the next, about.
const BLOCKS_IN_CACHE: usize = 250;

/// Blocks one after the other in the network.
#[derive(Debug)]
pub struct Part<K: KeySet> {
    pub number: u16,
    pub first_block: u32,
    pub blocks: Vec<FabricBlock<K>>,
    pub wires: Wires<K>,
    /// For other parts.
    pub outbox: Vec<Message>,
    pub deliveries: Vec<Delivery>,
}

impl<K: KeySet> Part<K> {
    /// Every block through all cycles of a batch.
    pub fn step(&mut self, delays: Delays, cycles: std::ops::Range<u64>) {
        let mut out = Outlets {
            part: self.number,
            wires: &mut self.wires,
            outbox: &mut self.outbox,
            deliveries: &mut self.deliveries,
        };
        let is_large = self.blocks.len() > BLOCKS_IN_CACHE;
        for number in 0..self.blocks.len() {
            if is_large {
                prefetch_ahead(&self.blocks[number..], out.wires, self.number);
            }
            for now in cycles.clone() {
                self.blocks[number].cycle(now, delays, &mut out);
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
}

/// Prefetches for the blocks after the first one: each has three steps, in which one leads to the
/// next.
#[inline]
fn prefetch_ahead<K: KeySet>(blocks: &[FabricBlock<K>], wires: &Wires<K>, part: u16) {
    if let Some(block) = blocks.get(3) {
        prefetch(block);
    }
    if let Some(block) = blocks.get(2) {
        block.prefetch_near(wires);
    }
    if let Some(block) = blocks.get(1) {
        block.prefetch_far(wires, part);
    }
}
