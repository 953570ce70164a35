//! Addresses of all compute modules, looked up instead of computed, and what else a header needs.

use mkns_design::{Addressing, Plan};
use mkns_routing::ServedPairs;

/// Shared by all hosts of a network.
#[derive(Debug)]
pub struct Addresses {
    hosts: u32,
    destinations: Destinations,
    /// The compute module with a source field, the first one where several have the same;
    /// `u32::MAX`: nobody's.
    senders: Box<[u32]>,
    beat_bytes: u32,
    flit_bytes: u32,
    layers: u32,
}

/// What hosts write into the destination field.
#[derive(Debug)]
enum Destinations {
    /// By compute module.
    Fixed(Box<[u32]>),
    /// By compute module, where not all pairs have a path.
    Served(Box<[u32]>, ServedPairs),
    /// Trains, which depend on the sender, too.
    Trains {
        addressing: Box<Addressing>,
        /// T: ports of a terminal, which all have its source field.
        ports: u32,
    },
}

impl Addresses {
    pub fn new(plan: &Plan) -> Addresses {
        let hosts = plan.network.terminals.len() as u32;
        let addressing = Addressing::new(plan);
        let mut senders = vec![u32::MAX; 1 << plan.layout.bits()];
        for vm in (0..hosts).rev() {
            senders[addressing.source(vm) as usize] = vm;
        }
        let destinations = if addressing.has_trains() {
            let ports = u32::from(plan.network.blocks[0].pcie_ports);
            Destinations::Trains {
                addressing: Box::new(addressing),
                ports,
            }
        } else {
            let addresses = (0..hosts).map(|vm| plan.layout.address_of(vm)).collect();
            match &plan.served {
                None => Destinations::Fixed(addresses),
                Some(served) => Destinations::Served(addresses, served.clone()),
            }
        };
        Addresses {
            hosts,
            destinations,
            senders: senders.into(),
            beat_bytes: plan.spec.block.pcie_bits / 8,
            flit_bytes: plan.spec.block.flit_bits / 8,
            layers: plan.spec.block.host_layers(),
        }
    }

    /// Destinations where only these pairs have a path. Not for trains.
    pub fn serving(&self, served: ServedPairs) -> Addresses {
        let (Destinations::Fixed(all) | Destinations::Served(all, _)) = &self.destinations else {
            unreachable!("routes of trains do not change")
        };
        Addresses {
            destinations: Destinations::Served(all.clone(), served),
            senders: self.senders.clone(),
            ..*self
        }
    }

    pub fn hosts(&self) -> u32 {
        self.hosts
    }

    /// What compute module `from` writes for `to`; none when it has no path there.
    pub fn destination(&self, from: u32, to: u32) -> Option<u32> {
        match &self.destinations {
            Destinations::Fixed(addresses) => Some(addresses[to as usize]),
            Destinations::Served(addresses, served) => {
                served.has(from, to).then(|| addresses[to as usize])
            }
            Destinations::Trains { addressing, .. } => addressing.destination(from, to),
        }
    }

    /// Whether compute module `from` can send to `to`.
    #[inline]
    pub fn has_path(&self, from: u32, to: u32) -> bool {
        match &self.destinations {
            Destinations::Trains { ports, .. } if *ports > 1 => {
                self.destination(from, to).is_some()
            }
            Destinations::Served(_, served) => served.has(from, to),
            _ => true,
        }
    }

    /// The compute module that sent a packet with this source field, which one has, to `to`.
    pub fn sender(&self, source: u32, to: u32) -> u32 {
        let first = self.senders[source as usize];
        match &self.destinations {
            // One port of a terminal at most has a path to `to`.
            Destinations::Trains { ports, .. } if *ports > 1 => {
                let mut candidates = first..first + ports;
                let sender = candidates.find(|&from| self.has_path(from, to));
                sender.expect("packets come by a path")
            }
            _ => first,
        }
    }

    /// Bytes of a beat of a host.
    pub fn beat_bytes(&self) -> u32 {
        self.beat_bytes
    }

    /// Payload bytes of a packet whose flits are full.
    pub fn length(&self, flits: u32) -> u32 {
        (flits - 1) * self.flit_bytes
    }

    /// Flits of a packet with so many payload bytes.
    pub fn flits(&self, length: u32) -> u32 {
        1 + length / self.flit_bytes
    }

    /// Values of a header's layer bits: layers, or hints where blocks choose.
    pub fn layers(&self) -> u32 {
        self.layers
    }
}
