//! Ingress of a PCIe-side port: packets of a host are checked, stored whole, then injected
//! (section 3.1 of `docs/microarchitecture.md`).

use super::beat::Beat;
use super::flit::{clear_words, copy_to_front, copy_words};
use super::host_channel::{HostChannels, HostCredits};
use super::layer_choice::{Choice, Layers, Stage};
use super::packet_rules::{PacketRules, Parser, field_mask};
use super::prefetch::prefetch_at;
use mkns_contract::header::{self, SOURCE_LSB};
use mkns_design::{BlockModule, ModuleKind};

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct IngressShape {
    rules: PacketRules,
    words: usize,
    /// N
    capacity: u32,
    /// Where the source address of a header is replaced: the PCIe port field.
    port_field_mask: u32,
    port_field_lsb: u32,
    crc: header::Crc,
    pub host_channels: HostChannels,
    /// Flits that the memory may hold when the host's tready is 1.
    most_stored: u32,
}

#[derive(Debug, Clone)]
pub struct Ingress {
    /// What the PCIe port field of a source address becomes.
    port_field_value: u32,
    /// Where layers are chosen.
    stage: Option<Box<Stage>>,
    /// The data of the output register, that of the memory output, then flits with their [tag](flit_tag) in front of their data.
    memory: Box<[u64]>,
    /// Flits to be read of a packet that was taken whole: all are 0 and none is in the memory.
    implied: u16,
    /// Pointers modulo 2N.
    write: u32,
    commit: u32,
    read: u32,
    parser: Parser,
    credit: HostCredits,
    ready: bool,
    /// Memory output: the last flag while it holds a flit.
    output: Option<bool>,
    /// Host channel of its packet.
    output_channel: u8,
    next_read_is_header: bool,
    /// Output register: the last flag while it holds a flit.
    register: Option<bool>,
    /// Host channel of that flit.
    register_channel: u8,
}

impl IngressShape {
    pub fn new(module: &BlockModule) -> IngressShape {
        let parameters = &module.parameters;
        let is_terminal = module.kind == ModuleKind::Terminal;
        let capacity = (2 * parameters.max_packet_flits).next_power_of_two();
        let kept_free = if module.masks.is_some() { 2 } else { 1 };
        let port_field = module.layout.fields.first().filter(|_| !is_terminal);
        IngressShape {
            host_channels: HostChannels::new(module),
            rules: PacketRules::new(module),
            words: parameters.flit_bits as usize / 64,
            capacity,
            most_stored: capacity - kept_free,
            port_field_mask: port_field.map_or(0, |field| field_mask(field.bits) << field.offset),
            port_field_lsb: port_field.map_or(0, |field| field.offset),
            crc: header::Crc::of(module),
        }
    }

    /// Of a flit in the memory.
    #[inline]
    fn place(&self, pointer: u32) -> usize {
        2 * self.words + (pointer & (self.capacity - 1)) as usize * (self.words + 1)
    }

    #[inline]
    fn advanced(&self, pointer: u32, flits: u32) -> u32 {
        (pointer + flits) & (2 * self.capacity - 1)
    }

    /// From one pointer to another.
    #[inline]
    fn distance(&self, from: u32, to: u32) -> u32 {
        to.wrapping_sub(from) & (2 * self.capacity - 1)
    }
}

/// What stands in front of a flit in the memory: its last flag, how many flits of 0 follow that are not stored,
/// and of a header the host channel of its packet.
fn flit_tag(last: bool, implied: u32, host_channel: u8) -> u64 {
    u64::from(last) | u64::from(implied) << 1 | u64::from(host_channel) << HOST_CHANNEL_LSB
}

/// In a tag.
const HOST_CHANNEL_LSB: u32 = 32;

impl Ingress {
    /// The ingress of PCIe port `port`.
    pub fn new(shape: &IngressShape, port: u32) -> Ingress {
        let memory = shape.place(shape.capacity - 1) + shape.words + 1;
        Ingress {
            port_field_value: port << shape.port_field_lsb & shape.port_field_mask,
            stage: None,
            memory: vec![0; memory].into(),
            implied: 0,
            write: 0,
            commit: 0,
            read: 0,
            parser: Parser::Header,
            credit: shape.host_channels.all_credits(),
            ready: false,
            output: None,
            output_channel: 0,
            next_read_is_header: true,
            register: None,
            register_channel: 0,
        }
    }

    /// From now on the layers of packets are chosen here.
    pub fn choose_layers(&mut self, layers: std::sync::Arc<Layers>) {
        self.stage = Some(Box::new(Stage::new(layers)));
    }

    /// Masks and entry channels as all ports of the block share them.
    pub fn shared_layers_mut(&mut self) -> Option<&mut std::sync::Arc<Layers>> {
        let stage = self.stage.as_deref_mut();
        stage.map(|stage| &mut stage.layers)
    }

    /// Whether a cycle without a beat and without a credit changes nothing.
    #[inline]
    pub fn is_at_rest(&self, shape: &IngressShape) -> bool {
        self.read == self.commit
            && self.output.is_none()
            && self.register.is_none()
            && self.stage.as_ref().is_none_or(|stage| stage.is_empty())
            && self.ready == self.has_room(shape)
    }

    /// The tready register.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// The output register, which is the core's rx pin: channel, last flag and data.
    pub fn injected(&self, shape: &IngressShape) -> Option<(u8, bool, &[u64])> {
        let channel = shape.host_channels.core_channel(self.register_channel);
        self.register
            .map(|last| (channel, last, &self.memory[..shape.words]))
    }

    /// The clock edge of a port at rest that is given no beat.
    #[inline]
    pub fn rest(&mut self, core_credit: u8) {
        self.credit.take(core_credit);
    }

    /// The clock edge.
    #[inline]
    pub fn step(
        &mut self,
        shape: &IngressShape,
        beat: Option<Beat<'_>>,
        core_credit: u8,
        node_address: u32,
    ) {
        self.step_read_side(shape, node_address);
        let taken = beat.filter(|_| self.ready);
        match (self.stage.take(), taken) {
            (Some(mut stage), taken) => {
                self.take_staged(shape, &mut stage, node_address);
                stage.load(taken);
                self.stage = Some(stage);
            }
            (None, Some(beat)) => {
                let channel = match self.parser {
                    Parser::Header => self.own_channel(shape, beat.data[0], node_address),
                    _ => 0,
                };
                self.take(shape, beat, Some(channel));
            }
            (None, None) => {}
        }
        self.end_cycle(shape, core_credit, false);
    }

    /// Whether a host that offers a packet without a pause, its header in this cycle, sees each beat taken and the packet
    /// committed.
    #[inline]
    pub fn takes_whole(&self, shape: &IngressShape, header: u64, beats: u32) -> bool {
        self.ready
            && self.stage.is_none()
            && self.parser == Parser::Header
            && shape.distance(self.read, self.write) + beats <= shape.capacity
            && shape.rules.are_kept(header, beats)
    }

    /// The clock edge in which the first beat of a packet is taken that [`Self::takes_whole`]: all its beats have
    /// their places from now on, those of the payload are 0. [`Self::step_without_beat`] for the cycles of the others.
    #[inline]
    pub fn begin_whole(
        &mut self,
        shape: &IngressShape,
        (header, beats): (u64, u32),
        core_credit: u8,
        node_address: u32,
    ) {
        self.step_read_side(shape, node_address);
        self.begin_again_if_empty();
        let start = shape.place(self.write);
        let channel = self.own_channel(shape, header, node_address);
        self.memory[start] = flit_tag(beats == 1, beats - 1, channel);
        self.memory[start + 1] = header;
        self.write = shape.advanced(self.write, beats);
        self.end_cycle(shape, core_credit, beats == 1);
    }

    /// The clock edge of a cycle in which the host offers nothing, or a beat that [`Self::begin_whole`] wrote;
    /// `ends_whole`: that was the last one of its packet.
    #[inline]
    pub fn step_without_beat(
        &mut self,
        shape: &IngressShape,
        core_credit: u8,
        node_address: u32,
        ends_whole: bool,
    ) {
        self.step_read_side(shape, node_address);
        self.end_cycle(shape, core_credit, ends_whole);
    }

    /// Prefetches where the next flits are read, and the output register.
    #[inline]
    pub fn prefetch(&self, shape: &IngressShape) {
        prefetch_at(&self.memory, 0);
        prefetch_at(&self.memory, shape.place(self.read));
    }

    /// Bytes of the stored flits.
    pub fn buffer_bytes(&self) -> usize {
        size_of_val(&*self.memory)
    }

    #[inline]
    fn has_room(&self, shape: &IngressShape) -> bool {
        shape.distance(self.read, self.write) <= shape.most_stored
    }

    /// The read side comes first in a cycle: it works on the pointers of the start.
    #[inline]
    fn step_read_side(&mut self, shape: &IngressShape, node_address: u32) {
        self.register = None;
        if let Some(last) = self.output
            && self.credit.has(self.output_channel)
        {
            self.complete(shape, last, node_address);
        }
        if self.output.is_none() && self.read != self.commit {
            self.fetch(shape);
        }
    }

    #[inline]
    fn end_cycle(&mut self, shape: &IngressShape, core_credit: u8, commits: bool) {
        if commits {
            self.commit = self.write;
        }
        self.credit.take(core_credit);
        self.ready = self.has_room(shape);
    }

    /// The source that a header gets.
    #[inline]
    fn source(&self, shape: &IngressShape, node_address: u32) -> u32 {
        node_address & !shape.port_field_mask | self.port_field_value
    }

    /// Host channel of a packet whose layer is not chosen here.
    #[inline]
    fn own_channel(&self, shape: &IngressShape, header: u64, node_address: u32) -> u8 {
        let source = self.source(shape, node_address);
        shape.host_channels.of_packet(source, header)
    }

    /// The beat in the stage, if there is one.
    fn take_staged(&mut self, shape: &IngressShape, stage: &mut Stage, node_address: u32) {
        if stage.is_empty() {
            return;
        }
        let channel = match self.parser {
            Parser::Header => {
                let choice = stage.choose(self.source(shape, node_address));
                choice.map(|Choice { channel, .. }| channel)
            }
            _ => Some(0),
        };
        self.take(shape, stage.beat(shape.words), channel);
    }

    /// An empty memory starts again at its first place: few cache lines at low load.
    #[inline]
    fn begin_again_if_empty(&mut self) {
        if self.read == self.write {
            (self.write, self.commit, self.read) = (0, 0, 0);
        }
    }

    /// The flit in the memory output leaves for the output register.
    #[inline]
    fn complete(&mut self, shape: &IngressShape, last: bool, node_address: u32) {
        self.output = None;
        self.credit.spend(self.output_channel);
        copy_to_front(&mut self.memory, shape.words, shape.words);
        if self.next_read_is_header {
            let source = self.source(shape, node_address);
            let source_mask = 0xF_FFFF << SOURCE_LSB;
            let word = self.memory[0] & !source_mask | u64::from(source) << SOURCE_LSB;
            self.memory[0] = shape.crc.stamp(word);
            clear_words(&mut self.memory[1..shape.words]);
        }
        self.next_read_is_header = last;
        self.register = Some(last);
        self.register_channel = self.output_channel;
    }

    /// A flit of a whole packet enters the memory output, which is empty.
    #[inline]
    fn fetch(&mut self, shape: &IngressShape) {
        let start = shape.place(self.read);
        let (before, stored) = self.memory.split_at_mut(start);
        let output = &mut before[shape.words..][..shape.words];
        let last = if self.implied > 0 {
            self.implied -= 1;
            clear_words(output);
            self.implied == 0
        } else {
            let tag = stored[0];
            self.implied = (tag as u32 >> 1) as u16;
            copy_words(output, &stored[1..=shape.words]);
            if self.next_read_is_header {
                self.output_channel = (tag >> HOST_CHANNEL_LSB) as u8;
            }
            tag & 1 == 1
        };
        self.output = Some(last);
        self.read = shape.advanced(self.read, 1);
    }

    /// `channel`: the host channel of a header's packet; none when no layer leads to its destination.
    #[inline]
    fn take(&mut self, shape: &IngressShape, beat: Beat<'_>, channel: Option<u8>) {
        self.begin_again_if_empty();
        let judged = shape.rules.judge(self.parser, &beat, channel.is_some());
        if judged.is_ok() {
            let start = shape.place(self.write);
            self.memory[start] = flit_tag(beat.last, 0, channel.unwrap_or(0));
            copy_words(&mut self.memory[start + 1..][..shape.words], beat.data);
            self.write = shape.advanced(self.write, 1);
        }
        if !beat.last {
            self.parser = judged.unwrap_or_else(Parser::Faulty);
            return;
        }
        self.parser = Parser::Header;
        match judged {
            Err(_) => self.write = self.commit,
            Ok(_) => self.commit = self.write,
        }
    }
}
