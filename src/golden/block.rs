//! Sections 2, 3, 6.3 and 6.4: a whole block, behind the packed words of its pins.
//!
//! Ports 0…d−1 of the core are the network ports, d + q is joined to PCIe port q.

use mkns_design::{BlockModule, ComputedRoutes, LayerChoice, Pins};
use mkns_routing::BlockTables;

use crate::block_pins as pins;
use crate::control_port::{ControlPins, ControlPort, ReadAnswer, Sample};
use crate::core::Core;
use crate::counters::{Counter, CounterMap};
use crate::link_pins;
use crate::registers::{Registers, Write};
use crate::{CoreEvents, CoreInputs, HostInputs, HostPort, Paths};

/// A block.
pub struct Block {
    pins: Pins,
    /// `CONTROL_PORT`
    has_control_port: bool,
    core: Core,
    hosts: Vec<HostPort>,
    control: ControlPort,
    counters: CounterMap,
    registers: Registers,
    /// 3.4
    paths: Option<Paths>,
    /// Pins of the core; not state: written anew in every cycle.
    core_inputs: CoreInputs,
}

impl Block {
    /// A block that has powered up with these tables, or with empty ones, after a cycle with `rst` and
    /// all links up.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>, node_address: u32) -> Self {
        let ports = module.core_ports() as usize;
        let hosts = 0..module.pcie_ports as usize;
        let counters = CounterMap::new(module);
        Self {
            pins: Pins::new(module),
            has_control_port: module.parameters.control_port,
            core: Core::new(module, tables),
            hosts: hosts.map(|q| HostPort::new(module, q)).collect(),
            control: ControlPort::new(counters, module.parameters.counters),
            counters,
            registers: Registers::new(module, node_address),
            paths: Paths::new(module, None),
            core_inputs: CoreInputs {
                rx: vec![None; ports],
                tx_credit: vec![0; ports],
                link_up: 0,
            },
        }
    }

    /// Gives a block that chooses layers these masks and entry channels at power-up.
    pub fn with_paths(self, module: &BlockModule, contents: Option<&LayerChoice>) -> Self {
        let paths = Paths::new(module, contents);
        Self { paths, ..self }
    }

    /// From now on routes come from `routes`; writes to tables are answered and change nothing.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.core.compute_routes(routes);
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
    fn show(&self, outputs: &mut [u64]) {
        outputs.fill(0);
        for port in 0..self.pins.ports {
            let flit = self.core.tx(port);
            if flit.is_some() {
                link_pins::set_flit(&self.pins, &self.pins.tx, outputs, port, &flit);
            }
            let credit = self.core.rx_credit(port);
            link_pins::set_credit(&self.pins, self.pins.rx_credit, outputs, port, credit);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            pins::set_host(&self.pins, outputs, q, host);
        }
        if self.has_control_port {
            pins::set_control(&self.pins, outputs, &self.control);
        }
    }

    fn reset(&mut self, inputs: &[u64]) {
        self.core.reset(self.core_links(inputs));
        for host in &mut self.hosts {
            host.reset();
        }
        if let Some(paths) = &mut self.paths {
            paths.reset();
        }
        self.control.reset();
        self.registers.reset();
    }

    /// The edge: what the control port reads is of the start of the cycle, what it writes of its end.
    fn clock(&mut self, inputs: &[u64]) {
        let control = pins::control(&self.pins, inputs);
        let sampled = self.sample(&control, pins::link_up(&self.pins, inputs));
        let write = self.write(&control);
        self.gather_core_inputs(inputs);
        // Hosts see the core's registers, so they come before its edge.
        let host_errors = self.clock_hosts(inputs);
        let mut events = self.core.clock(&self.core_inputs);
        events.errors |= host_errors;
        if self.has_control_port {
            self.clock_control(&control, sampled, write, &events);
        }
    }

    /// Links of all core ports: those to hosts are always up.
    fn core_links(&self, inputs: &[u64]) -> u32 {
        let hosts = self.pins.ports..self.pins.ports + self.hosts.len();
        hosts.fold(pins::link_up(&self.pins, inputs), |up, p| up | 1 << p)
    }

    fn gather_core_inputs(&mut self, inputs: &[u64]) {
        self.core_inputs.link_up = self.core_links(inputs);
        let (core, pins) = (&mut self.core_inputs, &self.pins);
        for port in 0..pins.ports {
            core.rx[port] = link_pins::flit(pins, &pins.rx, inputs, port);
            core.tx_credit[port] = link_pins::credit(pins, pins.tx_credit, inputs, port);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            core.rx[self.pins.ports + q] = host.to_core();
            core.tx_credit[self.pins.ports + q] = host.credit();
        }
    }

    /// All PCIe ports: bits of ERRORS.
    fn clock_hosts(&mut self, inputs: &[u64]) -> u32 {
        let mut errors = 0;
        for (q, host) in self.hosts.iter_mut().enumerate() {
            let port = self.pins.ports + q;
            errors |= host.clock(&HostInputs {
                beat: pins::beat(&self.pins, inputs, q),
                ready: pins::host_ready(&self.pins, inputs, q),
                from_core: self.core.tx(port),
                rx_credit: self.core.rx_credit(port),
                node_address: self.registers.node_address,
                paths: self.paths.as_ref(),
            });
        }
        errors
    }

    fn clock_control(
        &mut self,
        control: &ControlPins,
        sampled: Option<ReadAnswer>,
        write: Option<Write>,
        events: &CoreEvents,
    ) {
        let is_mask = self.registers.mask_index(control.araddr).is_some();
        self.control
            .clock(control, is_mask, sampled, write.is_some());
        self.registers.clock(write, events);
        match (write, &mut self.paths) {
            (Some(Write::Mask { a, mask }), Some(paths)) => paths.write_mask(a, mask),
            (Some(Write::Entry { l, channel }), Some(paths)) => paths.write_entry(l, channel),
            (Some(write), _) => self.core.write(write),
            (None, _) => {}
        }
    }

    /// What the control port samples in this cycle.
    fn sample(&self, control: &ControlPins, link_up: u32) -> Option<ReadAnswer> {
        let mask = self.registers.mask_index(control.araddr);
        let value = match self.control.sample(control, mask.is_some())? {
            Sample::Mask => mask.and_then(|a| self.paths.as_ref()?.mask(a)),
            Sample::Counter(counter) => Some(self.counter(counter)),
            Sample::Register(address) => self.read_register(address, link_up),
        };
        Some(ReadAnswer::new(value))
    }

    fn read_register(&self, address: u32, link_up: u32) -> Option<u32> {
        if let Some(row) = self.registers.step_row(address) {
            return self.core.step_row(row);
        }
        if let Some(l) = self.registers.layer_entry(address) {
            return self.paths.as_ref()?.entry(l);
        }
        // A counter is sampled as a register only where `COUNTERS` = 0.
        let left_out = self.counters.at(address).map(|_| 0);
        left_out.or_else(|| self.registers.read(address, link_up))
    }

    fn counter(&self, counter: Counter) -> u32 {
        match counter {
            Counter::Core { port, c } => self.core.counter(port, c),
            Counter::Pcie { port, c } => self.hosts[port].counter(c),
        }
    }

    /// The write that is carried out at the end of this cycle.
    fn write(&self, control: &ControlPins) -> Option<Write> {
        let (address, data) = self.control.write(control)?;
        self.registers.write_at(address, data)
    }

    /// What differs from reset, in words.
    pub fn describe(&self) -> String {
        let mut text = self.core.describe();
        for (q, host) in self.hosts.iter().enumerate() {
            let state = host.describe();
            if !state.is_empty() {
                text += &format!("\nPCIe port {q}: {state}");
            }
        }
        text
    }
}
