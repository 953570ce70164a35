//! "Send a packet" of `docs/ports.md`: what a testbench needs, with packets of this network played out.
//!
//! `tests/send_packet.rs` reads these packets back from the page and plays them in a simulator.

use std::collections::BTreeSet;

use askama::Template;

use super::register_rows::bits;
use super::register_rows::hex;
use crate::parameters::link_bits;
use mkns_design::{
    Addressing, Crc, HEADER, Plan, ZeroLoadLatency, link_rise_cycles, register_map, serial_link,
};
use mkns_routing::{Routing, trace};
use mkns_spec::{BlockParameters, NetworkKind};
use mkns_topology::{End, PortIndex};

/// Who sends the packets that are played: a host whose number is not 0, so that it shows.
const SENDER: u32 = 1;

#[derive(Template)]
#[template(path = "flow/send_packet.md")]
pub struct SendPacket<'a> {
    block: &'a BlockParameters,
    has_trains: bool,
    beat_bytes: u32,
    longest_payload: u32,
    cables: usize,
    /// Cycles from the taking of the header-only packet to its arrival.
    latency: u32,
    /// Cycles after the reset until serial links are up; 0 without any.
    link_rise: u32,
    /// Cycles that reading a counter takes at most, from arvalid to rvalid.
    counter_read: u32,
    /// Whose packets are played, and to whom they go.
    from: u32,
    to: u32,
    reaches_itself: bool,
    destinations: Vec<DestinationRow>,
    fields: Vec<FieldRow>,
    header: String,
    example_length: u32,
    arriving: String,
    sent: Vec<BeatRow>,
    received: Vec<BeatRow>,
    entry: Option<EntryExample>,
    links: Links,
}

/// An entry of a routing table of this network.
struct EntryExample {
    block: String,
    network_ports: u8,
    pcie_ports: u8,
    table: u32,
    field: String,
    index: usize,
    address: String,
    word: String,
    meaning: String,
}

/// What the host of host `from` writes to reach a host.
struct DestinationRow {
    host: u32,
    values: String,
    destination: String,
}

/// A field of the worked header.
struct FieldRow {
    name: &'static str,
    bits: String,
    written: String,
    value: String,
}

/// One beat on a host's stream.
struct BeatRow {
    length: u32,
    host: u32,
    beat: usize,
    data: String,
    keep: String,
    last: u8,
}

/// What a piece of a network on a board of its own must keep to.
struct Links {
    bits: u32,
    data: String,
    valid: String,
    channel: String,
    last: String,
    bad: String,
    credit: String,
    round_trip: u32,
    down: u32,
}

impl<'a> SendPacket<'a> {
    /// `None` for a network in which the first host reaches nobody.
    pub fn new(plan: &'a Plan) -> Option<Self> {
        let block = &plan.spec.block;
        let addressing = Addressing::new(plan);
        let hosts = plan.network.hosts.len();
        let from = SENDER;
        let reached: Vec<(u32, u32)> = (0..hosts as u32)
            .filter_map(|to| Some((to, addressing.destination(from, to)?)))
            .collect();
        let &(to, destination) = reached.iter().rfind(|(to, _)| *to != from)?;
        let longest_payload = ((block.max_packet_flits - 1) * block.flit_bits / 8).min(8191);
        let packet = Packet {
            pcie_bits: block.pcie_bits,
            source: addressing.source(from),
            destination,
            arrived: addressing.arrived(destination),
            has_trains: addressing.has_trains(),
        };
        let lengths = lengths(block.pcie_bits / 8, longest_payload);
        let beats = |host, header: fn(&Packet, u32) -> u64| -> Vec<BeatRow> {
            let packets = lengths.iter();
            packets
                .flat_map(|&length| packet.beats(host, length, header(&packet, length)))
                .collect()
        };
        let example_length = *lengths
            .last()
            .expect("a packet without payload is always legal");
        Some(Self {
            block,
            has_trains: packet.has_trains,
            beat_bytes: block.pcie_bits / 8,
            longest_payload,
            cables: plan.network.cables.len(),
            latency: latency(plan, from, to)?,
            link_rise: plan.spec.link.as_ref().map_or(0, link_rise_cycles),
            counter_read: counter_read(plan),
            from,
            to,
            reaches_itself: reached.iter().any(|(host, _)| *host == from),
            destinations: destinations(plan, &reached),
            fields: packet.fields(example_length),
            header: format!("{:#018x}", packet.written(example_length)),
            arriving: format!("{:#018x}", packet.arriving(example_length)),
            example_length,
            sent: beats(from, Packet::written),
            received: beats(to, Packet::arriving),
            entry: entry(plan),
            links: links(plan),
        })
    }
}

/// Cycles through an empty network from host to host.
fn latency(plan: &Plan, from: u32, to: u32) -> Option<u32> {
    let latency = ZeroLoadLatency::of(&plan.spec);
    if let NetworkKind::DistributedSwitch(switch) = &plan.spec.kind {
        return Some(latency.terminal_to_terminal(switch.cascades));
    }
    let tables = plan.instances.iter();
    let routing = Routing {
        layout: plan.layout.clone(),
        tables: tables.map(|instance| instance.tables.clone()).collect(),
        paths: None,
        from_file: None,
    };
    let index = plan.network.index();
    let path = trace(&plan.network, &index, &routing, from, to).ok()?;
    let cables = path.hops.iter().filter_map(|hop| {
        let port = PortIndex(hop.out_port);
        let link = index.link(End {
            block: hop.block,
            port,
        })?;
        Some(&plan.network.cables[link.cable as usize])
    });
    let serial = cables.filter(|cable| serial_link(&plan.spec, cable).is_some());
    Some(latency.host_to_host_over(path.hops.len() as u32 - 1, serial.count() as u32))
}

/// R + 5 of the block with the most counters (section 4 of the page of blocks): a counter is read in its turn.
fn counter_read(plan: &Plan) -> u32 {
    let turns = plan.modules.iter().map(|module| {
        let counters = 9 * module.core_ports() + 14 * module.pcie_ports;
        counters.next_multiple_of(15)
    });
    turns.max().unwrap_or_default() + 5
}

/// The first entry that leads somewhere, of the first block that has tables.
fn entry(plan: &Plan) -> Option<EntryExample> {
    let mut instances = plan.instances.iter();
    let instance = instances.find(|instance| !instance.tables.tables.is_empty())?;
    let block = plan.network.block(instance.block);
    let map = register_map(&plan.modules[instance.module]);
    let mut tables = instance.tables.tables.iter().zip(&map.tables);
    tables.find_map(|(table, window)| {
        let mut entries = table.entries.iter().enumerate();
        let (index, entry) = entries.find(|(_, entry)| entry.valid && !entry.same)?;
        Some(EntryExample {
            block: block.name.clone(),
            network_ports: block.network_ports,
            pcie_ports: block.pcie_ports,
            table: window.number,
            field: plan.layout.fields[table.field].name.clone(),
            index,
            address: hex(window.address + 4 * index as u32),
            word: format!("{:#06x}", entry.pack()),
            meaning: format!("valid, to port {}", entry.port),
        })
    })
}

/// Up to three payload lengths: none, whole beats, and a last beat that is not full.
fn lengths(beat_bytes: u32, longest: u32) -> Vec<u32> {
    let uneven = (beat_bytes + 5).min(longest);
    let mut lengths = vec![0, beat_bytes.min(uneven.saturating_sub(1)), uneven];
    lengths.dedup();
    lengths
}

/// Places of the first, the second, the middle and the last of this many hosts.
fn picked(reached: usize) -> BTreeSet<usize> {
    let places = [0, 1, reached / 2, reached.saturating_sub(1)];
    places
        .into_iter()
        .filter(|&place| place < reached)
        .collect()
}

/// Some of the hosts that can be reached.
fn destinations(plan: &Plan, reached: &[(u32, u32)]) -> Vec<DestinationRow> {
    let picked = picked(reached.len());
    let row = |(host, address): (u32, u32)| {
        let fields = plan.layout.fields.iter().map(|field| {
            let value = (address >> field.offset) & ((1 << field.bits) - 1);
            format!("{} = {value}", field.name)
        });
        DestinationRow {
            host,
            values: fields.collect::<Vec<_>>().join(", "),
            destination: format!("{address:#07x}"),
        }
    };
    picked
        .into_iter()
        .map(|place| row(reached[place]))
        .collect()
}

/// The packets that are played: all from one host to another.
struct Packet {
    pcie_bits: u32,
    source: u32,
    destination: u32,
    arrived: u32,
    has_trains: bool,
}

impl Packet {
    /// The header that the host writes.
    fn written(&self, length: u32) -> u64 {
        u64::from(length) << HEADER[2].lsb | u64::from(self.destination)
    }

    /// The header that the other host gets.
    fn arriving(&self, length: u32) -> u64 {
        let header = self.written(length) ^ u64::from(self.destination ^ self.arrived);
        let source = u64::from(self.source) << HEADER[1].lsb;
        Crc::new(self.has_trains).stamp(header | source)
    }

    /// The header of a packet of `length` bytes, field by field.
    fn fields(&self, length: u32) -> Vec<FieldRow> {
        let arriving = self.arriving(length);
        let fields = HEADER.iter().map(|field| FieldRow {
            name: field.name,
            bits: bits(field.lsb, field.msb - field.lsb + 1),
            written: match field.name {
                "destination" => format!("{:#07x}", self.destination),
                "length" => length.to_string(),
                "source" | "crc" => "0 (ignored)".to_owned(),
                _ => "0".to_owned(),
            },
            value: format!(
                "{:#x}",
                arriving >> field.lsb & ((1 << (field.msb - field.lsb + 1)) - 1)
            ),
        });
        fields.collect()
    }

    /// All beats of a packet; byte k of the payload is k + 1.
    fn beats(&self, host: u32, length: u32, header: u64) -> Vec<BeatRow> {
        let bytes = self.pcie_bits as usize / 8;
        let payload: Vec<u8> = (1..=length).map(|byte| byte as u8).collect();
        let mut words = vec![header.to_le_bytes().to_vec()];
        words.extend(payload.chunks(bytes).map(<[u8]>::to_vec));
        let last = words.len() - 1;
        let row = |(beat, mut word): (usize, Vec<u8>)| {
            let used = if beat == 0 { bytes } else { word.len() };
            word.resize(bytes, 0);
            BeatRow {
                length,
                host,
                beat,
                data: word
                    .iter()
                    .rev()
                    .map(|byte| format!("{byte:02x}"))
                    .collect(),
                keep: format!("{:0width$x}", u64::MAX >> (64 - used), width = bytes / 4),
                last: u8::from(beat == last),
            }
        };
        words.into_iter().enumerate().map(row).collect()
    }
}

fn links(plan: &Plan) -> Links {
    let module = &plan.modules[0];
    let block = &plan.spec.block;
    let (flit, channel) = (block.flit_bits, module.virtual_channel_bits());
    Links {
        bits: link_bits(module),
        data: bits(0, flit),
        valid: bits(flit, 1),
        channel: bits(flit + 1, channel),
        last: bits(flit + 1 + channel, 1),
        bad: bits(flit + 2 + channel, 1),
        credit: bits(flit + 3 + channel, block.virtual_channels),
        round_trip: block.round_trip() - 2 * block.link_latency,
        down: 2 * block.link_latency + 4,
    }
}

#[cfg(test)]
mod tests {
    use super::picked;

    #[test]
    fn few_destinations_are_shown_once_each() {
        for (reached, places) in [
            (0, vec![]),
            (1, vec![0]),
            (2, vec![0, 1]),
            (3, vec![0, 1, 2]),
            (8, vec![0, 1, 4, 7]),
        ] {
            assert!(picked(reached).into_iter().eq(places), "{reached}");
        }
    }
}
