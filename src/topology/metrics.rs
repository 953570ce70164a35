//! The numbers by which networks are compared: the paper's formula beside the measured graph.
//!
//! Where the two differ both are shown, and every measured number says how it was measured. Reads
//! the graph as it is wired; nothing here follows from the spec except the formula column.

pub use super::measured::{Measured, Metric, Metrics};

use super::distances::{self, Adjacency};
use super::distributed_switch::figures;
use super::formulas::{Meshes, Quantity, formula};
use super::spanning_tree::{self, Reach, Tree};
use super::{Cable, CableKind, Network, NetworkIndex, bisection, connectivity};
use mkns_spec::{Join, NetworkKind, NetworkSpec};

/// One number of the graph of a spec, which may be larger than what blocks can build.
pub fn measured(spec: &NetworkSpec, quantity: Quantity) -> Measured {
    measured_of(spec, &super::build(spec), quantity)
}

/// One number of a network that was built from `spec`.
pub fn measured_of(spec: &NetworkSpec, network: &Network, quantity: Quantity) -> Measured {
    let index = network.index();
    let adjacency = || Adjacency::new(network, &index);
    let exact = |value: u64| Measured {
        value,
        at_most: false,
    };
    match quantity {
        Quantity::Hosts => exact(network.hosts.len() as u64),
        Quantity::AdapterBlocks => exact(network.adapters().len() as u64),
        Quantity::SwitchBlocks => exact((network.blocks.len() - network.adapters().len()) as u64),
        Quantity::Diameter => exact(
            distances::between_adapters(network, &adjacency())
                .diameter
                .into(),
        ),
        Quantity::SpanningTreeDiameter => {
            let tree = spanning_tree::least(network, &adjacency(), Reach::Adapters);
            Measured {
                value: tree.as_ref().map_or(0, |tree| tree.diameter.into()),
                at_most: tree.is_some_and(|tree| !tree.exhaustive && !is_regular(spec)),
            }
        }
        Quantity::Connectivity => {
            let found = connectivity::measure(network, &index);
            exact(found.map_or(0, |found| found.cables.into()))
        }
        Quantity::Bisection => {
            let found = bisection::measure(network);
            Measured {
                value: found.cables,
                at_most: !found.exact,
            }
        }
        Quantity::Cables => exact(outside_cables(network)),
        Quantity::Ports => exact(all_ports(network)),
    }
}

/// Cables that are not inside an assembly.
fn outside_cables(network: &Network) -> u64 {
    let outside = |cable: &&Cable| cable.kind != CableKind::AssemblyInternal;
    network.cables.iter().filter(outside).count() as u64
}

/// Network ports of all blocks, used or not.
fn all_ports(network: &Network) -> u64 {
    let ports = network
        .blocks
        .iter()
        .map(|block| u64::from(block.network_ports));
    ports.sum()
}

/// Builds rows with the formula in both readings.
struct Rows<'a> {
    kind: &'a NetworkKind,
    rows: Vec<Metric>,
}

impl Rows<'_> {
    fn push(
        &mut self,
        what: Quantity,
        measured: Option<u64>,
        how: impl Into<String>,
    ) -> &mut Metric {
        let value = |meshes| formula(self.kind, what, meshes);
        let printed = value(Meshes::AsSwitchBlocks);
        let metric = self.push_measured(what.title(), measured, how);
        metric.formula = printed;
        metric.formula_with_meshes = value(Meshes::Counted).filter(|value| Some(*value) != printed);
        metric
    }

    /// A number that has no formula.
    fn push_measured(
        &mut self,
        name: &'static str,
        measured: Option<u64>,
        how: impl Into<String>,
    ) -> &mut Metric {
        self.rows.push(Metric {
            name,
            measured,
            how: how.into(),
            ..Metric::default()
        });
        self.rows.last_mut().expect("a row was just added")
    }
}

/// Measures a network that was built from `spec`.
pub fn measure(spec: &NetworkSpec, network: &Network) -> Metrics {
    if let NetworkKind::DistributedSwitch(kind) = &spec.kind {
        return figures::measure(spec, kind, network);
    }
    let index = network.index();
    let adjacency = Adjacency::new(network, &index);
    let mut rows = Rows {
        kind: &spec.kind,
        rows: Vec::new(),
    };
    count_blocks(&mut rows, network);
    let mean_distance = measure_paths(&mut rows, network, &adjacency, is_regular(spec));
    let is_one_way = |cable: &Cable| cable.kind == CableKind::Simplex;
    if !network.cables.iter().any(is_one_way) {
        measure_trees(&mut rows, network, &adjacency, is_regular(spec));
        measure_cuts(&mut rows, network, &index);
    }
    count_hardware(&mut rows, network);
    Metrics {
        network: network.name.clone(),
        notation: spec.notation(),
        rows: rows.rows,
        mean_distance,
    }
}

/// Whether symmetry exchanges all adapter blocks, all switch blocks of a dimension or level, and all cables between the
/// same two sorts of them, so that the first of each stands for the others.
fn is_regular(spec: &NetworkSpec) -> bool {
    match &spec.kind {
        NetworkKind::Grid(_) | NetworkKind::FatTree(_) => true,
        NetworkKind::Mkns(mkns) => {
            let mut joins = mkns.dimensions.iter().map(|dimension| dimension.join);
            joins.all(|join| join != Join::SwitchAssembly)
        }
        NetworkKind::DistributedSwitch(_)
        | NetworkKind::SlimFly(_)
        | NetworkKind::RandomShortcut(_)
        | NetworkKind::Loop(_) => false,
    }
}

fn count_blocks(rows: &mut Rows<'_>, network: &Network) {
    let adapters = network.adapters().len();
    for (what, count) in [
        (Quantity::Hosts, network.hosts.len()),
        (Quantity::AdapterBlocks, adapters),
        (Quantity::SwitchBlocks, network.blocks.len() - adapters),
    ] {
        rows.push(what, Some(count as u64), "counted");
    }
}

/// Diameter; returns the mean distance.
fn measure_paths(
    rows: &mut Rows<'_>,
    network: &Network,
    adjacency: &Adjacency,
    is_regular: bool,
) -> f64 {
    let found = distances::between_adapters(network, adjacency);
    let mean = found.total as f64 / found.pairs.max(1) as f64;
    let is_sample = found.sources < network.adapters().len();
    let sources = match is_sample {
        false => "every adapter block".to_owned(),
        true => format!("{} adapter blocks, spread evenly", found.sources),
    };
    let how = format!("breadth-first search from {sources}; mean {mean:.3}");
    let row = rows.push(Quantity::Diameter, Some(found.diameter.into()), how);
    row.at_least = is_sample && !is_regular;
    mean
}

/// Broadcast trees; they, and the cuts, are undefined where cables go one way.
fn measure_trees(rows: &mut Rows<'_>, network: &Network, adjacency: &Adjacency, is_regular: bool) {
    for (reach, what) in [
        (Reach::Adapters, "reaches all adapter blocks"),
        (Reach::Devices, "reaches all devices"),
    ] {
        let tree = spanning_tree::least(network, adjacency, reach);
        let how = tree.as_ref().map(|tree| describe_tree(network, tree));
        let how = format!("{what}; {}", how.as_deref().unwrap_or("no block does"));
        let measured = tree.as_ref().map(|tree| tree.diameter.into());
        let row = match reach {
            Reach::Adapters => rows.push(Quantity::SpanningTreeDiameter, measured, how),
            Reach::Devices => rows.push_measured("full tree diameter", measured, how),
        };
        row.at_most = tree.is_some_and(|tree| !tree.exhaustive && !is_regular);
    }
}

fn describe_tree(network: &Network, tree: &Tree) -> String {
    let centre = tree
        .centre
        .iter()
        .map(|&block| network.blocks[block as usize].name.as_str());
    let centre: Vec<&str> = centre.collect();
    let tried = if tree.exhaustive {
        "all centres tried"
    } else {
        "one centre of each kind tried"
    };
    format!("centre {}, {tried}", centre.join("–"))
}

fn measure_cuts(rows: &mut Rows<'_>, network: &Network, index: &NetworkIndex) {
    let found = connectivity::measure(network, index);
    let how = found.map_or_else(String::new, |found| {
        format!(
            "least cut between any two adapter blocks, of {} max-flows",
            found.flows
        )
    });
    let measured = found.map(|found| found.cables.into());
    rows.push(Quantity::Connectivity, measured, how);
    let found = bisection::measure(network);
    let how = if found.exact {
        "least of all halvings"
    } else {
        "best cut found: corners, Fiduccia-Mattheyses"
    };
    let row = rows.push(Quantity::Bisection, Some(found.cables), how);
    row.at_most = !found.exact;
}

fn count_hardware(rows: &mut Rows<'_>, network: &Network) {
    let outside = outside_cables(network);
    let inside = network.cables.len() as u64 - outside;
    let how = "counted, without those inside assemblies";
    rows.push(Quantity::Cables, Some(outside), how);
    if inside > 0 {
        rows.push_measured(
            "assembly cables",
            Some(inside),
            "counted, inside assemblies",
        );
    }
    let how = "network ports of all blocks, used or not";
    rows.push(Quantity::Ports, Some(all_ports(network)), how);
}
