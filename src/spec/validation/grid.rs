//! What makes a torus, KNS or HyperX valid.

use super::network::{address, modules_and_ports};
use crate::data::{Family, GRID_DIMENSIONS, GRID_SIZES, GridSpec, NetworkKind};
use crate::findings::Findings;
use mkns_diag::Code;

/// Number and lengths of dimensions, their ports, the address.
pub fn grid(spec: &GridSpec, findings: &mut Findings) {
    let needed = spec.needed_ports();
    let count = spec.sizes.len();
    if u32::try_from(count).map_or(true, |count| !GRID_DIMENSIONS.allows(count)) {
        let fact = format!("{count} dimensions, but {GRID_DIMENSIONS} are allowed");
        let remedy = format!("give {GRID_DIMENSIONS} sizes");
        findings.report("network.sizes", Code::OutOfRange, fact, remedy);
        return;
    }
    let sizes = spec.sizes.iter().enumerate();
    let sound: Vec<bool> = sizes
        .map(|(at, &size)| dimension(spec, at, size, findings))
        .collect();
    if !sound.into_iter().all(|sound| sound) {
        return;
    }
    if needed > spec.ports.max(4) || needed > 16 {
        let fact = format!(
            "the {count} dimensions need {needed} ports of an adapter block, but it has d = {}",
            spec.ports.min(16)
        );
        let remedy = "use fewer or smaller dimensions, or set `ports` in a TOML file";
        findings.report(
            "network.sizes",
            Code::TooManyDimensions,
            fact,
            remedy.to_owned(),
        );
        return;
    }
    if modules_and_ports(spec.vms_per_node, spec.ports, findings) {
        address(&NetworkKind::Grid(spec.clone()), "network.sizes", findings);
    }
}

fn dimension(spec: &GridSpec, at: usize, size: u32, findings: &mut Findings) -> bool {
    let field = format!("network.sizes[{at}]");
    let number = at + 1;
    if !GRID_SIZES.allows(size) {
        let fact =
            format!("dimension {number} has K{number} = {size}, but {GRID_SIZES} are allowed");
        findings.report(&field, Code::OutOfRange, fact, format!("use {GRID_SIZES}"));
        return false;
    }
    if spec.family == Family::Kns && size > spec.ports {
        let ports = spec.ports;
        let fact = format!(
            "dimension {number} has K{number} = {size} adapter blocks, but a switch block of d \
                 = {ports} ports joins 2 to {ports}"
        );
        let remedy = format!("use K{number} = {ports} or less and enlarge another dimension");
        findings.report(&field, Code::SwitchBlockTooSmall, fact, remedy);
        return false;
    }
    true
}
