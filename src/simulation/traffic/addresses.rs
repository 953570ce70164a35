//! Addresses of all hosts, looked up instead of computed, and what else a header needs.

use mkns_design::{Addressing, Plan};
use mkns_routing::{AddressLayout, ServedPairs};
use mkns_spec::NetworkKind;

/// Shared by all hosts of a network.
#[derive(Debug)]
pub struct Addresses {
    hosts: u32,
    destinations: Destinations,
    beat_bytes: u32,
    flit_bytes: u32,
    layers: u32,
}

/// What hosts write into the destination field.
#[derive(Debug)]
enum Destinations {
    /// Of the host.
    Fixed(AddressLayout),
    /// Of the host, where not all pairs have a path.
    Served(AddressLayout, ServedPairs),
    /// Trains, which depend on the sender, too.
    Trains {
        addressing: Box<Addressing>,
        /// Before parts failed.
        whole: Box<Addressing>,
        /// T: ports of a terminal, which all have its source field.
        ports: u32,
        /// Whether each host has a path to each.
        joins_all: bool,
    },
}

impl Addresses {
    /// The plan has a graph where blocks strip trains.
    pub fn new(plan: &Plan) -> Addresses {
        let layout = plan.layout.clone();
        let destinations = match (&plan.spec.kind, &plan.served) {
            (NetworkKind::DistributedSwitch(switch), _) => Destinations::Trains {
                addressing: Box::new(Addressing::new(plan)),
                whole: Box::new(Addressing::without_failures(plan)),
                ports: switch.trunks(),
                joins_all: switch.trunks() == 1 && plan.faults.is_empty(),
            },
            (_, None) => Destinations::Fixed(layout),
            (_, Some(served)) => Destinations::Served(layout, served.clone()),
        };
        Addresses {
            hosts: plan.hosts(),
            destinations,
            beat_bytes: plan.spec.block.pcie_bits / 8,
            flit_bytes: plan.spec.block.flit_bits / 8,
            layers: plan.spec.block.host_layers(),
        }
    }

    /// Destinations where only these pairs have a path. Not for trains.
    pub fn serving(&self, served: ServedPairs) -> Addresses {
        let (Destinations::Fixed(layout) | Destinations::Served(layout, _)) = &self.destinations
        else {
            unreachable!("routes of trains do not change")
        };
        Addresses {
            destinations: Destinations::Served(layout.clone(), served),
            ..*self
        }
    }

    pub fn hosts(&self) -> u32 {
        self.hosts
    }

    /// What host `from` writes for `to`; none when it has no path there.
    pub fn destination(&self, from: u32, to: u32) -> Option<u32> {
        match &self.destinations {
            Destinations::Fixed(layout) => Some(layout.address_of(to)),
            Destinations::Served(layout, served) => {
                served.has(from, to).then(|| layout.address_of(to))
            }
            Destinations::Trains { addressing, .. } => addressing.destination(from, to),
        }
    }

    /// Whether host `from` can send to `to`.
    #[inline]
    pub fn has_path(&self, from: u32, to: u32) -> bool {
        match &self.destinations {
            Destinations::Fixed(_) => true,
            Destinations::Served(_, served) => served.has(from, to),
            Destinations::Trains { joins_all, .. } => {
                *joins_all || self.destination(from, to).is_some()
            }
        }
    }

    /// Whether host `from` can send to `to` as long as nothing has failed.
    pub fn has_path_when_whole(&self, from: u32, to: u32) -> bool {
        match &self.destinations {
            Destinations::Fixed(_) | Destinations::Served(..) => true,
            Destinations::Trains { whole, .. } => {
                self.has_path(from, to) || whole.destination(from, to).is_some()
            }
        }
    }

    /// The host that sent a packet with this source field, which one has, to `to`.
    pub fn sender(&self, source: u32, to: u32) -> u32 {
        let nobody = "packets come from hosts";
        match &self.destinations {
            Destinations::Fixed(layout) | Destinations::Served(layout, _) => {
                layout.host_of(source).expect(nobody)
            }
            Destinations::Trains { ports: 1, .. } => source,
            // One port of a terminal at most has a path to `to`.
            Destinations::Trains { ports, .. } => {
                let mut candidates = source * ports..(source + 1) * ports;
                let sender = candidates.find(|&from| self.has_path(from, to));
                sender.expect("packets come by a path")
            }
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

    /// Flits of a packet with this many payload bytes.
    pub fn flits(&self, length: u32) -> u32 {
        1 + length / self.flit_bytes
    }

    /// Values of a header's layer bits: layers, or hints where blocks choose.
    pub fn layers(&self) -> u32 {
        self.layers
    }
}
