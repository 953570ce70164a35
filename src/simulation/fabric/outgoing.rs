//! What leaves a block of a simulation: flits that the core pops and credits that it gives back are put where
//! they will be found after all stages and links.

use super::delays::Delays;
use super::host::Delivery;
use super::serial::SerialPorts;
use super::wires::{Content, InputSlot, Message, Wires};
use crate::flit::{Flit, FlitSink};
use crate::switch_core::KeySet;

/// Where the core ports of a block send to.
#[derive(Debug)]
pub struct Links<K: KeySet> {
    /// Where flits go: to the neighbour, or to the port of one of its own hosts. Means nothing where the link is
    /// down.
    pub peers: K::PerPort<InputSlot>,
    /// Where credits go, unless all go where the flits do: simplex cables lead elsewhere.
    pub upstream: Option<Box<K::PerPort<InputSlot>>>,
    /// Cables that are serial, if there are any.
    pub serial: Option<Box<SerialPorts>>,
    /// Flits sent by core port, modulo 2³².
    pub sent: K::PerPort<u32>,
    pub network_ports: u32,
    /// Cycles from a pop to the core's tx pins, and of the credit to the rx_credit pins.
    pub output_latency: u32,
}

/// Where the blocks of a part put what they send.
#[derive(Debug)]
pub struct SendTargets<'a, K> {
    pub part: u16,
    pub wires: &'a mut Wires<K>,
    /// For blocks of other parts.
    pub outbox: &'a mut Vec<Message>,
    pub deliveries: &'a mut Vec<Delivery>,
}

impl<K: KeySet> SendTargets<'_, K> {
    #[inline]
    fn put_flit(&mut self, to: &InputSlot, slot: usize, flit: Flit) {
        if to.part == self.part {
            self.wires.put_flit(to, slot, flit);
        } else {
            self.put_far(*to, slot, Content::Flit(flit));
        }
    }

    #[inline]
    fn put_blank(&mut self, to: &InputSlot, slot: usize, channel: usize) {
        if to.part == self.part {
            self.wires.put_blank(to, slot, channel);
        } else {
            self.put_far(*to, slot, Content::Flit(Flit::blank(channel)));
        }
    }

    #[inline]
    fn put_credit(&mut self, to: &InputSlot, slot: usize, channel: usize) {
        if to.part == self.part {
            self.wires.put_credit(to, slot, channel);
        } else {
            self.put_far(*to, slot, Content::Credit(channel as u8));
        }
    }

    #[inline(never)]
    fn put_far(&mut self, to: InputSlot, slot: usize, content: Content) {
        let slot = slot as u32;
        self.outbox.push(Message { to, slot, content });
    }
}

/// Takes what the core of one block pops and gives back.
pub struct Outgoing<'a, 'b, K: KeySet> {
    peers: &'a K::PerPort<InputSlot>,
    /// Where credits go.
    senders: &'a K::PerPort<InputSlot>,
    sent: &'a mut K::PerPort<u32>,
    network_ports: usize,
    /// When a flit popped now is on the block's own tx pins, and when it or its credit is on the pins of the neighbour.
    host_slot: usize,
    far_slot: usize,
    now: u64,
    /// When it is on the pins of the neighbour through a parallel cable.
    far: u64,
    serial: Option<&'a mut SerialPorts>,
    pub out: &'a mut SendTargets<'b, K>,
}

impl<'a, 'b, K: KeySet> Outgoing<'a, 'b, K> {
    /// In cycle `now`.
    #[inline]
    pub fn new(
        links: &'a mut Links<K>,
        now: u64,
        delays: Delays,
        out: &'a mut SendTargets<'b, K>,
    ) -> Self {
        let at_pins = now + u64::from(links.output_latency);
        let slots = out.wires.slots;
        Outgoing {
            peers: &links.peers,
            senders: links.upstream.as_deref().unwrap_or(&links.peers),
            sent: &mut links.sent,
            network_ports: links.network_ports as usize,
            host_slot: slots.of(at_pins),
            far_slot: slots.of(at_pins + delays.link),
            now,
            far: at_pins + delays.link,
            serial: links.serial.as_deref_mut(),
            out,
        }
    }
}

impl<K: KeySet> Outgoing<'_, '_, K> {
    /// Where a flit that is popped now for an output will be found.
    #[inline(always)]
    fn slot_at(&mut self, output: usize) -> usize {
        if output >= self.network_ports {
            return self.host_slot;
        }
        match &mut self.serial {
            None => self.far_slot,
            Some(serial) => {
                let delay = serial.delay_of_flit(output, self.now);
                self.out.wires.slots.of(self.far + delay)
            }
        }
    }

    /// Where the credit of a flit that is popped now from an input will be found.
    #[inline(always)]
    fn credit_slot_at(&self, input: usize) -> usize {
        match &self.serial {
            None => self.far_slot,
            Some(serial) => {
                let delay = serial.delay_of_credit(input);
                self.out.wires.slots.of(self.far + delay)
            }
        }
    }
}

impl<K: KeySet> FlitSink for Outgoing<'_, '_, K> {
    #[inline(always)]
    fn send(&mut self, output: usize, flit: Flit) {
        self.sent[output] = self.sent[output].wrapping_add(1);
        let slot = self.slot_at(output);
        let flit = flit.counting_block();
        self.out.put_flit(&self.peers[output], slot, flit);
    }

    #[inline(always)]
    fn send_blank(&mut self, output: usize, channel: usize) {
        self.sent[output] = self.sent[output].wrapping_add(1);
        let slot = self.slot_at(output);
        self.out.put_blank(&self.peers[output], slot, channel);
    }

    #[inline(always)]
    fn give_back(&mut self, input: usize, channel: usize) {
        // The ports of hosts read the core's register.
        if input < self.network_ports {
            let slot = self.credit_slot_at(input);
            self.out.put_credit(&self.senders[input], slot, channel);
        }
    }
}
