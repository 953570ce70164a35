//! Ingress of a PCIe-side port: packets of a host are stored whole, then injected (section 3.1 of
//! `docs/microarchitecture.md`). All packets of a simulation are legal; those that no layer leads to are not let in.

use super::flit::Piece;
use super::host_channel::{HostChannels, HostCredits};
use super::layer_choice::{LayerMasks, Stage};
use super::prefetch::prefetch_at;
use mkns_contract::header::SOURCE_LSB;
use mkns_design::{BlockModule, ModuleKind};

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct IngressShape {
    /// N
    capacity: u32,
    /// Where the source address of a header is replaced: the PCIe port field.
    port_field_mask: u32,
    port_field_lsb: u32,
    pub host_channels: HostChannels,
    /// Flits that the memory may hold when the host's tready is 1.
    most_stored: u32,
}

/// A flit in the memory.
#[derive(Debug, Clone, Copy, Default)]
struct StoredFlit {
    word: u64,
    /// How many flits of 0 follow that are not stored.
    implied: u16,
    /// Of a header, the host channel of its packet.
    host_channel: u8,
    last: bool,
}

#[derive(Debug, Clone)]
pub struct Ingress {
    /// What the PCIe port field of a source address becomes.
    port_field_value: u32,
    /// Where layers are chosen.
    stage: Option<Box<Stage>>,
    memory: Box<[StoredFlit]>,
    /// Flits to be read of a packet that was taken whole: all are 0 and none is in the memory.
    implied: u16,
    /// Pointers modulo 2N.
    write: u32,
    commit: u32,
    read: u32,
    /// The next piece is a header.
    at_header: bool,
    /// The packet whose pieces come is not let in.
    is_refused: bool,
    credit: HostCredits,
    /// The tready register.
    pub ready: bool,
    /// Memory output.
    output: Option<Piece>,
    /// Host channel of its packet.
    output_channel: u8,
    next_read_is_header: bool,
    /// Output register.
    register: Option<Piece>,
    /// Host channel of that flit.
    register_channel: u8,
    /// The flit in the output register stays there in this cycle.
    is_held: bool,
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
            capacity,
            most_stored: capacity - kept_free,
            port_field_mask: port_field.map_or(0, |field| ((1 << field.bits) - 1) << field.offset),
            port_field_lsb: port_field.map_or(0, |field| field.offset),
        }
    }

    /// Of a flit in the memory.
    #[inline]
    fn place(&self, pointer: u32) -> usize {
        (pointer & (self.capacity - 1)) as usize
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

impl Ingress {
    /// The ingress of PCIe port `port`.
    pub fn new(shape: &IngressShape, port: u32) -> Ingress {
        Ingress {
            port_field_value: port << shape.port_field_lsb & shape.port_field_mask,
            stage: None,
            memory: vec![StoredFlit::default(); shape.capacity as usize].into(),
            implied: 0,
            write: 0,
            commit: 0,
            read: 0,
            at_header: true,
            is_refused: false,
            credit: shape.host_channels.all_credits(),
            ready: false,
            output: None,
            output_channel: 0,
            next_read_is_header: true,
            register: None,
            register_channel: 0,
            is_held: false,
        }
    }

    /// From now on the layers of packets are chosen here.
    pub fn choose_layers(&mut self, masks: std::sync::Arc<LayerMasks>) {
        self.stage = Some(Box::new(Stage::new(masks)));
    }

    /// Masks and entry channels as all ports of the block share them.
    pub fn shared_masks_mut(&mut self) -> Option<&mut std::sync::Arc<LayerMasks>> {
        let stage = self.stage.as_deref_mut();
        stage.map(|stage| &mut stage.masks)
    }

    /// Whether a cycle without a beat and without a credit changes nothing.
    #[inline]
    pub fn is_at_rest(&self, shape: &IngressShape) -> bool {
        self.read == self.commit
            && self.output.is_none()
            && self.register.is_none()
            && self
                .stage
                .as_ref()
                .is_none_or(|stage| stage.piece.is_none())
            && self.ready == self.has_room(shape)
    }

    /// The output register, which is the core's rx pin: channel, last flag and low word.
    pub fn injected(&self, shape: &IngressShape) -> Option<(u8, bool, u64)> {
        let channel = shape.host_channels.core_channel(self.register_channel);
        self.register
            .map(|Piece { word, last }| (channel, last, word))
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
        piece: Option<Piece>,
        core_credit: u8,
        node_address: u32,
    ) {
        self.step_read_side(shape, node_address);
        let taken = piece.filter(|_| self.ready);
        match (self.stage.take(), taken) {
            (Some(mut stage), taken) => {
                self.take_staged(shape, &stage, node_address);
                stage.load(taken);
                self.stage = Some(stage);
            }
            (None, Some(piece)) => {
                let channel = match self.at_header {
                    true => self.own_channel(shape, piece.word, node_address),
                    false => 0,
                };
                self.take(shape, piece, Some(channel));
            }
            (None, None) => {}
        }
        self.end_cycle(shape, core_credit, false);
    }

    /// Whether a host that offers a packet of this many beats without a pause, its header in this cycle, sees each beat taken and the packet
    /// committed.
    #[inline]
    pub fn takes_whole(&self, shape: &IngressShape, beats: u32) -> bool {
        self.ready
            && self.stage.is_none()
            && self.at_header
            && shape.distance(self.read, self.write) + beats <= shape.capacity
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
        self.memory[shape.place(self.write)] = StoredFlit {
            word: header,
            implied: (beats - 1) as u16,
            host_channel: self.own_channel(shape, header, node_address),
            last: beats == 1,
        };
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

    /// Prefetches where the next flits are read.
    #[inline]
    pub fn prefetch(&self, shape: &IngressShape) {
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
        if std::mem::take(&mut self.is_held) {
            self.fetch_if_empty(shape);
            return;
        }
        self.register = None;
        if let Some(flit) = self.output
            && self.credit.has(self.output_channel)
        {
            self.complete(shape, flit, node_address);
        }
        self.fetch_if_empty(shape);
    }

    #[inline]
    fn fetch_if_empty(&mut self, shape: &IngressShape) {
        if self.output.is_none() && self.read != self.commit {
            self.fetch(shape);
        }
    }

    /// The flit in the output register stays there in the cycle whose clock edge comes next (section 1.8).
    pub fn hold(&mut self) {
        self.is_held = true;
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
    fn take_staged(&mut self, shape: &IngressShape, stage: &Stage, node_address: u32) {
        let Some(mut piece) = stage.piece else {
            return;
        };
        let channel = match self.at_header {
            true => stage.choose(self.source(shape, node_address), &mut piece.word),
            false => Some(0),
        };
        self.take(shape, piece, channel);
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
    fn complete(&mut self, shape: &IngressShape, mut flit: Piece, node_address: u32) {
        self.output = None;
        self.credit.spend(self.output_channel);
        if self.next_read_is_header {
            let source = u64::from(self.source(shape, node_address)) << SOURCE_LSB;
            flit.word = flit.word & !(0xF_FFFF << SOURCE_LSB) | source;
        }
        self.next_read_is_header = flit.last;
        self.register = Some(flit);
        self.register_channel = self.output_channel;
    }

    /// A flit of a whole packet enters the memory output, which is empty.
    #[inline]
    fn fetch(&mut self, shape: &IngressShape) {
        let (word, last) = if self.implied > 0 {
            self.implied -= 1;
            (0, self.implied == 0)
        } else {
            let stored = &self.memory[shape.place(self.read)];
            self.implied = stored.implied;
            if self.next_read_is_header {
                self.output_channel = stored.host_channel;
            }
            (stored.word, stored.last)
        };
        self.output = Some(Piece { word, last });
        self.read = shape.advanced(self.read, 1);
    }

    /// `channel`: the host channel of a header's packet; none when no layer leads to its destination.
    #[inline]
    fn take(&mut self, shape: &IngressShape, piece: Piece, channel: Option<u8>) {
        self.begin_again_if_empty();
        let is_header = std::mem::replace(&mut self.at_header, piece.last);
        if is_header {
            self.is_refused = channel.is_none();
        }
        if self.is_refused {
            return;
        }
        debug_assert!(
            shape.distance(self.read, self.write) < shape.capacity,
            "a packet is longer than blocks take"
        );
        self.memory[shape.place(self.write)] = StoredFlit {
            word: piece.word,
            implied: 0,
            host_channel: channel.unwrap_or(0),
            last: piece.last,
        };
        self.write = shape.advanced(self.write, 1);
        if piece.last {
            self.commit = self.write;
        }
    }
}
