//! What makes a spec valid: the port budget, the address width, the block parameters.
//!
//! Each violation is one diagnostic that names field, value, allowed range and remedy. Ranges come
//! first; a relation between fields is judged only when its fields are in range.

use super::block::NUMBERS;
use super::file::out_of_range;
use super::findings::Findings;
use super::legal::{ADDRESS_BITS, DIMENSIONS, MAX_PAYLOAD_BYTES, PORTS, VMS_PER_NODE};
use super::ports::port_plan;
use super::{BlockParameters, Dimension, Join, MknsSpec, Switching};

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
        "E0217",
        fact,
        "choose such a name, or leave it out".to_owned(),
    );
}

/// M, d, N, then each dimension, then the budgets that dimensions share.
pub fn network(spec: &MknsSpec, findings: &mut Findings) {
    let vms = "network.vms_per_node";
    if !VMS_PER_NODE.allows(spec.vms_per_node) {
        out_of_range(vms, &spec.vms_per_node.to_string(), VMS_PER_NODE, findings);
    }
    if !PORTS.allows(spec.ports) {
        out_of_range("network.ports", &spec.ports.to_string(), PORTS, findings);
        return;
    }
    let count = spec.dimensions.len();
    if u32::try_from(count).map_or(true, |count| !DIMENSIONS.allows(count)) {
        let fact = format!("network.dimensions lists {count} dimensions, {DIMENSIONS} are allowed");
        let remedy = format!("list {DIMENSIONS} dimensions");
        findings.report("network.dimensions", "E0205", fact, remedy);
        return;
    }
    let mut is_sound = true;
    for (at, dimension) in spec.dimensions.iter().enumerate() {
        is_sound &= self::dimension(spec.ports, at, *dimension, findings);
    }
    if is_sound {
        free_ports(spec, findings);
        address(spec, findings);
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
        findings.report("network.dimensions[0].join", "E0212", fact, remedy);
        return false;
    }
    if size < 2 {
        let fact = format!("dimension {number} has K{number} = {size} adapter blocks, at least 2");
        let fact = format!("{fact} are needed");
        let remedy = "leave a dimension of one adapter block out, or enlarge it".to_owned();
        findings.report(&field, "E0206", fact, remedy);
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
        "dimension 1 has K1 = {size} adapter blocks, but its full mesh has ports 1 to {} of d = \
         {ports}, which join 2 to {largest}",
        ports - 3
    );
    let mut remedy = format!("use K1 = {largest} or less and enlarge another dimension");
    if PORTS.allows(size.saturating_add(2)) {
        remedy += &format!(", or set `ports` to {} in a TOML file", size + 2);
    }
    findings.report("network.dimensions[0].size", "E0207", fact, remedy);
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
    findings.report(field, "E0208", fact, remedy);
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
        findings.report(&field.replace(".size", ".join"), "E0210", fact, remedy);
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
    findings.report(field, "E0209", fact, remedy);
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
         of each, but only {} of d = {} are free: at most {largest} adapter blocks",
        shortage.needed + 1,
        shortage.needed,
        shortage.available,
        spec.ports
    );
    let remedy = format!(
        "use K{number} = {largest} or less, a smaller dimension 1, or a switch block (S = 1)"
    );
    let field = format!("network.dimensions[{}].size", shortage.dimension);
    findings.report(&field, "E0211", fact, remedy);
}

fn address(spec: &MknsSpec, findings: &mut Findings) {
    let fields = spec.address_fields();
    let bits: u32 = fields.iter().sum();
    if bits <= ADDRESS_BITS {
        return;
    }
    let widths: Vec<String> = fields.iter().map(u32::to_string).collect();
    let fact = format!(
        "the address needs {bits} bits ({}: PCIe port, then each coordinate), but the header has \
         {ADDRESS_BITS}",
        widths.join(" + ")
    );
    let remedy = "lower M or the sizes until the widths, each the logarithm rounded up, fit";
    findings.report("network.dimensions", "E0219", fact, remedy.to_owned());
}

/// Block parameters; `ports` is d where the network could be read.
pub fn block(block: &BlockParameters, ports: Option<u32>, findings: &mut Findings) {
    for number in NUMBERS {
        let value = (number.get)(block);
        if !number.legal.allows(value) {
            out_of_range(
                &field(number.name),
                &value.to_string(),
                number.legal,
                findings,
            );
        }
    }
    if let Some(ports) = ports {
        banks(block, ports, findings);
    }
    queue(block, findings);
    round_trip(block, findings);
    cut_through(block, findings);
    packet_length(block, findings);
}

fn field(name: &str) -> String {
    format!("block.{name}")
}

fn banks(block: &BlockParameters, ports: u32, findings: &mut Findings) {
    if !findings.sound(&["block.banks", "network.ports"]) || block.banks <= ports {
        return;
    }
    let fact = format!(
        "block.banks = {}, but a block of d = {ports} ports",
        block.banks
    );
    let fact = format!("{fact} has 1 to {ports} banks per input");
    findings.report(
        "block.banks",
        "E0223",
        fact,
        format!("set it to {ports} or less"),
    );
}

fn queue(block: &BlockParameters, findings: &mut Findings) {
    let least = block.rx_buffer_flits.saturating_add(4);
    let fields = ["block.queue_flits", "block.rx_buffer_flits"];
    if !findings.sound(&fields) || block.queue_flits >= least {
        return;
    }
    let fact = format!(
        "block.queue_flits = {}, but it must be at least rx_buffer_flits + 4 = {least}",
        block.queue_flits
    );
    let remedy = format!("set it to {} or more", least.next_power_of_two());
    findings.report("block.queue_flits", "E0220", fact, remedy);
}

fn round_trip(block: &BlockParameters, findings: &mut Findings) {
    let fields = ["block.rx_buffer_flits", "block.link_latency"];
    if !findings.sound(&fields) || block.rx_buffer_flits >= block.round_trip() {
        return;
    }
    let least = block.round_trip();
    let fact = format!(
        "block.rx_buffer_flits = {}, but a credit returns after {least} cycles with link_latency = \
         {}: the link would idle",
        block.rx_buffer_flits, block.link_latency
    );
    let remedy = format!("set it to {least} or more, or shorten the link");
    findings.report("block.rx_buffer_flits", "E0222", fact, remedy);
}

fn cut_through(block: &BlockParameters, findings: &mut Findings) {
    let fields = [
        "block.rx_buffer_flits",
        "block.max_packet_flits",
        "block.switching",
    ];
    let is_vct = block.switching == Switching::Vct;
    if !findings.sound(&fields) || !is_vct || block.rx_buffer_flits >= block.max_packet_flits {
        return;
    }
    let fact = format!(
        "block.rx_buffer_flits = {}, but virtual cut-through needs room for a packet of \
         max_packet_flits = {}",
        block.rx_buffer_flits, block.max_packet_flits
    );
    let remedy = format!(
        "set it to {} or more, shorten packets, or set switching to \"wormhole\"",
        block.max_packet_flits
    );
    findings.report("block.rx_buffer_flits", "E0221", fact, remedy);
}

fn packet_length(block: &BlockParameters, findings: &mut Findings) {
    let fields = ["block.max_packet_flits", "block.flit_bits"];
    if !findings.sound(&fields) {
        return;
    }
    let most = 1 + MAX_PAYLOAD_BYTES.div_ceil(block.flit_bits / 8);
    if block.max_packet_flits <= most {
        return;
    }
    let fact = format!(
        "block.max_packet_flits = {}, but with flit_bits = {} a header and the longest payload of \
         {MAX_PAYLOAD_BYTES} bytes are {most} flits",
        block.max_packet_flits, block.flit_bits
    );
    findings.report(
        "block.max_packet_flits",
        "E0224",
        fact,
        format!("set it to {most} or less"),
    );
}
