//! Section 6.

use super::modules::{flit, parameters, pok};
use crate::{CoreInputs, DroppedHeader, Flit, PathEvents, Pok};
use mkns_spec::BlockParameters;

/// The trunk's port, m = 3.
const TRUNK: usize = 3;

fn with_rx(flits: &[(usize, Flit)]) -> CoreInputs {
    let mut inputs = CoreInputs {
        rx: vec![None; 6],
        tx_credit: vec![0; 6],
        link_up: 0,
    };
    for (port, flit) in flits {
        inputs.rx[*port] = Some(*flit);
    }
    inputs
}

/// Cuts the inputs to the ports of one trunk.
fn one_trunk(flits: &[(usize, Flit)]) -> CoreInputs {
    let mut inputs = with_rx(flits);
    inputs.rx.truncate(4);
    inputs.tx_credit.truncate(4);
    inputs
}

fn unit(block: &BlockParameters) -> Pok {
    let mut unit = Pok::new(&pok(false, block));
    unit.reset(0);
    unit
}

#[test]
fn a_splitter_strips_the_local_address_it_used() {
    let mut unit = unit(&parameters());
    let header = 0b01_10 | 7 << 20;
    unit.clock(&one_trunk(&[(TRUNK, flit(header, false))]));
    assert_eq!(unit.tx(2), None, "t + 1: in the FIFO");
    unit.clock(&one_trunk(&[(TRUNK, flit(0b11_11, true))]));
    assert_eq!(unit.tx(2), Some(&flit(0b01 | 7 << 20, false)), "t + 2");
    assert_eq!(unit.rx_credit(TRUNK), 1);
    unit.clock(&one_trunk(&[]));
    assert_eq!(
        unit.tx(2),
        Some(&flit(0b11_11, true)),
        "payload is not changed"
    );
    unit.clock(&one_trunk(&[]));
    assert_eq!((unit.tx(2), unit.rx_credit(TRUNK)), (None, 0));
    // rx flits and packets on the trunk, tx on the branch, nobody stalled.
    assert_eq!([0, 1, 2, 3].map(|c| unit.counter(TRUNK, c)), [2, 1, 0, 0]);
    assert_eq!([0, 1, 2, 3, 4].map(|c| unit.counter(2, c)), [0, 0, 2, 1, 0]);
}

#[test]
fn a_splitter_drops_what_it_has_no_branch_for() {
    let mut unit = unit(&parameters());
    let nowhere = 3 | 9 << 20;
    unit.clock(&one_trunk(&[(TRUNK, flit(nowhere, false))]));
    let events = unit.clock(&one_trunk(&[(TRUNK, flit(0, true))]));
    let first_drop = Some(DroppedHeader {
        port: TRUNK,
        header: nowhere,
    });
    assert_eq!(
        events,
        PathEvents {
            errors: 1,
            first_drop
        }
    );
    assert_eq!(unit.rx_credit(TRUNK), 1);
    assert_eq!(unit.clock(&one_trunk(&[])), PathEvents::default());
    assert_eq!(unit.rx_credit(TRUNK), 1, "the rest of it, too");
    assert_eq!(unit.counter(TRUNK, 5), 1);
    assert!((0..3).all(|b| unit.tx(b).is_none()));
}

#[test]
fn a_channel_without_credits_lets_the_other_one_pass() {
    let block = BlockParameters {
        virtual_channels: 2,
        ..parameters()
    };
    let mut unit = unit(&block);
    let on = |channel| Flit {
        channel,
        ..flit(0, true)
    };
    // C = 4 packets on channel 0 use its credits; the fifth waits, and one on channel 1 passes it.
    for _ in 0..5 {
        unit.clock(&one_trunk(&[(TRUNK, on(0))]));
    }
    unit.clock(&one_trunk(&[(TRUNK, on(1))]));
    assert_eq!(unit.tx(0), None);
    unit.clock(&one_trunk(&[]));
    assert_eq!(unit.tx(0).map(|flit| flit.channel), Some(1));
    assert_eq!(
        unit.counter(0, 4),
        1,
        "a stall: nothing was popped for branch 0"
    );
    let mut credit = one_trunk(&[]);
    credit.tx_credit[0] = 0b01;
    unit.clock(&credit);
    assert_eq!(unit.tx(0), None, "a credit counts from the next cycle");
    unit.clock(&one_trunk(&[]));
    assert_eq!(unit.tx(0).map(|flit| flit.channel), Some(0));
}

#[test]
fn a_combiner_takes_whole_packets_in_turn() {
    let mut unit = unit(&parameters());
    unit.clock(&one_trunk(&[(1, flit(10, false)), (2, flit(20, true))]));
    let mut trunk = Vec::new();
    for rx in [
        vec![(1, flit(11, true)), (0, flit(1, true))],
        vec![],
        vec![],
        vec![],
    ] {
        unit.clock(&one_trunk(&rx));
        trunk.push(unit.tx(TRUNK).map(|flit| flit.data.low()));
    }
    // Branch 1 began; its rest; then branch 2, which comes after it, and branch 0.
    assert_eq!(trunk, [Some(10), Some(11), Some(20), Some(1)]);
    assert_eq!([2, 3, 4].map(|c| unit.counter(TRUNK, c)), [4, 3, 0]);
    assert_eq!(unit.rx_credit(0), 1);
    // The four credits are used up.
    unit.clock(&one_trunk(&[(0, flit(2, true))]));
    unit.clock(&one_trunk(&[]));
    assert_eq!((unit.tx(TRUNK), unit.counter(TRUNK, 4)), (None, 1));
}

#[test]
fn parallel_trunk_channels_serve_one_branch_each() {
    let mut unit = Pok::new(&pok(true, &parameters()));
    unit.reset(0);
    // Trunk channel 1 leads to branch 1 alone; on trunk channel 2 local address 1 is nobody's.
    let inputs = with_rx(&[
        (TRUNK + 1, flit(1, true)),
        (TRUNK + 2, flit(1, true)),
        (0, flit(7, true)),
        (2, flit(8, true)),
    ]);
    unit.clock(&inputs);
    let events = unit.clock(&with_rx(&[]));
    assert_eq!(unit.tx(1), Some(&flit(0, true)));
    assert_eq!(unit.tx(2), None);
    assert_eq!(events.first_drop.map(|drop| drop.port), Some(TRUNK + 2));
    assert_eq!(unit.tx(TRUNK), Some(&flit(7, true)));
    assert_eq!(unit.tx(TRUNK + 1), None);
    assert_eq!(unit.tx(TRUNK + 2), Some(&flit(8, true)));
}
