//! Section 5: blocks joined by links.
//!
//! Whoever uses a network drives the PCIe-side and control pins and `rst` of its blocks; links are
//! driven here.

use std::collections::VecDeque;

use mkns_design::{Pins, Plan, RouteSource, set_bits};
use mkns_topology::{BlockId, Cable, End};

use crate::{Block, Flit, link_pins};

/// One direction of a `link_pipe`, a `simplex_cable`: flits from the tx pins of `from` to the rx pins
/// of `to`, credits the other way, through L register stages each.
struct LinkPipe {
    from: End,
    to: End,
    /// The first entered last; the last is on the pins.
    flits: VecDeque<Option<Flit>>,
    credits: VecDeque<u32>,
}

impl LinkPipe {
    fn is_empty(&self) -> bool {
        self.flits.iter().all(Option::is_none) && self.credits.iter().all(|&credit| credit == 0)
    }

    fn reset(&mut self) {
        self.flits.iter_mut().for_each(|flit| *flit = None);
        self.credits.iter_mut().for_each(|credit| *credit = 0);
    }

    /// The clock edge: `flit` and `credit` are on the pins of the cycle that ends.
    fn clock(&mut self, flit: Option<Flit>, credit: u32) {
        self.flits.pop_back();
        self.flits.push_front(flit);
        self.credits.pop_back();
        self.credits.push_front(credit);
    }
}

/// A block and its packed words.
struct BlockOnPins {
    pins: Pins,
    block: Block,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

/// All blocks and cables of a network.
pub struct Network {
    places: Vec<BlockOnPins>,
    link_pipes: Vec<LinkPipe>,
}

impl Network {
    /// All blocks in their reset state, all cables up; their routes are those of `routes`.
    pub fn new(plan: &Plan, routes: RouteSource) -> Self {
        let place = |instance: &mkns_design::BlockInstance| {
            let module = &plan.modules[instance.module];
            let pins = Pins::new(module);
            let block = Block::new(module, instance.node_address, Some(&instance.tables))
                .with_masks(module, instance.layer_choice.as_ref())
                .with_routes(routes.computed(plan, instance.block));
            BlockOnPins {
                block,
                inputs: vec![0; pins.input_words],
                outputs: vec![0; pins.output_words],
                pins,
            }
        };
        let stages = plan.spec.block.link_latency as usize;
        let link_pipe = |(from, to)| LinkPipe {
            from,
            to,
            flits: vec![None; stages].into(),
            credits: vec![0; stages].into(),
        };
        let cables = &plan.network.cables;
        let mut network = Self {
            places: plan.instances.iter().map(place).collect(),
            link_pipes: cables
                .iter()
                .flat_map(Cable::directions)
                .map(link_pipe)
                .collect(),
        };
        for cable in cables {
            network.set_cable_up(cable, true);
        }
        network
    }

    /// One cycle of every block and link.
    pub fn step(&mut self) {
        for place in &mut self.places {
            place.block.step(&place.inputs, &mut place.outputs);
        }
        for n in 0..self.link_pipes.len() {
            let (flit, credit) = self.sent(n);
            let link_pipe = &mut self.link_pipes[n];
            // With nothing on the way the pins stay as they are: 0.
            if flit.is_some() || credit != 0 || !link_pipe.is_empty() {
                link_pipe.clock(flit, credit);
                self.show(n);
            }
        }
    }

    /// The registers of all links become 0, as by an edge with `rst` = 1. Follows the step of that cycle.
    pub fn reset_links(&mut self) {
        for n in 0..self.link_pipes.len() {
            self.link_pipes[n].reset();
            self.show(n);
        }
    }

    /// `cable_up` of a cable: `link_up` of both ends.
    pub fn set_cable_up(&mut self, cable: &Cable, up: bool) {
        for end in [cable.a, cable.b] {
            let place = self.place_mut(end.block);
            let link_up = &mut place.inputs[place.pins.link_up..];
            set_bits(link_up, usize::from(end.port.0), 1, u64::from(up));
        }
    }

    /// What differs from reset in a block.
    pub fn describe(&self, block: BlockId) -> String {
        self.place(block).block.describe()
    }

    /// The block's packed inputs of the next cycle. The link pins belong to the network.
    pub fn inputs_mut(&mut self, block: BlockId) -> &mut [u64] {
        &mut self.place_mut(block).inputs
    }

    /// The block's packed outputs of the last cycle.
    pub fn outputs(&self, block: BlockId) -> &[u64] {
        &self.place(block).outputs
    }

    /// The flit that a link pipe's sender has on its tx pins, and the credits of its receiver.
    fn sent(&self, link_pipe: usize) -> (Option<Flit>, u32) {
        let LinkPipe { from, to, .. } = &self.link_pipes[link_pipe];
        let (sender, receiver) = (self.place(from.block), self.place(to.block));
        let (pins, port) = (&sender.pins, usize::from(from.port.0));
        let flit = link_pins::flit(pins, &pins.tx, &sender.outputs, port);
        let (pins, port) = (&receiver.pins, usize::from(to.port.0));
        let credit = link_pins::credit(pins, pins.rx_credit, &receiver.outputs, port);
        (flit, credit)
    }

    /// Puts the last register stages of a link pipe onto the pins of both ends.
    fn show(&mut self, link_pipe: usize) {
        let Self { places, link_pipes } = self;
        let link_pipe = &link_pipes[link_pipe];
        let (from, to) = (link_pipe.from, link_pipe.to);
        let receiver = &mut places[to.block.0 as usize];
        let (pins, port) = (&receiver.pins, usize::from(to.port.0));
        let flit = link_pipe.flits.back().and_then(Option::as_ref);
        link_pins::set_flit(pins, &pins.rx, &mut receiver.inputs, port, flit);
        let sender = &mut places[from.block.0 as usize];
        let (pins, port) = (&sender.pins, usize::from(from.port.0));
        let credit = link_pipe.credits.back().copied().unwrap_or(0);
        link_pins::set_credit(pins, pins.tx_credit, &mut sender.inputs, port, credit);
    }

    fn place(&self, block: BlockId) -> &BlockOnPins {
        &self.places[block.0 as usize]
    }

    fn place_mut(&mut self, block: BlockId) -> &mut BlockOnPins {
        &mut self.places[block.0 as usize]
    }
}
