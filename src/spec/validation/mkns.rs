//! What makes an MKNS network valid: sizes, the port budget, the address width.
//!
//! Each violation is one diagnostic that names field, value, allowed range and remedy. Budgets that
//! dimensions share are judged only when each dimension is valid by itself.

use super::network::{address, modules_and_ports};
use crate::data::{DIMENSIONS, Dimension, Join, MknsSpec, NetworkKind, PORTS, port_plan};
use crate::findings::Findings;
use mkns_diag::Code;

/// M, d, N, then each dimension, then the budgets that dimensions share.
pub fn mkns(spec: &MknsSpec, findings: &mut Findings) {
    if !modules_and_ports(spec.vms_per_node, spec.ports, findings) {
        return;
    }
    let count = spec.dimensions.len();
    if u32::try_from(count).map_or(true, |count| !DIMENSIONS.allows(count)) {
        let fact = format!("network.dimensions lists {count} dimensions, {DIMENSIONS} are allowed");
        let remedy = format!("list {DIMENSIONS} dimensions");
        findings.report("network.dimensions", Code::OutOfRange, fact, remedy);
        return;
    }
    let mut is_sound = true;
    for (at, dimension) in spec.dimensions.iter().enumerate() {
        is_sound &= self::dimension(spec.ports, at, *dimension, findings);
    }
    if is_sound {
        free_ports(spec, findings);
        address(
            &NetworkKind::Mkns(spec.clone()),
            "network.dimensions",
            findings,
        );
    }
}

/// One dimension by itself; false when it breaks a rule.
fn dimension(ports: u32, at: usize, dimension: Dimension, findings: &mut Findings) -> bool {
    let Dimension { size, join } = dimension;
    let field = format!("network.dimensions[{at}].size");
    let number = at + 1;
    if at == 0 && join != Join::DirectMesh {
        let fact = format!(
            "dimension 1 is joined by \"{}\", but it is always a direct mesh",
            join.name()
        );
        let remedy = "leave `join` out of the first dimension".to_owned();
        findings.report(
            "network.dimensions[0].join",
            Code::FirstDimensionJoined,
            fact,
            remedy,
        );
        return false;
    }
    if size < 2 {
        let fact = format!(
            "dimension {number} has K{number} = {size}, but a dimension joins at least 2 adapter blocks"
        );
        let remedy = "leave a dimension of one adapter block out, or enlarge it".to_owned();
        findings.report(&field, Code::DimensionTooSmall, fact, remedy);
        return false;
    }
    match join {
        Join::DirectMesh if at == 0 => first_dimension(ports, size, findings),
        // How many ports a further mesh may have depends on all dimensions.
        Join::DirectMesh => true,
        Join::SwitchBlock => switch_block(ports, number, size, &field, findings),
        Join::SwitchAssembly => switch_assembly(ports, number, size, &field, findings),
    }
}

fn first_dimension(ports: u32, size: u32, findings: &mut Findings) -> bool {
    let largest = ports - 2;
    if size <= largest {
        return true;
    }
    let fact = format!(
        "dimension 1 has K1 = {size} adapter blocks, but a full mesh on d - 3 = {} ports joins 2 to \
         {largest}",
        ports - 3
    );
    let mut remedy = format!("use K1 = {largest} or less and enlarge another dimension");
    if PORTS.allows(size.saturating_add(2)) {
        remedy += &format!(", or set `ports` to {} in a TOML file", size + 2);
    }
    findings.report(
        "network.dimensions[0].size",
        Code::FirstDimensionTooLarge,
        fact,
        remedy,
    );
    false
}

fn switch_block(
    ports: u32,
    number: usize,
    size: u32,
    field: &str,
    findings: &mut Findings,
) -> bool {
    if size <= ports {
        return true;
    }
    let fact = format!(
        "dimension {number} has K{number} = {size} adapter blocks, but a switch block of d = \
         {ports} ports joins 2 to {ports}"
    );
    let mut remedy = format!("use K{number} = {ports} or less");
    if ports.is_multiple_of(2) && size <= 2 * ports {
        remedy += " or a switch assembly (S = 2)";
    }
    findings.report(field, Code::SwitchBlockTooSmall, fact, remedy);
    false
}

fn switch_assembly(
    ports: u32,
    number: usize,
    size: u32,
    field: &str,
    findings: &mut Findings,
) -> bool {
    if !ports.is_multiple_of(2) {
        let fact = format!(
            "dimension {number} is joined by switch assemblies, but d = {ports} is odd: a leaf has \
             d/2 ports outward and d/2 upward"
        );
        let remedy = "set `ports` to an even number, or join by a switch block".to_owned();
        findings.report(
            &field.replace(".size", ".join"),
            Code::OddAssembly,
            fact,
            remedy,
        );
        return false;
    }
    if size <= 2 * ports {
        return true;
    }
    let largest = 2 * ports;
    let fact = format!(
        "dimension {number} has K{number} = {size} adapter blocks, but a switch assembly of d = \
         {ports} ports joins 2 to {largest}"
    );
    let remedy = format!("use K{number} = {largest} or less and enlarge another dimension");
    findings.report(field, Code::AssemblyTooSmall, fact, remedy);
    false
}

/// Direct meshes beyond dimension 1 live on ports that nothing else uses.
fn free_ports(spec: &MknsSpec, findings: &mut Findings) {
    let Err(shortage) = port_plan(spec) else {
        return;
    };
    let number = shortage.dimension + 1;
    let largest = shortage.available + 1;
    let fact = format!(
        "dimension {number} is a direct mesh of K{number} = {} adapter blocks, which needs {} ports \
         of each, but can have {} of d = {}: at most {largest} adapter blocks",
        shortage.needed + 1,
        shortage.needed,
        shortage.available,
        spec.ports
    );
    let remedy = format!(
        "use K{number} = {largest} or less, a smaller dimension 1, or a switch block (S = 1)"
    );
    let field = format!("network.dimensions[{}].size", shortage.dimension);
    findings.report(&field, Code::NoPortsForMesh, fact, remedy);
}
