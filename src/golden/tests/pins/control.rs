//! Control port: handshakes and register map (section 4).

use super::testbench::{PinTestbench, two_channels};
use mkns_spec::BlockParameters;

const SLAVE_ERROR: u64 = 2;

#[test]
fn a_write_takes_one_cycle_to_be_ready_and_one_to_answer() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    let at = testbench.at.clone();
    let seen = |testbench: &PinTestbench| {
        [
            at.control_out.awready,
            at.control_out.wready,
            at.control_out.bvalid,
        ]
        .map(|word| testbench.outputs[word])
    };
    testbench.start_write(0x1000, 3);
    testbench.inputs[testbench.at.control_in.wvalid] = 0;
    testbench.run(3);
    assert_eq!(seen(&testbench), [0, 0, 0], "an address without data waits");
    testbench.inputs[testbench.at.control_in.wvalid] = 1;
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 0]);
    testbench.tick();
    assert_eq!(seen(&testbench), [1, 1, 0]);
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 1]);
    // The next write (still on the pins) starts only after the answer is taken.
    testbench.run(3);
    assert_eq!(seen(&testbench), [0, 0, 1]);
    testbench.inputs[testbench.at.control_in.bready] = 1;
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 1]);
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 0]);
    testbench.tick();
    assert_eq!(seen(&testbench), [1, 1, 0]);
}

#[test]
fn a_read_samples_the_register_in_the_cycle_of_its_ready() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    let at = testbench.at.clone();
    let seen = |testbench: &PinTestbench| {
        [
            at.control_out.arready,
            at.control_out.rvalid,
            at.control_out.rdata,
        ]
        .map(|word| testbench.outputs[word])
    };
    testbench.inputs[testbench.at.control_in.araddr] = 0x14;
    testbench.inputs[testbench.at.control_in.arvalid] = 1;
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 0]);
    testbench.set_link(0, false);
    testbench.tick();
    assert_eq!(seen(&testbench), [1, 0, 0]);
    testbench.inputs[testbench.at.control_in.arvalid] = 0;
    testbench.set_link(0, true);
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 1, 0b1110]);
    testbench.inputs[testbench.at.control_in.rready] = 1;
    testbench.tick();
    testbench.tick();
    assert_eq!(seen(&testbench), [0, 0, 0]);
}

#[test]
fn identification_tells_what_the_block_is() {
    let mut switch = PinTestbench::switch(10, two_channels());
    let parameters = switch.module.parameters.clone();
    let sizes = parameters.queue_flits << 20 | parameters.rx_buffer_flits << 10 | 64;
    assert_eq!(switch.read(0x0), Ok(0x4D4B_4E53));
    assert_eq!(switch.read(0x4), Ok(0x100));
    assert_eq!(switch.read(0x8), Ok(0x0112_000A));
    assert_eq!(switch.read(0xC), Ok(sizes));
    let mut adapter = PinTestbench::adapter(two_channels());
    assert_eq!(adapter.read(0x8), Ok(0x1122_0204));
    assert_eq!(adapter.read(0x14), Ok(0b1111));
}

#[test]
fn node_address_belongs_to_adapter_blocks() {
    let mut adapter = PinTestbench::adapter(two_channels());
    assert_eq!(adapter.write(0x10, 0xFFF1_2345), Ok(()));
    assert_eq!(adapter.read(0x10), Ok(0x1_2345));
    let mut switch = PinTestbench::switch(4, two_channels());
    assert_eq!(switch.read(0x10), Ok(0));
    assert_eq!(switch.write(0x10, 1), Err(SLAVE_ERROR));
}

#[test]
fn addresses_that_lead_nowhere_are_refused() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    let unreadable = [
        0x28, 0x2, 0x1010, 0x2024, 0x2100, 0x3000, 0x4000, 0x4_0080, 0x4_4000, 0xF_FFFC,
    ];
    for address in unreadable {
        assert_eq!(testbench.read(address), Err(SLAVE_ERROR), "{address:#x}");
    }
    let unwritable = [0x0, 0x14, 0x1C, 0x1002, 0x1010, 0x2000, 0x4_0080, 0x4_4000];
    for address in unwritable {
        assert_eq!(
            testbench.write(address, 0),
            Err(SLAVE_ERROR),
            "{address:#x}"
        );
    }
    assert_eq!(testbench.read(0x200C + 0x40 * 3), Ok(0));
    assert_eq!(testbench.write(0x4_007C, 0), Ok(()));
}

#[test]
fn a_write_of_part_of_a_word_is_refused() {
    let mut testbench = PinTestbench::switch_with_steps(4, two_channels());
    testbench.start_write(0x1000, 0xF);
    testbench.inputs[testbench.at.control_in.wstrb] = 7;
    testbench.run(3);
    assert_eq!(
        testbench.outputs[testbench.at.control_out.bresp],
        SLAVE_ERROR
    );
    testbench.inputs[testbench.at.control_in.awvalid] = 0;
    testbench.inputs[testbench.at.control_in.bready] = 1;
    testbench.run(2);
    assert_eq!(testbench.read(0x1000), Ok(0));
}

#[test]
fn without_counters_they_read_0_and_without_a_control_port_nothing_answers() {
    let mut testbench = PinTestbench::switch(
        4,
        BlockParameters {
            counters: false,
            ..two_channels()
        },
    );
    testbench.send(0, 0, true, 1);
    testbench.run(10);
    assert_eq!(testbench.counter(0, 0), 0);
    assert_eq!(testbench.counter(1, 2), 0);

    let mut testbench = PinTestbench::switch(
        4,
        BlockParameters {
            control_port: false,
            ..two_channels()
        },
    );
    testbench.start_write(0x4_0004, 0);
    testbench.inputs[testbench.at.control_in.arvalid] = 1;
    for _ in 0..5 {
        testbench.tick();
        assert!(testbench.outputs.iter().all(|&word| word == 0));
    }
    testbench.send(0, 0, true, 1);
    assert_eq!(testbench.run(10).len(), 1, "the table is as it was");
}

#[test]
fn stalls_are_counted_where_a_flit_waits() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    let credits = testbench.module.parameters.rx_buffer_flits;
    for _ in 0..=credits {
        testbench.tick_sending(0, 0, true, 1);
    }
    testbench.run(20);
    let first = testbench.counter(1, 4);
    // The counter's next turn is a round of 45 cycles later.
    assert_eq!(testbench.counter(1, 4), first + 45);
    assert_eq!(testbench.counter(2, 4), 0);
}

#[test]
fn a_counter_is_read_in_its_turn_with_all_events_before() {
    // Port 1, packets received: turn 5 of 36, rounded up to 45. A packet on the pins of cycle c is in stage 1
    // in cycle c + 1, so that of cycle 3 is the last to be counted before turn 5.
    let mut testbench = PinTestbench::switch(4, BlockParameters::default());
    testbench.inputs[testbench.at.control_in.araddr] = 0x2044;
    testbench.inputs[testbench.at.control_in.rready] = 1;
    let mut answers = Vec::new();
    for cycle in 0..120 {
        // The second read misses the second turn by one cycle.
        testbench.inputs[testbench.at.control_in.arvalid] =
            u64::from(cycle <= 9 || (51..=99).contains(&cycle));
        testbench.send(1, 0, true, 0);
        testbench.tick_crediting();
        if testbench.outputs[testbench.at.control_out.arready] == 1 {
            answers.push((cycle, 0));
        }
        if testbench.outputs[testbench.at.control_out.rvalid] == 1 {
            answers.push((cycle, testbench.outputs[testbench.at.control_out.rdata]));
        }
    }
    assert_eq!(answers, [(9, 0), (10, 4), (99, 0), (100, 94)]);
}

#[test]
fn turns_begin_with_a_reset_and_pcie_ports_come_last() {
    let mut testbench = PinTestbench::adapter(BlockParameters::default());
    testbench.inputs[testbench.at.control_in.araddr] = 0x3044;
    testbench.run(5);
    testbench.inputs[testbench.at.rst] = 1;
    testbench.tick();
    testbench.inputs[testbench.at.rst] = 0;
    testbench.inputs[testbench.at.control_in.arvalid] = 1;
    let ready = |testbench: &mut PinTestbench| {
        testbench.tick();
        testbench.outputs[testbench.at.control_out.arready] == 1
    };
    let cycle = (0..200).position(|_| ready(&mut testbench));
    assert_eq!(cycle, Some(9 * 6 + 2 + 1 + 4));
}

#[test]
fn without_counters_their_zeros_come_like_any_register() {
    let parameters = BlockParameters {
        counters: false,
        ..BlockParameters::default()
    };
    let mut testbench = PinTestbench::switch(4, parameters);
    let start = testbench.cycle;
    assert_eq!(testbench.counter(3, 8), 0);
    assert_eq!(testbench.cycle - start, 3);
}

#[test]
fn step_registers_need_a_channel_to_go_up_to() {
    for (virtual_channels, answer) in [(1, Err(SLAVE_ERROR)), (2, Ok(()))] {
        let parameters = BlockParameters {
            virtual_channels,
            ..BlockParameters::default()
        };
        let mut testbench = PinTestbench::switch_with_steps(4, parameters);
        assert_eq!(testbench.write(0x1004, 0b101), answer);
        assert_eq!(testbench.read(0x1004), answer.map(|()| 0b101));
    }
}

#[test]
fn step_registers_need_routes_that_go_up() {
    let mut testbench = PinTestbench::switch(4, two_channels());
    assert_eq!(testbench.write(0x1004, 0b101), Err(SLAVE_ERROR));
    assert_eq!(testbench.read(0x1004), Err(SLAVE_ERROR));
}
