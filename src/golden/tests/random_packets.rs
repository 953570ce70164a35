//! Networks under random traffic, with and without links that come and go: good
//! packets arrive whole and in order, and afterwards every credit is at home.

use std::collections::{BTreeMap, VecDeque};

use mkns_design::{Pins, Plan, RouteSource};
use mkns_random::Random;
use mkns_spec::BlockParameters;
use mkns_topology::BlockId;
use proptest::prelude::*;

use crate::{Network, header};

/// Cycles that a link stays as it is: at least 2·L + 4.
const HOLD: u64 = 12;

/// Hosts that send numbered packets and check what they receive.
struct Hosts {
    plan: Plan,
    network: Network,
    random: Random,
    at: Pins,
    /// Beats that a host has still to hand over: data, tkeep, tlast.
    sending: Vec<VecDeque<(u64, u64, bool)>>,
    receiving: Vec<Vec<u64>>,
    /// Packets sent, and number of the packet expected next, by (from, to).
    sent: BTreeMap<(u32, u32), u64>,
    next: BTreeMap<(u32, u32), u64>,
    delivered: u64,
    marked_bad: u64,
}

impl Hosts {
    fn new(notation: &str, parameters: BlockParameters, seed: u64) -> Hosts {
        let mut spec = mkns_spec::parse(notation).expect("a valid spec");
        spec.block = parameters;
        let plan = mkns_design::build(&spec).expect("a plan");
        let module = &plan.modules[plan.instances[0].module];
        let hosts = plan.network.terminals.len();
        Hosts {
            network: Network::new(&plan, RouteSource::Arithmetic),
            random: Random::new(seed),
            at: Pins::new(module),
            sending: vec![VecDeque::new(); hosts],
            receiving: vec![Vec::new(); hosts],
            sent: BTreeMap::new(),
            next: BTreeMap::new(),
            delivered: 0,
            marked_bad: 0,
            plan,
        }
    }

    /// One cycle; new packets with `load` chances of 100, beats taken with `taking` of 100.
    fn cycle(&mut self, load: u64, taking: u64) {
        for host in 0..self.sending.len() {
            if self.sending[host].len() < 60 && self.random.below(100) < load {
                self.queue_packet(host as u32);
            }
            self.drive(host, taking);
        }
        self.network.step();
        for host in 0..self.sending.len() {
            self.observe(host);
        }
    }

    fn queue_packet(&mut self, from: u32) {
        let to = self.random.below(self.sending.len() as u64) as u32;
        let number = self.sent.entry((from, to)).or_default();
        let beats = 1 + self.random.below(6);
        let destination = self.plan.layout.address_of(to);
        let header = header::with_length(destination.into(), 8 * beats as u32);
        let queue = &mut self.sending[from as usize];
        queue.push_back((header, 0xFF, false));
        let body = |beat| u64::from(from) << 48 | u64::from(to) << 32 | *number << 8 | beat;
        queue.extend((1..=beats).map(|beat| (body(beat), 0xFF, beat == beats)));
        *number += 1;
    }

    fn drive(&mut self, host: usize, taking: u64) {
        let terminal = self.plan.network.terminals[host];
        let (at, port) = (&self.at, usize::from(terminal.pcie_port));
        let ready = self.random.below(100) < taking;
        let pins = self.network.inputs_mut(terminal.block);
        let set = |word: &mut u64, on: bool| *word = *word & !(1 << port) | u64::from(on) << port;
        set(&mut pins[at.egress.ready], ready);
        set(&mut pins[at.ingress.valid], !self.sending[host].is_empty());
        if let Some(&(data, keep, last)) = self.sending[host].front() {
            pins[at.ingress.data + port] = data;
            pins[at.ingress.keep] =
                pins[at.ingress.keep] & !(0xFF << (8 * port)) | keep << (8 * port);
            set(&mut pins[at.ingress.last], last);
        }
    }

    fn observe(&mut self, host: usize) {
        let terminal = self.plan.network.terminals[host];
        let (at, port) = (&self.at, usize::from(terminal.pcie_port));
        let ready = self.network.inputs_mut(terminal.block)[self.at.egress.ready] >> port & 1 == 1;
        let pins = self.network.outputs(terminal.block);
        let bit = |word: usize| pins[word] >> port & 1 == 1;
        if bit(at.ingress.ready) {
            self.sending[host].pop_front();
        }
        if !(ready && bit(at.egress.valid)) {
            return;
        }
        self.receiving[host].push(pins[at.egress.data + port]);
        if bit(at.egress.last) {
            let marked_bad = bit(at.egress.user);
            let packet = std::mem::take(&mut self.receiving[host]);
            if marked_bad {
                self.marked_bad += 1;
            } else {
                self.accept(host as u32, &packet);
            }
        }
    }

    /// A packet that is not marked bad: complete, at the right place, later than those before it.
    fn accept(&mut self, at: u32, packet: &[u64]) {
        let header = packet[0];
        assert!(!header::has_crc_fault(header, false));
        assert_eq!(header::destination(header), self.plan.layout.address_of(at));
        assert_eq!(header::length(header) as usize, 8 * (packet.len() - 1));
        let from = (packet[1] >> 48) as u32;
        let source = self.plan.layout.address_of(from);
        assert_eq!(header::with_source(header, source), header);
        let number = packet[1] >> 8 & 0xFF_FFFF;
        for (beat, &data) in (1u64..).zip(&packet[1..]) {
            let expected = u64::from(from) << 48 | u64::from(at) << 32 | number << 8 | beat;
            assert_eq!(data, expected);
        }
        let next = self.next.entry((from, at)).or_default();
        assert!(number >= *next, "{from} → {at}: {number} after {next}");
        *next = number + 1;
        self.delivered += 1;
    }

    /// No more packets; everything under way comes out, and no block holds anything.
    fn drain(&mut self) {
        for _ in 0..6000 {
            self.cycle(0, 100);
        }
        assert!(self.sending.iter().all(VecDeque::is_empty));
        for block in 0..self.plan.network.blocks.len() {
            let name = &self.plan.network.blocks[block].name;
            let left = self.network.describe(BlockId(block as u32));
            assert!(left.lines().all(is_at_rest), "{name}: {left}");
        }
    }
}

/// A host's part of a state, in which nothing differs from reset but `next_channel`, which stays (3.2).
fn is_at_rest(state: &str) -> bool {
    let words: Vec<&str> = state.split_whitespace().collect();
    matches!(
        words[..],
        [] | ["PCIe", "port", _] | ["PCIe", "port", _, "next_channel", "=", _]
    )
}

fn parameters() -> impl Strategy<Value = BlockParameters> {
    (0u32..3, 1u32..4, 1u32..5, any::<bool>()).prop_map(
        |(channels, banks, link_latency, shallow)| BlockParameters {
            virtual_channels: 1 << channels,
            banks,
            link_latency,
            rx_buffer_flits: if shallow { 18 } else { 62 },
            host_timeout: 0,
            ..BlockParameters::default()
        },
    )
}

const NETWORKS: [&str; 3] = ["MKNS(2,4,2,1)", "MKNS(1,3x2,2,1)", "MKNS(2,2x3,2,0)"];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn every_packet_arrives_once_and_in_order(
        parameters in parameters(), network in 0..NETWORKS.len(), seed in 1u64..u64::MAX,
        load in 1u64..40, taking in 20u64..=100,
    ) {
        let mut hosts = Hosts::new(NETWORKS[network], parameters, seed);
        for _ in 0..1500 {
            hosts.cycle(load, taking);
        }
        hosts.drain();
        let sent: u64 = hosts.sent.values().sum();
        prop_assert!(sent > 0);
        prop_assert_eq!((hosts.delivered, hosts.marked_bad), (sent, 0));
    }

    #[test]
    fn links_that_come_and_go_lose_packets_and_nothing_else(
        parameters in parameters(), network in 0..NETWORKS.len(), seed in 1u64..u64::MAX,
    ) {
        let mut hosts = Hosts::new(NETWORKS[network], parameters, seed);
        let cables = hosts.plan.network.cables.clone();
        let mut changed = vec![0; cables.len()];
        let mut up = vec![true; cables.len()];
        for cycle in HOLD..2000 {
            let cable = hosts.random.below(cables.len() as u64) as usize;
            if cycle - changed[cable] >= HOLD && hosts.random.below(10) == 0 {
                changed[cable] = cycle;
                up[cable] = !up[cable];
                hosts.network.set_cable_up(&cables[cable], up[cable]);
            }
            hosts.cycle(20, 90);
        }
        for _ in 0..HOLD {
            hosts.cycle(0, 90);
        }
        for cable in &cables {
            hosts.network.set_cable_up(cable, true);
        }
        hosts.drain();
        let sent: u64 = hosts.sent.values().sum();
        prop_assert!(hosts.delivered > 0 && hosts.delivered + hosts.marked_bad <= sent);
        // All is well again: what is sent now arrives.
        let before = (hosts.delivered, hosts.marked_bad, sent);
        for _ in 0..200 {
            hosts.cycle(20, 100);
        }
        hosts.drain();
        let sent: u64 = hosts.sent.values().sum();
        prop_assert_eq!((hosts.delivered - before.0, hosts.marked_bad), (sent - before.2, before.1));
    }
}
