//! All networks of a size, of all kinds: every way to arrange this many hosts that the blocks have ports for.
//!
//! Sizes whose order does not change the network are listed once, the largest first.

use super::factors::{falling, with_each_first};
use mkns_spec::{self as spec, NetworkKind, NetworkSpec};
use mkns_topology as topology;

/// What is looked for.
#[derive(Debug, Clone)]
pub struct SearchLimits {
    /// Least and greatest number of hosts.
    pub hosts: (u32, u32),
    /// Least and greatest number of them on an adapter block, within 1…8.
    pub vms_per_node: (u32, u32),
    /// Most network ports of a block.
    pub ports: u32,
    /// Kinds to list, of [`KINDS`].
    pub kinds: Vec<&'static str>,
}

/// A network that fits.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub kind: &'static str,
    /// As a command line gives it.
    pub notation: String,
    /// Settings that go with the notation.
    pub settings: Vec<String>,
    pub spec: NetworkSpec,
}

/// The kinds that are listed, in the order of results.
pub const KINDS: [&str; 11] = [
    "mkns",
    "kns",
    "hyperx",
    "torus",
    "fat_tree",
    "slim_fly",
    "random_shortcut",
    "dln",
    "multi_ring",
    "hypercube",
    "block_design",
];

/// Network ports of a block where a notation says nothing else.
const DEFAULT_PORTS: u32 = 10;
/// Fewest network ports that a block of MKNS and KNS may have.
const LEAST_PORTS: u32 = 4;
/// Dimensions of grids, and of MKNS.
const GRID_DIMENSIONS: usize = 8;
const MKNS_DIMENSIONS: usize = 4;
/// Cascades of a distributed switch that are tried, and one more.
const CASCADES: u32 = 5;
/// Share of the estimated number of terminals that a block design of several cascades has at least.
const ESTIMATE: f64 = 0.7;
/// Graphs of random shortcuts of which the best is taken.
const BEST_OF: u32 = 10;

/// All that fit.
pub fn candidates(wanted: &SearchLimits) -> Vec<Candidate> {
    let all = wanted.kinds.iter().flat_map(|&kind| {
        let notations = match kind {
            "mkns" => mkns(wanted),
            "kns" => grid("KNS", wanted),
            "hyperx" => grid("HyperX", wanted),
            "torus" => grid("torus", wanted),
            "fat_tree" => fat_tree(wanted),
            "slim_fly" => slim_fly(wanted),
            "random_shortcut" => random_shortcut(wanted),
            "dln" => dln(wanted),
            "multi_ring" => distributed("multi_ring", wanted),
            "hypercube" => distributed("hypercube", wanted),
            _ => block_design(wanted),
        };
        notations
            .into_iter()
            .filter_map(move |notation| candidate(kind, notation, wanted))
    });
    all.collect()
}

/// The network of a notation; none where it is invalid, of another size, or needs more ports.
fn candidate(kind: &'static str, notation: String, wanted: &SearchLimits) -> Option<Candidate> {
    let (settings, spec) = match kind {
        "mkns" | "kns" => with_least_ports(&notation, wanted.ports)?,
        "random_shortcut" => {
            let settings = vec![format!("network.best_of={BEST_OF}")];
            let spec = spec::parse_with(&notation, &settings).ok()?;
            (settings, spec)
        }
        _ => (Vec::new(), spec::parse(&notation).ok()?),
    };
    let (modules, ports) = size(&spec)?;
    let per_node = spec.kind.vms_per_node();
    let fits = (wanted.hosts.0..=wanted.hosts.1).contains(&modules)
        && (wanted.vms_per_node.0..=wanted.vms_per_node.1).contains(&per_node)
        && ports <= wanted.ports;
    fits.then_some(Candidate {
        kind,
        notation,
        settings,
        spec,
    })
}

/// The network whose blocks have as few ports as its sizes allow; none where more than `most` are needed.
fn with_least_ports(notation: &str, most: u32) -> Option<(Vec<String>, NetworkSpec)> {
    (LEAST_PORTS..=most).find_map(|ports| {
        let settings = match ports {
            DEFAULT_PORTS => Vec::new(),
            _ => vec![format!("network.ports={ports}")],
        };
        let spec = spec::parse_with(notation, &settings).ok()?;
        Some((settings, spec))
    })
}

/// Modules of a network, and network ports of the block that has most. Where they follow from the spec it is not built.
fn size(spec: &NetworkSpec) -> Option<(u32, u32)> {
    let (nodes, ports): (u32, u32) = match &spec.kind {
        NetworkKind::Mkns(mkns) => {
            let sizes = mkns.dimensions.iter().map(|dimension| dimension.size);
            (sizes.product(), mkns.ports)
        }
        NetworkKind::Grid(grid) => (grid.sizes.iter().product(), grid.ports),
        NetworkKind::RandomShortcut(graph) => (graph.nodes, graph.degree),
        _ => {
            let network = topology::build(spec);
            let ports = network.blocks.iter().map(|block| block.network_ports);
            return Some((network.hosts.len() as u32, ports.max()?.into()));
        }
    };
    Some((nodes * spec.kind.vms_per_node(), ports))
}

/// Numbers of adapter blocks, and of modules on each, that together are as many as wanted.
fn shapes(wanted: &SearchLimits) -> Vec<(u32, u32)> {
    let (least, most) = wanted.hosts;
    let (fewest, most_of_node) = wanted.vms_per_node;
    let shapes = (fewest..=most_of_node).flat_map(|modules| {
        let nodes = least.div_ceil(modules)..=most / modules;
        nodes.map(move |nodes| (nodes, modules))
    });
    shapes.filter(|(nodes, _)| *nodes >= 2).collect()
}

fn sizes(list: &[u32]) -> String {
    let texts: Vec<String> = list.iter().map(u32::to_string).collect();
    texts.join("x")
}

/// Dimension 1 is another one than the rest: every size has its turn there. Each further dimension is a direct mesh, a
/// switch block, or where that is too small an assembly.
fn mkns(wanted: &SearchLimits) -> Vec<String> {
    let mut found = Vec::new();
    for (nodes, modules) in shapes(wanted) {
        for list in with_each_first(&falling(nodes, 1, MKNS_DIMENSIONS)) {
            let (dimensions, text) = (list.len(), sizes(&list));
            let named = |joins: Vec<u32>| match dimensions {
                1 => format!("MKNS({modules},{text},1,1)"),
                _ => format!("MKNS({modules},{text},{dimensions},{})", shortest(&joins)),
            };
            found.extend(joins(&list[1..], wanted.ports).into_iter().map(named));
        }
    }
    found
}

/// One number where all are equal.
fn shortest(list: &[u32]) -> String {
    match list.iter().all(|value| *value == list[0]) {
        true => list[0].to_string(),
        false => sizes(list),
    }
}

/// Joins of dimensions of falling sizes. Two dimensions of one size that exchange their joins are the same network.
fn joins(list: &[u32], ports: u32) -> Vec<Vec<u32>> {
    let mut found = vec![Vec::new()];
    for (at, &size) in list.iter().enumerate() {
        let choices: &[u32] = if size > ports { &[2] } else { &[0, 1] };
        let longer = found.iter().flat_map(|joins: &Vec<u32>| {
            let least = match at > 0 && list[at - 1] == size {
                true => joins[at - 1],
                false => 0,
            };
            let choices = choices.iter().filter(move |&&join| join >= least);
            choices.map(move |&join| [joins.as_slice(), &[join]].concat())
        });
        found = longer.collect();
    }
    found
}

fn grid(name: &str, wanted: &SearchLimits) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let lists = falling(nodes, 1, GRID_DIMENSIONS);
        lists
            .into_iter()
            .map(move |list| format!("{name}({},{modules})", sizes(&list)))
    });
    all.collect()
}

/// Every order of levels; with as many cables up as down, and with half as many.
fn fat_tree(wanted: &SearchLimits) -> Vec<String> {
    let mut found = Vec::new();
    for (nodes, modules) in shapes(wanted) {
        for mut down in falling(nodes, 1, 4) {
            down.sort_unstable();
            loop {
                found.push(format!("fat_tree({},{modules})", sizes(&down)));
                let up: Vec<u32> = down[..down.len() - 1].iter().map(|size| size / 2).collect();
                if !up.is_empty() && up.iter().all(|&size| size > 0) {
                    found.push(format!(
                        "fat_tree({},{modules},{})",
                        sizes(&down),
                        sizes(&up)
                    ));
                }
                if !next_order(&mut down) {
                    break;
                }
            }
        }
    }
    found
}

/// The next order of a list, in the order of a dictionary; false after the last.
fn next_order(list: &mut [u32]) -> bool {
    let Some(at) = list.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let other = list.iter().rposition(|&value| value > list[at]);
    list.swap(at, other.expect("the next value is greater"));
    list[at + 1..].reverse();
    true
}

fn slim_fly(wanted: &SearchLimits) -> Vec<String> {
    let all = shapes(wanted).into_iter().filter_map(|(nodes, modules)| {
        let order = (nodes / 2).isqrt();
        (2 * order * order == nodes).then(|| format!("slim_fly({order},{modules})"))
    });
    all.collect()
}

fn random_shortcut(wanted: &SearchLimits) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let is_possible = move |degree: &u32| (nodes * degree).is_multiple_of(2);
        let degrees = (3..=wanted.ports).filter(is_possible);
        degrees.map(move |degree| format!("random_shortcut({nodes},{degree},{modules})"))
    });
    all.collect()
}

fn dln(wanted: &SearchLimits) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let chords = 1..=wanted.ports.saturating_sub(1) / 2;
        chords.map(move |chords| format!("dln({nodes},{chords},{modules})"))
    });
    all.collect()
}

/// m ports a switch and k cascades: m^(k+1) terminals.
fn distributed(name: &str, wanted: &SearchLimits) -> Vec<String> {
    let all = (2..=wanted.ports).flat_map(|ports: u32| {
        let size = move |cascades: u32| ports.checked_pow(cascades + 1);
        let fits = move |cascades: &u32| {
            size(*cascades).is_some_and(|terminals| terminals <= wanted.hosts.1)
        };
        let cascades = (1..CASCADES).filter(fits);
        cascades.map(move |cascades| format!("{name}({ports},{cascades})"))
    });
    all.collect()
}

/// m ports a switch, any two terminals on σ of them: N = m(m − 1)/σ + 1 terminals, and about m⌊(N/m)^k⌋ of k cascades.
fn block_design(wanted: &SearchLimits) -> Vec<String> {
    let all = (3..=wanted.ports).flat_map(|ports| {
        let pairs = ports * (ports - 1);
        let sigmas = (1..ports).filter(move |sigma| pairs.is_multiple_of(*sigma));
        sigmas.flat_map(move |sigma| {
            let elements = pairs / sigma + 1;
            let ratio = f64::from(elements) / f64::from(ports);
            let about = move |cascades: u32| f64::from(ports) * ratio.powi(cascades as i32).floor();
            let is_near = move |cascades: &u32| {
                let (least, most) = (f64::from(wanted.hosts.0), f64::from(wanted.hosts.1));
                (ESTIMATE * least..=most / ESTIMATE).contains(&about(*cascades))
            };
            let more = (2..CASCADES).filter(is_near);
            let more = more.map(move |cascades| {
                format!("block_design({elements},{ports},{sigma},{cascades})")
            });
            std::iter::once(format!("block_design({elements},{ports},{sigma})")).chain(more)
        })
    });
    all.collect()
}
