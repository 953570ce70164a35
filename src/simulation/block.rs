//! A whole block: its core, PCIe-side ports of an adapter or terminal block, control port (sections
//! 2, 3 and 6), behind packed words.

use std::sync::Arc;

use super::control_port::{Asked, ControlPort};
use super::core::Core;
use super::counter_turn::CounterTurn;
use super::fabric::ports_below;
use super::flit::FlitTag;
use super::host_port::{HostPort, HostPortShape};
use super::layer_choice::Layers;
use super::registers::Registers;
use super::switch_core::{CoreEvents, CreditVector, bits};
use mkns_design::ComputedRoutes;
use mkns_design::{BlockModule, LayerChoice, Pins};
use mkns_routing::BlockTables;

/// One block of the network. Inputs and outputs are packed words in the order of
/// [`BlockModule::port_table`]. Starts in its reset state.
#[derive(Debug, Clone)]
pub struct BlockModel {
    /// Clones share these, as they share the shapes of their parts: fewer cache lines.
    pins: Arc<Pins>,
    network_ports: usize,
    /// VB: bits of a channel number on the pins.
    channel_bits: usize,
    has_control_port: bool,
    /// V
    channels: usize,
    /// 64-bit words of a flit.
    flit_words: usize,
    core: Core,
    hosts: Vec<HostPort>,
    registers: Registers,
    control: ControlPort,
    counter_turn: CounterTurn,
}

impl BlockModel {
    /// `tables`: power-up contents (none: all entries 0). `node_address`: its reset value on
    /// adapter blocks.
    pub fn new(
        module: &BlockModule,
        tables: Option<&BlockTables>,
        node_address: u32,
    ) -> BlockModel {
        let host_shape = Arc::new(HostPortShape::new(module));
        let host = |port| HostPort::new(module, Arc::clone(&host_shape), port);
        let model = BlockModel {
            pins: Arc::new(Pins::new(module)),
            network_ports: module.network_ports as usize,
            channel_bits: module.virtual_channel_bits() as usize,
            has_control_port: module.parameters.control_port,
            channels: module.parameters.virtual_channels as usize,
            flit_words: module.parameters.flit_bits as usize / 64,
            core: Core::new(module, tables),
            hosts: (0..module.pcie_ports).map(host).collect(),
            registers: Registers::new(module, node_address),
            control: ControlPort::default(),
            counter_turn: CounterTurn::new(module),
        };
        model.with_layers(module, None)
    }

    /// Gives a block that chooses layers these masks and entry channels at power-up.
    pub fn with_layers(mut self, module: &BlockModule, contents: Option<&LayerChoice>) -> Self {
        if let Some(layers) = Layers::new(module, contents) {
            for host in &mut self.hosts {
                host.choose_layers(Arc::clone(&layers));
            }
        }
        self
    }

    /// Routes come from `routes` from now on; table contents are ignored, table writes are
    /// still acknowledged.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.core.compute_routes(routes);
    }

    /// One cycle: writes the outputs of this cycle (sampled before the clock edge), then applies
    /// the edge with these inputs.
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.write_outputs(outputs);
        if inputs[self.pins.rst] & 1 == 1 {
            self.reset(self.core_link_up(inputs));
            return;
        }
        if self.stays_at_rest(inputs) {
            self.core.rest();
        } else {
            self.clock(inputs);
        }
        self.counter_turn.step();
    }

    /// The state in words: occupancies, locks, credits; only what differs from reset.
    pub fn describe(&self) -> String {
        let mut text = self.core.describe();
        for host in &self.hosts {
            host.describe(&mut text);
        }
        text
    }

    fn reset(&mut self, link_up: u32) {
        self.core.reset(link_up);
        self.hosts.iter_mut().for_each(HostPort::reset);
        self.registers.reset();
        self.control = ControlPort::default();
        self.counter_turn.reset();
    }

    /// Whether this cycle changes nothing but the watch and the counters' turn: no input calls for
    /// anything, nothing is under way.
    fn stays_at_rest(&self, inputs: &[u64]) -> bool {
        let pins = &self.pins;
        inputs[pins.rx.valid] == 0
            && self.credit_pins(inputs) == 0
            && self.core.is_at_rest()
            && self.core_link_up(inputs) == self.core.last_link_up()
            && self.registers.is_at_rest()
            && (!self.has_control_port || self.control.is_at_rest(pins, inputs))
            && (self.hosts.is_empty() || inputs[pins.ingress.valid] == 0)
            && self.hosts.iter().all(HostPort::is_at_rest)
    }

    /// `link_up` of all core ports: the PCIe side counts as links that are always up.
    fn core_link_up(&self, inputs: &[u64]) -> u32 {
        let network = ports_below(self.network_ports as u32);
        let hosts = ports_below((self.network_ports + self.hosts.len()) as u32) & !network;
        inputs[self.pins.link_up] as u32 & network | hosts
    }

    fn write_outputs(&self, outputs: &mut [u64]) {
        let pins = &self.pins;
        outputs[..pins.output_words].fill(0);
        let credit_bits = self.network_ports * self.channels;
        let shown = CreditVector::MAX >> (CreditVector::BITS as usize - credit_bits);
        let credits = self.core.rx_credit() & shown;
        outputs[pins.rx_credit] = credits as u64;
        if credit_bits > 64 {
            outputs[pins.rx_credit + 1] = (credits >> 64) as u64;
        }
        if self.core.tx_valid() != 0 {
            self.write_tx_pins(outputs);
        }
        for host in &self.hosts {
            host.write_outputs(pins, outputs);
        }
        if self.has_control_port {
            self.control.write_outputs(pins, outputs);
        }
    }

    fn write_tx_pins(&self, outputs: &mut [u64]) {
        let pins = &self.pins;
        let flit_words = self.flit_words;
        for (port, flit) in self.core.transmitted() {
            if port >= self.network_ports {
                break;
            }
            outputs[pins.tx.valid] |= 1 << port;
            outputs[pins.tx.channel] |= u64::from(flit.tag.channel) << (port * self.channel_bits);
            outputs[pins.tx.last] |= u64::from(flit.tag.last) << port;
            outputs[pins.tx.bad] |= u64::from(flit.tag.bad) << port;
            outputs[pins.tx.data + port * flit_words..][..flit_words].copy_from_slice(flit.data);
        }
    }

    /// The clock edge. Every part reads the registers of its neighbours as they are at the start
    /// of the cycle, which fixes the order below.
    fn clock(&mut self, inputs: &[u64]) {
        let link_up = self.core_link_up(inputs);
        let asked = self.asked_read(inputs, link_up);
        let sampled = self.sample_register(inputs, link_up);
        let core_credit = self.core.rx_credit();
        let tx_credit = self.tx_credit(inputs);

        self.clock_egress(inputs);
        self.core.start_cycle(link_up, tx_credit);
        self.receive_flits(inputs);
        self.core.end_cycle();
        self.clock_ingress(inputs, core_credit);

        let CoreEvents { errors, first_drop } = self.core.events();
        let host_errors = self.hosts.iter().fold(0, |all, host| all | host.errors());
        let written = self.write_register(inputs);
        self.registers.step(errors | host_errors, first_drop);
        if self.has_control_port {
            self.control
                .step(&self.pins, inputs, asked, sampled, written);
        }
    }

    fn asked_read(&self, inputs: &[u64], link_up: u32) -> Option<Asked> {
        let address = self.control.asked_address(&self.pins, inputs)?;
        if self.registers.is_mask(address, &self.hosts) {
            let value = (self.registers).read(address, &self.core, &self.hosts, link_up);
            return Some(match self.control.is_writing() {
                true => Asked::MaskLater,
                false => Asked::MaskNow(value.unwrap_or(0)),
            });
        }
        let due = self.registers.counter_is_due(address, &self.counter_turn);
        Some(match due {
            None => Asked::Register,
            Some(false) => Asked::CounterLater,
            Some(true) => {
                let value = (self.registers).read(address, &self.core, &self.hosts, link_up);
                Asked::CounterNow(value.unwrap_or(0))
            }
        })
    }

    fn sample_register(&self, inputs: &[u64], link_up: u32) -> Option<u32> {
        let address = self.control.read_address(&self.pins, inputs)?;
        self.registers
            .read(address, &self.core, &self.hosts, link_up)
    }

    fn write_register(&mut self, inputs: &[u64]) -> bool {
        self.control
            .write(&self.pins, inputs)
            .is_some_and(|write| (self.registers).write(write, &mut self.core, &mut self.hosts))
    }

    /// The tx_credit pins, which may fill two words.
    #[inline]
    fn credit_pins(&self, inputs: &[u64]) -> CreditVector {
        let first = self.pins.tx_credit;
        let low = CreditVector::from(inputs[first]);
        if self.network_ports * self.channels > 64 {
            low | CreditVector::from(inputs[first + 1]) << 64
        } else {
            low
        }
    }

    /// Credits for all core ports: from the pins, and from the egress registers.
    fn tx_credit(&self, inputs: &[u64]) -> CreditVector {
        let channels = self.channels;
        let mut credit = self.credit_pins(inputs);
        for (host, place) in self.hosts.iter().zip(self.network_ports..) {
            credit |= CreditVector::from(host.egress_credit()) << (place * channels);
        }
        credit
    }

    fn receive_flits(&mut self, inputs: &[u64]) {
        let pins = &self.pins;
        let flit_words = self.flit_words;
        let channel_mask = (1u64 << self.channel_bits) - 1;
        for port in bits(inputs[pins.rx.valid] as u32) {
            let tag = FlitTag {
                channel: (inputs[pins.rx.channel] >> (port * self.channel_bits) & channel_mask)
                    as u8,
                last: inputs[pins.rx.last] >> port & 1 == 1,
                bad: inputs[pins.rx.bad] >> port & 1 == 1,
            };
            let data = &inputs[pins.rx.data + port * flit_words..][..flit_words];
            self.core.receive(port, tag, data);
        }
        for (host, port) in self.hosts.iter().zip(self.network_ports..) {
            if let Some((channel, last, data)) = host.injected() {
                let tag = FlitTag {
                    channel,
                    last,
                    bad: false,
                };
                self.core.receive(port, tag, data);
            }
        }
    }

    fn clock_egress(&mut self, inputs: &[u64]) {
        let ready = inputs[self.pins.egress.ready];
        for (place, host) in self.hosts.iter_mut().enumerate() {
            let arriving = self.core.transmitted_at(self.network_ports + place);
            host.clock_egress(ready >> place & 1 == 1, arriving);
        }
    }

    fn clock_ingress(&mut self, inputs: &[u64], core_credit: CreditVector) {
        let channels = self.channels;
        for (host, port) in self.hosts.iter_mut().zip(self.network_ports..) {
            let has_credit = |channel| core_credit >> (port * channels + channel) & 1 == 1;
            let credit = host.host_credits(has_credit);
            let node_address = self.registers.node_address;
            host.clock_ingress(&self.pins, inputs, credit, node_address);
        }
    }
}
