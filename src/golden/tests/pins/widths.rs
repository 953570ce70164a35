//! PCIe side whose beats are wider or narrower than a flit (section 3.3).

use super::host_header::Header;
use super::pcie_pins::{ABORTED, KEEP, TIMEOUT_DROPS, TOO_LONG, TOO_SHORT};
use super::testbench::{PinTestbench, two_channels};
use crate::beat::low_ones as ones;
use mkns_spec::BlockParameters;

fn testbench(flit_bits: u32, pcie_bits: u32, host_timeout: u32) -> PinTestbench {
    let mut testbench = PinTestbench::adapter(BlockParameters {
        flit_bits,
        pcie_bits,
        host_timeout,
        ..two_channels()
    });
    testbench.set_ready(true);
    testbench.tick();
    testbench
}

/// Header word for PCIe port 0 of the block at x.
fn header(x: u32, length: u32) -> u64 {
    let header = Header {
        destination: x << 1,
        length,
        ..Header::default()
    };
    header.pack()
}

#[test]
fn wide_beats_leave_as_flits_without_a_gap() {
    let mut testbench = testbench(64, 256, 0);
    // 3 beats of payload: 4 + 4 + 2 flits.
    let beats = [
        (header(2, 77), ones(32), false, false),
        (100, ones(32), false, false),
        (200, ones(32), false, false),
        (300, ones(13), true, false),
    ];
    testbench.offer(0, &beats);
    let mut cycles = Vec::new();
    let mut words = Vec::new();
    for cycle in 0..40 {
        for flit in testbench.tick_crediting() {
            cycles.push(cycle);
            words.push((flit.data, flit.last));
        }
    }
    let payload: Vec<(u64, bool)> = [100, 101, 102, 103, 200, 201, 202, 203, 300, 301]
        .map(|word| (word, word == 301))
        .into();
    assert_eq!(words[1..], payload);
    assert!(cycles.windows(2).all(|pair| pair[1] == pair[0] + 1));
}

#[test]
fn narrow_beats_fill_a_flit_from_its_low_bits() {
    let mut testbench = testbench(256, 64, 0);
    let mut beats = vec![(header(2, 43), 0xFF, false, false)];
    beats.extend((1..=6).map(|beat| (beat, ones(if beat == 6 { 3 } else { 8 }), beat == 6, false)));
    testbench.offer(0, &beats);
    let mut flits = Vec::new();
    for _ in 0..20 {
        for flit in testbench.tick() {
            flits.push((
                testbench.outputs[testbench.at.tx.data + 4..][..4].to_vec(),
                flit.last,
            ));
        }
    }
    let payload = [(vec![1, 2, 3, 4], false), (vec![5, 6, 0, 0], true)];
    assert_eq!(flits[1..], payload);
}

#[test]
fn causes_are_those_of_the_beats_when_the_host_is_wide() {
    let mut testbench = testbench(64, 256, 0);
    let (full, start) = (ones(32), (header(2, 40), ones(32), false, false));
    let payload = (7, full, false, false);
    // Faults above the low 64 bits, which no flit carries.
    let hole = full & !(1 << 20);
    testbench.expect_drop(0, &[(header(2, 0), hole, true, false)], KEEP);
    let partial = (header(2, 40), ones(16), false, false);
    testbench.expect_drop(0, &[partial, payload, (7, 0xFF, true, false)], KEEP);
    let short = (7, ones(31), false, false);
    testbench.expect_drop(0, &[start, short, (7, 0xFF, true, false)], KEEP);
    testbench.expect_drop(0, &[start, payload, (7, 0, true, false)], KEEP);
    testbench.expect_drop(0, &[start, payload, (7, 0x1FE, true, false)], KEEP);
    testbench.expect_drop(0, &[start, payload, (7, ones(9), true, false)], TOO_LONG);
    testbench.expect_drop(0, &[start, payload, payload, (7, 1, true, false)], TOO_LONG);
    testbench.expect_drop(0, &[start, payload, (7, ones(7), true, false)], TOO_SHORT);
    testbench.expect_drop(0, &[start, (7, ones(9), true, false)], TOO_SHORT);
    testbench.expect_drop(0, &[start, payload, (7, ones(8), true, true)], ABORTED);
    testbench.offer(0, &[start, payload, (7, ones(8), true, false)]);
    assert_eq!(
        testbench.run(30).len(),
        6,
        "a good packet passes afterwards"
    );
}

#[test]
fn causes_are_those_of_the_beats_when_the_host_is_narrow() {
    let mut testbench = testbench(256, 64, 0);
    let (start, beat) = ((header(2, 20), 0xFF, false, false), (7, 0xFF, false, false));
    let last = |bytes: u32| (7, ones(bytes), true, false);
    testbench.expect_drop(0, &[(header(2, 20), 0x7F, true, false)], KEEP);
    testbench.expect_drop(0, &[start, (7, 0x7F, false, false), beat, last(4)], KEEP);
    testbench.expect_drop(0, &[start, beat, beat, (7, 0, true, false)], KEEP);
    testbench.expect_drop(0, &[start, beat, beat, last(5)], TOO_LONG);
    testbench.expect_drop(0, &[start, beat, beat, beat, last(1)], TOO_LONG);
    testbench.expect_drop(0, &[start, beat, last(8)], TOO_SHORT);
    testbench.expect_drop(0, &[start, beat, beat, last(3)], TOO_SHORT);
    testbench.expect_drop(0, &[start, beat, beat, (7, 0xF, true, true)], ABORTED);
    // Two faulty beats in one flit: the tkeep fault decides though it is the later one.
    let late = (7, 0x5, true, false);
    testbench.expect_drop(0, &[start, beat, beat, beat, late], KEEP);
    testbench.offer(0, &[start, beat, beat, last(4)]);
    assert_eq!(
        testbench.run(30).len(),
        2,
        "a good packet passes afterwards"
    );
}

#[test]
fn a_narrow_host_gets_the_beats_that_hold_bytes() {
    let mut testbench = testbench(256, 64, 2);
    // 32 + 10 bytes: four beats of the first flit, two of the second. A timeout of two cycles does
    // not mind that a flit takes four.
    testbench.send_packet(0, &[header(0, 42), 5, 6]);
    let all = 0xFF;
    let beats = testbench.collect(0, 30);
    let middle = |data| (data, all, false, false);
    let expected = [
        middle(header(0, 42)),
        middle(5),
        middle(0),
        middle(0),
        middle(0),
    ];
    assert_eq!(beats[..5], expected);
    assert_eq!(beats[5..], [middle(6), (0, 3, true, false)]);
    assert_eq!(testbench.pcie_counter(0, TIMEOUT_DROPS), 0);
}

#[test]
fn a_wide_host_gets_whole_beats_and_then_the_rest() {
    let mut testbench = testbench(64, 256, 0);
    testbench.send_packet(0, &[header(0, 43), 1, 2, 3, 4, 5, 6]);
    let beats = testbench.collect(0, 30);
    let full = ones(32);
    let expected = [
        (header(0, 43), full, false, false),
        (1, full, false, false),
        (5, ones(11), true, false),
    ];
    assert_eq!(beats, expected);
}

#[test]
fn a_refused_packet_ends_with_a_beat_marked_bad_at_any_width() {
    for (flit_bits, pcie_bits) in [(64, 256), (256, 64)] {
        let timeout = 20;
        let mut testbench = testbench(flit_bits, pcie_bits, timeout);
        testbench.set_ready(false);
        let flits = 12;
        let length = flits * flit_bits / 8;
        testbench.send_packet(0, &[&[header(0, length)][..], &[3; 12]].concat());
        testbench.send_packet(0, &[header(0, 0)]);
        testbench.run(timeout as usize + 40);
        assert_eq!(testbench.pcie_counter(0, TIMEOUT_DROPS), 2);
        testbench.set_ready(true);
        let beats = testbench.collect(0, 60);
        let lasts: Vec<_> = beats.iter().filter(|beat| beat.2).collect();
        assert_eq!(lasts.len(), 1, "one packet, closed");
        assert_eq!(lasts[0].1, ones(pcie_bits / 8));
        assert!(lasts[0].3, "it is marked");
        testbench.send_packet(0, &[header(0, 0)]);
        let after = testbench.collect(0, 20);
        assert_eq!(after.len(), 1);
        assert_eq!(after[0].0, header(0, 0));
    }
}
