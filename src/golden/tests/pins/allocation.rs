//! Who goes first, who waits for whom (section 1.6).

use super::host_header::{Header, packet};
use super::testbench::{PinTestbench, Sent, two_channels};
use mkns_spec::{BlockParameters, Switching};

fn sources(sent: &[Sent]) -> Vec<u32> {
    sent.iter()
        .map(|flit| Header::unpack(flit.data).source)
        .collect()
}

/// Uses up all credits of `port`, channels in order, with packets from `input`.
fn use_up_credits(testbench: &mut PinTestbench, input: usize, port: usize) {
    let credits = testbench.module.parameters.rx_buffer_flits;
    for channel in 0..2 {
        for _ in 0..credits {
            testbench.tick_sending(input, channel, true, packet(port as u32, 0));
        }
    }
    testbench.run(10);
}

#[test]
fn an_output_serves_inputs_in_turn_then_channels() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    use_up_credits(&mut testbench, 3, 4);
    for round in 0..2 {
        for channel in [1, 0] {
            for input in [2, 0, 1] {
                testbench.send(
                    input,
                    channel,
                    true,
                    packet(4, (100 * round + 10 * channel + input) as u32),
                );
            }
            assert_eq!(testbench.tick(), []);
        }
    }
    testbench.run(8);
    let mut sent = Vec::new();
    for _ in 0..6 {
        testbench.give_credit(4, 0);
        testbench.give_credit(4, 1);
        sent.extend(testbench.tick());
    }
    sent.extend(testbench.run(12));
    // Served last: input 3 of channel 1. So channel 0 is next, from input 0.
    let expected = [0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112];
    assert_eq!(sources(&sent), expected);
}

#[test]
fn a_packet_holds_its_channel_and_leaves_the_other_free() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    testbench.tick_sending(0, 0, false, packet(4, 1));
    testbench.send(1, 0, true, packet(4, 2));
    testbench.tick_sending(2, 1, false, packet(4, 3));
    testbench.send(2, 1, true, packet(4, 4));
    let sent = testbench.run(12);
    // Packet 1 stalls after its header; packet 3 passes on channel 1; packet 2 waits.
    assert_eq!(sources(&sent), [1, 3, 4]);
    testbench.send(0, 0, true, packet(4, 5));
    assert_eq!(sources(&testbench.run(12)), [5, 2]);
}

#[test]
fn a_flow_that_stalls_leaves_its_output_idle_for_one_cycle() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    testbench.send(0, 0, false, packet(4, 1));
    testbench.send(1, 1, true, packet(4, 2));
    let times: Vec<usize> = (0..12).filter(|_| !testbench.tick().is_empty()).collect();
    assert_eq!(times, [5, 7]);
}

#[test]
fn a_bank_serves_one_output_at_a_time_and_the_banks_work_side_by_side() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    for port in 1..4 {
        use_up_credits(&mut testbench, 4, port);
    }
    for round in 0..3 {
        for port in 1..4 {
            testbench.tick_sending(0, 0, true, packet(port, round));
        }
    }
    testbench.run(8);
    let mut cycles = Vec::new();
    for _ in 0..14 {
        for port in 1..4 {
            testbench.give_credit(port, 0);
        }
        let ports: Vec<usize> = testbench.tick().iter().map(|flit| flit.port).collect();
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

#[test]
fn cut_through_waits_with_the_header_until_a_whole_packet_fits() {
    let parameters = BlockParameters {
        switching: Switching::Vct,
        max_packet_flits: 4,
        ..two_channels()
    };
    let credits = parameters.rx_buffer_flits;
    let mut testbench = PinTestbench::switch(4, parameters);
    for _ in 0..credits - 3 {
        testbench.tick_sending(0, 0, true, packet(1, 0));
    }
    testbench.run(10);
    testbench.tick_sending(0, 0, false, packet(1, 7));
    testbench.send(0, 0, true, packet(1, 8));
    assert_eq!(testbench.run(20), [], "3 credits are too few for a header");
    testbench.give_credit(1, 0);
    assert_eq!(sources(&testbench.run(20)), [7, 8]);
}

#[test]
fn step_lifts_packets_one_channel_up_at_most_to_the_last() {
    let mut testbench = PinTestbench::switch_with_steps(4, two_channels());
    testbench.write(0x1000, 1 << 2).expect("row 0 of STEP");
    assert_eq!(testbench.read(0x1000), Ok(1 << 2));
    for (input, channel, port, expected) in [(0, 0, 2, 1), (0, 1, 2, 1), (0, 0, 3, 0), (1, 0, 2, 0)]
    {
        testbench.send(input, channel, true, packet(port, 0));
        let sent = testbench.run(10);
        assert_eq!(sent.len(), 1);
        assert_eq!(
            sent[0].channel, expected,
            "{input} channel {channel} to {port}"
        );
    }
}

/// A packet that has begun gets a credit for each of its flits, however full the other queues of its input are.
#[test]
fn credits_return_when_flits_leave() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    use_up_credits(&mut testbench, 4, 1);
    let credits = testbench.module.parameters.rx_buffer_flits;
    let mut returned = 0;
    for _ in 0..credits - 1 {
        testbench.tick_sending(0, 0, true, packet(1, 1));
        returned += u32::from(testbench.returned_credit(0, 0));
    }
    assert_eq!(returned, 0, "all wait for port 1");
    for flit in 0..20 {
        testbench.send(0, 0, flit == 19, packet(2, flit));
        let sent = testbench.run(6);
        assert_eq!(sources(&sent), [flit]);
        assert!(testbench.returned_credit(0, 0), "flit {flit}");
    }
}

/// Rule 4: of two outputs of a bank after the same input, the one that is not accepted keeps its grant when its flit
/// is the last of its packet, and sends in the next cycle.
#[test]
fn a_grant_of_a_last_flit_waits_a_cycle_for_its_bank() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    for port in [1, 3] {
        use_up_credits(&mut testbench, 4, port);
        testbench.tick_sending(0, 0, true, packet(port as u32, 7));
    }
    testbench.run(10);
    testbench.give_credit(1, 0);
    testbench.give_credit(3, 0);
    let ports: Vec<Vec<usize>> = (0..8)
        .map(|_| testbench.tick().iter().map(|flit| flit.port).collect())
        .collect();
    // Credits in cycle 1, both grants in 2: output 1 goes first, output 3 in the next cycle.
    let none = Vec::new;
    let expected = [
        none(),
        none(),
        none(),
        none(),
        none(),
        vec![1],
        vec![3],
        none(),
    ];
    assert_eq!(ports, expected);
}

/// Rule 4: the same while the bank serves a packet of several flits, though another input has a flit for the output.
#[test]
fn a_grant_of_a_last_flit_waits_while_its_bank_serves_a_packet() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    for port in [1, 3] {
        use_up_credits(&mut testbench, 4, port);
    }
    for (last, source) in [(false, 7), (false, 7), (true, 7)] {
        testbench.tick_sending(0, 0, last, packet(1, source));
    }
    for (input, source) in [(0, 8), (2, 9)] {
        testbench.tick_sending(input, 0, true, packet(3, source));
    }
    testbench.run(10);
    let mut at_3 = Vec::new();
    for _ in 0..12 {
        testbench.give_credit(1, 0);
        testbench.give_credit(3, 0);
        at_3.extend(testbench.tick().into_iter().filter(|flit| flit.port == 3));
    }
    assert_eq!(sources(&at_3), [8, 9]);
}

/// Rule 3: an input whose bank another output claims, with a packet that goes on, is passed over at once.
#[test]
fn a_bank_that_is_claimed_is_left_alone() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    // Outputs 1 and 3 share a bank. Input 0 has a packet for output 1 under way when it and input 2 have one for
    // output 3; input 0 would be the first.
    for flit in 0..5 {
        assert_eq!(testbench.tick_sending(0, 0, false, packet(1, flit)), []);
    }
    testbench.send(0, 1, true, packet(3, 10));
    testbench.tick_sending(2, 1, true, packet(3, 11));
    testbench.send(0, 0, false, packet(1, 5));
    let times: Vec<(usize, u32)> = (1..20)
        .flat_map(|cycle| {
            let sent = testbench.tick();
            let to_3 = sent.into_iter().filter(|flit| flit.port == 3);
            to_3.map(move |flit| (cycle, Header::unpack(flit.data).source))
                .collect::<Vec<_>>()
        })
        .collect();
    // Input 0 goes when its packet to output 1 has no flit ready, for it paused in cycle 0.
    assert_eq!(times, [(5, 11), (6, 10)]);
}
