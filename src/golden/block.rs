//! Sections 2, 3, 6.3 and 6.4: a whole block, behind the packed words of its pins: a data path and its control port.

use mkns_design::{BlockModule, Device, PathRegister, Pins};

use crate::block_pins;
use crate::control_port::{ControlPins, ControlPort, ReadAnswer, Sample};
use crate::counters::CounterMap;
use crate::registers::{Registers, Write};
use crate::{BlockParts, PathEvents, PathInputs, PathOutputs};

/// A block.
pub struct Block {
    pins: Pins,
    /// `CONTROL_PORT`
    has_control_port: bool,
    path: BlockParts,
    control: ControlPort,
    counters: CounterMap,
    registers: Registers,
    /// Pins of the data path; not state: written anew in every cycle.
    inputs: PathInputs,
    outputs: PathOutputs,
}

impl Block {
    /// A block around a data path in its reset state.
    pub fn new(module: &BlockModule, node_address: u32, path: BlockParts) -> Self {
        let counters = CounterMap::new(module);
        Self {
            has_control_port: module.parameters.control_port,
            path,
            control: ControlPort::new(counters, module.parameters.counters),
            counters,
            registers: Registers::new(module, node_address),
            inputs: PathInputs::default(),
            outputs: PathOutputs::default(),
            pins: Pins::new(module),
        }
    }

    /// A cycle: the outputs, then the edge.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.show(outputs);
        if inputs[self.pins.rst] & 1 == 1 {
            self.reset(inputs);
        } else {
            self.clock(inputs);
        }
    }

    /// The outputs, which are all registers.
    fn show(&mut self, outputs: &mut [u64]) {
        self.outputs.clear();
        self.path.show(&mut self.outputs);
        block_pins::set_path(&self.pins, outputs, &self.outputs);
        if self.has_control_port {
            block_pins::set_control(&self.pins, outputs, &self.control);
        }
    }

    fn reset(&mut self, inputs: &[u64]) {
        self.path.reset(block_pins::link_up(&self.pins, inputs));
        self.control.reset();
        self.registers.reset();
    }

    /// The edge: what the control port reads is of the start of the cycle, what it writes of its end.
    fn clock(&mut self, inputs: &[u64]) {
        let control = block_pins::control(&self.pins, inputs);
        let register = self.registers.of_path(control.araddr);
        let sampled = self.sample(&control, register, inputs);
        let write = self.write(&control);
        block_pins::path(&self.pins, inputs, &mut self.inputs);
        self.inputs.node_address = self.registers.node_address;
        let events = self.path.clock(&self.inputs);
        if self.has_control_port {
            let is_mask = matches!(register, Some(PathRegister::Mask { .. }));
            self.control
                .clock(&control, is_mask, sampled, write.is_some());
            self.finish(write, &events);
        }
    }

    /// The end of the cycle: registers and what is written.
    fn finish(&mut self, write: Option<Write>, events: &PathEvents) {
        self.registers.clock(write, events);
        if let Some(Write::Path(register, value)) = write {
            self.path.write(register, value);
        }
    }

    /// What the control port samples in this cycle; `register`: what of the data path is at araddr.
    fn sample(
        &self,
        control: &ControlPins,
        register: Option<PathRegister>,
        inputs: &[u64],
    ) -> Option<ReadAnswer> {
        let is_mask = matches!(register, Some(PathRegister::Mask { .. }));
        let value = match (self.control.sample(control, is_mask)?, register) {
            (Sample::Counter(counter), _) => Some(self.path.counter(counter)),
            (_, Some(register)) => self.path.register(register),
            (_, None) => self.read_register(control.araddr, inputs),
        };
        Some(ReadAnswer::new(value))
    }

    fn read_register(&self, address: u32, inputs: &[u64]) -> Option<u32> {
        // A counter is sampled as a register only where `COUNTERS` = 0.
        let left_out = self.counters.at(address).map(|_| 0);
        let link_up = block_pins::link_up(&self.pins, inputs);
        left_out.or_else(|| self.registers.read(address, link_up))
    }

    /// The write that is carried out at the end of this cycle.
    fn write(&self, control: &ControlPins) -> Option<Write> {
        let (address, data) = self.control.write(control)?;
        self.registers.write_at(address, data)
    }

    /// What differs from reset, in words.
    pub fn describe(&self) -> String {
        self.path.describe()
    }
}

impl Device for Block {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.step(inputs, outputs);
    }

    fn describe(&self, _instance: usize) -> String {
        Block::describe(self)
    }
}
