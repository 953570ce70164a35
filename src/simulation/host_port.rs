//! A PCIe-side port of an adapter block: its ingress and its egress (section 3).

use std::sync::Arc;

use super::egress::{Egress, EgressShape, OutputBeat};
use super::egress_width::EgressWidth;
use super::flit::{FlitTag, Piece, TransmittedFlit};
use super::ingress::{Ingress, IngressShape};
use super::ingress_width::IngressWidth;
use mkns_design::BlockModule;
use mkns_traffic::OfferedBeat;

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct HostPortShape {
    ingress: IngressShape,
    egress: EgressShape,
}

impl HostPortShape {
    pub fn new(module: &BlockModule) -> HostPortShape {
        HostPortShape {
            ingress: IngressShape::new(module),
            egress: EgressShape::new(module),
        }
    }
}

/// Port q of the PCIe side.
#[derive(Debug, Clone)]
pub struct HostPort {
    shape: Arc<HostPortShape>,
    /// Only when beats and flits differ in width.
    ingress_width: Option<Box<IngressWidth>>,
    pub ingress: Ingress,
    pub egress: Egress,
    egress_width: Option<Box<EgressWidth>>,
}

impl HostPort {
    /// PCIe port `port` of a block; `shape` is that of the module.
    pub fn new(module: &BlockModule, shape: Arc<HostPortShape>, port: u32) -> HostPort {
        HostPort {
            ingress_width: IngressWidth::new(module).map(Box::new),
            ingress: Ingress::new(&shape.ingress, port),
            egress: Egress::new(&shape.egress),
            egress_width: EgressWidth::new(module).map(Box::new),
            shape,
        }
    }

    /// Whether the egress half of a cycle in which nothing arrives changes nothing.
    #[inline]
    pub fn egress_is_at_rest(&self) -> bool {
        self.egress.is_at_rest()
            && (self.egress_width.as_deref()).is_none_or(EgressWidth::is_at_rest)
    }

    /// Whether the ingress half of a cycle without beat and credit changes nothing.
    #[inline]
    pub fn ingress_is_at_rest(&self) -> bool {
        self.ingress.is_at_rest(&self.shape.ingress)
            && (self.ingress_width.as_deref()).is_none_or(IngressWidth::is_at_rest)
    }

    /// Prefetches the stored flits that the next cycles will need.
    #[inline]
    pub fn prefetch(&self) {
        self.ingress.prefetch(&self.shape.ingress);
        self.egress.prefetch(&self.shape.egress);
    }

    /// Bytes of the flits in both halves.
    pub fn buffer_bytes(&self) -> usize {
        self.ingress.buffer_bytes() + self.egress.buffer_bytes()
    }

    /// A header word with the CRC that the egress expects.
    pub fn with_crc(&self, word: u64) -> u64 {
        self.shape.egress.with_crc(word)
    }

    /// The flit on the core's rx pins: its channel, last flag and low word.
    pub fn injected(&self) -> Option<(u8, bool, u64)> {
        self.ingress.injected(&self.shape.ingress)
    }

    /// One bit a host channel: those whose channel of the core's input has a credit by `has_credit`.
    #[inline]
    pub fn host_credits(&self, has_credit: impl Fn(usize) -> bool) -> u8 {
        self.shape.ingress.host_channels.credits(has_credit)
    }

    /// tready on the host's pins.
    pub fn ready(&self) -> bool {
        match &self.ingress_width {
            Some(width) => width.ready,
            None => self.ingress.ready,
        }
    }

    /// The beat on the host's pins.
    #[inline]
    pub fn beat_out(&self) -> Option<OutputBeat> {
        match &self.egress_width {
            Some(width) => width.beat,
            None => self.egress.beat,
        }
    }

    /// The egress half of the clock edge; `arriving` is on the core's tx pins. The host takes the beat on its pins.
    #[inline(always)]
    pub fn clock_egress(&mut self, arriving: Option<TransmittedFlit>) {
        if arriving.is_none() && self.egress_is_at_rest() {
            return;
        }
        let taken = match &mut self.egress_width {
            Some(width) => width.step(self.egress.beat),
            None => true,
        };
        self.egress.step(&self.shape.egress, taken, arriving);
    }

    /// A flit that arrives while the egress half is at rest: it is a beat two cycles later, with its credit. False, and
    /// nothing done, when it may come to wait.
    #[inline]
    pub fn pass_egress(&mut self, tag: FlitTag) -> bool {
        self.egress_width.is_none() && self.egress.pass(&self.shape.egress, tag)
    }

    /// Takes a blank flit as `pass_egress` does: true as long as it is one of the packet under way.
    #[inline(always)]
    pub fn pass_blank(&self, channel: u8) -> bool {
        self.egress_width.is_none() && self.egress.pass_blank(channel)
    }

    /// Whether a packet that the host offers without a pause from this cycle on is taken whole.
    #[inline]
    pub fn takes_whole(&self, beats: u32) -> bool {
        self.ingress_width.is_none() && self.ingress.takes_whole(&self.shape.ingress, beats)
    }

    /// The ingress half in the cycle of the first beat of a packet that [`Self::takes_whole`].
    #[inline(always)]
    pub fn begin_whole(&mut self, packet: (u64, u32), core_credit: u8, node_address: u32) {
        let shape = &self.shape.ingress;
        (self.ingress).begin_whole(shape, packet, core_credit, node_address);
    }

    /// The ingress half in a cycle without a beat, or with a later beat of that packet; `ends_whole`: the last.
    #[inline(always)]
    pub fn go_on_whole(&mut self, core_credit: u8, node_address: u32, ends_whole: bool) {
        let shape = &self.shape.ingress;
        (self.ingress).step_without_beat(shape, core_credit, node_address, ends_whole);
    }

    /// The ingress half in a cycle with any beat of the host, or none.
    #[inline(always)]
    pub fn step_ingress(&mut self, beat: Option<OfferedBeat>, core_credit: u8, node_address: u32) {
        let shape = &self.shape.ingress;
        match &mut self.ingress_width {
            Some(width) => {
                let piece = width.offered();
                let taken = piece.is_some() && self.ingress.ready;
                self.ingress.step(shape, piece, core_credit, node_address);
                width.step(beat, taken);
            }
            None => {
                let piece = beat.map(|OfferedBeat { word, last, .. }| Piece { word, last });
                self.ingress.step(shape, piece, core_credit, node_address);
            }
        }
    }
}
