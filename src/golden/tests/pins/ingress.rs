//! Ingress of an adapter block (section 3.1).

use super::host_header::Header;
use super::pcie_pins::{
    ABORTED, Beat, DESTINATION, KEEP, LAYER, OVER_LENGTH, PACKETS_IN, RESERVED, TOO_LONG, TOO_SHORT,
};
use super::testbench::{PinTestbench, two_channels};
use crate::header;
use mkns_spec::BlockParameters;

const ALL: u64 = 0xFF;
fn testbench() -> PinTestbench {
    let mut testbench = PinTestbench::adapter(two_channels());
    testbench.tick();
    testbench
}

/// Header word as a host writes it, for PCIe port 1 of the block at x.
fn word(x: u32, length: u32) -> u64 {
    let header = Header {
        destination: x << 1 | 1,
        length,
        ..Header::default()
    };
    header.pack_without_crc()
}

/// Expects these beats to be dropped under `cause`, and a good packet after them to pass.
fn expect_drop(beats: &[Beat], cause: u32) {
    let mut testbench = testbench();
    testbench.expect_drop(1, beats, cause);
    assert_eq!(testbench.read(0x18), Ok(1 << 4));
    let mut sent = testbench.offer(1, &[(word(2, 0), ALL, true, false)]);
    sent.extend(testbench.run(20));
    assert_eq!(sent.len(), 1);
    assert_eq!(testbench.pcie_counter(1, PACKETS_IN), 1);
    assert_eq!(testbench.pcie_counter(0, PACKETS_IN), 0);
}

#[test]
fn a_beat_taken_in_cycle_t_is_on_the_rx_pin_in_t_plus_3() {
    let mut testbench = testbench();
    assert_eq!(testbench.offer(1, &[(word(2, 0), ALL, true, false)]), []);
    // Three cycles to the core's rx pin, five through the core.
    assert_eq!(testbench.run(7), []);
    assert_eq!(testbench.tick().len(), 1);
}

#[test]
fn the_header_is_completed_with_source_and_crc() {
    let mut testbench = testbench();
    testbench.write(0x10, 0b1010).expect("NODE_ADDRESS");
    let host_wrote = word(3, 3) | 0xFF << 20 | 0x3F << 58;
    testbench.offer(1, &[(host_wrote, ALL, false, false)]);
    testbench.offer(1, &[(0xAABB_CCDD_EEFF_1122, 7, true, false)]);
    let sent = testbench.run(20);
    let expected = Header {
        destination: 3 << 1 | 1,
        source: 0b1011,
        length: 3,
        ..Header::default()
    };
    assert_eq!(sent[0].data, expected.pack());
    assert!(!header::has_crc_fault(sent[0].data, false));
    assert_eq!(
        sent[1].data, 0xAABB_CCDD_EEFF_1122,
        "bytes beyond tkeep stay"
    );
    assert_eq!((sent[0].last, sent[1].last, sent.len()), (false, true, 2));
    assert_eq!((sent[0].port, sent[0].channel), (2, 0));
}

#[test]
fn a_packet_waits_for_its_last_beat() {
    let mut testbench = testbench();
    testbench.offer(1, &[(word(1, 16), ALL, false, false)]);
    testbench.offer(1, &[(1, ALL, false, false)]);
    assert_eq!(testbench.run(20), []);
    testbench.offer(1, &[(2, ALL, true, false)]);
    assert_eq!(testbench.run(20).len(), 3);
}

#[test]
fn each_fault_of_a_header_beat_has_its_cause() {
    let wide = |bit: u32| word(1, 0) | 1 << bit;
    expect_drop(&[(word(1, 0), 0x7F, true, false)], KEEP);
    expect_drop(&[(wide(56), ALL, true, false)], RESERVED);
    expect_drop(&[(wide(57), ALL, true, false)], RESERVED);
    expect_drop(&[(wide(53), ALL, true, false)], LAYER);
    expect_drop(&[(word(5, 0), ALL, true, false)], DESTINATION);
    expect_drop(&[(wide(19), ALL, true, false)], DESTINATION);
    let long = 33 * 8;
    expect_drop(
        &[(word(1, long), ALL, false, false), (0, ALL, true, false)],
        OVER_LENGTH,
    );
    expect_drop(&[(word(1, 1), ALL, true, false)], TOO_SHORT);
    expect_drop(
        &[(word(1, 0), ALL, false, false), (0, ALL, true, false)],
        TOO_LONG,
    );
    expect_drop(&[(word(1, 0), ALL, true, true)], ABORTED);
}

#[test]
fn each_fault_of_a_payload_beat_has_its_cause() {
    let start = (word(1, 12), ALL, false, false);
    let full = (7, ALL, false, false);
    expect_drop(
        &[start, (7, 0x0F, false, false), (7, 0x0F, true, false)],
        KEEP,
    );
    expect_drop(&[start, full, (7, 0, true, false)], KEEP);
    expect_drop(&[start, full, (7, 0b1011, true, false)], KEEP);
    expect_drop(
        &[start, full, (7, ALL, false, false), (7, 1, true, false)],
        TOO_LONG,
    );
    expect_drop(&[start, full, (7, 0x1F, true, false)], TOO_LONG);
    expect_drop(&[start, full, (7, 0x07, true, false)], TOO_SHORT);
    expect_drop(&[start, (7, ALL, true, false)], TOO_SHORT);
    expect_drop(&[start, full, (7, 0x0F, true, true)], ABORTED);
}

#[test]
fn the_first_fault_decides_and_a_packet_is_counted_once() {
    let both = word(5, 12) | 1 << 56;
    expect_drop(&[(both, ALL, false, false), (7, 3, true, true)], RESERVED);
}

#[test]
fn wide_beats_need_the_header_word_and_no_more() {
    let parameters = BlockParameters {
        flit_bits: 256,
        pcie_bits: 256,
        ..two_channels()
    };
    let mut testbench = PinTestbench::adapter(parameters);
    testbench.tick();
    // Only the low 8 bytes of a lone header beat are kept; what lies above is cleared.
    testbench.offer(0, &[(word(2, 0), ALL, true, false)]);
    let sent = testbench.run(8);
    assert_eq!(sent.len(), 1);
    let tx = &testbench.outputs[testbench.at.tx.data + 4..][..4];
    assert_eq!(Header::unpack(tx[0]).destination, 2 << 1 | 1);
    assert_eq!(tx[1..], [0, 0, 0]);
}

#[test]
fn tready_falls_when_the_buffer_is_full_and_rises_when_it_drains() {
    // In the queue of the core lie the flits of C credits.
    let mut testbench = PinTestbench::adapter(two_channels());
    testbench.tick();
    // Port 0 has no credits beyond the first C flits, so the buffer of 128 fills up.
    testbench.put_beat(0, (word(1, 0), ALL, true, false));
    let mut taken = 0;
    for _ in 0..400 {
        testbench.tick();
        taken += testbench.outputs[testbench.at.ingress.ready] & 1;
    }
    let credits = testbench.module.parameters.rx_buffer_flits;
    // One more is in the memory output.
    assert_eq!(taken, u64::from(128 + 1 + credits + credits));
    // The packets are on channel 1: the destination is 0b11, the source 0.
    testbench.give_credit(0, 1);
    let mut reopened = 0;
    for _ in 0..30 {
        testbench.tick();
        reopened += testbench.outputs[testbench.at.ingress.ready] & 1;
    }
    assert_eq!(reopened, 1, "one flit has left");
}
