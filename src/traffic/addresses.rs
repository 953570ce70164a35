//! Addresses of all hosts, looked up instead of computed, and what else a header needs.

use mkns_design::{Addressing, Plan};
use mkns_routing::{AddressLayout, ServedPairs};
use mkns_spec::NetworkKind;

/// Shared by all hosts of a network.
#[derive(Debug)]
pub struct Addresses {
    hosts: u32,
    rule: AddressRule,
    beat_bytes: u32,
    flit_bytes: u32,
    layers: u32,
}

/// What hosts write into the destination field.
#[derive(Debug)]
enum AddressRule {
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
        let rule = match (&plan.spec.kind, &plan.served) {
            (NetworkKind::DistributedSwitch(switch), _) => AddressRule::Trains {
                addressing: Box::new(Addressing::new(plan)),
                whole: Box::new(Addressing::without_failures(plan)),
                ports: switch.trunks(),
                joins_all: switch.trunks() == 1 && plan.faults.is_empty(),
            },
            (_, None) => AddressRule::Fixed(layout),
            (_, Some(served)) => AddressRule::Served(layout, served.clone()),
        };
        Addresses {
            hosts: plan.hosts(),
            rule,
            beat_bytes: plan.spec.block.pcie_bits / 8,
            flit_bytes: plan.spec.block.flit_bits / 8,
            layers: plan.spec.block.host_layers(),
        }
    }

    /// AddressRule where only these pairs have a path. Not for trains.
    pub fn serving(&self, served: ServedPairs) -> Addresses {
        let (AddressRule::Fixed(layout) | AddressRule::Served(layout, _)) = &self.rule else {
            unreachable!("routes of trains do not change")
        };
        Addresses {
            rule: AddressRule::Served(layout.clone(), served),
            ..*self
        }
    }

    pub fn hosts(&self) -> u32 {
        self.hosts
    }

    /// What host `from` writes for `to`; none when it has no path there.
    pub fn destination(&self, from: u32, to: u32) -> Option<u32> {
        match &self.rule {
            AddressRule::Fixed(layout) => Some(layout.address_of(to)),
            AddressRule::Served(layout, served) => {
                served.has(from, to).then(|| layout.address_of(to))
            }
            AddressRule::Trains { addressing, .. } => addressing.destination(from, to),
        }
    }

    /// Whether host `from` can send to `to`.
    #[inline]
    pub fn has_path(&self, from: u32, to: u32) -> bool {
        match &self.rule {
            AddressRule::Fixed(_) => true,
            AddressRule::Served(_, served) => served.has(from, to),
            AddressRule::Trains { joins_all, .. } => {
                *joins_all || self.destination(from, to).is_some()
            }
        }
    }

    /// Whether host `from` can send to `to` as long as nothing has failed.
    pub fn has_path_when_whole(&self, from: u32, to: u32) -> bool {
        match &self.rule {
            AddressRule::Fixed(_) | AddressRule::Served(..) => true,
            AddressRule::Trains { whole, .. } => {
                self.has_path(from, to) || whole.destination(from, to).is_some()
            }
        }
    }

    /// The host that sent a packet with this source field, which one has, to `to`.
    pub fn sender(&self, source: u32, to: u32) -> u32 {
        let nobody = "packets come from hosts";
        match &self.rule {
            AddressRule::Fixed(layout) | AddressRule::Served(layout, _) => {
                layout.host_of(source).expect(nobody)
            }
            AddressRule::Trains { ports: 1, .. } => source,
            // One port of a terminal at most has a path to `to`.
            AddressRule::Trains { ports, .. } => {
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
