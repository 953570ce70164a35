//! What makes block parameters valid: ranges first, then relations between fields in range.

use crate::data::{
    BlockParameters, MAX_PAYLOAD_BYTES, MOST_VIRTUAL_CHANNELS, NUMBERS, Number, Switching,
    TABLE_ENTRIES, bits_for, channels_for,
};
use crate::findings::Findings;
use mkns_diag::Code;

/// Block parameters; `ports` is d where the network could be read.
pub fn block(block: &BlockParameters, ports: Option<u32>, findings: &mut Findings) {
    ranges("block", block, &NUMBERS, findings);
    if let Some(ports) = ports {
        banks(block, ports, findings);
    }
    queue(block, findings);
    round_trip(block, findings);
    cut_through(block, findings);
    packet_length(block, findings);
    host_buffer(block, findings);
}

/// The numbers of a table.
pub fn ranges<T>(path: &str, table: &T, numbers: &[Number<T>], findings: &mut Findings) {
    for number in numbers {
        let value = (number.get)(table);
        if !number.limits.allows(value) {
            let field = format!("{path}.{}", number.name);
            findings.out_of_range(&field, &value.to_string(), number.limits);
        }
    }
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
        Code::TooManyBanks,
        fact,
        format!("set it to {ports} or less"),
    );
}

/// Routes of the network may need virtual channels to be free of deadlock.
pub fn virtual_channels(block: &BlockParameters, needed: u32, findings: &mut Findings) {
    let field = "block.virtual_channels";
    if !findings.sound(&[field]) || block.virtual_channels >= needed {
        return;
    }
    let fact = format!(
        "block.virtual_channels = {}, but packets of this network can block each other for ever \
         with fewer than {needed}",
        block.virtual_channels
    );
    let remedy = if needed > MOST_VIRTUAL_CHANNELS {
        format!("blocks have at most {MOST_VIRTUAL_CHANNELS}: make fewer dimensions longer than 4")
    } else {
        format!("set it to {}", channels_for(needed))
    };
    findings.report(field, Code::TooFewChannels, fact, remedy);
}

/// A routing table has an entry per layer for every value of the address field that indexes it.
pub fn table_entries(
    block: &BlockParameters,
    fields: &[(&'static str, u32)],
    findings: &mut Findings,
) {
    let depth = |size: u32| 1_u64 << bits_for(size);
    let Some(&(name, size)) = fields.iter().max_by_key(|(_, size)| *size) else {
        return;
    };
    let entries = u64::from(block.layers) * depth(size);
    if !findings.sound(&["block.layers"]) || entries <= u64::from(TABLE_ENTRIES) {
        return;
    }
    let layers = block.layers;
    let fact = format!(
        "a routing table indexed by `{name}`, of {size} values, in {layers} layer(s) has {entries} \
         entries, but {TABLE_ENTRIES} are allowed"
    );
    let remedy = "make the network smaller, or use fewer layers".to_owned();
    findings.report("network", Code::TableTooLarge, fact, remedy);
}

fn queue(block: &BlockParameters, findings: &mut Findings) {
    let least = block.rx_buffer_flits.saturating_add(2);
    let fields = ["block.queue_flits", "block.rx_buffer_flits"];
    if !findings.sound(&fields) || block.queue_flits >= least {
        return;
    }
    let (places, most) = (block.queue_flits, block.queue_flits - 2);
    let fact = format!(
        "block.queue_flits = {places}, but it must be at least rx_buffer_flits + 2 = {least}"
    );
    let deep = least.next_power_of_two();
    let remedy = format!("set it to {deep} or more, or rx_buffer_flits to {most} or less");
    findings.report("block.queue_flits", Code::QueueTooShort, fact, remedy);
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
    findings.report(
        "block.rx_buffer_flits",
        Code::BufferBelowRoundTrip,
        fact,
        remedy,
    );
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
    findings.report(
        "block.rx_buffer_flits",
        Code::BufferBelowPacket,
        fact,
        remedy,
    );
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
        Code::PacketTooLong,
        fact,
        format!("set it to {most} or less"),
    );
}

fn host_buffer(block: &BlockParameters, findings: &mut Findings) {
    let fields = [
        "block.host_buffer_beats",
        "block.max_packet_flits",
        "block.flit_bits",
        "block.pcie_bits",
    ];
    if !findings.sound(&fields) || block.host_buffer_beats >= block.longest_host_packet() {
        return;
    }
    let longest = block.longest_host_packet();
    let (beats, bits) = (block.host_buffer_beats, block.pcie_bits);
    let least = longest.next_power_of_two();
    let fact = format!(
        "block.host_buffer_beats = {beats}, but the longest packet has {longest} beats of pcie_bits = \
         {bits}: the buffer must hold it ({least} to 65536)"
    );
    let remedy = format!("set it to {least} or more, or shorten packets by max_packet_flits");
    findings.report(
        "block.host_buffer_beats",
        Code::HostBufferTooShort,
        fact,
        remedy,
    );
}
