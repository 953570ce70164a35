//! The library of hosts on a generated node card with two hosts behind LitePCIe, behind a model of its driver: packets of all
//! lengths arrive, late readers lose nothing that fits, one program at a time has a channel, a program that ends in mid-packet
//! and a reset leave whole packets, and nothing is sent twice. Faults planted into the card are found.

use std::time::Duration;

use mkns_host::{Direction, Port, PortCounters};

use crate::common::litepcie_card::{
    LONG, LONGEST, MARK, REAL, SHORT, all_that_comes, are_of, channels, channels_with, device,
    payload, port, run,
};
use crate::common::litepcie_driver::LitePcieModel;
use crate::common::simulated_card::Edit;

#[test]
fn packets_of_all_lengths_arrive_over_the_driver_as_it_is_built() {
    let channels = channels(REAL, &[]);
    let [a, b] = [&channels[0], &channels[1]].map(port);
    let lengths = [0, 1, 7, 8, 9, 64, 119, LONGEST];
    let sent: Vec<_> = (1..)
        .zip(lengths)
        .map(|(number, length)| payload(number, length))
        .collect();
    let packets = sent.iter().map(|payload| (1, 0, &payload[..]));
    a.send_all(packets).expect("sent");
    for payload in &sent {
        let packet = b.receive(Some(LONG)).expect("no error").expect("a packet");
        assert_eq!(
            (packet.source, packet.destination, &packet.payload),
            (0, 1, payload)
        );
    }
    b.send(0, 0, b"back").expect("sent");
    let packet = a.receive(Some(LONG)).expect("no error").expect("a packet");
    assert_eq!((packet.source, packet.payload), (1, b"back".to_vec()));
    let counters = [a, b].map(|port| port.counters().expect("registers"));
    let wanted = [(8, 1), (1, 8)].map(|(sent, received)| PortCounters {
        sent,
        received,
        ..PortCounters::default()
    });
    assert_eq!(counters, wanted);
}

#[test]
fn what_the_network_refuses_does_not_arrive_and_runs_follow_each_other() {
    let channels = channels(SHORT, &[]);
    let [a, b] = [&channels[0], &channels[1]].map(port);
    let mut sent = Vec::new();
    for round in 0..6 {
        a.send(1, 0, &payload(round, LONGEST + 1)).expect("sent");
        a.send(0xfffff, 0, b"nobody").expect("sent");
        let payloads: Vec<_> = (0..40).map(|number| payload(number ^ round, 100)).collect();
        a.send_all(payloads.iter().map(|payload| (1, 0, &payload[..])))
            .expect("sent");
        sent.extend(payloads);
    }
    assert_eq!(all_that_comes(&channels[1], &b), Ok(sent));
}

/// Packets while nobody reads, for longer than the ring lasts, then one who reads; what was wrong first.
fn be_late(channels: &[LitePcieModel; 2]) -> Result<(), String> {
    let mut late = device(&channels[1], Direction::FromCard);
    late.switch(Direction::FromCard, true).expect("on");
    let mut sent = Vec::new();
    let a = port(&channels[0]);
    // Each is followed by filler, which would go around the ring; what comes behind half of it waits in the card.
    for number in 0..8 {
        sent.push(payload(number, 50));
        a.send(1, 0, &payload(number, 50))
            .map_err(|error| error.to_string())?;
        channels[0].ask("t 3000");
    }
    let mut buffers = vec![0; 128 * SHORT];
    let read = late.read(&mut buffers).expect("buffers");
    if read != buffers.len() {
        return Err(format!("{read} bytes of half a ring"));
    }
    let words = buffers
        .chunks(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("a word")));
    let seen = words.skip(1).filter(|word| word >> 58 == MARK).count();
    drop(late);
    let arrived = all_that_comes(&channels[1], &port(&channels[1]))?;
    match seen > 0 && seen + arrived.len() == sent.len() && are_of(&arrived, &sent[seen..]) {
        true => Ok(()),
        false => Err(format!("{seen} packets, then {arrived:?}")),
    }
}

#[test]
fn a_late_reader_loses_nothing_that_fits() {
    assert_eq!(be_late(&channels(SHORT, &[])), Ok(()));
}

#[test]
fn what_does_not_fit_is_missing_as_a_whole() {
    let channels = channels(SHORT, &[]);
    let a = port(&channels[0]);
    // Nobody reads: the buffer of the card takes 1,024 beats.
    let sent: Vec<_> = (0..200).map(|number| payload(number, LONGEST)).collect();
    a.send_all(sent.iter().map(|payload| (1, 0, &payload[..])))
        .expect("sent");
    let b = port(&channels[1]);
    let arrived = all_that_comes(&channels[1], &b).expect("no error");
    assert!((60..200).contains(&arrived.len()), "{}", arrived.len());
    assert!(are_of(&arrived, &sent));
    a.send(1, 0, b"the last").expect("sent");
    assert_eq!(
        all_that_comes(&channels[1], &b),
        Ok(vec![b"the last".to_vec()])
    );
}

/// Two programs one after the other, and one that switches on what it has not written; what was wrong first.
fn take_turns(channels: &[LitePcieModel; 2]) -> Result<(), String> {
    let b = port(&channels[1]);
    let first = port(&channels[0]);
    let error = Port::of_litepcie(&channels[0])
        .expect_err("in use")
        .to_string();
    assert!(error.contains("busy"), "{error}");
    first
        .send(1, 0, b"first")
        .map_err(|error| error.to_string())?;
    drop(first);
    let mut other = device(&channels[0], Direction::ToCard);
    for _ in 0..2 {
        other.switch(Direction::ToCard, true).expect("on");
        channels[0].ask("t 3000");
        other.switch(Direction::ToCard, false).expect("off");
    }
    // What stands in the ring is no run.
    other.write(&[0x2b; 2 * SHORT]).expect("written");
    other.switch(Direction::ToCard, true).expect("on");
    channels[0].ask("t 3000");
    drop(other);
    let second = port(&channels[0]);
    second
        .send(1, 0, b"second")
        .map_err(|error| error.to_string())?;
    let arrived = all_that_comes(&channels[1], &b)?;
    match arrived == [b"first".to_vec(), b"second".to_vec()] {
        true => Ok(()),
        false => Err(format!("{arrived:?}")),
    }
}

#[test]
fn one_program_has_a_channel_and_nothing_is_sent_again() {
    assert_eq!(take_turns(&channels(SHORT, &[])), Ok(()));
}

/// Programs that end at any moment, in mid-packet; what was wrong first.
fn die(channels: &[LitePcieModel; 2]) -> Result<(), String> {
    let b = port(&channels[1]);
    let (mut sent, mut whole) = (Vec::new(), Vec::new());
    for round in 0..12_u8 {
        // Packets of 15 words, so that a buffer of 64 ends in one.
        let payloads: Vec<_> = (0..16)
            .map(|number| payload(16 * round + number, 112))
            .collect();
        let mut device = device(&channels[0], Direction::ToCard);
        device
            .write(&run(u32::from(round) + 1, &payloads))
            .expect("written");
        device.switch(Direction::ToCard, true).expect("on");
        channels[0].ask(&format!("t {}", 10 + 7 * u32::from(round)));
        drop(device);
        // The first buffer is sent in any case.
        whole.extend_from_slice(&payloads[..4]);
        sent.extend(payloads);
    }
    whole.push(b"the last".to_vec());
    sent.push(b"the last".to_vec());
    let a = port(&channels[0]);
    a.send(1, 0, b"the last")
        .map_err(|error| error.to_string())?;
    let arrived = all_that_comes(&channels[1], &b)?;
    let is_right = arrived.len() < sent.len() && are_of(&whole, &arrived);
    match is_right && are_of(&arrived, &sent) {
        true => Ok(()),
        false => Err(format!("{} packets: {arrived:?}", arrived.len())),
    }
}

#[test]
fn a_program_that_ends_in_mid_packet_leaves_whole_packets() {
    assert_eq!(die(&channels(SHORT, &[])), Ok(()));
}

#[test]
fn a_reset_leaves_whole_packets() {
    let channels = channels_with(SHORT, Duration::from_secs(60), &[]);
    let [a, b] = [&channels[0], &channels[1]].map(port);
    let mut sent: Vec<Vec<u8>> = Vec::new();
    for round in 0..2_u8 {
        let payloads: Vec<_> = (0..8)
            .map(|number| payload(16 * round + number, 100))
            .collect();
        a.send_all(payloads.iter().map(|payload| (1, 0, &payload[..])))
            .expect("sent");
        sent.extend(payloads);
        channels[0].ask(&format!("t {}", 30 * u32::from(round)));
        for line in ["s 1 1", "t 40", "s 1 0", "t 3000"] {
            channels[0].ask(line);
        }
    }
    // The driver does not know of the reset; the library does after some seconds of silence.
    sent.push(b"the last".to_vec());
    a.send(1, 0, b"the last").expect("sent");
    let mut arrived = Vec::new();
    while arrived.last() != sent.last() {
        let packet = b.receive(Some(LONG)).expect("no error");
        arrived.push(packet.expect("a packet").payload);
    }
    assert!(are_of(&arrived, &sent), "{arrived:?}");
}

type Judge = fn(&[LitePcieModel; 2]) -> Result<(), String>;

fn are_found(faults: &[(Edit, Judge)]) {
    for (fault, judge) in faults {
        let channels = channels_with(SHORT, LONG / 4, &[*fault]);
        assert!(judge(&channels).is_err(), "`{}`", fault.1);
    }
}

#[test]
fn planted_faults_towards_the_card_are_found() {
    are_found(&[
        // the run before is sent once more
        (
            (
                "word[63:32] == BEGIN && !(has_number && word[31:0] == number);",
                "word[63:32] == BEGIN;",
            ),
            take_turns,
        ),
        // whatever stands in the ring is a packet
        (
            ("state == RUNS && (is_open", "1'b1 || (is_open"),
            take_turns,
        ),
        // a packet that is cut does not end
        ((".cut(!dma0_status_reader_enable)", ".cut(1'b0)"), die),
        // its length stays
        (
            (
                ".rst(core_rst || !dma0_status_reader_enable)",
                ".rst(core_rst)",
            ),
            die,
        ),
    ]);
}

#[test]
fn planted_faults_towards_the_host_are_found() {
    are_found(&[
        // the card overruns those who are late
        (
            ("buffer == HALF[BUFFER_BITS-1:0] + 1'b1;", "1'b0;"),
            be_late,
        ),
        // nothing fills the buffers behind a packet
        (
            (
                "fills <= moves || (fills && !(interrupts && &beat));",
                "fills <= 1'b0;",
            ),
            be_late,
        ),
    ]);
}

#[test]
#[ignore = "readers wait for minutes: make test-long"]
fn planted_faults_that_make_readers_wait_are_found() {
    are_found(&[
        // the last interrupt of a run does not come
        (
            (
                "buffer == HALF[BUFFER_BITS-1:0] + 1'b1;",
                "buffer == HALF[BUFFER_BITS-1:0];",
            ),
            be_late,
        ),
        // headers are not marked
        (
            ("m_data[63:58] <= MARK;", "m_data[63:58] <= 6'd0;"),
            be_late,
        ),
    ]);
}
