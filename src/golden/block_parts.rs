//! Sections 2, 3, 6.3 and 6.4: the parts of a block that move flits.
//!
//! Ports 0…d−1 of the core are the network ports, d + q is joined to PCIe port q.

use mkns_design::{BlockModule, ComputedRoutes, LayerChoice, PathRegister};
use mkns_routing::BlockTables;

use crate::core::Core;
use crate::{
    CoreInputs, Counter, HostInputs, HostPort, PathEvents, PathInputs, PathOutputs, Paths,
};

/// Core and PCIe ports of a block.
pub struct BlockParts {
    /// d
    network_ports: usize,
    /// V
    channels: usize,
    core: Core,
    hosts: Vec<HostPort>,
    /// 3.4
    paths: Option<Paths>,
    /// Pins of the core; not state: written anew in every cycle.
    core_inputs: CoreInputs,
}

impl BlockParts {
    /// Parts that have powered up with these tables, or with empty ones, after a cycle with `rst` and all
    /// links up.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Self {
        let ports = module.core_ports() as usize;
        let hosts = 0..module.pcie_ports as usize;
        Self {
            network_ports: module.network_ports as usize,
            channels: module.parameters.virtual_channels as usize,
            core: Core::new(module, tables),
            hosts: hosts.map(|q| HostPort::new(module, q)).collect(),
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

    /// With routes from `routes`, if there are any; then writes to tables are answered and change nothing.
    pub fn with_routes(mut self, routes: Option<ComputedRoutes>) -> Self {
        if let Some(routes) = routes {
            self.core.compute_routes(routes);
        }
        self
    }

    /// Links of all core ports: those to hosts are always up.
    fn core_links(&self, link_up: u32) -> u32 {
        let hosts = self.network_ports..self.network_ports + self.hosts.len();
        hosts.fold(link_up, |up, p| up | 1 << p)
    }

    fn gather_core_inputs(&mut self, inputs: &PathInputs) {
        self.core_inputs.link_up = self.core_links(inputs.link_up);
        let (core, d) = (&mut self.core_inputs, self.network_ports);
        for (port, flit) in &inputs.rx {
            core.rx[*port] = Some(flit.clone());
        }
        for port in 0..d {
            let credits = inputs.tx_credit >> (port * self.channels);
            core.tx_credit[port] = credits as u32 & ((1 << self.channels) - 1);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            core.rx[d + q] = host.to_core().cloned();
            core.tx_credit[d + q] = host.credit();
        }
    }

    /// All PCIe ports: bits of ERRORS.
    fn clock_hosts(&mut self, inputs: &PathInputs) -> u32 {
        let mut errors = 0;
        let mut beats = inputs.beats.iter().peekable();
        for (q, host) in self.hosts.iter_mut().enumerate() {
            let port = self.network_ports + q;
            errors |= host.clock(&HostInputs {
                beat: beats.next_if(|(at, _)| *at == q).map(|(_, beat)| beat),
                ready: inputs.ready >> q & 1 == 1,
                from_core: self.core.tx(port),
                rx_credit: self.core.rx_credit(port),
                node_address: inputs.node_address,
                paths: self.paths.as_ref(),
            });
        }
        errors
    }

    /// Sets the outputs of this cycle, which are all registers, where all pins were 0.
    pub fn show(&self, outputs: &mut PathOutputs) {
        for port in 0..self.network_ports {
            outputs
                .tx
                .extend(self.core.tx(port).map(|flit| (port, flit.clone())));
            let credits = u128::from(self.core.rx_credit(port));
            outputs.rx_credit |= credits << (port * self.channels);
        }
        for (q, host) in self.hosts.iter().enumerate() {
            outputs
                .beats
                .extend(host.beat().map(|beat| (q, beat.clone())));
            outputs.ready |= u32::from(host.tready()) << q;
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &PathInputs) -> PathEvents {
        self.gather_core_inputs(inputs);
        // Hosts see the core's registers, so they come before its edge.
        let host_errors = self.clock_hosts(inputs);
        let mut events = self.core.clock(&mut self.core_inputs);
        events.errors |= host_errors;
        events
    }

    /// A cycle with `rst`; `link_up` as on the pins.
    pub fn reset(&mut self, link_up: u32) {
        self.core.reset(self.core_links(link_up));
        for host in &mut self.hosts {
            host.reset();
        }
        if let Some(paths) = &mut self.paths {
            paths.reset();
        }
    }

    /// A counter at the start of the cycle.
    pub fn counter(&self, counter: Counter) -> u32 {
        match counter {
            Counter::Core { port, c } => self.core.counter(port, c),
            Counter::Pcie { port, c } => self.hosts[port].counter(c),
        }
    }

    /// A register at the start of the cycle; none when it is not there or cannot be read.
    pub fn register(&self, register: PathRegister) -> Option<u32> {
        match register {
            PathRegister::Step { row } => self.core.step_row(row),
            PathRegister::Table { .. } => None,
            PathRegister::Mask { a } => self.paths.as_ref()?.mask(a),
            PathRegister::Entry { l } => self.paths.as_ref()?.entry(l),
        }
    }

    /// Writes a register, which exists, at the end of the cycle.
    pub fn write(&mut self, register: PathRegister, value: u32) {
        match (register, &mut self.paths) {
            (PathRegister::Mask { a }, Some(paths)) => paths.write_mask(a, value),
            (PathRegister::Entry { l }, Some(paths)) => paths.write_entry(l, value),
            _ => self.core.write(register, value),
        }
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
