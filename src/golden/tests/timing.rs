//! Latency, throughput and the credit round trip (sections 1, 1.5, 1.7).

use super::rig::Rig;
use crate::golden::header::Header;
use crate::spec::BlockParameters;

fn header(destination: u32) -> u64 {
    let header = Header {
        destination,
        ..Header::default()
    };
    header.pack()
}

#[test]
fn zero_load_latency_is_4_cycles_and_1_more_for_each_register() {
    for (register_route, register_read) in
        [(false, false), (true, false), (false, true), (true, true)]
    {
        let parameters = BlockParameters {
            register_route,
            register_read,
            ..BlockParameters::default()
        };
        let mut rig = Rig::switch(4, parameters);
        let expected = 4 + usize::from(register_route) + usize::from(register_read);
        // Twice: from reset, and after a long rest.
        for _ in 0..2 {
            rig.send(0, 1, true, header(2));
            for cycle in 0..expected {
                assert_eq!(rig.tick(), [], "cycle {cycle}");
            }
            let sent = rig.tick();
            assert_eq!(sent.len(), 1);
            let flit = sent[0];
            assert_eq!((flit.port, flit.channel, flit.last), (2, 1, true));
            assert_eq!(flit.data, header(2));
            assert_eq!(rig.run(50), []);
        }
    }
}

#[test]
fn packets_stream_through_at_one_flit_a_cycle_with_no_gap_between_them() {
    let mut rig = Rig::switch(4, BlockParameters::default());
    let mut sent = Vec::new();
    for cycle in 0..300 {
        let place = cycle % 3;
        let data = if place == 0 { header(3) } else { cycle };
        rig.send(1, 0, place == 2, data);
        sent.extend(rig.tick_crediting());
    }
    // The first flit took 4 cycles; from then on one leaves in every cycle.
    assert_eq!(sent.len(), 300 - 4);
    assert!(
        sent.iter()
            .enumerate()
            .all(|(n, flit)| flit.last == (n % 3 == 2))
    );
}

#[test]
fn the_credit_of_a_flit_comes_back_3_cycles_after_its_arrival() {
    for register_route in [false, true] {
        let parameters = BlockParameters {
            register_route,
            ..BlockParameters::default()
        };
        let mut rig = Rig::switch(4, parameters);
        rig.send(0, 0, true, header(1));
        // Pins in cycle 0, stage 1 in 1, owed in 2, the rx_credit register in 3.
        let expected = 3 + usize::from(register_route);
        for cycle in 0..10 {
            rig.tick();
            assert_eq!(
                rig.returned_credit(0, 0),
                cycle == expected,
                "cycle {cycle}"
            );
        }
    }
}

/// Flits that one flow moves in 1000 cycles between two blocks `latency` link stages apart.
fn flow_over_a_link(credits: u32, latency: usize, registers: bool) -> usize {
    let parameters = BlockParameters {
        rx_buffer_flits: credits,
        queue_flits: 64,
        register_route: registers,
        register_read: registers,
        ..BlockParameters::default()
    };
    let mut near = Rig::switch(4, parameters.clone());
    let mut far = Rig::switch(4, parameters);
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
fn the_credit_round_trip_is_7_cycles_and_2_for_each_link_register() {
    for (latency, registers) in [(1, false), (3, false), (1, true)] {
        let round_trip = 7 + 2 * latency + 2 * usize::from(registers);
        let full = flow_over_a_link(round_trip as u32, latency, registers);
        let starved = flow_over_a_link(round_trip as u32 - 1, latency, registers);
        assert!(full > 970, "{full} flits with {round_trip} credits");
        let share = 1000 * (round_trip - 1) / round_trip;
        assert!(starved <= share, "{starved} flits with one credit less");
        assert!(starved > share - 30, "{starved} flits with one credit less");
    }
}

#[test]
fn idle_pins_show_0_and_rst_empties_the_block() {
    let mut rig = Rig::switch(4, BlockParameters::default());
    rig.send(0, 1, false, header(2));
    rig.tick();
    rig.tick();
    assert_ne!(rig.block.describe(), "");
    rig.inputs[rig.in_words.rst] = 1;
    rig.send(1, 1, false, header(2));
    rig.tick();
    rig.inputs[rig.in_words.rst] = 0;
    assert_eq!(rig.block.describe(), "");
    for _ in 0..10 {
        rig.tick();
        assert!(rig.outputs.iter().all(|&word| word == 0));
    }
}
