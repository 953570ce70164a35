//! PCIe side whose beats are wider or narrower than a flit (section 3.3).

use super::host_header::Header;
use super::testbench::{PinTestbench, Sent, two_channels};
use mkns_spec::BlockParameters;

const PACKETS_IN: u32 = 0;
const KEEP: u32 = 1;
const TOO_SHORT: u32 = 6;
const TOO_LONG: u32 = 7;
const ABORTED: u32 = 8;
const TIMEOUT_DROPS: u32 = 13;

/// A beat of PCIe port 0: low word of the data, tkeep, tlast, tuser. The words above count up.
type Beat = (u64, u64, bool, bool);

fn testbench(flit_bits: u32, pcie_bits: u32, host_timeout: u32) -> PinTestbench {
    let mut testbench = PinTestbench::adapter(BlockParameters {
        flit_bits,
        pcie_bits,
        host_timeout,
        ..two_channels()
    });
    testbench.inputs[testbench.at.egress.ready] = 3;
    testbench.tick();
    testbench
}

fn ones(bytes: u32) -> u64 {
    u64::MAX >> (64 - bytes)
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

fn beat_words(testbench: &PinTestbench) -> usize {
    testbench.module.parameters.pcie_bits as usize / 64
}

/// Offers beats one after the other as fast as they are taken; returns what left meanwhile.
fn offer(testbench: &mut PinTestbench, beats: &[Beat]) -> Vec<Sent> {
    let at = testbench.at.clone();
    let mut sent = Vec::new();
    for &(data, keep, last, user) in beats {
        for word in 0..beat_words(testbench) {
            testbench.inputs[at.ingress.data + word] = data + word as u64;
        }
        testbench.inputs[at.ingress.keep] = keep;
        testbench.inputs[at.ingress.valid] = 1;
        testbench.inputs[at.ingress.last] = u64::from(last);
        testbench.inputs[at.ingress.user] = u64::from(user);
        loop {
            sent.extend(testbench.tick());
            if testbench.outputs[testbench.at.ingress.ready] & 1 == 1 {
                break;
            }
        }
    }
    testbench.inputs[at.ingress.valid] = 0;
    sent
}

/// The packet of `beats` is dropped under `cause`.
fn expect_drop(testbench: &mut PinTestbench, beats: &[Beat], cause: u32) {
    let before: Vec<u32> = (0..9)
        .map(|counter| testbench.pcie_counter(0, counter))
        .collect();
    let mut sent = offer(testbench, beats);
    sent.extend(testbench.run(30));
    assert_eq!(sent, [], "{beats:?}");
    for counter in PACKETS_IN..=ABORTED {
        let grown = testbench.pcie_counter(0, counter) - before[counter as usize];
        assert_eq!(grown, u32::from(counter == cause), "{counter} {beats:?}");
    }
}

/// The beat on the host's pins in the last cycle.
fn beat_out(testbench: &PinTestbench) -> Option<Beat> {
    let at = &testbench.at;
    let bit = |word: usize| testbench.outputs[word] & 1 == 1;
    let keep = testbench.outputs[at.egress.keep] & ones(testbench.module.parameters.pcie_bits / 8);
    bit(at.egress.valid).then(|| {
        let data = testbench.outputs[at.egress.data];
        (data, keep, bit(at.egress.last), bit(at.egress.user))
    })
}

/// Beats that the host takes in the next cycles, with their cycle.
fn collect(testbench: &mut PinTestbench, cycles: usize) -> Vec<(usize, Beat)> {
    let mut taken = Vec::new();
    for cycle in 0..cycles {
        testbench.tick();
        if testbench.inputs[testbench.at.egress.ready] & 1 == 1 {
            taken.extend(beat_out(testbench).map(|beat| (cycle, beat)));
        }
    }
    taken
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
    offer(&mut testbench, &beats);
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
    offer(&mut testbench, &beats);
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
    expect_drop(&mut testbench, &[(header(2, 0), hole, true, false)], KEEP);
    let partial = (header(2, 40), ones(16), false, false);
    expect_drop(
        &mut testbench,
        &[partial, payload, (7, 0xFF, true, false)],
        KEEP,
    );
    let short = (7, ones(31), false, false);
    expect_drop(
        &mut testbench,
        &[start, short, (7, 0xFF, true, false)],
        KEEP,
    );
    expect_drop(&mut testbench, &[start, payload, (7, 0, true, false)], KEEP);
    expect_drop(
        &mut testbench,
        &[start, payload, (7, 0x1FE, true, false)],
        KEEP,
    );
    expect_drop(
        &mut testbench,
        &[start, payload, (7, ones(9), true, false)],
        TOO_LONG,
    );
    expect_drop(
        &mut testbench,
        &[start, payload, payload, (7, 1, true, false)],
        TOO_LONG,
    );
    expect_drop(
        &mut testbench,
        &[start, payload, (7, ones(7), true, false)],
        TOO_SHORT,
    );
    expect_drop(
        &mut testbench,
        &[start, (7, ones(9), true, false)],
        TOO_SHORT,
    );
    expect_drop(
        &mut testbench,
        &[start, payload, (7, ones(8), true, true)],
        ABORTED,
    );
    offer(&mut testbench, &[start, payload, (7, ones(8), true, false)]);
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
    expect_drop(&mut testbench, &[(header(2, 20), 0x7F, true, false)], KEEP);
    expect_drop(
        &mut testbench,
        &[start, (7, 0x7F, false, false), beat, last(4)],
        KEEP,
    );
    expect_drop(
        &mut testbench,
        &[start, beat, beat, (7, 0, true, false)],
        KEEP,
    );
    expect_drop(&mut testbench, &[start, beat, beat, last(5)], TOO_LONG);
    expect_drop(
        &mut testbench,
        &[start, beat, beat, beat, last(1)],
        TOO_LONG,
    );
    expect_drop(&mut testbench, &[start, beat, last(8)], TOO_SHORT);
    expect_drop(&mut testbench, &[start, beat, beat, last(3)], TOO_SHORT);
    expect_drop(
        &mut testbench,
        &[start, beat, beat, (7, 0xF, true, true)],
        ABORTED,
    );
    // Two faulty beats in one flit: the tkeep fault decides though it is the later one.
    let late = (7, 0x5, true, false);
    expect_drop(&mut testbench, &[start, beat, beat, beat, late], KEEP);
    offer(&mut testbench, &[start, beat, beat, last(4)]);
    assert_eq!(
        testbench.run(30).len(),
        2,
        "a good packet passes afterwards"
    );
}

/// Sends a packet to PCIe port 0 from network port 0; the words of a flit above its low one are 0.
fn send(testbench: &mut PinTestbench, flits: &[u64]) {
    for (place, &flit) in flits.iter().enumerate() {
        testbench.send(0, 0, place + 1 == flits.len(), flit);
        testbench.tick();
    }
}

#[test]
fn a_narrow_host_gets_the_beats_that_hold_bytes() {
    let mut testbench = testbench(256, 64, 2);
    // 32 + 10 bytes: four beats of the first flit, two of the second. A timeout of two cycles does
    // not mind that a flit takes four.
    send(&mut testbench, &[header(0, 42), 5, 6]);
    let all = 0xFF;
    let beats: Vec<Beat> = collect(&mut testbench, 30)
        .into_iter()
        .map(|(_, beat)| beat)
        .collect();
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
    send(&mut testbench, &[header(0, 43), 1, 2, 3, 4, 5, 6]);
    let beats: Vec<Beat> = collect(&mut testbench, 30)
        .into_iter()
        .map(|(_, beat)| beat)
        .collect();
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
        testbench.inputs[testbench.at.egress.ready] = 0;
        let flits = 12;
        let length = flits * flit_bits / 8;
        send(
            &mut testbench,
            &[&[header(0, length)][..], &[3; 12]].concat(),
        );
        send(&mut testbench, &[header(0, 0)]);
        testbench.run(timeout as usize + 40);
        assert_eq!(testbench.pcie_counter(0, TIMEOUT_DROPS), 2);
        testbench.inputs[testbench.at.egress.ready] = 3;
        let beats = collect(&mut testbench, 60);
        let lasts: Vec<&(usize, Beat)> = beats.iter().filter(|(_, beat)| beat.2).collect();
        assert_eq!(lasts.len(), 1, "one packet, closed");
        assert_eq!(lasts[0].1.1, ones(pcie_bits / 8));
        assert!(lasts[0].1.3, "it is marked");
        send(&mut testbench, &[header(0, 0)]);
        let after = collect(&mut testbench, 20);
        assert_eq!(after.len(), 1);
        assert_eq!(after[0].1.0, header(0, 0));
    }
}
