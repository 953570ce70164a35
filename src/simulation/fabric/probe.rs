//! What reaches the network ports of all blocks of a simulation, and their hosts: for tests alone.

use super::Fabric;
use super::wires::{Arrivals, InputSlot, Wires};
use crate::flit::Flit;
use crate::switch_core::KeySet;
use mkns_contract::ones;

pub use super::host::Delivery;

/// What is on the pins of a network port in a cycle: a flit on rx, or a credit on tx_credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrival {
    Flit {
        channel: u8,
        last: bool,
        bad: bool,
        /// Bits 55:0 of its data.
        word: u64,
    },
    Credit {
        channel: u8,
    },
}

/// An arrival, in the order of cycles, blocks and ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub cycle: u64,
    /// Counted in its part as long as it is not taken from the fabric.
    pub block: u32,
    pub port: u8,
    pub what: Arrival,
}

/// What was seen in a part.
pub type Probe = Vec<Seen>;

impl<K: KeySet> Wires<K> {
    /// A block takes what arrives in a cycle; `network`: the keys of its network ports.
    pub fn note(&mut self, block: &InputSlot, cycle: u64, network: K, arrivals: &Arrivals<K>) {
        let Some(mut probe) = self.probe.take() else {
            return;
        };
        let slot = self.slots.of(cycle);
        let mut see = |port: usize, what| {
            probe.push(Seen {
                cycle,
                block: block.block(self.slots) as u32,
                port: port as u8,
                what,
            });
        };
        for port in ones(arrivals.flits & network.ports_of_channel_0()) {
            let at = block.of_port(port as u8, self.slots);
            see(port, arrival(self.flit(&at, slot)));
        }
        for key in (arrivals.blanks & network).keys() {
            see(K::port_of(key), arrival(Flit::blank(K::channel_of(key))));
        }
        for key in (arrivals.credits & network).keys() {
            let channel = K::channel_of(key) as u8;
            see(K::port_of(key), Arrival::Credit { channel });
        }
        self.probe = Some(probe);
    }
}

fn arrival(flit: Flit) -> Arrival {
    let tag = flit.tag();
    Arrival::Flit {
        channel: tag.channel,
        last: tag.last,
        bad: tag.bad,
        word: flit.data(),
    }
}

impl<K: KeySet> Fabric<K> {
    /// From now on all is seen.
    pub fn watch(&mut self) {
        for part in &mut self.parts {
            part.wires.probe = Some(Vec::new());
        }
        self.received = Some(Vec::new());
    }

    /// What was seen since the last call, in order.
    pub fn take_seen(&mut self) -> Vec<Seen> {
        let mut all = Vec::new();
        for part in &mut self.parts {
            let ids = &part.ids;
            let seen = part
                .wires
                .probe
                .iter_mut()
                .flat_map(|probe| probe.drain(..));
            all.extend(seen.map(|seen| Seen {
                block: ids[seen.block as usize],
                ..seen
            }));
        }
        all.sort_unstable();
        all
    }

    /// What hosts received since the last call, in the order of cycles and hosts.
    pub fn take_received(&mut self) -> Vec<Delivery> {
        let mut all = std::mem::take(self.received.as_mut().expect("a network that is watched"));
        all.sort_unstable_by_key(|delivery| (delivery.cycle, delivery.host));
        all
    }
}
