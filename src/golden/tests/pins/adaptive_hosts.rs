//! 1.8, rule 5: headers of hosts wait for room.

use super::adaptive_bench::*;
use super::host_header::Header;
use super::testbench::PinTestbench;

/// Candidate 1 of node 1, escape 0.
fn bench() -> PinTestbench {
    adaptive_adapter(&[0, 0b10])
}

/// Beats of an unordered packet to node 1.
fn packet(flits: u32, first: u64) -> Vec<super::pcie_pins::Beat> {
    let word = Header::unpack(header(1, 1, flits)).pack_without_crc();
    let beat = |n: u32| {
        let data = if n == 0 { word } else { first + u64::from(n) };
        (data, 0xff, n + 1 == flits, false)
    };
    (0..flits).map(beat).collect()
}

/// Room for the host's packets of 5 flits, min(15, (24 + 5) / 2) = 14, and no more.
#[test]
fn a_host_enters_with_room_for_several_packets_only() {
    let mut bench = bench();
    // 24, 19, 14: three packets enter, and then room is 9.
    let mut sent = Vec::new();
    for _ in 0..4 {
        sent.extend(bench.offer(0, &packet(5, 0)));
    }
    sent.extend(bench.run(60));
    assert_eq!((sent.len(), bench.room(1)), (15, 9));
    assert!(sent.iter().all(|flit| (flit.port, flit.channel) == (1, 1)));
    // Four credits are not enough, and five are.
    bench.credit_all(&sent[..4]);
    assert_eq!(bench.run(60), []);
    bench.credit_all(&sent[4..5]);
    assert_eq!(bench.run(20).len(), 5);
    assert_eq!(bench.room(1), 9);
}

#[test]
fn a_header_that_waits_stays_and_holds_what_is_behind_it() {
    let mut bench = bench();
    let mut sent = Vec::new();
    for n in 0..5 {
        sent.extend(bench.offer(0, &packet(5, 100 * n)));
    }
    sent.extend(bench.run(60));
    assert_eq!(sent.len(), 15);
    // An ordered packet of the other host passes.
    let word = Header::unpack(header(1, 0, 1)).pack_without_crc();
    bench.offer(1, &[(word, 0xff, true, false)]);
    assert_eq!(bench.run(12).len(), 1);
    let entered = bench.credit_all(&sent);
    sent.extend(entered);
    sent.extend(bench.run(40));
    let data: Vec<u64> = sent
        .iter()
        .filter(|it| it.port == 1)
        .map(|it| it.data)
        .collect();
    assert_eq!(data.len(), 25);
    for (n, flits) in data.chunks(5).enumerate() {
        let payload: Vec<u64> = (1..5).map(|flit| 100 * n as u64 + flit).collect();
        assert_eq!(flits[1..], payload);
    }
}

/// After 1536 cycles at most the packet takes room for itself alone, and without it the escape.
#[test]
fn a_host_waits_for_three_ticks() {
    for (credits, expected) in [(0, (1, 1)), (1, (1, 1)), (2, (0, 0))] {
        let mut bench = bench();
        for _ in 0..3 {
            bench.offer(0, &packet(5, 0));
        }
        bench.run(40);
        assert_eq!(bench.room(1), 9);
        // Packets of the network take the room that hosts leave.
        for _ in 0..credits {
            bench.pass(2, 0, header(1, 1, 4), 4);
        }
        bench.offer(0, &packet(5, 0));
        let mut waited = 0;
        while bench.tick().is_empty() {
            waited += 1;
            assert!(waited < 1600);
        }
        let flit = bench.sent()[0];
        assert_eq!((flit.port, flit.channel), expected, "{credits}");
        assert!((1025..1548).contains(&waited), "{waited}");
        let travel = flit.data >> 56 & 3;
        assert_eq!(travel, if expected.1 == 1 { 1 } else { 2 });
    }
}

#[test]
fn without_an_open_port_a_host_takes_the_escape_at_once() {
    let mut bench = bench();
    bench.set_link(1, false);
    bench.tick();
    let mut sent = bench.offer(0, &packet(2, 0));
    sent.extend(bench.run(12));
    let ways: Vec<(usize, usize)> = sent.iter().map(|it| (it.port, it.channel)).collect();
    assert_eq!(ways, [(0, 0); 2]);
}

/// The last hop is never adaptive, and the travel bits stay as they are.
#[test]
fn the_last_hop_is_never_adaptive() {
    let mut bench = adaptive_adapter(&[0b1111]);
    bench.set_ready(true);
    let word = header(0, 1, 1);
    bench.tick_sending(0, 1, true, word);
    let beats = bench.collect(0, 20);
    assert_eq!(beats, [(word, 0xff, true, false)]);
    assert_eq!(bench.choices_of(0), [0; 3]);
}
