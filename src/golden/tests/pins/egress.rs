//! Egress of an adapter block (section 3.2).

use super::host_header::Header;
use super::rig::{Rig, two_channels};
use mkns_spec::BlockParameters;

const PACKETS_OUT: u32 = 9;
const CRC_FAULT: u32 = 10;
const LENGTH_FAULT: u32 = 11;
const BAD: u32 = 12;
const TIMEOUT_DROPS: u32 = 13;

/// A beat of PCIe port 1: data, tkeep, tlast, tuser.
type Beat = (u64, u64, bool, bool);

fn rig(host_timeout: u32) -> Rig {
    let mut rig = Rig::adapter(BlockParameters {
        host_timeout,
        ..two_channels()
    });
    set_ready(&mut rig, true);
    rig
}

fn set_ready(rig: &mut Rig, ready: bool) {
    rig.inputs[rig.at.egress.ready] = if ready { 3 } else { 0 };
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

/// The beat on the host's pins in the last cycle.
fn beat(rig: &Rig) -> Option<Beat> {
    let at = &rig.at;
    let bit = |word: usize| rig.outputs[word] >> 1 & 1 == 1;
    bit(at.egress.valid).then(|| {
        let keep = rig.outputs[at.egress.keep] >> 8;
        (
            rig.outputs[at.egress.data + 1],
            keep,
            bit(at.egress.last),
            bit(at.egress.user),
        )
    })
}

/// Sends a packet from network port 0, flit by flit.
fn send(rig: &mut Rig, channel: usize, flits: &[u64]) {
    for (place, &flit) in flits.iter().enumerate() {
        rig.send(0, channel, place + 1 == flits.len(), flit);
        rig.tick();
    }
}

/// Beats handed over in the next cycles.
fn collect(rig: &mut Rig, cycles: usize) -> Vec<Beat> {
    let taken = |rig: &mut Rig| {
        rig.tick();
        beat(rig).filter(|_| rig.inputs[rig.at.egress.ready] & 2 != 0)
    };
    (0..cycles).filter_map(|_| taken(rig)).collect()
}

#[test]
fn a_flit_on_the_tx_pin_in_cycle_t_is_a_beat_in_t_plus_2() {
    let mut rig = rig(0);
    send(&mut rig, 0, &[header(0)]);
    // Pins in cycle 0, the core's tx pin in 5, FIFO in 6, output register in 7.
    for cycle in 1..7 {
        rig.tick();
        assert_eq!(beat(&rig), None, "cycle {cycle}");
    }
    rig.tick();
    assert_eq!(beat(&rig), Some((header(0), 0xFF, true, false)));
    rig.tick();
    assert_eq!(beat(&rig), None);
    assert_eq!(rig.pcie_counter(1, PACKETS_OUT), 1);
}

#[test]
fn the_last_beat_keeps_the_bytes_that_the_header_announces() {
    for (length, keep) in [(9, 0x01), (12, 0x0F), (16, 0xFF)] {
        let mut rig = rig(0);
        send(&mut rig, 1, &[header(length), 1, 2]);
        let expected = [
            (header(length), 0xFF, false, false),
            (1, 0xFF, false, false),
            (2, keep, true, false),
        ];
        assert_eq!(collect(&mut rig, 20), expected);
    }
}

#[test]
fn packets_of_two_channels_do_not_mix_and_take_turns() {
    let mut rig = rig(0);
    for flit in 0..3 {
        let data = |packet: u64| if flit == 0 { header(16) } else { packet };
        rig.send(0, 0, flit == 2, data(10));
        rig.send(1, 1, flit == 2, data(11));
        rig.tick();
    }
    rig.send(0, 0, true, header(0));
    let beats = collect(&mut rig, 30);
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
        let mut rig = rig(0);
        send(&mut rig, 0, flits);
        let beats = collect(&mut rig, 20);
        assert_eq!(beats.len(), flits.len());
        assert_eq!(
            beats.last().map(|beat| (beat.1, beat.2, beat.3)),
            Some((0xFF, true, true))
        );
        for counter in [CRC_FAULT, LENGTH_FAULT, BAD] {
            assert_eq!(rig.pcie_counter(1, counter), u32::from(counter == cause));
        }
        assert_eq!(rig.pcie_counter(1, PACKETS_OUT), 1);
        assert_eq!(rig.read(0x18), Ok(1 << 5));
    }
}

#[test]
fn a_cut_packet_reaches_the_host_marked_bad() {
    let mut rig = rig(0);
    rig.send(0, 0, false, header(8));
    rig.tick();
    rig.set_link(0, false);
    let beats = collect(&mut rig, 20);
    assert_eq!(
        beats,
        [(header(8), 0xFF, false, false), (0, 0xFF, true, true)]
    );
    assert_eq!(rig.pcie_counter(1, BAD), 1);
}

#[test]
fn a_host_that_refuses_too_long_loses_packets_and_the_network_drains() {
    let timeout = 20;
    let mut rig = rig(timeout);
    set_ready(&mut rig, false);
    send(&mut rig, 0, &[header(16), 1, 2]);
    send(&mut rig, 0, &[header(8), 3]);
    while beat(&rig).is_none() {
        rig.tick();
    }
    // The first refused cycle has passed; dropping starts after `timeout` of them.
    rig.run(timeout as usize + 10);
    assert_eq!(
        beat(&rig),
        Some((header(16), 0xFF, false, false)),
        "it stays"
    );
    assert_eq!(rig.pcie_counter(1, TIMEOUT_DROPS), 2);
    assert_eq!(rig.read(0x18), Ok(1 << 6));
    set_ready(&mut rig, true);
    let closing = (0, 0xFF, true, true);
    assert_eq!(
        collect(&mut rig, 10),
        [(header(16), 0xFF, false, false), closing]
    );
    // Back to normal.
    send(&mut rig, 0, &[header(8), 5]);
    assert_eq!(collect(&mut rig, 20).len(), 2);
    assert_eq!(rig.pcie_counter(1, TIMEOUT_DROPS), 2);
}

#[test]
fn a_refused_last_beat_is_delivered_whole() {
    let mut rig = rig(20);
    set_ready(&mut rig, false);
    send(&mut rig, 0, &[header(0)]);
    rig.run(60);
    set_ready(&mut rig, true);
    assert_eq!(collect(&mut rig, 10), [(header(0), 0xFF, true, false)]);
    assert_eq!(rig.pcie_counter(1, TIMEOUT_DROPS), 0);
}

#[test]
fn a_packet_that_arrives_while_leaving_is_dropped_to_its_end() {
    let mut rig = rig(20);
    set_ready(&mut rig, false);
    // The stalled packet is whole in the register, the next has only begun.
    send(&mut rig, 0, &[header(0)]);
    rig.send(0, 0, false, header(8));
    rig.run(60);
    set_ready(&mut rig, true);
    assert_eq!(collect(&mut rig, 10).len(), 1);
    rig.send(0, 0, true, 9);
    assert_eq!(collect(&mut rig, 20), []);
    assert_eq!(rig.pcie_counter(1, TIMEOUT_DROPS), 1);
    send(&mut rig, 0, &[header(0)]);
    assert_eq!(collect(&mut rig, 20).len(), 1);
}

#[test]
fn a_timeout_of_0_waits_for_ever() {
    let mut rig = rig(0);
    set_ready(&mut rig, false);
    send(&mut rig, 0, &[header(0)]);
    send(&mut rig, 0, &[header(8), 1]);
    rig.run(5000);
    set_ready(&mut rig, true);
    assert_eq!(collect(&mut rig, 20).len(), 3);
}
