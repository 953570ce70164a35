//! What a host writes into a header so that a packet reaches another host, and what arrives there.
//!
//! One address of the destination where blocks look it up in tables; a train of local addresses from
//! source to destination where splitters strip it (`docs/microarchitecture.md`, section 6).

use super::Plan;
use mkns_routing::train::{self, Train, follow};
use mkns_routing::{AddressLayout, ServedPairs};
use mkns_spec::NetworkKind;
use mkns_topology::distributed_switch::{DistributedSwitch, switch_of};
use mkns_topology::{BlockId, Faults, Network, NetworkIndex, PortIndex};

/// Addresses of one network's hosts.
#[derive(Debug, Clone)]
pub struct Addressing {
    layout: AddressLayout,
    served: Option<ServedPairs>,
    trains: Option<Trains>,
}

/// Of a distributed switch.
#[derive(Debug, Clone)]
struct Trains {
    switch: DistributedSwitch,
    network: Network,
    faults: Faults,
    /// Of the cables that work.
    index: NetworkIndex,
    /// T: PCIe-side ports of a terminal.
    trunks: u32,
    /// F
    field_bits: u32,
}

impl Addressing {
    pub fn new(plan: &Plan) -> Self {
        Self::with_faults(plan, &plan.faults, plan.served.clone())
    }

    /// As if nothing had failed.
    pub fn without_failures(plan: &Plan) -> Self {
        Self::with_faults(plan, &Faults::none(), None)
    }

    fn with_faults(plan: &Plan, faults: &Faults, served: Option<ServedPairs>) -> Self {
        let trains = match &plan.spec.kind {
            NetworkKind::DistributedSwitch(spec) => Some(Trains {
                switch: switch_of(spec),
                network: plan.network.clone(),
                faults: faults.clone(),
                index: plan.network.index_without(faults),
                trunks: u32::from(plan.network.blocks[0].pcie_ports),
                field_bits: plan.layout.fields[0].bits,
            }),
            _ => None,
        };
        Self {
            layout: plan.layout.clone(),
            served,
            trains,
        }
    }

    /// Whether headers carry trains, which the CRC leaves out.
    pub fn has_trains(&self) -> bool {
        self.trains.is_some()
    }

    /// What host `from` writes for host `to`; `None` when no path leads there: what has failed cuts it, or the two
    /// are ports of terminals with parallel ports.
    pub fn destination(&self, from: u32, to: u32) -> Option<u32> {
        if self
            .served
            .as_ref()
            .is_some_and(|served| !served.has(from, to))
        {
            return None;
        }
        match &self.trains {
            None => Some(self.layout.address_of(to)),
            Some(trains) => Some(trains.train(from, to)?.packed(trains.field_bits)),
        }
    }

    /// The destination field with which a packet arrives that was sent with `destination`.
    pub fn arrived(&self, destination: u32) -> u32 {
        match &self.trains {
            None => destination,
            // The spine switch's output is left; every splitter has stripped one local address.
            Some(trains) => destination >> (trains.field_bits * trains.switch.cascades()),
        }
    }

    /// The source field of packets from a host.
    pub fn source(&self, from: u32) -> u32 {
        match &self.trains {
            None => self.layout.address_of(from),
            Some(trains) => from / trains.trunks,
        }
    }

    /// The name of a source field in reports.
    pub fn source_name(&self, source: u32) -> String {
        match &self.trains {
            None => self.destination_name(source),
            Some(_) => format!("terminal {source}"),
        }
    }

    /// The name of a destination field in reports.
    pub fn destination_name(&self, destination: u32) -> String {
        if self.trains.is_some() {
            return format!("address train {destination:#07x}");
        }
        match self.layout.host_of(destination) {
            Some(host) => format!("host {host}"),
            None => format!("address {destination:#07x}"),
        }
    }
}

impl Plan {
    /// Ordered pairs of hosts, those with themselves too, whose route has gone with failed parts. Parallel ports of
    /// terminals that never had a path to each other are no such pairs.
    pub fn pairs_without_route(&self) -> u64 {
        if let Some(served) = &self.served {
            return served.pairs_without_route();
        }
        if self.faults.is_empty() {
            return 0;
        }
        let (whole, left) = (Addressing::without_failures(self), Addressing::new(self));
        let has = |addressing: &Addressing, from, to| addressing.destination(from, to).is_some();
        let hosts = 0..self.hosts();
        let is_cut = |&(from, to): &(u32, u32)| has(&whole, from, to) && !has(&left, from, to);
        let pairs = hosts
            .clone()
            .flat_map(|from| hosts.clone().map(move |to| (from, to)));
        pairs.filter(is_cut).count() as u64
    }
}

impl Trains {
    fn train(&self, from: u32, to: u32) -> Option<Train> {
        let (a, b) = (from / self.trunks, to / self.trunks);
        if self.trunks == 1 && self.faults.is_empty() {
            return Some(train::alone(&self.switch, a, b));
        }
        let works = |host| self.faults.host_works(&self.network, host);
        if !works(from) || !works(to) {
            return None;
        }
        let branches = match self.trunks {
            // The first that works of those that lead there.
            1 => train::first_branches(&self.switch, a, b),
            // A parallel port leads to one branch.
            _ => vec![from % self.trunks],
        };
        let mut trains = branches.into_iter().filter_map(|branch| {
            let train = train::through(&self.switch, a, b, branch)?;
            self.arrives(a, to, &train).then_some(train)
        });
        trains.next()
    }

    /// Whether a train leads from a terminal to a host: with parallel ports a packet comes out where its path ends.
    fn arrives(&self, from: u32, to: u32, train: &Train) -> bool {
        let steps = follow::follow(&self.network, &self.index, BlockId(from), train);
        let last = steps.ok().and_then(|steps| steps.last().copied());
        let port = PortIndex((to % self.trunks) as u8);
        last.is_some_and(|last| self.trunks == 1 || last.in_port == Some(port))
    }
}
