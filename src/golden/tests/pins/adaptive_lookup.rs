//! 1.8, Lookup: who commits, who takes the escape, and how headers change.

use super::adaptive_bench::*;
use super::host_header::Header;
use super::testbench::{PinTestbench, Sent};
use crate::header::has_crc_fault;

/// Port, channel and travel bits of a header that left.
fn way_of(sent: &[Sent]) -> (usize, usize, u64) {
    let flit = sent.first().expect("it left");
    assert!(!has_crc_fault(flit.data, false), "{:#x}", flit.data);
    (flit.port, flit.channel, flit.data >> 56 & 3)
}

#[test]
fn an_unordered_packet_takes_a_candidate_and_an_ordered_one_the_escape() {
    // Node 1: candidates 2 and 3, escape 1.
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1100]);
    for travel in [1, 2] {
        let sent = bench.pass(0, 0, header(1, travel, 3), 3);
        assert_eq!(sent.len(), 3);
        let (port, channel, after) = way_of(&sent);
        assert!(port == 2 || port == 3);
        assert_eq!((channel, after), (1, travel.into()), "unchanged, on A");
    }
    for travel in [0, 3] {
        let sent = bench.pass(0, 0, header(1, travel, 3), 3);
        assert_eq!(way_of(&sent), (1, 0, travel.into()));
    }
    assert_eq!(bench.choices_of(0), [2, 2, 0]);
}

#[test]
fn an_escape_is_counted_in_the_header() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[]);
    for (before, after) in [(0, 0), (1, 2), (2, 3), (3, 3)] {
        let sent = bench.pass(0, 0, header(1, before, 2), 2);
        assert_eq!(way_of(&sent), (1, 0, after));
    }
    assert_eq!(bench.choices_of(0), [0, 4, 2]);
}

#[test]
fn a_packet_from_a_joins_the_first_escape_channel() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[]);
    assert_eq!(way_of(&bench.pass(0, 1, header(1, 1, 2), 2)), (1, 0, 2));
    let four = mkns_spec::BlockParameters {
        virtual_channels: 4,
        ..adaptive_parameters()
    };
    let mut bench = adaptive_switch_with(four, &[0, 0b1000], |module| module.route_channels = 3);
    bench.write(0x1000, 0b0010).expect("STEP: from 0 to 1");
    for (from, to) in [(0, 1), (1, 2), (2, 2), (3, 1)] {
        let sent = bench.pass(0, from, header(1, 0, 2), 2);
        assert_eq!(way_of(&sent), (1, to, 0), "channel {from}, with a step");
        assert_eq!(way_of(&bench.pass(2, from, header(1, 0, 2), 2)).1, from % 3);
        assert_eq!(way_of(&bench.pass(0, from, header(1, 1, 2), 2)), (3, 3, 1));
    }
}

#[test]
fn the_choice_is_the_first_at_or_after_a_pointer_that_turns() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1111]);
    // The candidate pointer is the cycle mod 4, and the choice is made a cycle after the header came; port 0 is its own.
    for cycle in 0..8 {
        assert_eq!(bench.cycle, cycle * 20);
        bench.run(cycle as usize % 4);
        let pointer = (bench.cycle + 1) % 4;
        let sent = bench.pass(0, 0, header(1, 1, 1), 1);
        let expected = if pointer == 0 { 1 } else { pointer as usize };
        assert_eq!(sent[0].port, expected);
        bench.credit_all(&sent);
        while bench.cycle < (cycle + 1) * 20 {
            bench.tick();
        }
    }
}

#[test]
fn a_port_that_is_down_is_not_open() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1100]);
    bench.set_link(2, false);
    bench.tick();
    for _ in 0..4 {
        let sent = bench.pass(0, 0, header(1, 1, 1), 1);
        assert_eq!(sent[0].port, 3);
        bench.credit_all(&sent);
        bench.tick();
    }
    bench.set_link(3, false);
    bench.tick();
    assert_eq!(way_of(&bench.pass(0, 0, header(1, 1, 1), 1)), (1, 0, 2));
}

/// Packets of 1 to 12 flits are promised room as long as their class fits; L is 5, 9, 12 with C = 24.
#[test]
fn the_class_of_a_packet_decides_whether_it_fits() {
    for (flits, class) in [(1, 5), (5, 5), (6, 9), (9, 9), (10, 12), (12, 12)] {
        let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
        let mut room = 24;
        loop {
            let sent = bench.pass(0, 0, header(1, 1, flits), flits.into());
            let fits = room >= class;
            let expected = if fits { (3, 1, 1) } else { (1, 0, 2) };
            assert_eq!(way_of(&sent), expected, "{flits} flits, room {room}");
            if !fits {
                break;
            }
            room -= flits;
            assert_eq!(bench.room(3), room);
        }
    }
}

#[test]
fn a_packet_that_is_too_long_or_damaged_or_without_payload_is_not_eligible() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
    assert_eq!(way_of(&bench.pass(0, 0, header(1, 1, 13), 13)), (1, 0, 2));
    // A length of 0, but not the last flit.
    assert_eq!(way_of(&bench.pass(0, 0, header(1, 1, 1), 2)), (1, 0, 2));
    // A damaged packet of one flit: its header must not come back as room.
    bench.send(0, 0, true, header(1, 1, 1));
    bench.inputs[bench.at.rx.bad] = 1;
    assert_eq!(way_of(&bench.run(8)), (1, 0, 2));
    // A length that does not come is no length: the header is the last flit.
    let sent = bench.pass(0, 0, header(1, 1, 9), 1);
    assert_eq!((way_of(&sent), bench.room(3)), ((3, 1, 1), 23));
}

/// Ports 1 and 2 ask for port 3 at once, by readers 1 and 0, a cycle after they came; the permit pointer is the
/// cycle mod 2.
#[test]
fn an_output_permits_one_commit_per_cycle() {
    for delay in 0..4 {
        let mut bench = adaptive_switch(adaptive_parameters(), &[0b1000, 0, 0]);
        bench.run(delay);
        bench.send(1, 0, true, header(0, 1, 1));
        bench.send(2, 0, true, header(0, 1, 1));
        let mut sent = bench.run(10);
        sent.sort_by_key(|flit| flit.port);
        assert_eq!(sent.iter().map(|it| it.port).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(bench.room(3), 23);
        let permitted = if delay % 2 == 0 { 1 } else { 2 };
        for port in [1, 2] {
            let committed = u32::from(port == permitted);
            let escaped = 1 - committed;
            assert_eq!(bench.choices_of(port), [committed, escaped, escaped]);
        }
    }
}

/// Ports 1 and 3 share reader 1, which serves one of them although port 2 has room for both.
#[test]
fn a_reader_serves_its_inputs_in_turn() {
    for delay in 0..4 {
        let mut bench = adaptive_switch(adaptive_parameters(), &[0b0100, 0, 0]);
        bench.run(delay);
        bench.send(1, 0, true, header(0, 1, 1));
        bench.send(3, 0, true, header(0, 1, 1));
        bench.run(10);
        let served = if delay % 2 == 0 { 1 } else { 3 };
        for port in [1, 3] {
            let committed = u32::from(port == served);
            let escaped = 1 - committed;
            assert_eq!(bench.choices_of(port), [committed, escaped, escaped]);
        }
        // An ordered packet claims nothing.
        bench.send(1, 0, true, header(0, 0, 1));
        bench.send(3, 0, true, header(0, 1, 1));
        bench.run(10);
        let before = u32::from(served == 3);
        assert_eq!(bench.choices_of(3)[0], before + 1);
    }
}

#[test]
fn what_the_escape_drops_does_not_commit() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
    bench.write(0x4_0004, 0).expect("no route to node 1");
    assert_eq!(bench.pass(0, 0, header(1, 1, 2), 2), []);
    assert_eq!((bench.counter(0, 5), bench.choices_of(0)), (1, [0; 3]));
    assert_eq!(bench.room(3), 24);
}

#[test]
fn the_control_port_writes_candidates() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
    assert_eq!(bench.read(CANDIDATES + 4), Ok(0b1000));
    assert_eq!(bench.write(CANDIDATES + 4, 0xffff_fff4), Ok(()));
    assert_eq!(bench.read(CANDIDATES + 4), Ok(0b0100), "d bits");
    assert_eq!(way_of(&bench.pass(0, 0, header(1, 1, 1), 1)), (2, 1, 1));
    assert_eq!(bench.read(CANDIDATES + 4 * 7), Ok(0));
    assert_eq!(bench.read(CANDIDATES + 4 * 8), Err(2));
    assert_eq!(bench.write(CANDIDATES + 4 * 8, 1), Err(2));
    bench.inputs[bench.at.rst] = 1;
    bench.tick();
    bench.inputs[bench.at.rst] = 0;
    assert_eq!(bench.read(CANDIDATES + 4), Ok(0b0100), "kept in a reset");
    let plain = PinTestbench::switch(4, super::testbench::two_channels()).read(CANDIDATES);
    assert_eq!(plain, Err(2));
}

/// 12·P turns, rounded up to a multiple of 15, and the counters of PCIe ports begin at 12·P.
#[test]
fn counters_of_choices_have_turns() {
    let mut bench = adaptive_adapter(&[]);
    assert_eq!(bench.counter(5, 12 - 1), 0);
    assert_eq!(bench.read(0x2000 + 4 * 12), Err(2));
    let mut sampled = |address: u32| {
        bench.inputs[bench.at.control_in.araddr] = address.into();
        bench.inputs[bench.at.control_in.arvalid] = 1;
        while bench.outputs[bench.at.control_out.arready] == 0 {
            bench.tick();
        }
        // tick() has counted the cycle with arready; it is four after the turn.
        let turn = (bench.cycle - 1 - 4) % 105;
        bench.inputs[bench.at.control_in.arvalid] = 0;
        bench.inputs[bench.at.control_in.rready] = 1;
        bench.run(3);
        bench.inputs[bench.at.control_in.rready] = 0;
        turn
    };
    // P = 6, M = 2: 72 + 28 turns are 105.
    assert_eq!(sampled(0x2000 + 0x40 * 3 + 4 * 10), 6 * 10 + 3);
    assert_eq!(sampled(0x3000 + 0x40 + 4 * 5), 72 + 2 * 5 + 1);
}

#[test]
fn a_host_may_send_unordered_packets() {
    let mut bench = adaptive_adapter(&[0, 0b0010]);
    let word = |travel: u32| Header::unpack(header(1, travel, 1)).pack_without_crc();
    for travel in [2, 3] {
        bench.expect_drop(
            0,
            &[(word(travel), 0xff, true, false)],
            super::pcie_pins::RESERVED,
        );
    }
    for (travel, way) in [(0, (0, 0, 0)), (1, (1, 1, 1))] {
        let mut sent = bench.offer(0, &[(word(travel), 0xff, true, false)]);
        sent.extend(bench.run(12));
        assert_eq!(way_of(&sent), way);
    }
}
