//! What makes a fat tree valid.

use super::network::modules_and_ports;
use crate::data::{DOWN, FatTreeSpec, LEVELS, Limits, UP};
use crate::findings::Findings;
use mkns_diag::Code;

/// Number of levels, blocks below and above each, ports.
pub fn fat_tree(spec: &FatTreeSpec, findings: &mut Findings) {
    let levels = spec.levels();
    if u32::try_from(levels).map_or(true, |levels| !LEVELS.allows(levels)) {
        let fact = format!("down lists {levels} levels, but {LEVELS} are allowed");
        findings.report(
            "network.down",
            Code::OutOfRange,
            fact,
            format!("list {LEVELS} levels"),
        );
        return;
    }
    if spec.up.len() + 1 != levels {
        let fact = format!(
            "up lists {} values, but a tree of {levels} levels has {} below the last",
            spec.up.len(),
            levels - 1
        );
        let remedy = format!("give {} values, or leave `up` out", levels - 1);
        findings.report("network.up", Code::ListLength, fact, remedy);
        return;
    }
    let down = all_allowed(&spec.down, DOWN, "down", findings);
    if !all_allowed(&spec.up, UP, "up", findings) || !down {
        return;
    }
    let needed = spec.needed_ports();
    if needed > spec.ports.min(16) {
        let fact = format!(
            "a switch block needs {needed} ports, blocks below and above together, but it has d = {}",
            spec.ports.min(16)
        );
        let remedy = "lower DOWN or UP, or set `ports` in a TOML file".to_owned();
        findings.report("network.down", Code::TooManyDimensions, fact, remedy);
        return;
    }
    modules_and_ports(spec.vms_per_node, spec.ports, findings);
}

/// Reports the entries of a list that are out of range; false when there are any.
fn all_allowed(values: &[u32], limits: Limits, name: &str, findings: &mut Findings) -> bool {
    let mut sound = true;
    for (at, value) in values.iter().enumerate() {
        if !limits.allows(*value) {
            let fact = format!("{name} lists {value}, but {limits} are allowed");
            let field = format!("network.{name}[{at}]");
            findings.report(&field, Code::OutOfRange, fact, format!("use {limits}"));
            sound = false;
        }
    }
    sound
}
