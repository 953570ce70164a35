//! The blocks that one thread steps.

use super::block::{Delays, FabricBlock, Outlets};
use super::host::Delivery;
use super::wires::{Message, Wires};
use crate::golden::switch_core::KeySet;

/// Blocks one after the other in the network.
#[derive(Debug)]
pub struct Part<K: KeySet> {
    pub number: u16,
    pub first_block: u32,
    pub blocks: Vec<FabricBlock<K>>,
    pub wires: Wires,
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
        for block in &mut self.blocks {
            for now in cycles.clone() {
                block.cycle(now, delays, &mut out);
            }
        }
    }

    /// What comes from another part.
    pub fn accept(&mut self, message: Message) {
        self.wires
            .put(message.to, message.slot as usize, message.arrival);
    }
}
