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

/// After 1536 cycles at most the packet takes the escape, even with room for itself alone.
#[test]
fn a_host_waits_for_three_ticks() {
    for network_packets in 0..3 {
        let mut bench = bench();
        for _ in 0..3 {
            bench.offer(0, &packet(5, 0));
        }
        bench.run(40);
        assert_eq!(bench.room(1), 9);
        // Packets of the network take the room that hosts leave.
        for _ in 0..network_packets {
            bench.pass(2, 0, header(1, 1, 4), 4);
        }
        let room = 9 - 4 * network_packets;
        bench.offer(0, &packet(5, 0));
        let mut waited = 0;
        while bench.tick().is_empty() {
            waited += 1;
            assert!(waited < 1600);
        }
        let flit = bench.sent()[0];
        assert_eq!((flit.port, flit.channel, flit.data >> 56 & 3), (0, 0, 2));
        assert!((1025..1548).contains(&waited), "{waited}");
        bench.run(20);
        assert_eq!(bench.room(1), room);
    }
}

/// Whether a header that waits for one more credit commits when the credit comes in this cycle.
fn commits_with_a_credit_in(cycle: u64) -> bool {
    let mut bench = bench();
    let mut sent = Vec::new();
    for _ in 0..4 {
        sent.extend(bench.offer(0, &packet(5, 0)));
    }
    sent.extend(bench.run(60));
    bench.credit_all(&sent[..4]);
    while bench.cycle < cycle {
        assert_eq!(bench.tick(), []);
    }
    bench.credit_all(&sent[4..5]);
    let last = bench.run(20);
    bench.credit_all(&last);
    bench.credit_all(&sent[5..]);
    bench.run(4);
    assert_eq!((last.len(), bench.room(1)), (5, 24));
    last[0].channel == 1
}

/// `waited` is 3 from cycle 1536 on, and flags show a credit two cycles later.
#[test]
fn room_that_comes_after_three_ticks_comes_too_late() {
    let cycles = [1532, 1533, 1534, 1535];
    let commits = cycles.map(commits_with_a_credit_in);
    assert_eq!(commits, [true, true, false, false]);
}

/// Cycles from the offer of a packet of one flit to node 1 until room is taken, and until it leaves.
fn cycles_of_one_flit(travel: u32) -> (Option<usize>, usize) {
    let mut bench = bench();
    let word = Header::unpack(header(1, travel, 1)).pack_without_crc();
    bench.offer(0, &[(word, 0xff, true, false)]);
    let mut committed = None;
    for cycle in 1..30 {
        let sent = bench.tick();
        if bench.room(1) < 24 {
            committed = committed.or(Some(cycle));
        }
        if !sent.is_empty() {
            return (committed, cycle);
        }
    }
    panic!("it never left");
}

/// Room falls when an ordered header would leave `arrived`. The packet follows a cycle later, and an idle output makes up
/// for that.
#[test]
fn a_host_s_header_leaves_the_cycle_after_its_packet_has_committed() {
    let (none, ordered) = cycles_of_one_flit(0);
    let (committed, unordered) = cycles_of_one_flit(1);
    assert_eq!((none, unordered), (None, ordered));
    // On the tx pins 4 cycles after the cycle in which the header is in `arrived` for the last time.
    assert_eq!(committed, Some(unordered - 5));
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

/// Cycles from the offer of a packet of the first host until it leaves; a link's header that claims the same reader, that
/// of ports 1 and 4, comes `after` this many cycles.
fn cycles_beside_a_link(after: Option<usize>) -> usize {
    let mut bench = bench();
    bench.offer(0, &packet(1, 0));
    for cycle in 0..30 {
        let sent = match after == Some(cycle) {
            true => bench.tick_sending(1, 0, true, header(1, 1, 1)),
            false => bench.tick(),
        };
        if sent.iter().any(|flit| flit.port == 1) {
            return cycle;
        }
    }
    panic!("it never left");
}

#[test]
fn a_host_that_its_reader_does_not_serve_stays_on_the_pins() {
    let alone = cycles_beside_a_link(None);
    let together = (0..12).map(|after| cycles_beside_a_link(Some(after)) - alone);
    let mut delays: Vec<usize> = together.collect();
    delays.sort_unstable();
    assert_eq!(delays, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}
