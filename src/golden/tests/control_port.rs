//! Section 4.

use mkns_design::Counter;
use mkns_spec::BlockParameters;

use super::modules::{adapter, parameters};
use crate::control_port::{ControlPins, ControlPort, ReadAnswer, Sample};
use crate::counters::CounterMap;
use crate::registers::{Registers, Write};
use crate::{DroppedHeader, PathEvents};

fn port(parameters: BlockParameters) -> ControlPort {
    let has_counters = parameters.counters;
    ControlPort::new(CounterMap::new(&adapter(parameters)), has_counters)
}

fn read(address: u32) -> ControlPins {
    ControlPins {
        araddr: address,
        arvalid: true,
        ..ControlPins::default()
    }
}

/// Clocks a port whose samples are all 5 until it answers: the cycles it took, and the sampling one.
fn answer(port: &mut ControlPort, pins: &ControlPins) -> (usize, Vec<usize>) {
    let mut sampled = Vec::new();
    for cycle in 0..100 {
        if let Some(answer) = port.read_answer {
            assert_eq!(answer, ReadAnswer::new(Some(5)));
            return (cycle, sampled);
        }
        let sample = port.sample(pins, false).map(|_| ReadAnswer::new(Some(5)));
        sampled.extend(sample.map(|_| cycle));
        port.clock(pins, false, sample, false);
    }
    panic!("no answer");
}

#[test]
fn a_register_is_sampled_in_the_second_cycle() {
    assert_eq!(answer(&mut port(parameters()), &read(0)), (2, vec![1]));
}

#[test]
fn a_counter_waits_for_its_turn_and_four_cycles_more() {
    // Counter 2 of port 1 of P = 4 ports.
    let turn = 9;
    let found = answer(&mut port(parameters()), &read(0x2048));
    assert_eq!(found, (turn + 5, vec![turn]));
}

#[test]
fn without_counters_their_addresses_are_ordinary() {
    let without = BlockParameters {
        counters: false,
        ..parameters()
    };
    let mut port = port(without);
    port.arready = true;
    let sample = port.sample(&read(0x2048), false);
    assert_eq!(sample, Some(Sample::Register(0x2048)));
}

#[test]
fn counters_stand_where_the_page_puts_them() {
    let map = CounterMap::new(&adapter(parameters()));
    assert_eq!(map.turns(), 75, "9·4 + 14·2 = 64");
    assert_eq!(map.at(0x20e0), Some(Counter::Core { port: 3, c: 8 }));
    assert_eq!(map.at(0x3074), Some(Counter::Pcie { port: 1, c: 13 }));
    let none = [0x20e4, 0x2100, 0x20e1, 0x3078, 0x3080, 0x1ffc];
    assert!(none.iter().all(|&address| map.at(address).is_none()));
}

#[test]
fn a_write_is_answered_a_cycle_after_its_handshake() {
    let mut port = port(parameters());
    let mut pins = ControlPins {
        awvalid: true,
        wvalid: true,
        wstrb: 15,
        ..ControlPins::default()
    };
    assert_eq!(port.write(&pins), None);
    port.clock(&pins, false, None, false);
    assert!(port.write_ready && port.write(&pins).is_some());
    pins.wstrb = 7;
    assert_eq!(port.write(&pins), None, "nothing is written");
    port.clock(&pins, false, None, false);
    assert_eq!((port.write_ready, port.write_answer), (false, Some(2)));
}

#[test]
fn the_first_drop_is_kept_until_it_is_cleared() {
    let mut registers = Registers::new(&adapter(parameters()), 0);
    let drop = |header| PathEvents {
        errors: 1,
        first_drop: Some(DroppedHeader { port: 2, header }),
    };
    let nothing = PathEvents::default();
    let mut read = |write, events| {
        registers.clock(write, &events);
        [0x18, 0x20].map(|address| registers.read(address, 0).expect("a register"))
    };
    assert_eq!(read(None, drop(7)), [0x01, 0], "counted, not taken yet");
    assert_eq!(read(None, drop(8)), [0x81, 7]);
    let clear = Some(Write::ClearErrors(0xff));
    assert_eq!(read(clear, nothing), [0, 7], "8 came while it was filled");
    assert_eq!(read(clear, drop(9)), [0x01, 7], "the event wins");
    assert_eq!(read(None, nothing), [0x81, 9]);
}
