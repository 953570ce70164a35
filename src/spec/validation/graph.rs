//! What makes a Slim Fly, a network with random shortcuts or a distributed loop network valid.

use super::network::{address, modules};
use crate::data::{
    BEST_OF, Base, CHORDS, DEGREE, Limits, LoopSpec, Method, NetworkKind, ORDERS,
    RandomShortcutSpec, SHORTCUT_NODES, SlimFlySpec,
};
use crate::findings::Findings;
use mkns_diag::Code;

/// q, M, the address.
pub fn slim_fly(spec: &SlimFlySpec, findings: &mut Findings) {
    if !ORDERS.allows(spec.order) {
        let fact = format!(
            "q = {}, but the construction needs a prime power: {ORDERS}",
            spec.order
        );
        let remedy = format!("use q = {ORDERS}");
        findings.report("network.order", Code::OutOfRange, fact, remedy);
        return;
    }
    modules(spec.vms_per_node, findings);
    address(
        &NetworkKind::SlimFly(spec.clone()),
        "network.order",
        findings,
    );
}

/// N, degree, base, M, the address.
pub fn random_shortcut(spec: &RandomShortcutSpec, findings: &mut Findings) {
    let numbers = [
        ("network.nodes", "N", spec.nodes, SHORTCUT_NODES),
        ("network.degree", "degree", spec.degree, DEGREE),
        ("network.best_of", "best_of", spec.best_of, BEST_OF),
    ];
    if !numbers.into_iter().all(|number| allowed(number, findings)) {
        return;
    }
    modules(spec.vms_per_node, findings);
    let nodes = spec.nodes;
    let base_fits = match spec.base {
        Base::Ring | Base::Tree => true,
        Base::Torus => (3..=nodes / 3).any(|side| nodes.is_multiple_of(side)),
        Base::Hypercube => nodes.is_power_of_two(),
    };
    if !base_fits {
        let name = spec.base.name();
        let fact = format!("no {name} has {nodes} blocks");
        let remedy = "use another N, or `base = \"ring\"`".to_owned();
        findings.report("network.base", Code::OutOfRange, fact, remedy);
        return;
    }
    let least = spec.base.degree(nodes) + 1;
    let most = nodes - 1;
    let fact = format!("degree is {}, N = {nodes}", spec.degree);
    if !(least..=most).contains(&spec.degree) {
        let fact = format!("{fact}, but shortcuts make it {least} to {most}");
        let remedy = format!("use {least} to {most}");
        findings.report("network.degree", Code::OutOfRange, fact, remedy);
    } else if spec.method == Method::Uniform && !(nodes * spec.degree).is_multiple_of(2) {
        let fact = format!("{fact}, both odd: cables have two ends");
        let remedy = "make one of them even".to_owned();
        findings.report("network.degree", Code::OutOfRange, fact, remedy);
    }
    address(
        &NetworkKind::RandomShortcut(spec.clone()),
        "network.nodes",
        findings,
    );
}

/// N, K, M, the address.
pub fn dln(spec: &LoopSpec, findings: &mut Findings) {
    let numbers = [
        ("network.nodes", "N", spec.nodes, SHORTCUT_NODES),
        ("network.chords", "K", spec.chords, CHORDS),
    ];
    if !numbers.into_iter().all(|number| allowed(number, findings)) {
        return;
    }
    modules(spec.vms_per_node, findings);
    address(&NetworkKind::Loop(spec.clone()), "network.nodes", findings);
}

fn allowed(
    (field, name, value, limits): (&str, &str, u32, Limits),
    findings: &mut Findings,
) -> bool {
    if !limits.allows(value) {
        let fact = format!("{name} = {value}, but it must be {limits}");
        findings.report(field, Code::OutOfRange, fact, format!("use {limits}"));
    }
    limits.allows(value)
}
