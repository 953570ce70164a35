//! A host behind a PCIe-side port of the fast model: it offers the packets of its source and takes
//! what arrives at once.

use std::sync::Arc;

use crate::flit::{Flit, FlitTag, TransmittedFlit};
use crate::host_port::{HostPort, HostPortShape};
use crate::layer_choice::LayerMasks;
use crate::prefetch::prefetch;
use mkns_design::BlockModule;
use mkns_traffic::{Packet, Source};

/// A packet whose last beat a host took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery {
    pub cycle: u64,
    /// Number of the host.
    pub host: u32,
    /// The header as the host received it.
    pub header: u64,
    /// Of the packet, where packets have numbers.
    pub number: u32,
    /// It came marked bad.
    pub bad: bool,
}

/// What a host saw since it was last asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arrivals {
    /// Last flits that reached the egress port.
    pub packets: u64,
    /// Blocks that these packets went through.
    pub blocks: u64,
}

/// Cycles from the core's tx pin to the host and, for a credit, back to the core, if nothing waits.
pub const EGRESS_CYCLES: u64 = 2;

/// A PCIe-side port and its host.
#[derive(Debug)]
pub struct Host {
    source: Source,
    pub arrivals: Arrivals,
    /// Until then the ingress half of a cycle without a credit changes nothing.
    ingress_rests_until: u64,
    pub port: HostPort,
    /// The cycle after the last beat of the packet that the port takes whole.
    next_beat: u64,
    /// Channels with a packet of which more flits are to come, one bit each.
    arriving: u8,
    /// Header of the packet whose beats the host is taking, and its number once that is known.
    receiving: Option<(u64, u32)>,
    /// Packets that the host took whole.
    pub taken: u32,
}

impl Host {
    /// A host at PCIe port `port`; `masks` where the port chooses layers.
    pub fn new(
        module: &BlockModule,
        shape: Arc<HostPortShape>,
        (port, source): (u32, Source),
        masks: Option<Arc<LayerMasks>>,
    ) -> Host {
        let mut host_port = HostPort::new(module, shape, port);
        if let Some(masks) = masks {
            host_port.ingress.choose_layers(masks);
        }
        // A simulation begins a cycle after reset, when the port is ready.
        host_port.step_ingress(None, 0, 0);
        Host {
            source,
            arrivals: Arrivals::default(),
            ingress_rests_until: 0,
            port: host_port,
            next_beat: 0,
            arriving: 0,
            receiving: None,
            taken: 0,
        }
    }

    /// Before this cycle the ingress half changes nothing while no credit arrives.
    #[inline]
    pub fn ingress_rests_until(&self) -> u64 {
        self.ingress_rests_until
    }

    /// What the host sends.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What the host sends, to be changed: from now on there may be something to send.
    pub fn source_mut(&mut self) -> &mut Source {
        self.ingress_rests_until = 0;
        &mut self.source
    }

    /// A packet under way to `destination` arrived there: the one with this number, or else the oldest.
    #[inline]
    pub fn delivered(&mut self, destination: u32, number: u32) -> Option<Packet> {
        match self.source.has_numbers() {
            true => self.source.arrived(number),
            false => self.source.delivered(destination),
        }
    }

    /// The flit on the core's rx pins.
    #[inline]
    pub fn injected(&self) -> Option<Flit> {
        let (channel, last, word) = self.port.injected()?;
        let tag = FlitTag {
            channel,
            last,
            bad: false,
        };
        Some(Flit::new(tag, word))
    }

    /// A flit on the core's tx pins while the egress half is at rest. Returns whether it goes right through,
    /// so that its credit is with the core [`EGRESS_CYCLES`] later, and nothing else is left to do.
    #[inline]
    pub fn pass_egress(&mut self, now: u64, flit: Flit, deliveries: &mut Vec<Delivery>) -> bool {
        let tag = flit.tag();
        if !self.port.pass_egress(tag) {
            return false;
        }
        self.note_beat(self.word_of(flit));
        self.count_arrival(flit);
        if tag.last {
            self.deliver(now + EGRESS_CYCLES, tag.bad, deliveries);
        }
        true
    }

    /// The host takes the beat of this cycle; then the egress half of the clock edge, with the flit
    /// on the core's tx pins. Returns whether the next cycles change nothing until a flit arrives.
    #[inline(never)]
    pub fn clock_egress(
        &mut self,
        now: u64,
        arriving: Option<Flit>,
        deliveries: &mut Vec<Delivery>,
    ) -> bool {
        if let Some(beat) = self.port.beat_out() {
            self.note_beat(beat.word);
            if beat.last {
                self.deliver(now, beat.user, deliveries);
            }
        }
        let flit = arriving.map(|flit| TransmittedFlit {
            tag: flit.tag(),
            word: self.word_of(flit),
        });
        if let Some(flit) = arriving {
            self.count_arrival(flit);
        }
        self.port.clock_egress(flit);
        self.port.egress_is_at_rest()
    }

    /// The ingress half of the clock edge while it rests.
    #[inline]
    pub fn rest_ingress(&mut self, core_credit: u8) {
        self.port.ingress.rest(core_credit);
    }

    /// The ingress half of the clock edge; returns [`Self::ingress_rests_until`].
    #[inline(never)]
    pub fn clock_ingress(&mut self, now: u64, core_credit: u8, node_address: u32) -> u64 {
        if now < self.next_beat {
            self.source.create_due(now);
            let ends = now + 1 == self.next_beat;
            self.port.go_on_whole(core_credit, node_address, ends);
        } else if self.source.next_cycle() > now {
            self.port.step_ingress(None, core_credit, node_address);
        } else if !self.source.has_numbers()
            && let Some(packet) = self.source.beginning(now)
            && self.port.takes_whole(packet.1)
        {
            self.source.taken_whole();
            self.next_beat = now + u64::from(packet.1);
            self.port.begin_whole(packet, core_credit, node_address);
        } else {
            self.offer_beat(now, core_credit, node_address);
        }
        self.ingress_rests_until = self.next_event(now);
        self.ingress_rests_until
    }

    /// A cycle of a packet whose beats may have to wait, or without a beat.
    fn offer_beat(&mut self, now: u64, core_credit: u8, node_address: u32) {
        let beat = self.source.beat(now);
        let taken = beat.is_some() && self.port.ready();
        self.port.step_ingress(beat, core_credit, node_address);
        if taken {
            self.source.beat_taken();
        }
    }

    /// See [`Self::ingress_rests_until`]; `now` is over.
    #[inline]
    fn next_event(&self, now: u64) -> u64 {
        if !self.port.ingress_is_at_rest() {
            return 0;
        }
        match self.next_beat > now + 1 {
            true => self.source.next_creation().min(self.next_beat - 1),
            false => self.source.next_cycle(),
        }
    }

    /// Prefetches the stored flits and packets that the next cycles will need.
    #[inline]
    pub fn prefetch(&self) {
        self.port.prefetch();
        self.source.soon_needed().for_each(prefetch);
    }

    /// Bytes of the model state, and of the buffers in the two ports.
    pub fn bytes(&self) -> (usize, usize) {
        let state = size_of::<Host>() - size_of::<Source>();
        (state, self.port.buffer_bytes())
    }

    /// The word that the egress port is given: a whole header, or the number of the packet, or nothing that counts.
    #[inline]
    fn word_of(&self, flit: Flit) -> u64 {
        let is_header = self.arriving >> flit.tag().channel & 1 == 0;
        if is_header {
            self.port.with_crc(flit.data())
        } else {
            flit.data()
        }
    }

    /// The host takes a beat that begins with this word.
    #[inline]
    fn note_beat(&mut self, word: u64) {
        match &mut self.receiving {
            None => self.receiving = Some((word, 0)),
            Some((_, number)) => *number |= word as u32,
        }
    }

    /// It was the last one of a packet.
    #[inline]
    fn deliver(&mut self, cycle: u64, bad: bool, deliveries: &mut Vec<Delivery>) {
        let (header, number) = self.receiving.take().unwrap_or_default();
        self.taken = self.taken.wrapping_add(1);
        deliveries.push(Delivery {
            cycle,
            host: self.source.host(),
            header,
            number,
            bad,
        });
    }

    #[inline]
    fn count_arrival(&mut self, flit: Flit) {
        let FlitTag { channel, last, .. } = flit.tag();
        self.arriving = self.arriving & !(1 << channel) | u8::from(!last) << channel;
        if last {
            self.arrivals.packets += 1;
            self.arrivals.blocks += u64::from(flit.blocks());
        }
    }
}
