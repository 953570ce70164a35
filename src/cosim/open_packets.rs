//! Which packet is on which wire: the header last seen on every channel of every output.
//!
//! Kept up to date flit by flit for the failure report alone; decides nothing.

use super::lockstep::{Difference, Group};
use super::mismatch::{Failure, PacketNote};
use super::port_signal::PinGroup;
use mkns_design::{Pins, ones};

/// A packet in progress on one channel.
#[derive(Debug, Clone, Copy, Default)]
pub struct OnWire {
    pub header: u64,
    /// First payload word, which carries the identity of whole-network traffic.
    pub identity: u64,
    /// Flits seen so far, 0 between packets.
    pub flits: u32,
}

impl OnWire {
    /// What its header says.
    pub fn note(&self) -> PacketNote {
        PacketNote::from_header(self.header, self.flits)
    }

    /// Notes one flit.
    #[inline]
    pub fn flit(&mut self, word: u64, last: bool) {
        match self.flits {
            0 => self.header = word,
            1 => self.identity = word,
            _ => {}
        }
        self.flits = if last { 0 } else { self.flits + 1 };
    }
}

/// The channels of all outputs of one block: network ports, then PCIe ports.
#[derive(Debug, Clone)]
pub struct OpenPackets {
    wires: Vec<OnWire>,
    channels: usize,
}

impl OpenPackets {
    /// All wires idle.
    pub fn new(pins: &Pins) -> Self {
        Self {
            wires: vec![OnWire::default(); (pins.ports + pins.hosts) * pins.channels],
            channels: pins.channels,
        }
    }

    /// The channel of a network port, or channel 0 of a PCIe port counted after them.
    #[inline]
    pub fn wire(&mut self, port: usize, channel: usize) -> &mut OnWire {
        &mut self.wires[port * self.channels + channel]
    }

    /// Notes all flits and taken beats of a cycle.
    pub fn observe(&mut self, pins: &Pins, inputs: &[u64], outputs: &[u64]) {
        for port in ones(outputs[pins.tx.valid]) {
            let (channel, word, last) = pins.flit(&pins.tx, outputs, port);
            self.wire(port, channel).flit(word, last);
        }
        self.observe_hosts(pins, inputs, outputs);
    }

    /// Notes the beats that hosts take in a cycle.
    pub fn observe_hosts(&mut self, pins: &Pins, inputs: &[u64], outputs: &[u64]) {
        if pins.hosts == 0 {
            return;
        }
        let egress = pins.egress;
        for port in ones(outputs[egress.valid] & inputs[egress.ready]) {
            let word = outputs[egress.data + port * pins.beat_words];
            let last = outputs[egress.last] >> port & 1 == 1;
            self.wire(pins.ports + port, 0).flit(word, last);
        }
    }

    /// The report of a difference in a cycle, with the packet that it is in.
    pub fn divergence(
        &mut self,
        group: &Group,
        difference: Difference,
        cycle: u64,
        block: &str,
        identify: impl Fn(&OnWire) -> PacketNote,
    ) -> Box<Failure> {
        let mut failure = Failure::divergence(group, difference, cycle, block);
        let wire = self.packet(group, difference.instance, &failure);
        failure.packet = wire.as_ref().map(identify);
        failure
    }

    /// The packet that a failure is in.
    fn packet(&mut self, group: &Group, instance: usize, failure: &Failure) -> Option<OnWire> {
        if failure.signal == "rx_credit" || failure.signal == "s_axis_pcie_tready" {
            return None;
        }
        let pins = &group.pins;
        let (expected, actual) = (group.expected_of(instance), group.outputs_of(instance));
        let (slot, channel, word) = match failure.block_port? {
            PinGroup::Control => return None,
            PinGroup::Network(port) => {
                let valid = |outputs: &&[u64]| outputs[pins.tx.valid] >> port & 1 == 1;
                let shown = [expected, actual].into_iter().find(valid)?;
                let (channel, word, _) = pins.flit(&pins.tx, shown, port);
                (port, channel, word)
            }
            PinGroup::Host(port) => {
                let egress = pins.egress;
                let word = expected[egress.data + port * pins.beat_words];
                (pins.ports + port, 0, word)
            }
        };
        let mut wire = *self.wire(slot, channel);
        let number = wire.flits;
        wire.flit(word, false);
        wire.flits = number;
        Some(wire)
    }
}
