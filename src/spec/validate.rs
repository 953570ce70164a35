//! What makes a network valid: sizes, the port budget, the address width.
//!
//! Each violation is one diagnostic that names field, value, allowed range and remedy. Budgets that
//! dimensions share are judged only when each dimension is valid by itself.

use super::findings::Findings;
use super::legal::{ADDRESS_BITS, DIMENSIONS, PORTS, VMS_PER_NODE};
use super::ports::port_plan;
use super::{Dimension, Join, MknsSpec, NetworkKind};
use mkns_diag::Code;

/// Longest name of a design, characters.
const NAME_LENGTH: usize = 64;

/// The name becomes a folder and part of Verilog identifiers.
pub fn name(name: &str, findings: &mut Findings) {
    let letters = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '_');
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    if starts && name.chars().all(letters) && name.len() <= NAME_LENGTH {
        return;
    }
    let fact = format!(
        "name is \"{name}\", but 1 to {NAME_LENGTH} lower-case letters, digits and `_` are \
         allowed, a letter first"
    );
    findings.report(
        "name",
        Code::IllegalName,
        fact,
        "choose such a name, or leave it out".to_owned(),
    );
}

/// M and d of any kind; false when d is out of range, so that nothing else can be judged.
pub fn modules_and_ports(vms_per_node: u32, ports: u32, findings: &mut Findings) -> bool {
    if !VMS_PER_NODE.allows(vms_per_node) {
        let fact = format!(
            "M = {vms_per_node} compute modules per adapter block, but {VMS_PER_NODE} are allowed"
        );
        let field = "network.vms_per_node";
        findings.report(field, Code::OutOfRange, fact, format!("use {VMS_PER_NODE}"));
    }
    if !PORTS.allows(ports) {
        let fact = format!("d = {ports} ports per block, but {PORTS} are allowed");
        findings.report(
            "network.ports",
            Code::OutOfRange,
            fact,
            format!("use {PORTS}"),
        );
    }
    PORTS.allows(ports)
}

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
        address(&spec.clone().into(), "network.dimensions", findings);
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

/// The fields of an address must fit the header; `field` is what could be made smaller.
pub fn address(network: &NetworkKind, field: &str, findings: &mut Findings) {
    let widths = network.address_bits();
    let bits: u32 = widths.iter().sum();
    if bits <= ADDRESS_BITS {
        return;
    }
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    let fact = format!(
        "the address needs {bits} bits ({}: PCIe port, then each coordinate), but the header has \
         {ADDRESS_BITS}",
        widths.join(" + ")
    );
    let remedy = "lower M or the sizes until the widths, each the logarithm rounded up, fit";
    findings.report(field, Code::AddressTooWide, fact, remedy.to_owned());
}
