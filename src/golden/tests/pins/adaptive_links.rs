//! 1.8: links that go down around a lookup. Flags show the link of the cycle before, open ports that of their own cycle.

use super::adaptive_bench::*;
use super::host_header::Header;
use super::testbench::PinTestbench;

/// Counters of dropped packets: link down at lookup, and at the output.
const LINK_DOWN: u32 = 7;
const DOWN_AT_OUTPUT: u32 = 8;

/// A header to node 1 comes, and the link of port 3, its only candidate, goes down `after` as many cycles. The way that the
/// packet took: committed, escaped, and dropped at the output.
fn way_beside_a_falling_link(after: usize) -> [u32; 3] {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
    for cycle in 0..20 {
        if cycle == after {
            bench.set_link(3, false);
        }
        if cycle == 3 {
            bench.send(0, 0, true, header(1, 1, 1));
        }
        bench.tick();
    }
    let [committed, escaped, _] = bench.choices_of(0);
    let way = [committed, escaped, bench.counter(3, DOWN_AT_OUTPUT)];
    bench.set_link(3, true);
    bench.run(4);
    assert_eq!(bench.room(3), 24 - u32::from(way == [1, 0, 0]));
    way
}

/// The header is in `arrived` in cycle 4, in which the flags show what `up` was in cycle 3, and so the pins in cycle 2.
#[test]
fn a_packet_commits_to_a_link_that_went_down_in_the_cycle_before() {
    assert_eq!(way_beside_a_falling_link(2), [0, 1, 0]);
    assert_eq!(way_beside_a_falling_link(3), [1, 0, 1]);
    assert_eq!(way_beside_a_falling_link(4), [1, 0, 1]);
    assert_eq!(way_beside_a_falling_link(10), [1, 0, 0]);
}

/// A packet of a host keeps the port that it committed to, and gives its room back where that port has gone down.
#[test]
fn a_host_s_packet_commits_to_a_link_that_went_down_in_the_cycle_before() {
    let mut ways = Vec::new();
    for after in 0..12 {
        let mut bench = adaptive_adapter(&[0, 0b10]);
        let word = Header::unpack(header(1, 1, 3)).pack_without_crc();
        let beats: Vec<_> = (0..3).map(|n| (word, 0xff, n == 2, false)).collect();
        bench.offer(0, &beats);
        bench.run(after);
        bench.set_link(1, false);
        bench.run(30);
        let [committed, escaped, _] = bench.choices_of(4);
        ways.push([committed, escaped, bench.counter(1, DOWN_AT_OUTPUT)]);
        bench.set_link(1, true);
        bench.run(4);
        let lost: u32 = 24 - bench.room(1);
        assert!(lost <= 3 && (committed == 1 || lost == 0), "{ways:?}");
    }
    ways.dedup();
    assert_eq!(ways, [[0, 1, 0], [1, 0, 1], [1, 0, 0]]);
}

/// A packet is cut, and another one of its channel comes `pause` cycles after its link is up again.
fn comes_behind_a_cut_packet(bench: &mut PinTestbench, pause: usize) -> [u32; 2] {
    bench.tick_sending(0, 0, false, header(1, 0, 3));
    bench.run(4);
    bench.set_link(0, false);
    bench.tick();
    bench.set_link(0, true);
    bench.run(pause);
    bench.tick_sending(0, 0, true, header(1, 1, 1));
    let down = bench.counter(0, LINK_DOWN);
    [down, bench.choices_of(0)[0]]
}

/// `up` is 0 in cycle 6, so that `closing` is not none in cycle 7. There the made-up tail enters `stage1`, so that `closing` is
/// none when a header that comes in cycle 7 is in `arrived`.
#[test]
fn a_header_is_dropped_when_a_packet_closes_in_the_cycle_of_its_reading() {
    let outcomes = (1..4).map(|pause| {
        let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b1000]);
        comes_behind_a_cut_packet(&mut bench, pause)
    });
    let outcomes: Vec<_> = outcomes.collect();
    assert_eq!(outcomes, [[1, 0], [0, 1], [0, 1]]);
}

/// The cycle in which a host's header, which waits for room of port 3, commits. The header of the link that shares its reader
/// comes `after` as many cycles, and its link is down in the cycle after it.
fn commit_beside_a_lost_header(after: Option<usize>) -> usize {
    let mut bench = adaptive_adapter(&[0, 0b1000]);
    let word = Header::unpack(header(1, 1, 5)).pack_without_crc();
    let beats: Vec<_> = (0..5).map(|n| (word, 0xff, n == 4, false)).collect();
    let mut sent = Vec::new();
    for _ in 0..4 {
        sent.extend(bench.offer(0, &beats));
    }
    sent.extend(bench.run(60));
    let mut before = bench.room(3);
    for cycle in 0..30 {
        if let Some(flit) = sent.get(cycle) {
            bench.give_credit(flit.port, flit.channel);
        }
        if after == Some(cycle) {
            bench.send(1, 0, true, header(1, 1, 1));
        }
        bench.set_link(1, after != Some(cycle));
        bench.tick();
        let room = bench.room(3);
        if room < before {
            return cycle;
        }
        before = room;
    }
    panic!("it never committed");
}

/// The reader of ports 1 and 4 prefers the link, although its packet is lost.
#[test]
fn a_reader_chooses_for_a_header_whose_link_has_gone_down() {
    let alone = commit_beside_a_lost_header(None);
    let delays = (0..12).map(|after| commit_beside_a_lost_header(Some(after)) - alone);
    let mut delays: Vec<usize> = delays.collect();
    delays.sort_unstable();
    assert_eq!(delays, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
}
