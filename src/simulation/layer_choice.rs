//! The stage before an ingress that chooses the layers of its host's packets, and what it chooses from (section 3.4 of
//! `docs/microarchitecture.md`). Knows nothing of buffers.

use std::sync::Arc;

use super::flit::Piece;
use mkns_contract::header::{self, LAYER_LSB};
use mkns_design::{BlockModule, LayerChoice, NodeShape};

/// Masks and entry channels of a block.
#[derive(Debug, Clone)]
pub struct LayerMasks {
    shape: NodeShape,
    /// Bits of a mask that are kept.
    kept: u8,
    /// V − 1
    channel_mask: u8,
    masks: Box<[u8]>,
    entries: [u8; 8],
    count: usize,
}

impl LayerMasks {
    /// None where hosts choose layers.
    pub fn new(module: &BlockModule, contents: Option<&LayerChoice>) -> Option<Arc<LayerMasks>> {
        let shape = module.masks?;
        let count = module.parameters.layers as usize;
        let mut masks = LayerMasks {
            shape,
            kept: u8::MAX >> (8 - count),
            channel_mask: module.parameters.virtual_channels as u8 - 1,
            masks: vec![0; shape.entries() as usize].into(),
            entries: [0; 8],
            count,
        };
        if let Some(contents) = contents {
            for (mask, &given) in masks.masks.iter_mut().zip(&contents.masks) {
                *mask = given & masks.kept;
            }
            for (entry, &given) in masks.entries.iter_mut().zip(&contents.entry_channels) {
                *entry = given as u8 & masks.channel_mask;
            }
        }
        Some(Arc::new(masks))
    }

    /// False when there is no such mask.
    pub fn write_mask(&mut self, index: usize, value: u32) -> bool {
        let slot = self.masks.get_mut(index);
        slot.map(|slot| *slot = value as u8 & self.kept).is_some()
    }

    /// False when there is no such layer.
    pub fn write_entry(&mut self, layer: usize, value: u32) -> bool {
        let exists = layer < self.count;
        if exists {
            self.entries[layer] = value as u8 & self.channel_mask;
        }
        exists
    }

    #[inline]
    fn mask_of(&self, word: u64) -> u8 {
        let node = header::destination(word) >> self.shape.lsb;
        self.masks[node as usize & (self.masks.len() - 1)]
    }

    /// The layer of a packet and the virtual channel on which it starts. None: unreachable.
    #[inline]
    fn choose(&self, mask: u8, source: u32, word: u64) -> Option<(u8, u8)> {
        let from_source = digits(source);
        let from_destination = digits(header::destination(word));
        let hash = from_source ^ reversed(from_destination ^ header::layer(word) as u8);
        let skipped = u32::from(hash) * mask.count_ones() / 16;
        let rest = (0..skipped).fold(mask, |rest, _| rest & rest.wrapping_sub(1));
        (mask != 0).then(|| {
            let layer = rest.trailing_zeros() as u8;
            (layer, self.entries[usize::from(layer)])
        })
    }
}

/// Exclusive or of the five digits of four bits.
#[inline]
fn digits(address: u32) -> u8 {
    let bytes = address ^ address >> 8 ^ address >> 16;
    ((bytes ^ bytes >> 4) & 15) as u8
}

/// Four bits in reverse order.
#[inline]
fn reversed(bits: u8) -> u8 {
    bits.reverse_bits() >> 4
}

/// A place for the beat that was taken last.
#[derive(Debug, Clone)]
pub struct Stage {
    pub masks: Arc<LayerMasks>,
    /// The beat, if there is one.
    pub piece: Option<Piece>,
    mask: u8,
}

impl Stage {
    pub fn new(masks: Arc<LayerMasks>) -> Stage {
        Stage {
            masks,
            piece: None,
            mask: 0,
        }
    }

    /// The end of a cycle in which the host's beat was taken, or none.
    #[inline]
    pub fn load(&mut self, piece: Option<Piece>) {
        self.piece = piece;
        if let Some(piece) = piece {
            self.mask = self.masks.mask_of(piece.word);
        }
    }

    /// A header gets its layer; the virtual channel on which its packet starts, none when its destination is
    /// unreachable.
    #[inline]
    pub fn choose(&self, source: u32, header: &mut u64) -> Option<u8> {
        let (layer, channel) = self.masks.choose(self.mask, source, *header)?;
        *header = *header & !(7 << LAYER_LSB) | u64::from(layer) << LAYER_LSB;
        Some(channel)
    }
}
