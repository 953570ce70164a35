//! Egress of an adapter block (section 3.2).

use super::host_header::Header;
use super::pcie_pins::{BAD, CRC_FAULT, LENGTH_FAULT, PACKETS_OUT, TIMEOUT_DROPS};
use super::testbench::{PinTestbench, two_channels};
use mkns_spec::BlockParameters;

fn testbench(host_timeout: u32) -> PinTestbench {
    let mut testbench = PinTestbench::adapter(BlockParameters {
        host_timeout,
        ..two_channels()
    });
    testbench.set_ready(true);
    testbench
}

/// Header for PCIe port 1 of this block.
fn header(length: u32) -> u64 {
    let header = Header {
        destination: 1,
        length,
        ..Header::default()
    };
    header.pack()
}

#[test]
fn a_flit_on_the_tx_pin_in_cycle_t_is_a_beat_in_t_plus_2() {
    let mut testbench = testbench(0);
    testbench.send_packet(0, &[header(0)]);
    // Pins in cycle 0, the core's tx pin in 5, FIFO in 6, output register in 7.
    for cycle in 1..7 {
        testbench.tick();
        assert_eq!(testbench.beat(1), None, "cycle {cycle}");
    }
    testbench.tick();
    assert_eq!(testbench.beat(1), Some((header(0), 0xFF, true, false)));
    testbench.tick();
    assert_eq!(testbench.beat(1), None);
    assert_eq!(testbench.pcie_counter(1, PACKETS_OUT), 1);
}

#[test]
fn the_last_beat_keeps_the_bytes_that_the_header_announces() {
    for (length, keep) in [(9, 0x01), (12, 0x0F), (16, 0xFF)] {
        let mut testbench = testbench(0);
        testbench.send_packet(1, &[header(length), 1, 2]);
        let expected = [
            (header(length), 0xFF, false, false),
            (1, 0xFF, false, false),
            (2, keep, true, false),
        ];
        assert_eq!(testbench.collect(1, 20), expected);
    }
}

#[test]
fn packets_of_two_channels_do_not_mix_and_take_turns() {
    let mut testbench = testbench(0);
    for flit in 0..3 {
        let data = |packet: u64| if flit == 0 { header(16) } else { packet };
        testbench.send(0, 0, flit == 2, data(10));
        testbench.tick_sending(1, 1, flit == 2, data(11));
    }
    testbench.send(0, 0, true, header(0));
    let beats = testbench.collect(1, 30);
    let seen: Vec<u64> = beats.iter().map(|beat| beat.0).collect();
    assert_eq!(seen, [header(16), 10, 10, header(16), 11, 11, header(0)]);
}

#[test]
fn crc_length_and_bad_faults_raise_tuser_and_count_once() {
    let faults: [(&[u64], u32); 5] = [
        (&[header(8) ^ 1 << 45, 1], CRC_FAULT),
        (&[header(8) ^ 1 << 60], CRC_FAULT),
        (&[header(8)], LENGTH_FAULT),
        (&[header(0), 1], LENGTH_FAULT),
        (&[header(17), 1, 2], LENGTH_FAULT),
    ];
    for (flits, cause) in faults {
        let mut testbench = testbench(0);
        testbench.send_packet(0, flits);
        let beats = testbench.collect(1, 20);
        assert_eq!(beats.len(), flits.len());
        assert_eq!(
            beats.last().map(|beat| (beat.1, beat.2, beat.3)),
            Some((0xFF, true, true))
        );
        for counter in [CRC_FAULT, LENGTH_FAULT, BAD] {
            assert_eq!(
                testbench.pcie_counter(1, counter),
                u32::from(counter == cause)
            );
        }
        assert_eq!(testbench.pcie_counter(1, PACKETS_OUT), 1);
        assert_eq!(testbench.read(0x18), Ok(1 << 5));
    }
}

#[test]
fn a_cut_packet_reaches_the_host_marked_bad() {
    let mut testbench = testbench(0);
    testbench.tick_sending(0, 0, false, header(8));
    testbench.set_link(0, false);
    let beats = testbench.collect(1, 20);
    assert_eq!(
        beats,
        [(header(8), 0xFF, false, false), (0, 0xFF, true, true)]
    );
    assert_eq!(testbench.pcie_counter(1, BAD), 1);
}

#[test]
fn a_host_that_refuses_too_long_loses_packets_and_the_network_drains() {
    let timeout = 20;
    let mut testbench = testbench(timeout);
    testbench.set_ready(false);
    testbench.send_packet(0, &[header(16), 1, 2]);
    testbench.send_packet(0, &[header(8), 3]);
    while testbench.beat(1).is_none() {
        testbench.tick();
    }
    // The first refused cycle has passed; dropping starts after `timeout` of them.
    testbench.run(timeout as usize + 10);
    assert_eq!(
        testbench.beat(1),
        Some((header(16), 0xFF, false, false)),
        "it stays"
    );
    assert_eq!(testbench.pcie_counter(1, TIMEOUT_DROPS), 2);
    assert_eq!(testbench.read(0x18), Ok(1 << 6));
    testbench.set_ready(true);
    let closing = (0, 0xFF, true, true);
    assert_eq!(
        testbench.collect(1, 10),
        [(header(16), 0xFF, false, false), closing]
    );
    // Back to normal.
    testbench.send_packet(0, &[header(8), 5]);
    assert_eq!(testbench.collect(1, 20).len(), 2);
    assert_eq!(testbench.pcie_counter(1, TIMEOUT_DROPS), 2);
}

#[test]
fn a_refused_last_beat_is_delivered_whole() {
    let mut testbench = testbench(20);
    testbench.set_ready(false);
    testbench.send_packet(0, &[header(0)]);
    testbench.run(60);
    testbench.set_ready(true);
    assert_eq!(testbench.collect(1, 10), [(header(0), 0xFF, true, false)]);
    assert_eq!(testbench.pcie_counter(1, TIMEOUT_DROPS), 0);
}

#[test]
fn a_packet_that_arrives_while_leaving_is_dropped_to_its_end() {
    let mut testbench = testbench(20);
    testbench.set_ready(false);
    // The stalled packet is whole in the register, the next has only begun.
    testbench.send_packet(0, &[header(0)]);
    testbench.send(0, 0, false, header(8));
    testbench.run(60);
    testbench.set_ready(true);
    assert_eq!(testbench.collect(1, 10).len(), 1);
    testbench.send(0, 0, true, 9);
    assert_eq!(testbench.collect(1, 20), []);
    assert_eq!(testbench.pcie_counter(1, TIMEOUT_DROPS), 1);
    testbench.send_packet(0, &[header(0)]);
    assert_eq!(testbench.collect(1, 20).len(), 1);
}

#[test]
fn refusals_of_all_beats_of_a_packet_count_together() {
    // Every beat is refused for 6 cycles. Five beats are too many; two are not, however many packets come.
    for (payload, is_dropped) in [(4, true), (1, false)] {
        let mut testbench = testbench(18);
        for _ in 0..5 {
            let flits: Vec<u64> = std::iter::once(header(8 * payload))
                .chain(1..=u64::from(payload))
                .collect();
            testbench.send_packet(0, &flits);
            for _ in 0..10 {
                testbench.set_ready(false);
                testbench.run(6);
                testbench.set_ready(true);
                testbench.tick();
            }
        }
        let cut = testbench.pcie_counter(1, TIMEOUT_DROPS);
        assert_eq!(cut > 0, is_dropped, "{payload} payload flits: {cut}");
    }
}

#[test]
fn a_timeout_of_0_waits_for_ever() {
    let mut testbench = testbench(0);
    testbench.set_ready(false);
    testbench.send_packet(0, &[header(0)]);
    testbench.send_packet(0, &[header(8), 1]);
    testbench.run(5000);
    testbench.set_ready(true);
    assert_eq!(testbench.collect(1, 20).len(), 3);
}
