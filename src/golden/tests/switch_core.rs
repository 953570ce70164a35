//! Section 1.

use mkns_design::{BlockModule, ComputedRoutes, ModuleKind, PathRegister, TableShape};
use mkns_routing::{AddressLayout, BlockTables, DimensionTable, TableEntry};
use mkns_spec::{BlockParameters, Switching};
use mkns_topology::PortIndex;

use super::modules::{flit, parameters};
use crate::switch_core::{RouteTables, SwitchCore};
use crate::{CoreInputs, DroppedHeader, Flit, PathEvents};

const PORTS: u8 = 4;
const ALL_UP: u32 = 0b1111;

/// Four ports, a table of four entries: destination n leaves by port n, with port 3 as the alternate of 2.
fn core(parameters: BlockParameters) -> SwitchCore {
    let module = BlockModule {
        kind: ModuleKind::Switch,
        network_ports: PORTS.into(),
        pcie_ports: 0,
        rok: None,
        tables: vec![TableShape { lsb: 0, bits: 2 }],
        masks: None,
        serial_ports: 0,
        route_channels: 1,
        parameters,
        layout: AddressLayout::new([("x", 4)]),
    };
    let entry = |n| TableEntry {
        alternate: (n == 2).then_some(3),
        ..TableEntry::to(PortIndex(n))
    };
    let entries = (0..PORTS).map(entry).collect();
    let tables = BlockTables {
        tables: vec![DimensionTable { field: 0, entries }],
        step: Vec::new(),
    };
    let contents = RouteTables::new(&module, Some(&tables));
    let mut core = SwitchCore::new(&module, contents, vec![0; PORTS.into()]);
    core.reset(ALL_UP);
    core
}

fn idle() -> CoreInputs {
    CoreInputs {
        rx: vec![None; PORTS.into()],
        tx_credit: vec![0; PORTS.into()],
        link_up: ALL_UP,
    }
}

fn rx(port: usize, flit: Flit) -> CoreInputs {
    let mut inputs = idle();
    inputs.rx[port] = Some(flit);
    inputs
}

/// Clocks some cycles without arrivals and says in which of them, counted from 1, a flit was on the
/// tx pins of the port.
fn watch(core: &mut SwitchCore, port: usize, cycles: usize, inputs: &CoreInputs) -> Vec<usize> {
    let mut seen = Vec::new();
    for cycle in 1..=cycles {
        if core.tx(port).is_some() {
            seen.push(cycle);
        }
        core.clock(inputs);
    }
    seen
}

#[test]
fn a_flit_takes_five_cycles_and_its_credit_returns_with_it() {
    let mut core = core(parameters());
    core.clock(&rx(0, flit(1, true)));
    for _ in 1..5 {
        assert_eq!((core.tx(1), core.rx_credit(0)), (None, 0));
        core.clock(&idle());
    }
    assert_eq!(core.tx(1), Some(flit(1, true)), "t + 5");
    assert_eq!(core.rx_credit(0), 1, "popped in t + 2, owed in t + 4");
    core.clock(&idle());
    assert_eq!((core.tx(1), core.rx_credit(0)), (None, 0));
}

#[test]
fn a_packet_passes_without_gaps_until_its_credits_are_spent() {
    let mut core = core(parameters());
    for beat in 0..5 {
        core.clock(&rx(0, flit(1, beat == 4)));
    }
    // The first was taken five cycles ago, and C = 4.
    assert_eq!(watch(&mut core, 1, 10, &idle()), [1, 2, 3, 4]);
    let mut credit = idle();
    credit.tx_credit[1] = 1;
    core.clock(&credit);
    // Granted again when the credit is there, accepted and popped in the cycle after.
    assert_eq!(watch(&mut core, 1, 10, &idle()), [5]);
}

#[test]
fn a_cut_through_header_waits_for_room_for_the_longest_packet() {
    let cut_through = BlockParameters {
        switching: Switching::Vct,
        ..parameters()
    };
    let mut core = core(cut_through);
    core.clock(&rx(0, flit(1, true)));
    core.clock(&rx(0, flit(1, true)));
    // After the first packet three credits are left, one fewer than MAX_PACKET_FLITS.
    assert_eq!(watch(&mut core, 1, 20, &idle()), [4]);
    let mut credit = idle();
    credit.tx_credit[1] = 1;
    core.clock(&credit);
    assert_eq!(watch(&mut core, 1, 20, &idle()).len(), 1);
}

#[test]
fn dropped_headers_are_counted_a_cycle_later_by_cause() {
    let mut core = core(parameters());
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

#[test]
fn a_header_takes_the_alternate_of_a_link_that_is_down() {
    let mut core = core(parameters());
    let mut inputs = idle();
    inputs.link_up = 0b1011;
    core.clock(&inputs);
    inputs.rx[0] = Some(flit(2, true));
    core.clock(&inputs);
    inputs.rx[0] = None;
    assert_eq!(watch(&mut core, 3, 8, &inputs), [5]);
}

#[test]
fn computed_routes_decide_whatever_the_tables_hold() {
    let mut core = core(parameters());
    let mirrored = |destination, _layer| TableEntry::to(PortIndex(3 - destination as u8));
    core.compute_routes(ComputedRoutes::new(mirrored));
    let entry = TableEntry::to(PortIndex(0)).pack();
    core.write(PathRegister::Table { n: 0, index: 2 }, entry.into());
    core.clock(&rx(0, flit(2, true)));
    assert_eq!(watch(&mut core, 1, 8, &idle()), [5]);
}

#[test]
fn a_packet_cut_by_its_link_ends_with_a_made_up_tail_that_brings_no_credit() {
    let mut core = core(parameters());
    core.clock(&rx(0, flit(1, false)));
    let mut down = idle();
    down.link_up = 0b1110;
    let (mut sent, mut credits) = (Vec::new(), 0);
    for _ in 0..20 {
        core.clock(&down);
        sent.extend(core.tx(1));
        credits += core.rx_credit(0);
    }
    let tail = Flit {
        bad: true,
        ..flit(0, true)
    };
    assert_eq!(sent, [flit(1, false), tail]);
    assert_eq!(credits, 1);
}

#[test]
fn the_rest_of_a_packet_is_thrown_away_after_its_output_was_down() {
    let mut core = core(parameters());
    core.clock(&rx(0, flit(1, false)));
    assert_eq!(watch(&mut core, 1, 6, &idle()), [5]);
    let mut down = idle();
    down.link_up = 0b1101;
    core.clock(&down);
    core.clock(&idle());
    core.clock(&rx(0, flit(7, true)));
    assert!(watch(&mut core, 1, 10, &idle()).is_empty());
    assert_eq!(core.counter(1, 8), 1);
}
