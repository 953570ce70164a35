//! 1.8, Length, Queues and Room: room is promised once and comes back once.

use super::adaptive_bench::*;
use super::testbench::{PinTestbench, Sent};

fn bench() -> PinTestbench {
    adaptive_switch(adaptive_parameters(), &[0, 0b1000])
}

/// Last, bad and data of every flit.
fn flits(sent: &[Sent]) -> Vec<(bool, bool, u64)> {
    sent.iter().map(|it| (it.last, it.bad, it.data)).collect()
}

/// Nothing is in the block, and every credit of what it sent has come back.
fn expect_rest(bench: &mut PinTestbench, sent: &[Sent]) {
    bench.credit_all(sent);
    bench.run(8);
    assert_eq!(bench.block.describe(), "");
}

#[test]
fn a_whole_packet_pays_for_all_its_flits_at_once() {
    let mut bench = bench();
    bench.tick_sending(0, 0, false, header(1, 1, 6));
    assert_eq!(bench.room(3), 24, "its way is chosen in the next cycle");
    bench.tick();
    assert_eq!(bench.room(3), 18);
    let mut sent = bench.run(8);
    for n in 1..6 {
        sent.extend(bench.tick_sending(0, 0, n == 5, n));
    }
    sent.extend(bench.run(8));
    assert_eq!((sent.len(), bench.room(3)), (6, 18));
    expect_rest(&mut bench, &sent);
}

#[test]
fn what_a_short_packet_was_promised_comes_back() {
    let mut bench = bench();
    let word = header(1, 1, 6);
    let sent = bench.pass(0, 0, word, 3);
    let expected = [(false, false, word), (false, false, 1), (true, true, 3)];
    assert_eq!(flits(&sent), expected, "three flits have not come");
    assert_eq!(bench.room(3), 21);
    expect_rest(&mut bench, &sent);
}

/// Three cycles after the pop, when the flit is on the tx pins.
#[test]
fn room_comes_back_when_the_flit_has_left() {
    let mut bench = bench();
    bench.send_all(0, 0, header(1, 1, 6), 3);
    let mut seen = Vec::new();
    while bench.sent().first().is_none_or(|flit| !flit.last) {
        seen.push(bench.room(3));
        bench.tick();
    }
    // Popped in cycle a, on the tx pins in a + 3: the last that was noted is the state at the end of a + 2.
    assert_eq!(seen[seen.len() - 2..], [18, 18], "{seen:?}");
    assert_eq!(bench.room(3), 21);
}

#[test]
fn a_damaged_packet_carries_what_is_left() {
    let mut bench = bench();
    bench.tick_sending(0, 0, false, header(1, 1, 2));
    bench.send(0, 0, true, 77);
    bench.inputs[bench.at.rx.bad] = 1;
    let sent = bench.run(12);
    assert_eq!(flits(&sent)[1], (true, true, 0), "not 77");
    expect_rest(&mut bench, &sent);
}

#[test]
fn a_packet_that_is_too_long_ends_where_its_room_ends() {
    let mut bench = bench();
    let word = header(1, 1, 3);
    let sent = bench.pass(0, 0, word, 6);
    let expected = [(false, false, word), (false, false, 1), (true, true, 0)];
    assert_eq!(flits(&sent), expected);
    assert_eq!([0, 1].map(|counter| bench.counter(0, counter)), [6, 2]);
    expect_rest(&mut bench, &sent);
}

#[test]
fn a_made_up_tail_is_a_promised_flit_and_gives_the_others_back() {
    let mut bench = bench();
    let word = header(1, 1, 6);
    bench.tick_sending(0, 0, false, word);
    bench.tick_sending(0, 0, false, 1);
    bench.set_link(0, false);
    let sent = bench.run(20);
    let expected = [(false, false, word), (false, false, 1), (true, true, 3)];
    assert_eq!(
        flits(&sent),
        expected,
        "four were left, the tail among them"
    );
    assert_eq!(bench.room(3), 21);
    bench.set_link(0, true);
    bench.tick();
    expect_rest(&mut bench, &sent);
}

#[test]
fn an_output_that_is_down_gives_room_back_for_what_is_not_sent() {
    let mut bench = bench();
    bench.tick_sending(0, 0, false, header(1, 1, 6));
    bench.tick_sending(0, 0, false, 1);
    bench.tick();
    bench.set_link(3, false);
    let sent = bench.run(10);
    assert_eq!((sent.len(), bench.room(3)), (1, 19), "one was on its way");
    for n in 2..5 {
        bench.tick_sending(0, 0, n == 4, n);
    }
    assert_eq!(bench.run(12), [], "cut, and one flit short");
    bench.set_link(3, true);
    bench.tick();
    expect_rest(&mut bench, &sent);
    assert_eq!(bench.counter(3, 8), 1, "link down at output");
}

/// One queue holds packets of both ways: each leaves on its own channel.
#[test]
fn the_way_belongs_to_the_packet_and_not_to_the_queue() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0b10, 0b10]);
    let mut sent = Vec::new();
    for (x, travel) in [(1, 1), (1, 0), (0, 1), (1, 3), (1, 1)] {
        sent.extend(bench.send_all(0, 0, header(x, travel, 2), 2));
    }
    sent.extend(bench.run(30));
    let channels: Vec<usize> = sent.iter().map(|flit| flit.channel).collect();
    assert!(sent.iter().all(|flit| flit.port == 1));
    assert_eq!(channels, [1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    expect_rest(&mut bench, &sent);
}

/// The escape has no credits: a committed packet passes all the same.
#[test]
fn a_committed_packet_needs_no_credit() {
    let mut bench = adaptive_switch(adaptive_parameters(), &[0, 0b10]);
    let mut sent = Vec::new();
    for _ in 0..6 {
        sent.extend(bench.pass(0, 0, header(1, 0, 4), 4));
    }
    assert_eq!(sent.len(), 24);
    assert_eq!(bench.pass(2, 0, header(1, 3, 2), 2), []);
    let passed = bench.pass(3, 0, header(1, 1, 4), 4);
    assert_eq!(passed.len(), 4);
    sent.extend(passed);
    bench.credit_all(&sent[..1]);
    sent.extend(bench.run(10));
    bench.credit_all(&sent[1..2]);
    sent.extend(bench.run(10));
    assert_eq!(sent.len(), 24 + 4 + 2);
}
