//! Section 4.

use super::modules::{adapter, parameters};
use crate::counters::{Counter, CounterMap};
use crate::registers::{Registers, Write};
use crate::{DroppedHeader, Events};

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
fn the_first_drop_is_kept_until_it_is_cleared() {
    let mut registers = Registers::new(&adapter(parameters()), 0);
    let drop = |header| Events {
        errors: 1,
        first_drop: Some(DroppedHeader { port: 2, header }),
    };
    let nothing = Events::default();
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
