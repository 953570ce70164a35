//! A network of boards with management units, in lockstep: one host reads and writes the registers of all boards through
//! its own cable.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::quick_models;
use mkns::cosim::{ManagedNetwork, with_board_tops};
use mkns::design::{self, Plan};
use mkns::rtl::render_network;
use mkns::topology::{BlockId, End, PortIndex};

const NODE_ADDRESS: u32 = 0x00010;
const BLOCK_NUMBER: u32 = 0x00028;
/// Cycles until a link without a plug is dead, and until it is up again.
const SILENCE: u32 = 9_000;
const OKAY: (u32, u32) = (2, 0);
const WRONG_KEY: (u32, u32) = (3, 4);

fn plan() -> Plan {
    let settings = ["link.kind=serial", "link.management=in_band"].map(str::to_owned);
    let spec = mkns::spec::parse_with("MKNS(1,3,1,1)", &settings).expect("a valid spec");
    design::build(&spec).expect("the network can be built")
}

fn network(plan: &Plan, sources: &[(String, String)]) -> ManagedNetwork {
    let models = quick_models(&with_board_tops(plan, sources));
    ManagedNetwork::new(plan, &models).expect("Verilator is set up")
}

/// Where the serial port of a block leads.
fn peer(plan: &Plan, block: u32, port: u8) -> Option<End> {
    let (block, port) = (BlockId(block), PortIndex(port));
    plan.network.index().peer(End { block, port })
}

/// The port through which a block reaches its neighbour.
fn port_to(plan: &Plan, from: BlockId, to: BlockId) -> u32 {
    let port = (0..16).find(|port| peer(plan, from.0, *port).is_some_and(|end| end.block == to));
    u32::from(port.expect("a cable"))
}

/// Ports out of block 0 that lead through as many blocks as asked for, and where they end.
fn walk(plan: &Plan, links: usize) -> (Vec<u8>, u32) {
    let (mut route, mut block) = (Vec::new(), 0);
    for step in 0..links {
        let ports: Vec<u8> = (0..16)
            .filter(|port| peer(plan, block, *port).is_some())
            .collect();
        let port = ports[step % ports.len()];
        block = peer(plan, block, port).expect("there").block.0;
        route.push(port);
    }
    (route, block)
}

/// A message of requester 1 with key 0, its sequence given.
fn message(write: bool, sequence: u32, route: &[u8], address: u32, data: u32) -> [u32; 8] {
    let mut words = [0; 8];
    words[0] = 1 | u32::from(write) << 8 | (route.len() as u32) << 16;
    words[1] = 1 << 16 | sequence;
    for (hop, port) in route.iter().enumerate() {
        words[2 + hop / 8] |= u32::from(*port) << (4 * (hop % 8));
    }
    (words[6], words[7]) = (address, data);
    words
}

/// Operation and status.
fn verdict(answer: &[u32; 8]) -> (u32, u32) {
    (answer[0] >> 8 & 15, answer[6] >> 20)
}

/// Reads and writes at the end of walks of all lengths, with and without a key, and over a cable that is pulled.
fn manage(plan: &Plan, network: &mut ManagedNetwork) {
    assert_eq!(network.read(4), 0x101, "VERSION of the host's own block");
    // PEER word 7 of port 0: who is at the other end.
    let far = 0x05000 + 4 * 7;
    for links in 0..=15 {
        let (route, block) = walk(plan, links);
        let sequence = links as u32;
        let answer = network
            .ask(&message(false, sequence, &route, far, 0))
            .expect("an answer");
        let there = peer(plan, block, 0).expect("port 0 has a cable").block.0;
        assert_eq!(
            (verdict(&answer), answer[7]),
            (OKAY, there),
            "{links} links"
        );
        let asked = message(false, sequence, &route, 0, 0);
        assert_eq!(answer[2..4], asked[2..4], "the route comes back");
    }
    let (route, block) = walk(plan, 2);
    assert_ne!(block, 0);
    let write = |sequence, address, data| message(true, sequence, &route, address, data);
    for sequence in [27, 27] {
        let answer = network.ask(&write(sequence, NODE_ADDRESS, 0x123));
        assert_eq!(verdict(&answer.expect("an answer")), OKAY);
    }
    let read = message(false, 28, &route, NODE_ADDRESS, 0);
    assert_eq!(network.ask(&read).expect("an answer")[7], 0x123);
    let key = network.ask(&write(29, 0x07044, 77)).expect("an answer");
    assert_eq!(verdict(&key), OKAY);
    for address in [NODE_ADDRESS, BLOCK_NUMBER] {
        let refused = network.ask(&write(30, address, 5)).expect("an answer");
        assert_eq!(verdict(&refused), WRONG_KEY);
    }
    let mut with_key = write(31, NODE_ADDRESS, 6);
    with_key[4] = 77;
    assert_eq!(verdict(&network.ask(&with_key).expect("an answer")), OKAY);
    let first = End {
        block: BlockId(0),
        port: PortIndex(route[0]),
    };
    // The next block tells of its end, by way of the third one.
    let end = peer(plan, 0, route[0]).expect("there");
    let third = BlockId(3 - end.block.0);
    let ports = [(third, BlockId(0)), (end.block, third)];
    let [second, first_hop] = ports.map(|(from, to)| port_to(plan, from, to));
    let notice = [
        1 | 6 << 8 | 3 << 12 | 2 << 16,
        0,
        first_hop << 8 | second << 4,
        0,
        0,
        0,
        0,
        0xb10c,
    ];
    let words = (24..).zip(notice).chain([(16, 0xc)]);
    for (sequence, (register, word)) in (40..).zip(words) {
        let to = &route[..1];
        let mut arms = message(true, sequence, to, 0x07000 + 4 * register, word);
        arms[4] = if block == end.block.0 { 77 } else { 0 };
        assert_eq!(verdict(&network.ask(&arms).expect("an answer")), OKAY);
    }
    let mut cables = plan.network.cables.iter();
    let pulled = cables.position(|cable| cable.a == first || cable.b == first);
    network.plug(pulled.expect("there"), false);
    network.run(SILENCE);
    assert_eq!(network.read(0x07040) & 2, 2, "a message has come");
    let come = [0, 7].map(|word| network.read(0x07020 + 4 * word));
    assert_eq!(come, [1 | 6 << 8 | 2 << 16, 0xb10c], "at hop 0");
    let read = message(false, 32, &route, NODE_ADDRESS, 0);
    let error = network.ask(&read).expect("an error");
    assert_eq!(verdict(&error), (3, 8), "hop 0, the link is down");
}

/// The number of the block behind a cable is another one; the near end hears of it when the link rises again.
fn renumber(plan: &Plan, network: &mut ManagedNetwork) {
    let cable = plan.network.cables[0];
    let peers_number = 0x05000 + 0x80 * u32::from(cable.a.port.0) + 4 * 7;
    assert_eq!((cable.a.block, cable.b.block), (BlockId(0), BlockId(1)));
    let route = [cable.a.port.0];
    let number = 0x8421;
    let read = |sequence| message(false, sequence, &route, BLOCK_NUMBER, 0);
    assert_eq!(network.ask(&read(1)).expect("an answer")[7], 1, "the pin");
    let write = message(true, 2, &route, BLOCK_NUMBER, 0xffff << 16 | number);
    assert_eq!(verdict(&network.ask(&write).expect("an answer")), OKAY);
    assert_eq!(network.ask(&read(3)).expect("an answer")[7], number);
    assert_eq!(network.read(peers_number), 1, "of this session");
    network.plug(0, false);
    network.run(SILENCE);
    network.plug(0, true);
    network.run(SILENCE);
    assert_eq!(network.read(peers_number), number, "of the next session");
    assert_eq!(network.ask(&read(4)).expect("an answer")[7], number);
}

#[test]
fn a_number_that_is_written_is_announced_in_the_next_session() {
    let plan = plan();
    let sources = render_network(&plan).expect("the network can be built");
    let mut network = network(&plan, &sources);
    renumber(&plan, &mut network);
    assert_eq!(network.difference, None);
}

/// The number is not announced; it is written without a word of it; a write goes on to the block; it starts with another one.
#[test]
fn planted_faults_in_the_number_are_found() {
    let plan = plan();
    for (good, bad) in [
        ("MANAGEMENT != 0 ? number : block_number", "block_number"),
        (
            "number <= s_axil_wdata[15:0]",
            "number <= s_axil_wdata[31:16]",
        ),
        ("write_of_unit | write_number;", "write_of_unit;"),
        ("number <= block_number;", "number <= ~block_number;"),
    ] {
        let mut sources = render_network(&plan).expect("the network can be built");
        let file = (sources.iter_mut()).find(|(name, _)| name == "link_window.v");
        let (_, text) = file.expect("a window");
        assert!(text.contains(good), "{good}");
        *text = text.replacen(good, bad, 1);
        let mut network = network(&plan, &sources);
        renumber(&plan, &mut network);
        assert!(network.difference.is_some(), "{bad}");
    }
}

#[test]
fn one_host_manages_all_boards_through_its_cable() {
    let plan = plan();
    let sources = render_network(&plan).expect("the network can be built");
    let mut network = network(&plan, &sources);
    manage(&plan, &mut network);
    assert_eq!(network.difference, None);
}
