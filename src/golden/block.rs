//! Sections 2, 3, 6.3 and 6.4: a whole block, behind the packed words of its pins.

use mkns_design::{BlockModule, Pins};
use mkns_routing::BlockTables;

use super::block_pins as pins;
use super::control_port::{ControlPins, ControlPort, ReadAnswer, Sample};
use super::core_pins::{Bits, CoreInputs};
use super::counters::{Counter, CounterMap};
use super::registers::{Registers, Write};
use super::switch_core::{ComputedRoutes, RouteTables, SwitchCore};

/// A block.
#[derive(Debug, Clone)]
pub struct Block {
    module: BlockModule,
    pins: Pins,
    core: SwitchCore,
    control: ControlPort,
    counters: CounterMap,
    registers: Registers,
    /// Pins of the core; not state: written anew in every cycle.
    core_inputs: CoreInputs,
}

impl Block {
    /// A block that has powered up with these tables, or with empty ones, in reset.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>, node_address: u32) -> Self {
        let ports = module.core_ports() as usize;
        let counters = CounterMap::new(module);
        let contents = RouteTables::new(module, tables);
        Self {
            core: SwitchCore::new(module, contents, step_parameter(module, tables)),
            control: ControlPort::new(counters, module.parameters.counters),
            counters,
            registers: Registers::new(module, node_address),
            core_inputs: CoreInputs {
                rx: vec![None; ports],
                tx_credit: vec![0; ports],
                link_up: 0,
            },
            pins: Pins::new(module),
            module: module.clone(),
        }
    }

    /// From now on routes come from `routes`; writes to tables are answered and change nothing.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.core.tables_mut().compute(routes);
    }

    /// A cycle: the outputs, then the edge.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.show(outputs);
        let link_up = pins::link_up(&self.pins, inputs);
        if inputs[self.pins.rst] & 1 == 1 {
            self.reset(link_up);
        } else {
            self.clock(inputs, link_up);
        }
    }

    /// The outputs, which are all registers.
    fn show(&self, outputs: &mut [u64]) {
        outputs.fill(0);
        for port in 0..self.pins.ports {
            if let Some(flit) = self.core.tx(port) {
                pins::set_tx(&self.pins, outputs, port, &flit);
            }
            let credits = self.core.rx_credit(port);
            pins::set_rx_credit(&self.pins, outputs, port, credits);
        }
        pins::set_control(&self.pins, outputs, &self.control);
    }

    fn reset(&mut self, link_up: Bits) {
        self.core.reset(link_up);
        self.control.reset();
        self.registers.reset();
    }

    fn clock(&mut self, inputs: &[u64], link_up: Bits) {
        let control = pins::control(&self.pins, inputs);
        let sampled = self.sample(&control, link_up);
        let write = self.write(&control);

        for port in 0..self.pins.ports {
            self.core_inputs.rx[port] = pins::rx(&self.pins, inputs, port);
            self.core_inputs.tx_credit[port] = pins::tx_credit(&self.pins, inputs, port);
        }
        self.core_inputs.link_up = link_up;
        let events = self.core.clock(&self.core_inputs);

        if self.module.parameters.control_port {
            self.control.clock(&control, sampled, write.is_some());
            self.registers.clock(write, &events);
            self.write_core(write);
        }
    }

    /// What the control port samples in this cycle.
    fn sample(&self, control: &ControlPins, link_up: Bits) -> Option<ReadAnswer> {
        let value = match self.control.sample(control)? {
            Sample::Counter(counter) => Some(self.counter(counter)),
            Sample::Register(address) => self.read_register(address, link_up),
        };
        Some(ReadAnswer::new(value))
    }

    fn read_register(&self, address: u32, link_up: Bits) -> Option<u32> {
        if let Some(row) = self.registers.step_row(address) {
            return Some(self.core.step_row(row));
        }
        // Counters are read here only where the block has none.
        let no_counter = self.counters.at(address).map(|_| 0);
        no_counter.or_else(|| self.registers.read(address, link_up))
    }

    fn counter(&self, counter: Counter) -> u32 {
        match counter {
            Counter::Core { port, c } => self.core.counter(port, c),
            Counter::Pcie { .. } => 0,
        }
    }

    /// The write that is carried out at the end of this cycle.
    fn write(&self, control: &ControlPins) -> Option<Write> {
        let (address, data) = self.control.write(control)?;
        self.registers.write_at(address, data)
    }

    /// The part of a write that concerns the core.
    fn write_core(&mut self, write: Option<Write>) {
        match write {
            Some(Write::Step { row, outputs }) => self.core.set_step_row(row, outputs),
            Some(Write::Table {
                table,
                index,
                entry,
            }) => self.core.tables_mut().write(table, index, entry),
            _ => {}
        }
    }

    /// The state in words, for reports.
    pub fn describe(&self) -> String {
        self.core.describe()
    }
}

/// `STEP`: row i, bit o.
fn step_parameter(module: &BlockModule, tables: Option<&BlockTables>) -> Vec<Bits> {
    let mut rows = vec![0; module.core_ports() as usize];
    for (row, outputs) in rows
        .iter_mut()
        .zip(tables.iter().flat_map(|tables| &tables.step))
    {
        for (o, &up) in outputs.iter().enumerate() {
            *row |= Bits::from(up) << o;
        }
    }
    rows
}
