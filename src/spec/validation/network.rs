//! What any network must keep to: its name, M and d, the width of an address.

use super::reserved::is_reserved;
use crate::data::{ADDRESS_BITS, NetworkKind, PORTS, VMS_PER_NODE};
use crate::findings::Findings;
use mkns_diag::Code;

/// Longest name of a design, characters.
const NAME_LENGTH: usize = 64;

/// The name becomes a folder, part of identifiers in Verilog and C, and an identifier in SystemRDL.
pub fn name(name: &str, findings: &mut Findings) {
    let letters = |letter: char| matches!(letter, 'a'..='z' | '0'..='9' | '_');
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    let is_simple = starts && name.chars().all(letters) && name.len() <= NAME_LENGTH;
    let fact = match is_simple {
        true if !is_reserved(name) => return,
        true => format!(
            "name is \"{name}\", a word of SystemRDL, in which registers.rdl has the name for its address map"
        ),
        false => format!(
            "name is \"{name}\", but 1 to {NAME_LENGTH} lower-case letters, digits and `_` are \
             allowed, a letter first"
        ),
    };
    findings.report(
        "name",
        Code::IllegalName,
        fact,
        "choose such a name, or leave it out".to_owned(),
    );
}

/// M of any kind.
pub fn modules(vms_per_node: u32, findings: &mut Findings) {
    if !VMS_PER_NODE.allows(vms_per_node) {
        let fact =
            format!("M = {vms_per_node} hosts per adapter block, but {VMS_PER_NODE} are allowed");
        let field = "network.vms_per_node";
        findings.report(field, Code::OutOfRange, fact, format!("use {VMS_PER_NODE}"));
    }
}

/// M and d of any kind; false when d is out of range, so that nothing else can be judged.
pub fn modules_and_ports(vms_per_node: u32, ports: u32, findings: &mut Findings) -> bool {
    modules(vms_per_node, findings);
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
