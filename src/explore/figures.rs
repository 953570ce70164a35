//! One network in numbers: what it is made of, how far apart its blocks are, what its routes can carry, what it costs.

use rayon::prelude::*;
use serde::Serialize;

use super::Candidate;
use super::prices::{Amount, Prices};
use mkns_cabling::{CableOrder, FloorLayout, FloorPlan, Plan};
use mkns_diag::Diagnostic;
use mkns_routing::{self as routing, UniformLoads};
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology::distances::{self, Adjacency};
use mkns_topology::formulas::Quantity;
use mkns_topology::{self as topology, Faults, Network, metrics};

/// A network's numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    pub kind: &'static str,
    /// Notation and settings, as a command line gives them.
    pub network: String,
    #[serde(skip)]
    pub notation: String,
    #[serde(skip)]
    pub settings: Vec<String>,
    #[serde(skip)]
    spec: NetworkSpec,
    /// Hosts.
    pub hosts: usize,
    /// Hosts on an adapter block.
    pub vms_per_node: u32,
    pub adapter_blocks: usize,
    pub switch_blocks: usize,
    /// Network ports of the block that has most.
    pub ports: u8,
    pub cables: usize,
    /// Cables by the length in which they are bought.
    pub bill: Vec<CableOrder>,
    /// Greatest distance of two adapter blocks, cables; none for distributed switches.
    pub diameter: Option<u32>,
    /// Mean way between two adapter blocks along the routes of the default engine, cables; none for distributed
    /// switches.
    pub mean_cables: Option<f64>,
    #[serde(flatten)]
    pub cuts: Cuts,
    /// Flits per host and cycle at which the busiest cable is full under uniform traffic; none for distributed
    /// switches, which let every permutation pass.
    pub throughput_bound: Option<f64>,
    #[serde(flatten)]
    pub amount: Amount,
    /// The routing engine that the figures of ways are of.
    pub routing: String,
}

/// What failures or halves cut apart; nothing before it is measured, and for distributed switches, whose cables go one
/// way.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Cuts {
    /// Cables between halves.
    pub bisection: Option<u64>,
    /// The bisection is the best cut that was found, not the least of all.
    pub bisection_is_bound: bool,
    /// Any N failed cables leave the adapter blocks joined.
    pub cable_faults_survived: Option<u64>,
    /// Any N failed blocks, adapter blocks among them, leave the adapter blocks that work joined.
    pub block_faults_survived: Option<u64>,
}

impl Cuts {
    fn of(spec: &NetworkSpec) -> Self {
        if spec.kind.has_trains() {
            return Self::default();
        }
        let network = topology::build(spec);
        let bisection = metrics::measured_of(spec, &network, Quantity::Bisection);
        let cables = metrics::measured_of(spec, &network, Quantity::Connectivity);
        let blocks = super::block_connectivity::measure(&network);
        Self {
            bisection: Some(bisection.value),
            bisection_is_bound: bisection.at_most,
            cable_faults_survived: Some(cables.value.saturating_sub(1)),
            block_faults_survived: blocks.map(|blocks| u64::from(blocks.saturating_sub(1))),
        }
    }
}

impl Figures {
    /// Measures a network whose default engine makes its routes.
    pub fn of(
        candidate: &Candidate,
        floor: &FloorPlan,
        prices: &Prices,
    ) -> Result<Self, Vec<Diagnostic>> {
        let spec = &candidate.spec;
        let network = topology::build(spec);
        let floor_layout = FloorLayout::new(spec, &network, floor.clone())?;
        let plan = Plan::new(&network, &floor_layout);
        let adapter_blocks = network.adapters().len();
        let has_trains = spec.kind.has_trains();
        let ways = match has_trains {
            true => None,
            false => {
                let routes = routing::build(spec, &network, &Faults::none());
                let routes = routes.map_err(|refusal| vec![*refusal])?;
                Some(UniformLoads::of(spec, &network, &routes))
            }
        };
        let diameter = || {
            let adjacency = Adjacency::new(&network, &network.index());
            distances::between_adapters(&network, &adjacency).diameter
        };
        let (hosts, per_node) = (network.hosts.len(), spec.kind.vms_per_node());
        Ok(Self {
            kind: candidate.kind,
            network: candidate.notation.clone()
                + &mkns_spec::settings_as_words(&candidate.settings),
            notation: candidate.notation.clone(),
            settings: candidate.settings.clone(),
            hosts,
            vms_per_node: per_node,
            adapter_blocks,
            switch_blocks: network.blocks.len() - adapter_blocks,
            ports: network
                .blocks
                .iter()
                .map(|block| block.network_ports)
                .max()
                .unwrap_or(0),
            cables: network.cables.len(),
            diameter: (!has_trains).then(diameter),
            mean_cables: ways.map(|ways| ways.mean_cables),
            cuts: Cuts::default(),
            spec: spec.clone(),
            throughput_bound: ways.map(|ways| ways.bound(hosts, per_node)),
            amount: amount(&network, &plan, prices),
            bill: plan.bill,
            routing: spec.routing.clone(),
        })
    }

    /// Measures many on all threads, in their order; `done` is called after each.
    pub fn of_all(
        candidates: &[Candidate],
        floor: &FloorPlan,
        prices: &Prices,
        done: impl Fn() + Sync,
    ) -> Result<Vec<Self>, Vec<Diagnostic>> {
        let figures = candidates.par_iter().map(|candidate| {
            let figures = Self::of(candidate, floor, prices);
            done();
            figures
        });
        figures.collect()
    }

    /// Measures cuts of some on all threads: they take longer than all else, and decide nothing.
    pub fn measure_cuts(figures: Vec<&mut Self>, done: impl Fn() + Sync) {
        figures.into_par_iter().for_each(|figures| {
            figures.cuts = Cuts::of(&figures.spec);
            done();
        });
    }

    /// Watts for each host.
    pub fn watts_per_host(&self) -> f64 {
        self.amount.watts / self.hosts as f64
    }

    /// Numbers by which networks are compared, smaller ones better: cost of a host, mean path, and the
    /// throughput below 1. None for distributed switches, which have no mean path.
    pub fn ranks(&self) -> Option<[f64; 3]> {
        self.ranks_at(1.0)
    }

    /// These figures with the bound on throughput multiplied by a factor.
    pub fn ranks_at(&self, factor: f64) -> Option<[f64; 3]> {
        let bound = (self.throughput_bound? * factor).min(1.0);
        Some([self.cost_per_host(), self.mean_cables?, 1.0 - bound])
    }

    /// What drawn graphs have in common that differ in their size only: cables and modules of an adapter block.
    pub fn drawn_family(&self) -> Option<(u32, u32)> {
        match &self.spec.kind {
            NetworkKind::RandomShortcut(graph) => Some((graph.degree, graph.vms_per_node)),
            _ => None,
        }
    }

    /// Money for each host.
    pub fn cost_per_host(&self) -> f64 {
        self.amount.cost / self.hosts as f64
    }
}

fn amount(network: &Network, plan: &Plan, prices: &Prices) -> Amount {
    let adapters = network.adapters().len() as u64;
    let blocks = prices.adapter_block.times(adapters);
    let switches = prices
        .switch_block
        .times(network.blocks.len() as u64 - adapters);
    let ports = network.blocks.iter();
    let ports = ports.map(|block| u64::from(block.network_ports + block.pcie_ports));
    let parts = blocks.plus(switches).plus(prices.port.times(ports.sum()));
    let cables = plan
        .cables
        .iter()
        .map(|cable| prices.cable(cable.length_mm.metres()));
    cables.fold(parts, Amount::plus)
}
