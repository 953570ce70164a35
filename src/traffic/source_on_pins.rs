//! A source at the pins of its host: offers beat by beat what it has, and takes every beat at once, as hosts of a
//! simulation do.

use mkns_design::{Data, Pins, StreamBeat, mask};
use mkns_topology::HostAttachment;

use super::Source;

/// A source, and the packet that its host is receiving.
#[derive(Debug)]
pub struct SourceOnPins {
    /// Where the host is.
    pub at: HostAttachment,
    pub source: Source,
    /// A beat of it is on the pins.
    offers: bool,
    receiving: Option<ReceivedPacket>,
}

/// A packet as it arrived.
#[derive(Debug, Clone, Copy)]
pub struct ReceivedPacket {
    pub header: u64,
    /// 0 unless its source numbers packets.
    pub number: u32,
    pub bad: bool,
}

impl SourceOnPins {
    pub fn new(at: HostAttachment, source: Source) -> Self {
        Self {
            at,
            source,
            offers: false,
            receiving: None,
        }
    }

    /// Puts the beat of a cycle on the pins of its block.
    pub fn drive(&mut self, cycle: u64, pins: &Pins, inputs: &mut [u64]) {
        let port = self.at.pcie_port.into();
        let beat = self.source.beat(cycle).map(|beat| StreamBeat {
            data: Data::of(&[beat.word]),
            keep: mask(beat.bytes as usize),
            last: beat.last,
            user: false,
        });
        self.offers = beat.is_some();
        pins.set_ready(&pins.egress, inputs, port, true);
        pins.set_beat(&pins.ingress, inputs, port, beat.as_ref());
    }

    /// Takes what is on the pins; a packet that ends.
    pub fn observe(&mut self, pins: &Pins, outputs: &[u64]) -> Option<ReceivedPacket> {
        let port = usize::from(self.at.pcie_port);
        if self.offers && outputs[pins.ingress.ready] >> port & 1 == 1 {
            self.source.beat_taken();
        }
        let beat = pins.beat(&pins.egress, outputs, port)?;
        let word = beat.data.low();
        match &mut self.receiving {
            // What follows the header holds the number or nothing.
            Some(packet) => packet.number |= word as u32,
            None => {
                self.receiving = Some(ReceivedPacket {
                    header: word,
                    number: 0,
                    bad: false,
                })
            }
        }
        if !beat.last {
            return None;
        }
        let bad = beat.user;
        (self.receiving.take()).map(|packet| ReceivedPacket { bad, ..packet })
    }
}
