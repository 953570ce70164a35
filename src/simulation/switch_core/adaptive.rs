//! The state of adaptive blocks (section 1.8 of `docs/microarchitecture.md`): room, candidates, ways.
//!
//! `credit[o][A]` of a network port never runs out: it starts at [`NEVER_SHORT`], and what the page says of room is
//! kept beside it.

use super::key_set::{KeySet, Lanes};
use crate::choices::Choices;
use crate::flit::Flit;
use mkns_contract::header;
use mkns_design::{BlockModule, BlocksBetween};
use mkns_routing::BlockTables;

/// Credits of the adaptive channel after reset, more than are ever spent or given back.
pub const NEVER_SHORT: u16 = 1 << 12;
/// Size classes of packets.
const CLASSES: usize = 4;
/// Ticks for which the header of a host waits for room, and the cycles from tick to tick.
pub const PATIENCE: u8 = 3;
const TICK_CYCLES: u16 = 512;

/// Parameters of adaptive blocks.
#[derive(Debug, Clone)]
pub struct AdaptiveShape {
    /// d
    pub network_ports: usize,
    /// A, or the first channel of second paths
    pub channel: usize,
    max_packet_flits: u16,
    flit_bytes: u32,
    /// L and what hosts need, by class.
    sizes: [u16; CLASSES],
    host_sizes: [u16; CLASSES],
    /// C
    credits: u16,
    /// How the candidate table is indexed: the destination above its PCIe port.
    candidate_lsb: u32,
    /// Where packets go over random blocks instead: of all of this, only the ways are used.
    pub between: Option<BlocksBetween>,
}

/// What the tables said of a header while it was on the rx pins.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// The escape's output; none when it is dropped.
    pub escape: Option<u8>,
    pub candidates: u32,
    /// By its reader.
    pub served: bool,
}

/// A flit in the register behind the rx pins.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arrival {
    pub flit: Flit,
    /// It came while its link was down.
    pub cut_off: bool,
    /// Of a header.
    pub reading: Option<Reading>,
}

/// State of an adaptive block.
#[derive(Debug, Clone)]
pub struct Adaptive<K: KeySet> {
    candidates: Box<[u32]>,
    /// By output.
    pub room: K::PerPort<u16>,
    /// Outputs with a link and room by class, as choices see them, and as both are now: those of the next cycle, but for
    /// outputs that a packet commits to.
    fits: [u32; CLASSES],
    fits_host: [u32; CLASSES],
    next_fits: [u32; CLASSES],
    next_fits_host: [u32; CLASSES],
    /// Outputs that had no grant, no flow and no request at the start of the cycle.
    pub idle: u32,
    /// Outputs that a packet has committed to in this cycle.
    pub committed: u32,
    /// Keys whose packet in progress leaves on A, and `left` of these.
    pub carried: K,
    pub left: K::PerKey<u16>,
    /// `way` by output.
    pub ways: K::PerPort<K>,
    /// Ways that are known and count later: cycles until then, output, key, and whether it is A.
    pub later_ways: Vec<(u8, u8, u8, bool)>,
    pub candidate_pointer: u8,
    pub permit_pointer: u8,
    pub turn: bool,
    /// Cycles to the next tick.
    until_tick: u16,
    pub waited: K::PerPort<u8>,
    /// Inputs of hosts whose packet has committed while its header is in the register, and the outputs.
    pub granted: u32,
    pub grants: K::PerPort<u8>,
    /// Flits of this cycle on the rx pins, by input, and whether they are headers.
    pub pins: Vec<(usize, Flit, bool)>,
    /// Keys with more flits to come of the packet whose flits were on the pins.
    pub inside: K,
    /// Inputs with a flit in the register behind the pins, and these flits.
    pub arrived: u32,
    pub arrivals: K::PerPort<Arrival>,
    /// Headers of this cycle where packets go over random blocks, in the order of inputs.
    pub headers: Vec<(usize, Flit)>,
    /// Flits that will be room again: cycles until then, output, flits.
    pub returns: Vec<(u8, u8, u16)>,
    /// Since reset.
    pub choices: Choices,
    /// Blocks that were drawn for packets.
    pub drawn: u64,
}

impl AdaptiveShape {
    /// None of other blocks.
    pub fn new(module: &BlockModule) -> Option<Self> {
        (module.parameters.adaptive)
            .then(|| Self::with_channel(module, module.parameters.virtual_channels - 1))
    }

    /// Of blocks where packets go over random blocks.
    pub fn between(module: &BlockModule, between: &BlocksBetween) -> Self {
        Self {
            between: Some(between.clone()),
            ..Self::with_channel(module, between.channels)
        }
    }

    fn with_channel(module: &BlockModule, channel: u32) -> Self {
        let parameters = &module.parameters;
        let longest = parameters.max_packet_flits as u16;
        let credits = parameters.rx_buffer_flits as u16;
        let sizes = [5, 9, 17, longest].map(|size| size.min(longest));
        Self {
            network_ports: module.network_ports as usize,
            channel: channel as usize,
            max_packet_flits: longest,
            flit_bytes: parameters.flit_bits / 8,
            sizes,
            host_sizes: sizes.map(|size| (3 * size).min((credits + size) / 2)),
            credits,
            candidate_lsb: module.layout.fields.first().map_or(0, |field| field.bits),
            between: None,
        }
    }

    /// n of a packet, by its header.
    pub fn flits(&self, header: Flit) -> u16 {
        match header.tag().last {
            true => 1,
            false => 1 + header::length(header.low_word()).div_ceil(self.flit_bytes) as u16,
        }
    }

    /// Whether a length is one of a legal packet.
    pub fn allows(&self, flits: u16, header: Flit) -> bool {
        let tag = header.tag();
        flits <= self.max_packet_flits && (flits > 1 || tag.last && !tag.bad)
    }

    /// c of a packet of this many flits.
    pub fn class(&self, flits: u16) -> usize {
        let fits = |size: &u16| flits <= *size;
        self.sizes.iter().position(fits).unwrap_or(CLASSES - 1)
    }
}

impl<K: KeySet> Adaptive<K> {
    pub fn new(shape: &AdaptiveShape, tables: Option<&BlockTables>) -> Self {
        let candidates = tables.map(|tables| tables.candidates.clone());
        let mut adaptive = Self {
            candidates: candidates.unwrap_or_default().into(),
            room: Lanes::filled(shape.credits),
            fits: [0; CLASSES],
            fits_host: [0; CLASSES],
            next_fits: [0; CLASSES],
            next_fits_host: [0; CLASSES],
            idle: 0,
            committed: 0,
            carried: K::EMPTY,
            left: Lanes::filled(0),
            ways: Lanes::filled(K::EMPTY),
            later_ways: Vec::new(),
            candidate_pointer: 0,
            permit_pointer: 0,
            turn: false,
            until_tick: TICK_CYCLES - 1,
            waited: Lanes::filled(0),
            granted: 0,
            grants: Lanes::filled(0),
            pins: Vec::new(),
            inside: K::EMPTY,
            arrived: 0,
            arrivals: Lanes::filled(Arrival::default()),
            headers: Vec::new(),
            returns: Vec::new(),
            choices: Choices::default(),
            drawn: 0,
        };
        adaptive.show_room(shape, u32::MAX);
        adaptive
    }

    /// Ports on shortest paths to the destination of a header.
    pub fn candidates(&self, shape: &AdaptiveShape, header: Flit) -> u32 {
        let node = header::destination(header.low_word()) >> shape.candidate_lsb;
        self.candidates.get(node as usize).copied().unwrap_or(0)
    }

    /// Other ports on shortest paths to a node.
    pub fn set_candidates(&mut self, node: usize, ports: u32) {
        self.candidates[node] = ports;
    }

    /// Of these ports, those with room for a packet of a class, from a host or not.
    pub fn with_room(&self, ports: u32, class: usize, from_host: bool) -> u32 {
        let fits = if from_host {
            &self.fits_host
        } else {
            &self.fits
        };
        ports & fits[class]
    }

    /// Flags of the room as it is, from this cycle on.
    pub fn show_room(&mut self, shape: &AdaptiveShape, up: u32) {
        self.note_room(shape, up);
        self.note_room(shape, up);
    }

    /// The end of a cycle: its flags were those of the room and the links at its start; `up` from the next cycle on.
    pub fn note_room(&mut self, shape: &AdaptiveShape, up: u32) {
        let others = !std::mem::take(&mut self.committed);
        let shown = |ports: u32| ports & others;
        (self.fits, self.fits_host) = (self.next_fits.map(shown), self.next_fits_host.map(shown));
        let room = &self.room;
        let with = |size: u16| {
            let fits = |port: &usize| room[*port] >= size;
            (0..shape.network_ports)
                .filter(fits)
                .fold(0, |ports, port| ports | (1 << port & up))
        };
        self.next_fits = shape.sizes.map(with);
        self.next_fits_host = shape.host_sizes.map(with);
    }

    /// The flags stay as they are in a cycle in which the room does.
    pub fn flags_rest(&self) -> bool {
        (self.fits, self.fits_host) == (self.next_fits, self.next_fits_host)
    }

    /// Which of these inputs, which all claim a reader, are served, or chosen for: inputs i and i + h share one.
    pub fn served(&self, shape: &AdaptiveShape, claims: u32, ports: usize) -> u32 {
        let readers = ports.div_ceil(2);
        let hosts = u32::MAX << shape.network_ports;
        let low = (1 << readers) - 1;
        let both = claims & claims >> readers & low;
        let alike = !(hosts ^ hosts >> readers);
        let second = if self.turn { both & alike } else { 0 };
        claims & !second & !((both & !second) << readers)
    }

    /// The pointers move in every cycle.
    #[inline]
    pub fn advance(&mut self, shape: &AdaptiveShape, ports: usize) {
        let next = |pointer: u8, count: usize| match usize::from(pointer) + 1 == count {
            true => 0,
            false => pointer + 1,
        };
        self.candidate_pointer = next(self.candidate_pointer, shape.network_ports);
        self.permit_pointer = next(self.permit_pointer, ports.div_ceil(2));
        self.turn = !self.turn;
        self.until_tick = match self.until_tick {
            0 => TICK_CYCLES - 1,
            cycles => cycles - 1,
        };
    }

    /// A header of a host waits in this cycle.
    pub fn keep_waiting(&mut self, input: usize) {
        self.waited[input] += u8::from(self.until_tick == 0);
    }

    /// Room that comes back from packets that were cut short.
    pub fn take_returns(&mut self) {
        let room = &mut self.room;
        self.returns.retain_mut(|(cycles, output, flits)| {
            *cycles -= 1;
            if *cycles == 0 {
                room[usize::from(*output)] += *flits;
            }
            *cycles > 0
        });
    }
}
