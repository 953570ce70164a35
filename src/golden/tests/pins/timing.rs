//! Latency, throughput and the credit round trip (sections 1, 1.5, 1.7).

use super::host_header::header;
use super::testbench::{PinTestbench, two_channels};
use mkns_spec::BlockParameters;

#[test]
fn zero_load_latency_is_5_cycles() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    // Twice: from reset, and after a long rest.
    for _ in 0..2 {
        testbench.send(0, 1, true, header(2));
        for cycle in 0..5 {
            assert_eq!(testbench.tick(), [], "cycle {cycle}");
        }
        let sent = testbench.tick();
        assert_eq!(sent.len(), 1);
        let flit = sent[0];
        assert_eq!((flit.port, flit.channel, flit.last), (2, 1, true));
        assert_eq!(flit.data, header(2));
        assert_eq!(testbench.run(50), []);
    }
}

#[test]
fn packets_stream_through_at_one_flit_a_cycle_with_no_gap_between_them() {
    for packet in [1, 2, 3] {
        let mut testbench = PinTestbench::switch(4, two_channels());
        let mut sent = Vec::new();
        for cycle in 0..300 {
            let place = cycle % packet;
            let data = if place == 0 { header(3) } else { cycle };
            testbench.send(1, 0, place == packet - 1, data);
            sent.extend(testbench.tick_crediting());
        }
        // The first flit took 5 cycles; from then on one leaves in every cycle.
        assert_eq!(sent.len(), 300 - 5);
        let ends = |n: usize| n as u64 % packet == packet - 1;
        assert!(
            sent.iter()
                .enumerate()
                .all(|(n, flit)| flit.last == ends(n))
        );
    }
}

/// Cycles in which the sender of (input 0, channel 0) gets a credit.
fn credited_cycles(testbench: &mut PinTestbench, cycles: usize) -> Vec<usize> {
    let credited = |_: &usize| {
        testbench.tick();
        testbench.returned_credit(0, 0)
    };
    (0..cycles).filter(credited).collect()
}

#[test]
fn the_credit_of_a_flit_comes_back_3_cycles_after_its_pop() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.send(0, 0, true, header(1));
    // Pins in cycle 0, popped in 2, `popped` in 3, owed in 4, the rx_credit register in 5.
    assert_eq!(credited_cycles(&mut testbench, 20), [5]);
    // Dropped: pins in cycle 0, stage 1 in 1, owed in 2.
    testbench.send(0, 0, true, header(0));
    assert_eq!(credited_cycles(&mut testbench, 20), [3]);
}

#[test]
fn credits_of_flits_that_leave_side_by_side_come_one_after_the_other() {
    let mut testbench = PinTestbench::switch(5, two_channels());
    // The outputs of both banks get their first flit in turn, and the second one in the same cycle.
    for destination in [1, 2] {
        for _ in 0..testbench.module.parameters.rx_buffer_flits {
            testbench.tick_sending(3, 0, true, header(destination));
        }
    }
    testbench.run(10);
    testbench.tick_sending(0, 0, true, header(1));
    testbench.send(0, 0, true, header(2));
    assert_eq!(credited_cycles(&mut testbench, 20), [0; 0]);
    testbench.give_credit(1, 0);
    testbench.give_credit(2, 0);
    // The credits are there in cycle 1; the grants in 2, both pops, their credits in 5 and 6.
    assert_eq!(credited_cycles(&mut testbench, 20), [5, 6]);
}

/// Flits that one flow moves in 1000 cycles between two blocks `latency` link stages apart.
fn flow_over_a_link(credits: u32, latency: usize) -> usize {
    let parameters = BlockParameters {
        rx_buffer_flits: credits,
        ..two_channels()
    };
    let mut near = PinTestbench::switch(4, parameters.clone());
    let mut far = PinTestbench::switch(4, parameters);
    let mut flits = vec![None; latency];
    let mut credits_back = vec![false; latency];
    let mut allowance = credits;
    let mut moved = 0;
    for cycle in 0..1000 {
        if allowance > 0 {
            near.send(0, 0, true, header(1));
            allowance -= 1;
        }
        if let Some(data) = flits[cycle % latency].take() {
            far.send(0, 0, true, data);
        }
        if credits_back[cycle % latency] {
            near.give_credit(1, 0);
        }
        flits[cycle % latency] = near.tick().first().map(|flit| flit.data);
        allowance += u32::from(near.returned_credit(0, 0));
        moved += far.tick_crediting().len();
        credits_back[cycle % latency] = far.returned_credit(0, 0);
    }
    moved
}

#[test]
fn the_credit_round_trip_is_9_cycles_and_2_for_each_link_register() {
    for latency in [1, 3] {
        let round_trip = 9 + 2 * latency;
        let full = flow_over_a_link(round_trip as u32, latency);
        let starved = flow_over_a_link(round_trip as u32 - 1, latency);
        assert!(full > 970, "{full} flits with {round_trip} credits");
        let share = 1000 * (round_trip - 1) / round_trip;
        assert!(starved <= share, "{starved} flits with one credit less");
        // A grant that finds no credit is given up, which costs a cycle more.
        assert!(
            starved > share - 120,
            "{starved} flits with one credit less"
        );
    }
}

#[test]
fn idle_pins_show_0_and_rst_empties_the_block() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    testbench.tick_sending(0, 1, false, header(2));
    testbench.tick();
    assert_ne!(testbench.block.describe(), "");
    testbench.inputs[testbench.at.rst] = 1;
    testbench.tick_sending(1, 1, false, header(2));
    testbench.inputs[testbench.at.rst] = 0;
    assert_eq!(testbench.block.describe(), "");
    for _ in 0..10 {
        testbench.tick();
        assert!(testbench.outputs.iter().all(|&word| word == 0));
    }
}

/// Flits that leave for two outputs of one bank of an input whose packets go to them in turn, and
/// the most cycles between two packets to the same output.
fn shared_bank(packet: u64) -> (usize, usize) {
    let parameters = two_channels();
    let mut allowance = parameters.rx_buffer_flits;
    let mut testbench = PinTestbench::switch(4, parameters);
    let (mut begun, mut sent, mut longest) = (0, 0, 0);
    let mut quiet = [0; 4];
    for _ in 0..2000 {
        if allowance > 0 {
            let place = begun % packet;
            // Outputs 1 and 3 share a bank; nine packets of ten go to output 1.
            let destination = if begun / packet % 10 == 9 { 3 } else { 1 };
            let data = if place == 0 { header(destination) } else { 0 };
            testbench.send(0, 0, place == packet - 1, data);
            (begun, allowance) = (begun + 1, allowance - 1);
        }
        quiet.iter_mut().for_each(|cycles| *cycles += 1);
        for flit in testbench.tick_crediting() {
            sent += 1;
            longest = longest.max(quiet[flit.port]);
            quiet[flit.port] = 0;
        }
        allowance += u32::from(testbench.returned_credit(0, 0));
    }
    (sent, longest)
}

#[test]
fn a_stream_of_packets_does_not_keep_its_bank_from_another_output() {
    for packet in [1, 2, 9] {
        let (sent, longest) = shared_bank(packet);
        let what = format!("{packet} flits: {sent}, {longest}");
        assert!(sent > 1800, "{what}");
        assert!(longest < 30 * packet as usize, "{what}");
    }
}
