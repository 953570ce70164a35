//! What serial links need: ranges, blocks that link ports serve, buffers that cover the flight.

use super::block::ranges;
use crate::data::{BlockParameters, LINK_NUMBERS, NetworkKind, SerialLink};
use crate::findings::Findings;
use mkns_diag::Code;

/// Cycles until a credit of a link port can be used again: both crossings between its clock and the block's.
const PORT_ROUND_TRIP: u32 = 16;

/// `network` where it could be read.
pub fn serial_link(
    link: &SerialLink,
    block: &BlockParameters,
    network: Option<&NetworkKind>,
    findings: &mut Findings,
) {
    ranges("link", link, &LINK_NUMBERS, findings);
    if let Some(network) = network {
        kind(network, findings);
        dimensions(link, network, findings);
    }
    served(block, findings);
    buffers(link, findings);
    credits(link, block, findings);
}

fn kind(network: &NetworkKind, findings: &mut Findings) {
    if let NetworkKind::DistributedSwitch(_) = network {
        let fact = format!(
            "serial links in {}, but link ports have no simplex cables and no links of POK units",
            network.notation()
        );
        let remedy = "leave `link` out, or use another kind of network".to_owned();
        findings.report("link", Code::NoSerialLink, fact, remedy);
    }
}

fn dimensions(link: &SerialLink, network: &NetworkKind, findings: &mut Findings) {
    let most = network.kind().cable_dimensions();
    for (at, &dimension) in link.dimensions.iter().enumerate() {
        if !(1..=most).contains(&dimension) {
            let fact = format!(
                "serial links in dimension {dimension}, but cables of {} have dimensions 1 to {most}",
                network.notation()
            );
            let field = format!("link.dimensions[{at}]");
            let remedy = format!("list dimensions from 1 to {most}, or leave `dimensions` out");
            findings.report(&field, Code::OutOfRange, fact, remedy);
        }
    }
}

/// Blocks that a link port can serve.
fn served(block: &BlockParameters, findings: &mut Findings) {
    let BlockParameters {
        flit_bits,
        virtual_channels,
        ..
    } = *block;
    if findings.sound(&["block.flit_bits"]) && flit_bits != 64 {
        let fact = format!("block.flit_bits = {flit_bits}, but serial links carry flits of 64");
        let remedy = "set it to 64, or leave `link` out".to_owned();
        findings.report("block.flit_bits", Code::NoSerialLink, fact, remedy);
    }
    if findings.sound(&["block.virtual_channels"]) && virtual_channels > 2 {
        let fact =
            format!("block.virtual_channels = {virtual_channels}, but serial links carry 1 or 2");
        let remedy = "set it to 2 or less (a torus with shorter rings, or another routing engine, needs fewer), or \
                      leave `link` out";
        findings.report(
            "block.virtual_channels",
            Code::NoSerialLink,
            fact,
            remedy.to_owned(),
        );
    }
}

fn buffers(link: &SerialLink, findings: &mut Findings) {
    let field = "link.receive_flits";
    let (has, least) = (link.receive_flits, link.least_buffer());
    if !findings.sound(&["link.flight_words", field]) || has >= least {
        return;
    }
    let fact = format!(
        "{field} = {has}, but with flight_words = {} the first acknowledgement comes after {least} flits: the line would \
         idle",
        link.flight_words
    );
    let remedy = format!("set it to {least} or more, or shorten the cable");
    findings.report(field, Code::BufferBelowFlight, fact, remedy);
}

fn credits(link: &SerialLink, block: &BlockParameters, findings: &mut Findings) {
    let field = "block.rx_buffer_flits";
    let channels = block.virtual_channels;
    let fields = [field, "block.virtual_channels", "link.flight_words"];
    if !findings.sound(&fields) {
        return;
    }
    let (has, most) = (block.rx_buffer_flits, link.most_credits(channels));
    if has < PORT_ROUND_TRIP {
        let fact = format!(
            "{field} = {has}, but a credit returns from a serial link's port after {PORT_ROUND_TRIP} cycles: the link \
             would idle"
        );
        let remedy = format!("set it to {PORT_ROUND_TRIP} or more");
        findings.report(field, Code::BufferBelowRoundTrip, fact, remedy);
    } else if has > most {
        let fact = format!(
            "{field} = {has} on {channels} virtual channel(s), but a serial link's ring of 256 flits holds these besides \
             the {} of flight_words = {}: the line would idle",
            link.least_buffer(),
            link.flight_words
        );
        let remedy =
            format!("set it to a number from {PORT_ROUND_TRIP} to {most}, or shorten the cable");
        findings.report(field, Code::BufferBelowFlight, fact, remedy);
    }
}
