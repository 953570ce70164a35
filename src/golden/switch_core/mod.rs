//! The switch core: lookup, virtual output queues, allocation, credits (section 1 of
//! `docs/microarchitecture.md`).
//!
//! A cycle is three calls: [`SwitchCore::start_cycle`] (credits, push, allocation), one
//! [`SwitchCore::receive`] for each flit on the rx pins in port order, and
//! [`SwitchCore::end_cycle`]. The tx pins of the cycle are read before the first of them. Knows
//! nothing of packed words, of the PCIe side or of the control port.

mod allocation;
mod counters;
mod credits;
mod describe;
mod lookup;
mod pipeline;
mod queues;
mod routes;
mod shape;

pub(super) use counters::{Counters, DropCause, Event};
pub(super) use pipeline::TransmittedFlit;
pub use routes::NextHop;
pub(super) use shape::CoreShape;

use pipeline::Pipeline;
use queues::Queues;
use routes::Routes;

use crate::design::BlockModule;
use crate::routing::BlockTables;

/// A set of (input, channel) pairs; bit k = channel · 32 + input, so the order of k is that of the
/// page's v · P + i.
type KeySet = u128;

/// A vector of credits; bit port · V + channel, as on the pins.
pub(super) type CreditVector = u128;

/// No packet, no key.
const NONE: u8 = u8::MAX;
/// Destination of a flit or packet that is being dropped.
const DROPPED: u8 = u8::MAX - 1;
/// Most virtual channels.
const MAX_CHANNELS: usize = 4;

/// A flit without its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FlitTag {
    pub channel: u8,
    pub last: bool,
    pub bad: bool,
}

/// State of one input.
#[derive(Debug, Clone)]
struct Input {
    /// `open[v]`: [`NONE`], [`DROPPED`] or an output.
    open: [u8; MAX_CHANNELS],
    /// `closing[v]`: [`NONE`] or an output.
    closing: [u8; MAX_CHANNELS],
    /// `owed[v]`, flits.
    owed: [u16; MAX_CHANNELS],
    /// Queues of the channel that hold D − C or more flits.
    full_queues: [u8; MAX_CHANNELS],
    /// `stage1`, valid when the core's `stage1` has this input's bit. Its data already lies in
    /// the queue memory, behind the last flit that counts.
    stage1: Stage1,
    /// `stage0`, valid when the core's `stage0` has this input's bit.
    stage0: FlitTag,
}

/// A flit in stage 1.
#[derive(Debug, Clone, Copy)]
struct Stage1 {
    channel: u8,
    last: bool,
    made_up: bool,
    /// An output or [`DROPPED`].
    destination: u8,
}

/// State of one output.
#[derive(Debug, Clone)]
struct Output {
    /// Keys whose queue to this output is not empty (during allocation: available keys).
    requests: KeySet,
    /// `flow`: [`NONE`] or a key.
    flow: u8,
    grant_pointer: u8,
    channels: [OutputChannel; MAX_CHANNELS],
}

/// State of one outgoing channel of an output.
#[derive(Debug, Clone, Copy)]
struct OutputChannel {
    /// Keys whose packets leave on this channel, from `step`.
    members: KeySet,
    /// `lock`: [`NONE`] or a key.
    lock: u8,
    discard: bool,
    credit: u16,
}

/// What happened in a cycle, for ERRORS and the first-drop register (section 4).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CoreEvents {
    /// ERRORS bits 0…3.
    pub errors: u32,
    /// Input and header of the first header dropped in the cycle.
    pub first_drop: Option<(u8, u64)>,
}

/// The switch core. Starts in its reset state.
#[derive(Debug, Clone)]
pub(super) struct SwitchCore {
    pub shape: CoreShape,
    routes: Routes,
    /// The `STEP` parameter: row i, bit o.
    initial_step: Vec<u32>,
    step: Vec<u32>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    queues: Queues,
    /// `accept_pointer[i][b]` at b · P + i, as an output number: n stands for n · B + b or, after
    /// reset, for 0.
    accept_pointers: Vec<u8>,
    /// Outputs of each bank.
    bank_outputs: Vec<u32>,
    pipeline: Pipeline,
    counters: Counters,
    pub events: CoreEvents,
    /// The rx_credit registers.
    pub rx_credit: CreditVector,
    /// Inputs with a flit in stage 1, in stage 0.
    stage1: u32,
    stage0: u32,
    stage0_data: Vec<u64>,
    /// Outputs with a flow; outputs with requests.
    flows: u32,
    requested: u32,
    /// Keys with owed > 0; with a full queue; with an open packet; with a closing packet.
    owed: KeySet,
    full: KeySet,
    open: KeySet,
    closing: KeySet,
    /// Keys whose headers to their open output are held in this cycle.
    held: KeySet,
    /// `link_up` of this cycle for all core ports, and the keys of inputs that are down.
    link_up: u32,
    down_keys: KeySet,
    /// Made-up tails that may enter stage 1 in this cycle, by input: channel or [`NONE`].
    made_up_channels: Vec<u8>,
    made_up_inputs: u32,
}

impl SwitchCore {
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> SwitchCore {
        let shape = CoreShape::new(module);
        let initial_step = initial_step(&shape, tables);
        let mut core = SwitchCore {
            routes: Routes::new(module, tables),
            step: initial_step.clone(),
            initial_step,
            inputs: vec![Input::after_reset(); shape.ports],
            outputs: vec![Output::after_reset(&shape); shape.ports],
            queues: Queues::new(&shape),
            accept_pointers: vec![0; shape.ports * shape.banks],
            bank_outputs: shape.bank_outputs(),
            pipeline: Pipeline::new(&shape),
            counters: Counters::new(shape.counters, shape.ports),
            events: CoreEvents::default(),
            rx_credit: 0,
            stage1: 0,
            stage0: 0,
            stage0_data: vec![0; shape.ports * shape.words],
            flows: 0,
            requested: 0,
            owed: 0,
            full: 0,
            open: 0,
            closing: 0,
            held: 0,
            link_up: 0,
            down_keys: shape.keys_of_inputs(shape.all_ports()),
            made_up_channels: vec![NONE; shape.ports],
            made_up_inputs: 0,
            shape,
        };
        core.derive_channel_members();
        core
    }

    /// `rst`: every register takes its reset value; the tables stay.
    pub fn reset(&mut self) {
        self.inputs.fill(Input::after_reset());
        self.outputs.fill(Output::after_reset(&self.shape));
        self.step.clone_from(&self.initial_step);
        self.derive_channel_members();
        self.queues.reset();
        self.accept_pointers.fill(0);
        self.pipeline.reset();
        self.counters.reset();
        self.events = CoreEvents::default();
        self.rx_credit = 0;
        (self.stage1, self.stage0, self.flows, self.requested) = (0, 0, 0, 0);
        (self.owed, self.full, self.open, self.closing) = (0, 0, 0, 0);
        self.made_up_inputs = 0;
    }

    /// First part of a cycle: credits both ways, stage 1, allocation.
    ///
    /// `link_up` covers all core ports.
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        self.events = CoreEvents::default();
        self.set_link_up(link_up);
        self.pipeline.advance();
        // All three read the queue lengths of the start of the cycle: before the push.
        self.choose_made_up_tails();
        self.return_credits();
        self.hold_headers();
        self.push_stage1();
        self.allocate();
        self.take_credits(tx_credit);
        if self.shape.register_route {
            self.look_up_stage0();
        }
    }

    /// A flit on the rx pins of `input`. Called in ascending order of inputs.
    #[inline]
    pub fn receive(&mut self, input: usize, tag: FlitTag, data: &[u64]) {
        if self.shape.register_route {
            let words = self.shape.words;
            self.stage0 |= 1 << input;
            self.inputs[input].stage0 = tag;
            self.stage0_data[input * words..][..words].copy_from_slice(data);
        } else {
            self.look_up(input, tag, data);
        }
    }

    /// Last part of a cycle: links that are down, made-up tails.
    pub fn end_cycle(&mut self) {
        self.enter_made_up_tails();
        self.close_packets_of_down_links();
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    /// The flit on the tx pins of a port that has one in this cycle.
    #[inline]
    pub fn transmitted(&self, port: usize) -> TransmittedFlit<'_> {
        self.pipeline.at_pins(port)
    }

    /// Ports with a flit on the tx pins in this cycle.
    pub fn tx_valid(&self) -> u32 {
        self.pipeline.pins_mask()
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing.
    pub fn is_at_rest(&self) -> bool {
        (self.stage1 | self.stage0 | self.flows | self.requested) == 0
            && (self.owed | self.closing | self.rx_credit) == 0
            && self.pipeline.is_empty()
    }

    /// `link_up` of the last cycle.
    pub fn last_link_up(&self) -> u32 {
        self.link_up
    }

    /// Row of the `step` matrix.
    pub fn step_row(&self, input: usize) -> u32 {
        self.step[input]
    }

    /// Replaces a row of the `step` matrix at the end of the cycle.
    pub fn write_step_row(&mut self, input: usize, row: u32) {
        self.step[input] = row & self.shape.all_ports();
        self.derive_channel_members();
    }

    /// Writes a table entry at the end of the cycle; false when there is no such entry.
    pub fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        self.routes.write(table, index, entry)
    }

    /// Routes come from `next_hop` instead of the tables from now on.
    pub fn compute_routes(&mut self, next_hop: NextHop) {
        self.routes.compute(next_hop);
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        self.counters.read(port, counter)
    }

    fn set_link_up(&mut self, link_up: u32) {
        if link_up != self.link_up {
            self.link_up = link_up;
            self.down_keys = self.shape.keys_of_inputs(!link_up & self.shape.all_ports());
        }
    }

    fn link_is_up(&self, port: usize) -> bool {
        self.link_up >> port & 1 == 1
    }

    /// w(i,o,v) of section 1.6.
    fn outgoing_channel(&self, output: usize, key: usize) -> usize {
        let step = self.step[self.shape.input_of(key)] >> output & 1;
        (self.shape.channel_of(key) + step as usize).min(self.shape.channels - 1)
    }

    fn derive_channel_members(&mut self) {
        for output in 0..self.shape.ports {
            let mut members = [0; MAX_CHANNELS];
            for key in keys(self.shape.keys_of_inputs(self.shape.all_ports())) {
                members[self.outgoing_channel(output, key)] |= 1 << key;
            }
            for (channel, members) in self.outputs[output].channels.iter_mut().zip(members) {
                channel.members = members;
            }
        }
    }
}

impl Input {
    fn after_reset() -> Input {
        Input {
            open: [NONE; MAX_CHANNELS],
            closing: [NONE; MAX_CHANNELS],
            owed: [0; MAX_CHANNELS],
            full_queues: [0; MAX_CHANNELS],
            stage1: Stage1 {
                channel: 0,
                last: false,
                made_up: false,
                destination: DROPPED,
            },
            stage0: FlitTag::default(),
        }
    }
}

impl Output {
    fn after_reset(shape: &CoreShape) -> Output {
        let channel = OutputChannel {
            members: 0,
            lock: NONE,
            discard: false,
            credit: shape.credits,
        };
        Output {
            requests: 0,
            flow: NONE,
            grant_pointer: 0,
            channels: [channel; MAX_CHANNELS],
        }
    }
}

/// The `STEP` parameter as rows of bits; all 0 without tables.
fn initial_step(shape: &CoreShape, tables: Option<&BlockTables>) -> Vec<u32> {
    let mut rows = vec![0; shape.ports];
    if let Some(tables) = tables {
        for (row, bits) in rows.iter_mut().zip(&tables.step) {
            for (output, _) in bits.iter().enumerate().filter(|(_, set)| **set) {
                *row |= 1 << output;
            }
        }
    }
    rows
}

/// The set bits of a mask, lowest first.
#[inline]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}

/// The keys of a set, lowest first.
#[inline]
pub(super) fn keys(mut set: KeySet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let key = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(key)
    })
}
