//! 3.1: ingress, host to network, of one PCIe port, with the stage of 3.4. Beats have the width of flits.

use mkns_design::BlockModule;
use mkns_routing::AddressField;

use crate::host_channel::host_channel;
use crate::host_packet::{HostPacketRules, PacketPhase};
use crate::layer_choice::LayerMasks;
use crate::note::note;
use crate::pcie_counters::PcieCounter;
use crate::{Beat, Data, Flit, header};

/// A flit in the buffer or the memory output.
#[derive(Debug, Clone, Default)]
struct Buffered {
    data: Data,
    last: bool,
    is_header: bool,
    /// h of its packet.
    host_channel: usize,
}

pub struct Ingress {
    rules: HostPacketRules,
    /// Field 0 of the destination, into which q goes; none in terminals, whose source is the whole
    /// node address (6.4).
    port_field: Option<AddressField>,
    /// q
    port: u32,
    /// 6: the CRC leaves the destination out.
    is_train: bool,
    /// H
    host_channels: usize,
    /// `PATHS`
    has_masks: bool,
    /// V/H: host channel h is channel h·V/H of the core.
    channel_distance: usize,
    /// C
    credits: u32,

    /// 3.4: a beat that was taken in the cycle before, and its mask.
    stage: Option<(Beat, u8)>,
    /// N places.
    buffer: Vec<Buffered>,
    /// Pointers, mod 2N.
    write: usize,
    commit: usize,
    read: usize,
    parser: PacketPhase,
    /// h of the packet that the parser is in.
    parsed_channel: usize,
    memory_output: Option<Buffered>,
    /// One of each host channel.
    credit: Vec<u32>,
    tready: bool,
    /// The core's rx pin of port d + q.
    output: Option<Flit>,
}

impl Ingress {
    /// Of PCIe port `q`.
    pub fn new(module: &BlockModule, q: usize) -> Self {
        let is_terminal = module.kind.is_pok();
        let host_channels = module.host_channels() as usize;
        let places = (2 * module.parameters.max_packet_flits).next_power_of_two();
        Self {
            rules: HostPacketRules::new(module),
            port_field: (!is_terminal).then(|| module.layout.fields[0].clone()),
            port: q as u32,
            is_train: is_terminal,
            host_channels,
            has_masks: module.masks.is_some(),
            channel_distance: module.parameters.virtual_channels as usize / host_channels,
            credits: module.parameters.rx_buffer_flits,
            stage: None,
            buffer: vec![Buffered::default(); places as usize],
            write: 0,
            commit: 0,
            read: 0,
            parser: PacketPhase::Header,
            parsed_channel: 0,
            memory_output: None,
            credit: vec![module.parameters.rx_buffer_flits; host_channels],
            tready: false,
            output: None,
        }
    }

    pub fn tready(&self) -> bool {
        self.tready
    }

    pub fn output(&self) -> Option<&Flit> {
        self.output.as_ref()
    }

    /// Nothing is in it and nothing will change without a beat or a credit.
    pub fn is_at_rest(&self) -> bool {
        self.tready
            && self.stage.is_none()
            && self.read == self.commit
            && self.memory_output.is_none()
            && self.output.is_none()
    }

    /// One cycle: the beat on the pins, the core's `rx_credit` of port d + q, whether the header in the output
    /// register waits (1.8), the node address at the start of the cycle, masks and entries if there are any. What is
    /// counted.
    pub fn clock(
        &mut self,
        offered: Option<&Beat>,
        rx_credit: u32,
        held: bool,
        node_address: u32,
        masks: Option<&LayerMasks>,
    ) -> Option<PcieCounter> {
        let taken = offered.filter(|_| self.tready);
        let may_leave = |flit: &mut Buffered| !held && self.credit[flit.host_channel] > 0;
        let leaving = self.memory_output.take_if(may_leave);
        let has_room = self.memory_output.is_none();
        let reads = has_room && self.read != self.commit;

        for (h, credit) in self.credit.iter_mut().enumerate() {
            *credit += rx_credit >> (h * self.channel_distance) & 1;
            *credit -= u32::from(leaving.as_ref().is_some_and(|flit| flit.host_channel == h));
        }
        if !held {
            self.output = leaving.map(|flit| self.complete(flit, node_address));
        }
        if reads {
            self.memory_output = Some(self.buffer[self.read % self.buffer.len()].clone());
            self.read = self.after(self.read);
        }
        let counted = match masks {
            None => taken.and_then(|beat| self.take(beat.clone(), node_address, None)),
            Some(masks) => {
                let staged = self.stage.take();
                self.stage = taken.map(|beat| (beat.clone(), masks.mask_of(beat.data.low())));
                staged.and_then(|(beat, mask)| self.take(beat, node_address, Some((masks, mask))))
            }
        };
        let kept_free = if self.has_masks { 2 } else { 1 };
        self.tready = self.occupied() <= self.buffer.len() - kept_free;
        counted
    }

    /// A beat is taken: written, or the packet is dropped with its tlast.
    fn take(
        &mut self,
        mut beat: Beat,
        node_address: u32,
        masks: Option<(&LayerMasks, u8)>,
    ) -> Option<PcieCounter> {
        let is_header = self.parser == PacketPhase::Header;
        let mut reachable = true;
        if is_header {
            let source = self.source(node_address);
            let word = beat.data.low();
            if let Some((masks, mask)) = masks {
                let chosen = masks.choose(mask, source, word);
                reachable = chosen.is_some();
                if let Some(chosen) = chosen {
                    self.parsed_channel = chosen.channel as usize;
                    *beat.data.low_mut() = header::with_layer(word, chosen.layer);
                }
            } else {
                let destination = header::destination(word);
                self.parsed_channel = host_channel(source, destination, self.host_channels);
            }
        }
        let checked = self.rules.check(self.parser, &beat, reachable);
        if checked.is_ok() {
            let place = self.write % self.buffer.len();
            self.buffer[place] = Buffered {
                data: beat.data,
                last: beat.last,
                is_header,
                host_channel: self.parsed_channel,
            };
            self.write = self.after(self.write);
        }
        if !beat.last {
            self.parser = checked.unwrap_or_else(PacketPhase::Faulty);
            return None;
        }
        self.parser = PacketPhase::Header;
        match checked {
            Ok(_) => self.commit = self.write,
            Err(_) => self.write = self.commit,
        }
        Some(checked.err().unwrap_or(PcieCounter::PacketsIn))
    }

    /// The flit as it enters the output register.
    fn complete(&self, flit: Buffered, node_address: u32) -> Flit {
        let mut data = flit.data;
        if flit.is_header {
            let stamped = header::with_source(data.low(), self.source(node_address));
            data = Data::of(&[header::with_crc(stamped, self.is_train)]);
        }
        Flit {
            channel: flit.host_channel * self.channel_distance,
            last: flit.last,
            bad: false,
            data,
        }
    }

    /// Node address with q in field 0.
    fn source(&self, node_address: u32) -> u32 {
        match &self.port_field {
            None => node_address,
            Some(field) => {
                node_address & !((field.depth() - 1) << field.offset) | self.port << field.offset
            }
        }
    }

    /// The pointer after another.
    fn after(&self, pointer: usize) -> usize {
        (pointer + 1) % (2 * self.buffer.len())
    }

    /// Write − read pointer, mod 2N.
    fn occupied(&self) -> usize {
        let pointers = 2 * self.buffer.len();
        (self.write + pointers - self.read) % pointers
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        note(text, "ingress occupied", self.occupied(), 0);
        let full = |is_full| if is_full { "full" } else { "empty" };
        note(text, "stage", full(self.stage.is_some()), "empty");
        note(text, "parser", self.parser, PacketPhase::Header);
        note(
            text,
            "memory output",
            full(self.memory_output.is_some()),
            "empty",
        );
        for (h, &credit) in self.credit.iter().enumerate() {
            let name = format!("credit of host channel {h}");
            note(text, &name, credit, self.credits);
        }
    }
}
