//! Reads `random_shortcut(N,degree,M)` and `dln(N,K,M)`, and their tables.

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{
    BEST_OF, Base, CHORDS, DEGREE, Limits, LoopSpec, Method, NetworkKind, RandomShortcutSpec,
    SHORTCUT_NODES, VMS_PER_NODE,
};
use crate::findings::Findings;

pub const RANDOM_SHORTCUT: Reader = Reader {
    name: "random_shortcut",
    title: "random_shortcut",
    form: "write random_shortcut(N,DEGREE) or random_shortcut(N,DEGREE,M), for example \
           `random_shortcut(64,4,4)`; base, method and seed stand in a table",
    counts: &[2, 3],
    arguments: "2 or 3 arguments, N, DEGREE and M",
    notation: |arguments, findings| {
        let [nodes, degree, hosts] = numbers(arguments, "degree", findings)?;
        let spec = RandomShortcutSpec::new(nodes, degree, hosts);
        Some(NetworkKind::RandomShortcut(spec))
    },
    table: read_random,
};

pub const DLN: Reader = Reader {
    name: "dln",
    title: "dln",
    form: "write dln(N,K) or dln(N,K,M), for example `dln(16,2,1)`",
    counts: &[2, 3],
    arguments: "2 or 3 arguments, N, K and M",
    notation: |arguments, findings| {
        let [nodes, chords, vms_per_node] = numbers(arguments, "chords", findings)?;
        Some(NetworkKind::Loop(LoopSpec {
            nodes,
            chords,
            vms_per_node,
        }))
    },
    table: read_loop,
};

/// N, a second number and M.
fn numbers(
    arguments: &Arguments,
    second: &'static str,
    findings: &mut Findings,
) -> Option<[u32; 3]> {
    let names = [("N", "nodes"), (second, second), ("M", "vms_per_node")];
    let mut values = [1; 3];
    for (at, (name, field)) in names.into_iter().enumerate().take(arguments.count()) {
        values[at] = arguments.field(at, name, field, findings)?;
    }
    Some(values)
}

fn read_random(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let nodes = table.required_number("nodes", SHORTCUT_NODES, findings);
    let degree = table.required_number("degree", DEGREE, findings);
    let hosts = table.number("vms_per_node", VMS_PER_NODE, findings);
    let seed = table.number("seed", Limits::Range(0, u32::MAX), findings);
    let best_of = table.number("best_of", BEST_OF, findings);
    let bases = Base::ALL.map(|base| (base.name(), base));
    let base = table.choice("base", &bases, findings).flatten();
    let methods = Method::ALL.map(|method| (method.name(), method));
    let method = table.choice("method", &methods, findings).flatten();
    let mut spec = RandomShortcutSpec::new(nodes?, degree?, hosts.unwrap_or(1));
    spec.base = base.unwrap_or(spec.base);
    spec.method = method.unwrap_or(spec.method);
    spec.seed = seed.unwrap_or(spec.seed);
    spec.best_of = best_of.unwrap_or(spec.best_of);
    Some(NetworkKind::RandomShortcut(spec))
}

fn read_loop(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let nodes = table.required_number("nodes", SHORTCUT_NODES, findings);
    let chords = table.required_number("chords", CHORDS, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    Some(NetworkKind::Loop(LoopSpec {
        nodes: nodes?,
        chords: chords?,
        vms_per_node: vms_per_node.unwrap_or(1),
    }))
}
