//! What adaptive routing asks of the blocks (`docs/microarchitecture.md`, 1.8).

use crate::data::{BlockParameters, Switching, TABLE_ENTRIES, bits_for};
use crate::findings::Findings;
use mkns_diag::Code;

/// `fields` are those of an address, the PCIe port first.
pub fn adaptive(block: &BlockParameters, fields: &[(&'static str, u32)], findings: &mut Findings) {
    if !block.adaptive {
        return;
    }
    let (buffer, packet) = (block.rx_buffer_flits, block.max_packet_flits);
    let lengths = ["block.rx_buffer_flits", "block.max_packet_flits"];
    if findings.sound(&lengths) && buffer < packet {
        let fact = format!(
            "block.rx_buffer_flits = {buffer}, but adaptive routing needs room for a packet of max_packet_flits = {packet}"
        );
        let remedy = format!("set it to {packet} or more, or shorten packets");
        findings.report(
            "block.rx_buffer_flits",
            Code::BufferBelowPacket,
            fact,
            remedy,
        );
    }
    if block.switching != Switching::Wormhole {
        let fact = "block.switching = \"vct\", but adaptive routing promises room by itself";
        let remedy = "leave it out".to_owned();
        findings.report(
            "block.switching",
            Code::NotAdaptive,
            fact.to_owned(),
            remedy,
        );
    }
    if block.layers > 1 {
        let fact = format!(
            "block.layers = {}, but adaptive routing has one",
            block.layers
        );
        findings.report(
            "block.layers",
            Code::NotAdaptive,
            fact,
            "leave it out".to_owned(),
        );
    }
    let bits: u32 = fields.iter().skip(1).map(|(_, size)| bits_for(*size)).sum();
    if 1_u64 << bits > u64::from(TABLE_ENTRIES) {
        let fact = format!(
            "a set of candidates for each of 2^{bits} node addresses, but blocks hold at most {TABLE_ENTRIES}"
        );
        let remedy = "make the network smaller, or choose another routing".to_owned();
        findings.report("routing", Code::TableTooLarge, fact, remedy);
    }
}
