//! Channels on which hosts' packets go (section 3.1).

use proptest::prelude::*;

use super::host_header::Header;
use super::pcie_pins::Beat;
use super::testbench::{PinTestbench, Sent};
use mkns_spec::BlockParameters;

/// An adapter block whose packets may be on `route_channels` of its channels, a cycle after reset.
fn testbench(virtual_channels: u32, route_channels: u32) -> PinTestbench {
    let mut testbench = PinTestbench::adapter_of(
        BlockParameters {
            virtual_channels,
            ..BlockParameters::default()
        },
        route_channels,
    );
    testbench.tick();
    testbench
}

/// Offers a packet of a header and `beats` beats on a PCIe port; returns what left meanwhile.
fn send(testbench: &mut PinTestbench, port: usize, destination: u32, beats: u32) -> Vec<Sent> {
    let header = Header {
        destination,
        length: 8 * beats,
        ..Header::default()
    };
    let list: Vec<Beat> = (0..=beats)
        .map(|beat| {
            let data = if beat == 0 {
                header.pack_without_crc()
            } else {
                beat.into()
            };
            (data, 0xFF, beat == beats, false)
        })
        .collect();
    testbench.offer_with(port, &list, PinTestbench::tick_crediting)
}

/// The page: e of a source and a destination, digit by digit.
fn spread(mut source: u32, mut destination: u32) -> usize {
    let mut sum = 0;
    for _ in 0..10 {
        let swapped = [0, 2, 1, 3][destination as usize & 3];
        sum ^= source as usize & 3 ^ swapped;
        (source, destination) = (source >> 2, destination >> 2);
    }
    sum
}

/// Channel of the packets from a PCIe port at node address 0.
fn channel(testbench: &mut PinTestbench, port: usize, destination: u32) -> usize {
    let mut sent = send(testbench, port, destination, 0);
    sent.extend((0..12).flat_map(|_| testbench.tick_crediting()));
    assert_eq!(sent.len(), 1);
    sent[0].channel
}

#[test]
fn hosts_start_on_every_channel_that_no_step_leads_to() {
    for (channels, route_channels, hosts) in [
        (1, 1, 1),
        (2, 1, 2),
        (2, 2, 1),
        (4, 1, 4),
        (4, 2, 2),
        (4, 3, 1),
        (4, 4, 1),
    ] {
        let mut testbench = testbench(channels, route_channels);
        for (port, destination) in (0..2).flat_map(|port| (2..10).map(move |to| (port, to))) {
            let expected = spread(port as u32, destination) % hosts * (channels as usize / hosts);
            let what =
                format!("{channels} channels, {route_channels} needed, {port} to {destination}");
            assert_eq!(
                channel(&mut testbench, port, destination),
                expected,
                "{what}"
            );
        }
    }
}

#[test]
fn the_address_when_the_header_beat_is_taken_decides() {
    let mut testbench = testbench(2, 1);
    assert_eq!(channel(&mut testbench, 0, 0b0010), 1);
    testbench.write(0x10, 0b0100).expect("NODE_ADDRESS");
    assert_eq!(channel(&mut testbench, 0, 0b0010), 0);
}

#[test]
fn a_packet_waits_for_credits_of_its_own_channel_alone() {
    let mut testbench = testbench(2, 1);
    let (blocked, free) = (0b0010, 0b0100);
    let credits = testbench.module.parameters.rx_buffer_flits;
    assert_eq!((spread(0, blocked) % 2, spread(0, free) % 2), (1, 0));
    let mut offer = |destination, packets: u32| {
        let header = Header {
            destination,
            ..Header::default()
        };
        testbench.put_beat(0, (header.pack_without_crc(), 0xFF, true, false));
        let mut left: Vec<Sent> = (0..packets).flat_map(|_| testbench.tick()).collect();
        testbench.inputs[testbench.at.ingress.valid] = 0;
        left.extend(testbench.run(40));
        left.len()
    };
    // Network port 0 gives no credits back: it sends C flits, and C wait for it, which hold all credits of the host.
    assert_eq!(offer(blocked, 2 * credits), credits as usize);
    assert_eq!(offer(free, 1), 1, "the other channel has credits");
    // Now one without a credit is in front.
    assert_eq!(offer(blocked, 1), 0);
    assert_eq!(offer(free, 1), 0, "nothing overtakes in the buffer");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Packets of random lengths from both hosts: whole, in order, on the channel of their pair.
    #[test]
    fn the_channel_is_a_function_of_source_and_destination_and_a_pair_stays_in_order(
        packets in prop::collection::vec((0..2usize, 2..10u32, 0..6u32), 1..40),
        channel_bits in 0..3u32,
    ) {
        let mut testbench = testbench(1 << channel_bits, 1);
        let mut sent = Vec::new();
        for &(port, destination, beats) in &packets {
            sent.extend(send(&mut testbench, port, destination, beats));
        }
        sent.extend((0..60).flat_map(|_| testbench.tick_crediting()));
        let mut arrived = Vec::new();
        let mut open = std::collections::BTreeMap::new();
        for flit in sent {
            let wire = (flit.port, flit.channel);
            let (header, flits) = open.entry(wire).or_insert((flit.data, 0));
            *flits += 1;
            if flit.last {
                let header = Header::unpack(*header);
                prop_assert_eq!(*flits, 1 + header.length / 8, "whole packets");
                let expected = spread(header.source, header.destination) % (1 << channel_bits);
                prop_assert_eq!(flit.channel, expected);
                arrived.push((header.source as usize, header.destination, header.length / 8));
                open.remove(&wire);
            }
        }
        prop_assert_eq!(arrived.len(), packets.len());
        let of_pair = |all: &[(usize, u32, u32)], (from, to)| -> Vec<u32> {
            all.iter().filter(|packet| (packet.0, packet.1) == (from, to)).map(|packet| packet.2).collect()
        };
        for pair in (0..2).flat_map(|from| (2..10).map(move |to| (from, to))) {
            prop_assert_eq!(of_pair(&arrived, pair), of_pair(&packets, pair));
        }
    }
}
