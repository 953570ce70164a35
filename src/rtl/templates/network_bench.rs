//! `sim/<name>_network_bench.v`: hosts around the network that check what arrives, for the simulation target of
//! the FuseSoC core.

use askama::Template;

use mkns_design::{Addressing, Plan, link_rise_cycles};

/// Packets that each host sends.
const PACKETS: u32 = 32;
/// Most payload beats of a packet.
const LONGEST: u32 = 8;

#[derive(Template)]
#[template(path = "simulation/network_bench.v")]
pub struct NetworkBench<'a> {
    banner: &'a str,
    name: &'a str,
    top: &'a str,
    hosts: u32,
    partners_each: usize,
    packets: u32,
    width: u32,
    max_beats: u32,
    cables: usize,
    /// Cycles after the reset in which hosts wait for serial links; 0 without any.
    link_rise: u32,
    blocks: usize,
    /// Assignments of partners and sources.
    tables: Vec<String>,
}

impl<'a> NetworkBench<'a> {
    /// None when nobody has a partner, or when a packet has no room for one beat of payload.
    pub fn new(plan: &'a Plan, top: &'a str, banner: &'a str) -> Option<Self> {
        let block = &plan.spec.block;
        let payload_bits = (block.max_packet_flits - 1) * block.flit_bits;
        let max_beats = LONGEST.min(payload_bits / block.pcie_bits);
        let addressing = Addressing::new(plan);
        let hosts = plan.network.hosts.len() as u32;
        let partners = (0..hosts).map(|host| partners(&addressing, host, hosts));
        let partners: Vec<[Partner; 4]> = partners.collect::<Option<_>>()?;
        let (tables, partners_each) = (tables(&addressing, &partners), 4);
        if max_beats == 0 {
            return None;
        }
        Some(Self {
            banner,
            name: &plan.spec.name,
            top,
            hosts,
            partners_each,
            packets: PACKETS,
            width: block.pcie_bits,
            max_beats,
            cables: plan.network.cables.len(),
            link_rise: plan.spec.link.as_ref().map_or(0, link_rise_cycles),
            blocks: plan.network.blocks.len(),
            tables,
        })
    }
}

/// A host, and what is written into a header to reach it.
type Partner = (u32, u32);

/// The next host, the one before, and two far away; where one cannot be reached, the next that can.
fn partners(addressing: &Addressing, from: u32, hosts: u32) -> Option<[Partner; 4]> {
    let reachable = |offset: u32| {
        let others = (0..hosts).map(|step| (from + offset + step) % hosts);
        let mut others = others.filter(|&to| to != from);
        others.find_map(|to| Some((to, addressing.destination(from, to)?)))
    };
    Some([
        reachable(1)?,
        reachable(hosts / 2)?,
        reachable(hosts - 1)?,
        reachable(hosts / 3)?,
    ])
}

fn tables(addressing: &Addressing, partners: &[[Partner; 4]]) -> Vec<String> {
    let slots = partners.iter().flatten().enumerate();
    let slots = slots.map(|(slot, (host, address))| {
        format!("partner[{slot}] = {{16'd{host}, 20'h{address:05x}}};")
    });
    let sources = (0..partners.len() as u32).map(|host| {
        let source = addressing.source(host);
        format!("source[{host}] = 20'h{source:05x};")
    });
    slots.chain(sources).collect()
}
