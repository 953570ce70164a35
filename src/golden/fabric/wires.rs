//! What is on its way to the pins of every block: flits and credits by the cycle in which they
//! arrive.
//!
//! The stages after a pop (section 1.7), the rx_credit register and the link registers (section 5)
//! all move in every cycle, so a flit or credit is put where it will be found after all of them.
//! Slots are cycles modulo their number.

use crate::golden::packed_flit::PackedFlit;
use crate::golden::switch_core::{KeySet, key};

/// A flit or credit for a block of another part.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub block: u32,
    pub slot: u32,
    pub port: u8,
    pub content: Content,
}

#[derive(Debug, Clone, Copy)]
pub enum Content {
    Flit(PackedFlit),
    /// Of a channel.
    Credit(u8),
}

/// The arrivals of some blocks, numbered from 0.
#[derive(Debug)]
pub struct Wires<K> {
    slots: usize,
    /// First port of every block in the list of all ports.
    first_ports: Box<[u32]>,
    /// By block, slot and port.
    flits: Box<[PackedFlit]>,
    /// Ports with a flit, by block and slot.
    valid: Box<[u32]>,
    /// Credits for (output, channel), by block and slot.
    credits: Box<[K]>,
}

impl<K: KeySet> Wires<K> {
    /// Arrivals up to `farthest` cycles ahead at blocks with so many core ports.
    pub fn new(ports: &[usize], farthest: usize) -> Self {
        let slots = (farthest + 1).next_power_of_two();
        let mut first = 0;
        let first_ports = ports.iter().map(|&ports| {
            first += ports as u32;
            first - ports as u32
        });
        let first_ports = first_ports.collect();
        Wires {
            slots,
            first_ports,
            flits: vec![PackedFlit::default(); first as usize * slots].into(),
            valid: vec![0; ports.len() * slots].into(),
            credits: vec![K::EMPTY; ports.len() * slots].into(),
        }
    }

    /// The slot of a cycle.
    #[inline]
    pub fn slot(&self, cycle: u64) -> usize {
        cycle as usize & (self.slots - 1)
    }

    /// Ports of a block with a flit in a slot, and its credits; both are taken away.
    #[inline]
    pub fn take(&mut self, block: usize, slot: usize) -> (u32, K) {
        let place = block * self.slots + slot;
        (
            std::mem::take(&mut self.valid[place]),
            std::mem::take(&mut self.credits[place]),
        )
    }

    /// The flits of a block in a slot, by port.
    #[inline]
    pub fn flits(&self, block: usize, slot: usize, ports: usize) -> &[PackedFlit] {
        let first = (self.first_ports[block] as usize * self.slots) + slot * ports;
        &self.flits[first..first + ports]
    }

    /// A flit for a port of a block with `ports` ports.
    #[inline]
    pub fn put_flit(
        &mut self,
        block: usize,
        ports: usize,
        slot: usize,
        port: usize,
        flit: PackedFlit,
    ) {
        let first = self.first_ports[block] as usize * self.slots + slot * ports;
        self.flits[first + port] = flit;
        self.valid[block * self.slots + slot] |= 1 << port;
    }

    /// A credit for a channel of an output.
    #[inline]
    pub fn put_credit(&mut self, block: usize, slot: usize, port: usize, channel: usize) {
        self.credits[block * self.slots + slot].insert(key(port, channel));
    }

    /// Bytes of all arrivals.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.first_ports)
            + size_of_val(&*self.flits)
            + size_of_val(&*self.valid)
            + size_of_val(&*self.credits)
    }
}
