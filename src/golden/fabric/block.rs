//! One block in a simulation: the switch core and PCIe-side ports of the golden model, joined to
//! hosts and to the arrivals of its neighbours.
//!
//! The order of a cycle is that of `PinBlock`, without pins and control port.

use super::host::{Delivery, Host};
use super::wires::{Content, Message, Wires};
use crate::golden::flit::FlitSink;
use crate::golden::packed_flit::PackedFlit;
use crate::golden::switch_core::{KeySet, SwitchCore, bits, channel_of, key, port_of};

/// The other end of a network port.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    pub block: u32,
    pub port: u8,
    /// Core ports of that block.
    pub ports: u8,
}

/// Stages between blocks, cycles.
#[derive(Debug, Clone, Copy)]
pub struct Delays {
    /// From the pop to the core's tx pins.
    pub output: u64,
    /// L
    pub link: u64,
}

/// One block.
#[derive(Debug)]
pub struct FabricBlock<K> {
    pub core: SwitchCore<PackedFlit, K>,
    pub hosts: Vec<Host>,
    pub peers: Box<[Option<Peer>]>,
    /// `link_up` of all core ports; the PCIe side counts as links that are always up.
    pub link_up: u32,
    pub node_address: u32,
}

/// Where the blocks of a part put what they send.
#[derive(Debug)]
pub struct Outlets<'a, K> {
    /// The blocks of the part, the first of which has the number `first_block`.
    pub wires: &'a mut Wires<K>,
    pub first_block: u32,
    pub blocks: u32,
    /// For blocks of other parts.
    pub outbox: &'a mut Vec<Message>,
    pub deliveries: &'a mut Vec<Delivery>,
}

impl<K: KeySet> FabricBlock<K> {
    /// One cycle of block `number`.
    #[inline]
    pub fn cycle(&mut self, number: u32, now: u64, delays: Delays, out: &mut Outlets<'_, K>) {
        let own = (number - out.first_block) as usize;
        let slot = out.wires.slot(now);
        let (arriving, mut tx_credit) = out.wires.take(own, slot);
        let network_ports = self.peers.len();
        if arriving == 0
            && tx_credit.is_empty()
            && self.core.is_at_rest()
            && self.core.last_link_up() == self.link_up
            && self.hosts.iter().all(|host| host.is_at_rest(now))
        {
            return;
        }
        // The register of the start of the cycle, which the ingress ports see.
        let core_credit = self.core.rx_credit;
        let ports = network_ports + self.hosts.len();
        for (host, port) in self.hosts.iter_mut().zip(network_ports..) {
            for channel in bits(u32::from(host.egress_credit())) {
                tx_credit.insert(key(port, channel));
            }
            let flit = (arriving >> port & 1 == 1).then(|| out.wires.flits(own, slot, ports)[port]);
            host.clock_egress(now, flit, out.deliveries);
        }
        let mut sink = Outgoing {
            peers: &self.peers,
            number,
            ports,
            flit_slot: out.wires.slot(now + delays.output + delays.link),
            host_slot: out.wires.slot(now + delays.output),
            out,
        };
        self.core.start_cycle(self.link_up, tx_credit, &mut sink);
        for port in bits(arriving & ((1 << network_ports) - 1)) {
            let flit = out.wires.flits(own, slot, ports)[port];
            self.core.receive(port, flit);
        }
        for (host, port) in self.hosts.iter().zip(network_ports..) {
            if let Some(flit) = host.injected() {
                self.core.receive(port, flit);
            }
        }
        self.core.end_cycle();
        self.send_credits(now, delays, out);
        for (host, port) in self.hosts.iter_mut().zip(network_ports..) {
            host.clock_ingress(now, core_credit.has(key(port, 0)), self.node_address);
        }
    }

    /// The rx_credit registers are on the pins in the next cycle.
    #[inline]
    fn send_credits(&self, now: u64, delays: Delays, out: &mut Outlets<'_, K>) {
        let slot = out.wires.slot(now + 1 + delays.link);
        for key in self.core.rx_credit.keys() {
            let (port, channel) = (port_of(key), channel_of(key));
            let Some(Some(peer)) = self.peers.get(port) else {
                continue;
            };
            let local = peer.block.wrapping_sub(out.first_block);
            if local < out.blocks {
                out.wires
                    .put_credit(local as usize, slot, usize::from(peer.port), channel);
            } else {
                out.outbox.push(Message {
                    block: peer.block,
                    slot: slot as u32,
                    port: peer.port,
                    content: Content::Credit(channel as u8),
                });
            }
        }
    }
}

/// Takes what the core of one block pops.
struct Outgoing<'a, 'b, K> {
    peers: &'a [Option<Peer>],
    number: u32,
    ports: usize,
    /// When a flit popped now is on the neighbour's rx pins, and on the own tx pins.
    flit_slot: usize,
    host_slot: usize,
    out: &'a mut Outlets<'b, K>,
}

impl<K: KeySet> FlitSink<PackedFlit> for Outgoing<'_, '_, K> {
    #[inline]
    fn send(&mut self, output: usize, flit: PackedFlit) {
        let flit = flit.counting_block();
        let out = &mut *self.out;
        let Some(peer) = self.peers.get(output) else {
            let own = (self.number - out.first_block) as usize;
            out.wires
                .put_flit(own, self.ports, self.host_slot, output, flit);
            return;
        };
        let peer = peer.expect("the link of an unused port is down");
        let local = peer.block.wrapping_sub(out.first_block);
        if local < out.blocks {
            let (ports, port) = (usize::from(peer.ports), usize::from(peer.port));
            out.wires
                .put_flit(local as usize, ports, self.flit_slot, port, flit);
        } else {
            out.outbox.push(Message {
                block: peer.block,
                slot: self.flit_slot as u32,
                port: peer.port,
                content: Content::Flit(flit),
            });
        }
    }
}
