//! Section 1.

use mkns_design::{switch_module, switch_tables};

use super::modules::{flit, parameters};
use crate::switch_core::{RouteTables, SwitchCore};
use crate::{CoreInputs, DroppedHeader, Flit, PathEvents};

const PORTS: usize = 4;
const ALL_UP: u32 = 0b1111;

/// Four ports; destination n leaves by port n.
fn core() -> SwitchCore {
    let module = switch_module(PORTS as u32, parameters());
    let contents = RouteTables::new(&module, Some(&switch_tables(&module)));
    let mut core = SwitchCore::new(&module, contents, vec![0; PORTS]);
    core.reset(ALL_UP);
    core
}

fn idle() -> CoreInputs {
    CoreInputs {
        rx: vec![None; PORTS],
        tx_credit: vec![0; PORTS],
        link_up: ALL_UP,
    }
}

fn rx(port: usize, flit: Flit) -> CoreInputs {
    let mut inputs = idle();
    inputs.rx[port] = Some(flit);
    inputs
}

/// Clocks ten cycles without arrivals and says in which of them, counted from 1, a flit was on the tx pins of port 1.
fn watch(core: &mut SwitchCore) -> Vec<usize> {
    let seen = |_: &usize| {
        let sends = core.tx(1).is_some();
        core.clock(&idle());
        sends
    };
    (1..=10).filter(seen).collect()
}

#[test]
fn a_packet_passes_without_gaps_until_its_credits_are_spent() {
    let mut core = core();
    for beat in 0..5 {
        core.clock(&rx(0, flit(1, beat == 4)));
    }
    // The first was taken five cycles ago, and C = 4.
    assert_eq!(watch(&mut core), [1, 2, 3, 4]);
    let mut credit = idle();
    credit.tx_credit[1] = 1;
    core.clock(&credit);
    // Granted again when the credit is there, accepted and popped in the cycle after.
    assert_eq!(watch(&mut core), [5]);
}

#[test]
fn dropped_headers_are_counted_a_cycle_later_by_cause() {
    let mut core = core();
    let mut inputs = rx(1, flit(1, true));
    inputs.rx[3] = Some(flit(3, true));
    assert_eq!(core.clock(&inputs), PathEvents::default());
    let events = core.clock(&idle());
    assert_eq!(events.errors, 1 << 1, "a U-turn each");
    assert_eq!(
        events.first_drop,
        Some(DroppedHeader { port: 1, header: 1 })
    );
    assert_eq!([core.counter(1, 6), core.counter(3, 6)], [1, 1]);
}
