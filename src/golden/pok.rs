//! 6.3: POK, a splitter and a combiner side by side, with the face of a core.
//!
//! Branch i is port i, trunk channel t is port m + t.

mod combiner;
mod splitter;

use mkns_design::BlockModule;

use crate::Flit;
use crate::core::{Core, CoreInputs, Events};
use crate::core_counters::CoreCounters;
use combiner::Combiner;
use splitter::Splitter;

/// Splitter and combiner of a POK or terminal block.
pub struct Pok {
    module: BlockModule,
    /// m
    branches: usize,
    splitter: Splitter,
    combiner: Combiner,
    counters: CoreCounters,
}

impl Pok {
    /// # Panics
    /// When the module is not of a POK or terminal block.
    pub fn new(module: &BlockModule) -> Self {
        let shape = module.pok.expect("a block of a distributed switch");
        let block = &module.parameters;
        let channels = block.virtual_channels as usize;
        let ports = (shape.branches + shape.trunks()) as usize;
        Self {
            module: module.clone(),
            branches: shape.branches as usize,
            splitter: Splitter::new(&shape, channels, block.rx_buffer_flits),
            combiner: Combiner::new(&shape, channels, block.rx_buffer_flits),
            counters: CoreCounters::new(ports, block),
        }
    }

    /// The cycle can change nothing, so it need not be worked out.
    fn is_at_rest(&self, inputs: &CoreInputs) -> bool {
        inputs.rx.iter().all(Option::is_none)
            && inputs.tx_credit.iter().all(|&credit| credit == 0)
            && self.splitter.is_at_rest()
            && self.combiner.is_at_rest()
    }
}

impl Core for Pok {
    /// Units have no `link_up`.
    fn reset(&mut self, _link_up: u32) {
        *self = Self::new(&self.module);
    }

    fn tx(&self, port: usize) -> Option<&Flit> {
        if port < self.branches {
            self.splitter.tx(port)
        } else {
            self.combiner.tx(port - self.branches)
        }
    }

    fn rx_credit(&self, port: usize) -> u32 {
        if port < self.branches {
            self.combiner.rx_credit(port)
        } else {
            self.splitter.rx_credit(port - self.branches)
        }
    }

    fn counter(&self, port: usize, c: usize) -> u32 {
        self.counters.count(port, c)
    }

    fn clock(&mut self, inputs: &mut CoreInputs) -> Events {
        let mut events = Events::default();
        if self.is_at_rest(inputs) {
            return events;
        }
        for (port, flit) in inputs.rx.iter().enumerate() {
            if let Some(flit) = flit {
                self.counters.received(port, flit);
            }
        }
        let (branch_rx, trunk_rx) = inputs.rx.split_at_mut(self.branches);
        let (branch_credit, trunk_credit) = inputs.tx_credit.split_at(self.branches);
        self.splitter
            .clock(trunk_rx, branch_credit, &mut self.counters, &mut events);
        self.combiner
            .clock(branch_rx, trunk_credit, &mut self.counters);
        events
    }

    fn describe(&self) -> String {
        let mut text = String::new();
        self.splitter.describe(&mut text);
        self.combiner.describe(&mut text);
        text
    }
}
