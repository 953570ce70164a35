//! The numbers of a distributed switch for `mkns info`: the paper's formula beside the graph.
//!
//! Crosspoints and channels are counted as the paper counts them (see `complexity`), once from the stages
//! and once from blocks and cables.

use super::{Complexity, DistributedSwitch, Structure, switch_of};
use crate::measured::{Metric, Metrics};
use crate::{BlockRole, Network};
use mkns_spec::{DistributedSwitchSpec, NetworkSpec};

/// All numbers of a network that was built from `spec`.
pub fn measure(spec: &NetworkSpec, kind: &DistributedSwitchSpec, network: &Network) -> Metrics {
    let switch = switch_of(kind);
    let count = Complexity::of(&switch);
    let row = |name, formula, measured, how: String| Metric {
        name,
        formula,
        measured,
        how,
        ..Metric::default()
    };
    let terminals = network.hosts.len() as u64 / u64::from(kind.trunks());
    let units = blocks(network, |role| matches!(role, BlockRole::Pok { .. })) + terminals;
    let spines = blocks(network, |role| *role == BlockRole::Spine);
    let m = u64::from(switch.ports());
    let channels = channels(network);
    let rows = vec![
        row(
            "terminals R",
            formula_of_terminals(&switch),
            Some(terminals),
            terminals_how(&switch),
        ),
        row(
            "disjoint paths σ",
            Some(switch.disjoint_paths().into()),
            None,
            "at least, between any two terminals; `mkns check` proves it".to_owned(),
        ),
        row(
            "POK units",
            Some(count.pok_units),
            Some(units),
            "those of the terminals included".to_owned(),
        ),
        row(
            "spine switches",
            Some(count.spine_switches),
            Some(spines),
            format!("N^k, each {m}×{m}"),
        ),
        row(
            "crosspoints s",
            Some(count.crosspoints),
            Some(2 * m * units + spines * m * m),
            ratio(count.crosspoints, count.direct_crosspoints, "S = R(R - 1)"),
        ),
        row(
            "channels w",
            Some(count.channels),
            Some(channels),
            ratio(count.channels, count.direct_channels, "W = R(R - 1)"),
        ),
        row(
            "cables",
            None,
            Some(network.cables.len() as u64),
            cables_how(&switch),
        ),
    ];
    Metrics {
        network: network.name.clone(),
        notation: spec.notation(),
        rows,
        mean_distance: f64::from(2 * switch.cascades()),
    }
}

fn blocks(network: &Network, wanted: impl Fn(&BlockRole) -> bool) -> u64 {
    let blocks = network.blocks.iter().filter(|block| wanted(&block.role));
    blocks.count() as u64
}

/// Pairs of one way up and one way down.
fn channels(network: &Network) -> u64 {
    let cables = network.cables.iter();
    cables.flat_map(|cable| cable.directions()).count() as u64 / 2
}

/// m^(k+1) on digraphs, N for one cascade of a design; the paper's estimate m⌊(N/m)^k⌋ beyond.
fn formula_of_terminals(switch: &DistributedSwitch) -> Option<u64> {
    let (m, n, k) = (
        u64::from(switch.ports()),
        u64::from(switch.copies()),
        switch.cascades(),
    );
    Some(match (switch.structure(), k) {
        (Structure::MultiRing | Structure::Hypercube, _) => m.pow(k + 1),
        (Structure::BlockDesign(_), 1) => n,
        (Structure::BlockDesign(_), _) => m * (n.pow(k) / m.pow(k)),
    })
}

fn terminals_how(switch: &DistributedSwitch) -> String {
    let Structure::BlockDesign(design) = switch.structure() else {
        return "R = m^(k+1)".to_owned();
    };
    let parameters = design.parameters();
    let mut how = format!("{parameters}, {}", design.construction());
    if switch.cascades() > 1 {
        how += "; the formula is the paper's estimate m⌊(N/m)^k⌋";
    }
    let unproved = switch
        .placements()
        .iter()
        .any(|placement| !placement.is_optimal);
    if unproved {
        how += "; a partial group may hold more terminals than the search found";
    }
    how
}

fn cables_how(switch: &DistributedSwitch) -> String {
    if switch.is_duplex() {
        "duplex: one per channel".to_owned()
    } else {
        "simplex: what a port sends and what it receives goes to different places".to_owned()
    }
}

fn ratio(own: u64, direct: u64, name: &str) -> String {
    let ratio = own as f64 / direct as f64;
    format!("{ratio:.4} of the complete digraph's {name} = {direct}")
}
