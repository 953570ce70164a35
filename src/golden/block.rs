//! Sections 2, 3, 6.3 and 6.4: a whole block, behind the packed words of its pins.
//!
//! Ports 0…d−1 of the core are the network ports, d + q is joined to PCIe port q.

use mkns_design::{BlockModule, ComputedRoutes, Device, LayerChoice, PathRegister, Pins};
use mkns_routing::BlockTables;

use crate::control_port::{ControlPins, ControlPort, ReadAnswer, Sample};
use crate::counters::{Counter, CounterMap};
use crate::pok::Pok;
use crate::registers::{Registers, Write};
use crate::switch_core::SwitchCore;
use crate::{Core, CoreInputs, Events, HostInputs, HostPort, LayerMasks, link_pins};

pub struct Block {
    pins: Pins,
    /// Network ports that are built, bit p (1.3).
    built: u32,
    core: Box<dyn Core>,
    hosts: Vec<HostPort>,
    /// 3.4
    masks: Option<LayerMasks>,
    /// `CONTROL_PORT`
    has_control_port: bool,
    control: ControlPort,
    counters: CounterMap,
    registers: Registers,
    /// Pins of the core; not state: written anew in every cycle.
    core_inputs: CoreInputs,
}

impl Block {
    /// A block that has powered up with these tables, or with empty ones, after a cycle with `rst` and all
    /// links up.
    pub fn new(module: &BlockModule, node_address: u32, tables: Option<&BlockTables>) -> Self {
        let ports = module.core_ports() as usize;
        let hosts = 0..module.pcie_ports as usize;
        let counters = CounterMap::new(module);
        Self {
            pins: Pins::new(module),
            built: module.built_ports(),
            core: match module.kind.is_pok() {
                true => Box::new(Pok::new(module)),
                false => Box::new(SwitchCore::new(module, tables)),
            },
            hosts: hosts.map(|q| HostPort::new(module, q)).collect(),
            masks: LayerMasks::new(module, None),
            has_control_port: module.parameters.control_port,
            control: ControlPort::new(counters, module.parameters.counters),
            counters,
            registers: Registers::new(module, node_address),
            core_inputs: CoreInputs {
                rx: vec![None; ports],
                tx_credit: vec![0; ports],
                link_up: 0,
            },
        }
    }

    /// Gives a block that chooses layers these masks and entry channels at power-up.
    pub fn with_masks(self, module: &BlockModule, contents: Option<&LayerChoice>) -> Self {
        let masks = LayerMasks::new(module, contents);
        Self { masks, ..self }
    }

    /// With routes from `routes`, if there are any, whatever the tables hold.
    pub fn with_routes(mut self, routes: Option<ComputedRoutes>) -> Self {
        if let Some(routes) = routes {
            self.core.compute_routes(routes);
        }
        self
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
        let pins = &self.pins;
        outputs.fill(0);
        for port in 0..pins.ports {
            if let Some(flit) = self.core.tx(port) {
                link_pins::set_flit(pins, &pins.tx, outputs, port, Some(flit));
            }
            let credit = self.core.rx_credit(port);
            link_pins::set_credit(pins, pins.rx_credit, outputs, port, credit);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            pins.set_ready(&pins.ingress, outputs, q, host.tready());
            pins.set_beat(&pins.egress, outputs, q, host.beat());
        }
        if self.has_control_port {
            self.control.show(pins, outputs);
        }
    }

    fn reset(&mut self, inputs: &[u64]) {
        self.core.reset(self.core_links(inputs));
        self.hosts.iter_mut().for_each(HostPort::reset);
        if let Some(masks) = &mut self.masks {
            masks.reset();
        }
        self.control.reset();
        self.registers.reset();
    }

    /// The edge: what the control port reads is of the start of the cycle, what it writes of its end.
    fn clock(&mut self, inputs: &[u64]) {
        let control = ControlPins::on(&self.pins, inputs);
        let register = self.registers.of_path(control.araddr);
        let sampled = self.sample(&control, register, inputs);
        let write = self.write(&control);
        self.gather_core_inputs(inputs);
        // Hosts see the core's registers, so they come before its edge.
        let held = self.core.held(&self.core_inputs);
        let host_errors = self.clock_hosts(inputs, held);
        let mut events = self.core.clock(&mut self.core_inputs);
        events.errors |= host_errors;
        if self.has_control_port {
            let is_mask = matches!(register, Some(PathRegister::Mask { .. }));
            self.control
                .clock(&control, is_mask, sampled, write.is_some());
            self.finish(write, &events);
        }
    }

    /// Links of all core ports: those to hosts are always up.
    fn core_links(&self, inputs: &[u64]) -> u32 {
        let hosts = self.pins.ports..self.pins.ports + self.hosts.len();
        hosts.fold(self.link_up(inputs), |up, p| up | 1 << p)
    }

    /// Links of network ports; those of ports that are not built are always down.
    fn link_up(&self, inputs: &[u64]) -> u32 {
        inputs[self.pins.link_up] as u32 & self.built
    }

    fn gather_core_inputs(&mut self, inputs: &[u64]) {
        self.core_inputs.link_up = self.core_links(inputs);
        let (core, pins, built) = (&mut self.core_inputs, &self.pins, self.built);
        for port in (0..pins.ports).filter(|port| built >> port & 1 == 1) {
            core.rx[port] = link_pins::flit(pins, &pins.rx, inputs, port);
            core.tx_credit[port] = link_pins::credit(pins, pins.tx_credit, inputs, port);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            core.rx[pins.ports + q] = host.to_core().cloned();
            core.tx_credit[pins.ports + q] = host.credit();
        }
    }

    /// All PCIe ports: bits of ERRORS. `held`: inputs of the core whose header waits, bit i.
    fn clock_hosts(&mut self, inputs: &[u64], held: u32) -> u32 {
        let (pins, core) = (&self.pins, &self.core);
        let clock = |(q, host): (usize, &mut HostPort)| {
            host.clock(&HostInputs {
                beat: pins.beat(&pins.ingress, inputs, q).as_ref(),
                ready: inputs[pins.egress.ready] >> q & 1 == 1,
                from_core: core.tx(pins.ports + q),
                rx_credit: core.rx_credit(pins.ports + q),
                held: held >> (pins.ports + q) & 1 == 1,
                node_address: self.registers.node_address,
                masks: self.masks.as_ref(),
            })
        };
        let errors = self.hosts.iter_mut().enumerate().map(clock);
        errors.fold(0, |all, errors| all | errors)
    }

    /// The end of the cycle: registers and what is written.
    fn finish(&mut self, write: Option<Write>, events: &Events) {
        self.registers.clock(write, events);
        let Some(Write::Path(register, value)) = write else {
            return;
        };
        match (register, &mut self.masks) {
            (PathRegister::Mask { a }, Some(masks)) => masks.write_mask(a, value),
            (PathRegister::Entry { l }, Some(masks)) => masks.write_entry(l, value),
            _ => self.core.write(register, value),
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
            (Sample::Counter(Counter::Core { port, c }), _) => Some(self.core.counter(port, c)),
            (Sample::Counter(Counter::Pcie { port, c }), _) => Some(self.hosts[port].counter(c)),
            (_, Some(register)) => self.read_path(register),
            (_, None) => self.read_register(control.araddr, inputs),
        };
        Some(ReadAnswer::new(value))
    }

    /// A register of the data path; none when it is not there or cannot be read.
    fn read_path(&self, register: PathRegister) -> Option<u32> {
        match register {
            PathRegister::Mask { a } => self.masks.as_ref()?.mask(a),
            PathRegister::Entry { l } => self.masks.as_ref()?.entry(l),
            _ => self.core.read(register),
        }
    }

    fn read_register(&self, address: u32, inputs: &[u64]) -> Option<u32> {
        // A counter is sampled as a register only where `COUNTERS` = 0.
        let left_out = self.counters.at(address).map(|_| 0);
        let link_up = self.link_up(inputs);
        left_out.or_else(|| self.registers.read(address, link_up))
    }

    /// The write that is carried out at the end of this cycle.
    fn write(&self, control: &ControlPins) -> Option<Write> {
        let (address, data) = self.control.write(control)?;
        self.registers.write_at(address, data)
    }

    /// What differs from reset, in words.
    pub fn describe(&self) -> String {
        let hosts = self.hosts.iter().enumerate();
        let hosts = hosts.map(|(q, host)| (format!("PCIe port {q}: "), host.describe()));
        let all = std::iter::once((String::new(), self.core.describe())).chain(hosts);
        let lines = all.filter(|(_, state)| !state.is_empty());
        let lines = lines.map(|(port, state)| port + &state);
        lines.collect::<Vec<_>>().join("\n")
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
