//! 3.4: the layer of a host's packet, chosen by the mask of its destination.

use mkns_design::{BlockModule, LayerChoice, NodeShape};

use crate::header;

/// `mask` and `entry` of a block.
#[derive(Debug, Clone)]
pub struct LayerMasks {
    shape: NodeShape,
    /// `LAYERS`
    layers: u32,
    /// V
    channels: u32,
    /// Parameter `LAYER_ENTRY`.
    entry_parameter: Vec<u32>,
    mask: Vec<u8>,
    entry: Vec<u32>,
}

/// What a header beat in the stage comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    pub layer: u32,
    /// h
    pub channel: u32,
}

impl LayerMasks {
    /// As at power-up with these contents; none where hosts choose layers.
    pub fn new(module: &BlockModule, contents: Option<&LayerChoice>) -> Option<Self> {
        let shape = module.masks?;
        let layers = module.parameters.layers;
        let nothing = LayerChoice::none(shape, layers);
        let contents = contents.unwrap_or(&nothing);
        let mut masks = Self {
            shape,
            layers,
            channels: module.parameters.virtual_channels,
            entry_parameter: contents.entry_channels.clone(),
            mask: vec![0; shape.entries() as usize],
            entry: vec![0; layers as usize],
        };
        for (a, &mask) in contents.masks.iter().enumerate() {
            masks.write_mask(a, mask.into());
        }
        masks.reset();
        Some(masks)
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self) {
        for l in 0..self.entry.len() {
            self.write_entry(l, self.entry_parameter[l]);
        }
    }

    /// The mask at a node address; none when there is no such.
    pub fn mask(&self, a: usize) -> Option<u32> {
        self.mask.get(a).map(|&mask| mask.into())
    }

    /// `entry` of a layer; none when there is no such.
    pub fn entry(&self, l: usize) -> Option<u32> {
        self.entry.get(l).copied()
    }

    /// Bits at and above `LAYERS` are not kept.
    pub fn write_mask(&mut self, a: usize, mask: u32) {
        self.mask[a] = (mask & ((1 << self.layers) - 1)) as u8;
    }

    /// Mod V.
    pub fn write_entry(&mut self, l: usize, channel: u32) {
        self.entry[l] = channel % self.channels;
    }

    /// The mask that comes with a beat into the stage.
    pub fn mask_of(&self, word: u64) -> u8 {
        let a = header::destination(word) >> self.shape.lsb & (self.shape.entries() - 1);
        self.mask[a as usize]
    }

    /// Layer and channel of a packet from `source` with this header; none when it is unreachable.
    pub fn choose(&self, mask: u8, source: u32, word: u64) -> Option<Chosen> {
        let e = hash(source, header::destination(word), header::layer(word));
        let k = e * mask.count_ones() / 16;
        let mut ones = (0..self.layers).filter(|l| mask >> l & 1 == 1);
        let layer = ones.nth(k as usize)?;
        Some(Chosen {
            layer,
            channel: self.entry[layer as usize],
        })
    }
}

/// e of source, destination and hint.
fn hash(source: u32, destination: u32, hint: u32) -> u32 {
    let mut e = reversed(hint);
    for digit in 0..5 {
        let of_source = source >> (4 * digit) & 15;
        let of_destination = destination >> (4 * digit) & 15;
        e ^= of_source ^ reversed(of_destination);
    }
    e
}

/// Four bits, the lowest becomes the highest.
fn reversed(bits: u32) -> u32 {
    (0..4).fold(0, |all, place| all << 1 | bits >> place & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_worked_by_hand() {
        assert_eq!(reversed(0b0001), 0b1000);
        assert_eq!(reversed(0b0110), 0b0110);
        // Hint 3 is 0011, reversed 1100.
        assert_eq!(hash(0, 0, 3), 0b1100);
        // Source digits 1 and 2, destination digit 1 reversed to 8, the fifth digit counts.
        assert_eq!(hash(0x2_0001, 0x1, 0), 0b0011 ^ 0b1000);
        assert_eq!(hash(0, 0x1_0000, 1), 0);
    }
}
