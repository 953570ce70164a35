//! Who goes first, who waits for whom (section 1.6).

use super::rig::{Rig, Sent, two_channels};
use crate::header::Header;
use mkns_spec::{BlockParameters, Switching};

/// A header whose source field tells packets apart.
fn packet(destination: usize, source: usize) -> u64 {
    let header = Header {
        destination: destination as u32,
        source: source as u32,
        ..Header::default()
    };
    header.pack()
}

fn sources(sent: &[Sent]) -> Vec<u32> {
    sent.iter()
        .map(|flit| Header::unpack(flit.data).source)
        .collect()
}

/// Uses up all credits of `port`, channels in order, with packets from `input`.
fn use_up_credits(rig: &mut Rig, input: usize, port: usize) {
    let credits = rig.module.parameters.rx_buffer_flits;
    for channel in 0..2 {
        for _ in 0..credits {
            rig.send(input, channel, true, packet(port, 0));
            rig.tick();
        }
    }
    rig.run(10);
}

#[test]
fn an_output_serves_inputs_in_turn_then_channels() {
    let mut rig = Rig::switch(5, two_channels());
    use_up_credits(&mut rig, 3, 4);
    for round in 0..2 {
        for channel in [1, 0] {
            for input in [2, 0, 1] {
                rig.send(
                    input,
                    channel,
                    true,
                    packet(4, 100 * round + 10 * channel + input),
                );
            }
            assert_eq!(rig.tick(), []);
        }
    }
    rig.run(8);
    let mut sent = Vec::new();
    for _ in 0..6 {
        rig.give_credit(4, 0);
        rig.give_credit(4, 1);
        sent.extend(rig.tick());
    }
    sent.extend(rig.run(12));
    // Served last: input 3 of channel 1. So channel 0 is next, from input 0.
    let expected = [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112];
    assert_eq!(sources(&sent), expected);
}

#[test]
fn a_packet_holds_its_channel_and_leaves_the_other_free() {
    let mut rig = Rig::switch(5, two_channels());
    rig.send(0, 0, false, packet(4, 1));
    rig.tick();
    rig.send(1, 0, true, packet(4, 2));
    rig.send(2, 1, false, packet(4, 3));
    rig.tick();
    rig.send(2, 1, true, packet(4, 4));
    let sent = rig.run(12);
    // Packet 1 stalls after its header; packet 3 passes on channel 1; packet 2 waits.
    assert_eq!(sources(&sent), [1, 3, 4]);
    rig.send(0, 0, true, packet(4, 5));
    assert_eq!(sources(&rig.run(12)), [5, 2]);
}

#[test]
fn a_flow_that_stalls_leaves_its_output_idle_for_one_cycle() {
    let mut rig = Rig::switch(5, two_channels());
    rig.send(0, 0, false, packet(4, 1));
    rig.send(1, 1, true, packet(4, 2));
    let times: Vec<usize> = (0..12).filter(|_| !rig.tick().is_empty()).collect();
    assert_eq!(times, [4, 6]);
}

#[test]
fn a_bank_serves_one_output_at_a_time_and_the_banks_work_side_by_side() {
    let mut rig = Rig::switch(5, two_channels());
    for port in 1..4 {
        use_up_credits(&mut rig, 4, port);
    }
    for round in 0..3 {
        for port in 1..4 {
            rig.send(0, 0, true, packet(port, round));
            rig.tick();
        }
    }
    rig.run(8);
    let mut cycles = Vec::new();
    for _ in 0..14 {
        for port in 1..4 {
            rig.give_credit(port, 0);
        }
        let ports: Vec<usize> = rig.tick().iter().map(|flit| flit.port).collect();
        if !ports.is_empty() {
            cycles.push(ports);
        }
    }
    // Outputs 1 and 3 share bank 1 and take turns; output 2 is in bank 0.
    assert_eq!(
        cycles,
        [
            vec![1, 2],
            vec![2, 3],
            vec![1, 2],
            vec![3],
            vec![1],
            vec![3]
        ]
    );
}

fn registered(ports: u32) -> Rig {
    let parameters = BlockParameters {
        registered_arbitration: true,
        ..two_channels()
    };
    Rig::switch(ports, parameters)
}

/// Section 1.8: a queue with F = 32 − 12 − 1 = 19 flits is crowded. Packets of three flits, so that there
/// is a flow behind which outputs choose.
#[test]
fn crowded_queues_go_first_but_behind_every_fourth_packet() {
    let mut rig = registered(5);
    use_up_credits(&mut rig, 3, 4);
    for (input, packets) in [(0, 10), (1, 10), (2, 4)] {
        for flit in 0..3 * packets {
            rig.send(input, 0, flit % 3 == 2, packet(4, input));
            rig.tick();
        }
    }
    rig.run(8);
    let mut sent = Vec::new();
    for _ in 0..3 * 24 {
        rig.give_credit(4, 0);
        sent.extend(rig.tick());
    }
    sent.extend(rig.run(20));
    let packets: Vec<u32> = sources(&sent).chunks(3).map(|packet| packet[0]).collect();
    // Input 2 has its turns all the same. Then the queue of input 0 is the first that is crowded no
    // longer: the other one goes twice in turn, and from there on all are equal.
    let crowded = [0, 1, 0, 1, 2, 0, 1, 0, 1, 1];
    let equal = [2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 0, 1, 0];
    assert_eq!(packets, [crowded.as_slice(), &equal].concat());
}

/// Queues that are filled as fast as they are emptied stay crowded.
#[test]
fn queues_that_stay_crowded_do_not_keep_an_output() {
    let mut rig = registered(5);
    use_up_credits(&mut rig, 3, 4);
    let mut credits = [rig.module.parameters.rx_buffer_flits; 2];
    let mut flits = [0; 2];
    let mut waited = None;
    for cycle in 0..400 {
        for input in 0..2 {
            credits[input] += u32::from(rig.returned_credit(input, 0));
            if credits[input] > 0 {
                credits[input] -= 1;
                flits[input] += 1;
                rig.send(input, 0, flits[input] % 3 == 0, packet(4, input));
            }
        }
        if (200..202).contains(&cycle) {
            rig.send(2, 0, cycle == 201, packet(4, 2));
        }
        if cycle >= 100 {
            rig.give_credit(4, 0);
        }
        let is_other = |flit: &Sent| Header::unpack(flit.data).source == 2;
        if rig.tick().iter().any(is_other) {
            waited = waited.or(Some(cycle - 200));
        }
    }
    // Five cycles through the block and four packets of three flits, with a cycle between them.
    let bound = 5 + 4 * 4;
    assert!(
        waited.is_some_and(|cycles| cycles <= bound),
        "{waited:?} cycles"
    );
}

#[test]
fn cut_through_waits_with_the_header_until_a_whole_packet_fits() {
    let parameters = BlockParameters {
        switching: Switching::Vct,
        max_packet_flits: 4,
        ..two_channels()
    };
    let credits = parameters.rx_buffer_flits;
    let mut rig = Rig::switch(4, parameters);
    for _ in 0..credits - 3 {
        rig.send(0, 0, true, packet(1, 0));
        rig.tick();
    }
    rig.run(10);
    rig.send(0, 0, false, packet(1, 7));
    rig.tick();
    rig.send(0, 0, true, packet(1, 8));
    assert_eq!(rig.run(20), [], "3 credits are too few for a header");
    rig.give_credit(1, 0);
    assert_eq!(sources(&rig.run(20)), [7, 8]);
}

#[test]
fn step_lifts_packets_one_channel_up_at_most_to_the_last() {
    let mut rig = Rig::switch(4, two_channels());
    rig.write(0x1000, 1 << 2).expect("row 0 of STEP");
    assert_eq!(rig.read(0x1000), Ok(1 << 2));
    for (input, channel, port, expected) in [(0, 0, 2, 1), (0, 1, 2, 1), (0, 0, 3, 0), (1, 0, 2, 0)]
    {
        rig.send(input, channel, true, packet(port, 0));
        let sent = rig.run(10);
        assert_eq!(sent.len(), 1);
        assert_eq!(
            sent[0].channel, expected,
            "{input} channel {channel} to {port}"
        );
    }
}

#[test]
fn a_header_is_held_while_another_queue_withholds_the_credits_of_its_packet() {
    let mut rig = Rig::switch(5, two_channels());
    use_up_credits(&mut rig, 4, 1);
    let parameters = rig.module.parameters.clone();
    for _ in 0..parameters.queue_flits - parameters.rx_buffer_flits {
        rig.send(0, 0, true, packet(1, 1));
        rig.tick();
    }
    rig.run(4);
    rig.send(0, 0, false, packet(2, 2));
    assert_eq!(rig.run(20), [], "the queue to port 1 holds F flits");
    rig.give_credit(1, 0);
    let sent = rig.run(20);
    assert_eq!(sources(&sent), [1, 2]);
}
