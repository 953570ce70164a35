//! All networks of a size, of all kinds: every way to arrange so many compute modules that the blocks have ports for.
//!
//! Sizes whose order does not change the network are listed once, the largest first.

use super::factors::{falling, with_each_first};
use mkns_spec::{self as spec, NetworkSpec};
use mkns_topology as topology;

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Least and greatest number of compute modules (VMs).
    pub vms: (u32, u32),
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
/// Cascades of a distributed switch that are tried, and one more.
const CASCADES: u32 = 5;
/// Share of the estimated number of terminals that a block design of several cascades has at least.
const ESTIMATE: f64 = 0.7;
/// Graphs of random shortcuts of which the best is taken.
const BEST_OF: u32 = 10;

/// All that fit.
pub fn candidates(wanted: &Wanted) -> Vec<Candidate> {
    let all = wanted.kinds.iter().flat_map(|&kind| {
        let notations = match kind {
            "mkns" => mkns(wanted),
            "kns" => grid("KNS", wanted, 1, 4),
            "hyperx" => grid("HyperX", wanted, 1, 4),
            "torus" => grid("torus", wanted, 2, 8),
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
fn candidate(kind: &'static str, notation: String, wanted: &Wanted) -> Option<Candidate> {
    let mut settings = Vec::new();
    if ["mkns", "kns"].contains(&kind) && wanted.ports != DEFAULT_PORTS {
        settings.push(format!("network.ports={}", wanted.ports));
    }
    if kind == "random_shortcut" {
        settings.push(format!("network.best_of={BEST_OF}"));
    }
    let spec = spec::parse_with(&notation, &settings).ok()?;
    let network = topology::build(&spec);
    let modules = network.terminals.len() as u32;
    let ports = network
        .blocks
        .iter()
        .map(|block| block.network_ports)
        .max()?;
    let per_node = spec.kind.vms_per_node();
    let fits = (wanted.vms.0..=wanted.vms.1).contains(&modules)
        && (wanted.vms_per_node.0..=wanted.vms_per_node.1).contains(&per_node)
        && u32::from(ports) <= wanted.ports;
    fits.then_some(Candidate {
        kind,
        notation,
        settings,
        spec,
    })
}

/// Numbers of adapter blocks, and of modules on each, that together are as many as wanted.
fn shapes(wanted: &Wanted) -> Vec<(u32, u32)> {
    let (least, most) = wanted.vms;
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

/// Dimension 1 is another one than the rest: every size has its turn there. Dimension 2 and up are direct meshes,
/// switch blocks, or where these are too small assemblies.
fn mkns(wanted: &Wanted) -> Vec<String> {
    let mut found = Vec::new();
    for (nodes, modules) in shapes(wanted) {
        for list in with_each_first(&falling(nodes, 2, 4)) {
            let needs_assemblies = list[1..].iter().any(|&size| size > wanted.ports);
            let joins: &[u32] = if needs_assemblies { &[2] } else { &[0, 1] };
            let list = sizes(&list);
            found.extend(
                joins.iter().map(|join| {
                    format!("MKNS({modules},{list},{},{join})", list.split('x').count())
                }),
            );
        }
    }
    found
}

fn grid(name: &str, wanted: &Wanted, least: usize, most: usize) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let lists = falling(nodes, least, most);
        lists
            .into_iter()
            .map(move |list| format!("{name}({},{modules})", sizes(&list)))
    });
    all.collect()
}

/// Every order of levels; with as many cables up as down, and with half as many.
fn fat_tree(wanted: &Wanted) -> Vec<String> {
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

fn slim_fly(wanted: &Wanted) -> Vec<String> {
    let all = shapes(wanted).into_iter().filter_map(|(nodes, modules)| {
        let order = (nodes / 2).isqrt();
        (2 * order * order == nodes).then(|| format!("slim_fly({order},{modules})"))
    });
    all.collect()
}

fn random_shortcut(wanted: &Wanted) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let degrees = (4..=wanted.ports).step_by(2);
        degrees.map(move |degree| format!("random_shortcut({nodes},{degree},{modules})"))
    });
    all.collect()
}

fn dln(wanted: &Wanted) -> Vec<String> {
    let all = shapes(wanted).into_iter().flat_map(|(nodes, modules)| {
        let chords = 1..=wanted.ports.saturating_sub(1) / 2;
        chords.map(move |chords| format!("dln({nodes},{chords},{modules})"))
    });
    all.collect()
}

/// m ports a switch and k cascades: m^(k+1) terminals.
fn distributed(name: &str, wanted: &Wanted) -> Vec<String> {
    let all = (2..=wanted.ports).flat_map(|ports: u32| {
        let size = move |cascades: u32| ports.checked_pow(cascades + 1);
        let fits = move |cascades: &u32| {
            size(*cascades).is_some_and(|terminals| terminals <= wanted.vms.1)
        };
        let cascades = (1..CASCADES).filter(fits);
        cascades.map(move |cascades| format!("{name}({ports},{cascades})"))
    });
    all.collect()
}

/// m ports a switch, any two terminals on σ of them: N = m(m − 1)/σ + 1 terminals, and about m⌊(N/m)^k⌋ of k cascades.
fn block_design(wanted: &Wanted) -> Vec<String> {
    let all = (3..=wanted.ports).flat_map(|ports| {
        let pairs = ports * (ports - 1);
        let sigmas = (1..ports).filter(move |sigma| pairs.is_multiple_of(*sigma));
        sigmas.flat_map(move |sigma| {
            let elements = pairs / sigma + 1;
            let ratio = f64::from(elements) / f64::from(ports);
            let about = move |cascades: u32| f64::from(ports) * ratio.powi(cascades as i32).floor();
            let is_near = move |cascades: &u32| {
                let (least, most) = (f64::from(wanted.vms.0), f64::from(wanted.vms.1));
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
