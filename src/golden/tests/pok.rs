//! Section 6: what one channel does while another waits, parallel trunks; the rest is told on the pins.

use super::modules::{flit, parameters, pok};
use crate::pok::Pok;
use crate::{Core, CoreInputs, Flit};
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
        inputs.rx[*port] = Some(flit.clone());
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
        unit.clock(&mut one_trunk(&[(TRUNK, on(0))]));
    }
    unit.clock(&mut one_trunk(&[(TRUNK, on(1))]));
    assert_eq!(unit.tx(0), None);
    unit.clock(&mut one_trunk(&[]));
    assert_eq!(unit.tx(0).map(|flit| flit.channel), Some(1));
    assert_eq!(
        unit.counter(0, 4),
        1,
        "a stall: nothing was popped for branch 0"
    );
    let mut credit = one_trunk(&[]);
    credit.tx_credit[0] = 0b01;
    unit.clock(&mut credit);
    assert_eq!(unit.tx(0), None, "a credit counts from the next cycle");
    unit.clock(&mut one_trunk(&[]));
    assert_eq!(unit.tx(0).map(|flit| flit.channel), Some(0));
}

#[test]
fn parallel_trunk_channels_serve_one_branch_each() {
    let mut unit = Pok::new(&pok(true, &parameters()));
    unit.reset(0);
    // Trunk channel 1 leads to branch 1 alone; on trunk channel 2 local address 1 is nobody's.
    let mut inputs = with_rx(&[
        (TRUNK + 1, flit(1, true)),
        (TRUNK + 2, flit(1, true)),
        (0, flit(7, true)),
        (2, flit(8, true)),
    ]);
    unit.clock(&mut inputs);
    let events = unit.clock(&mut with_rx(&[]));
    assert_eq!(unit.tx(1), Some(&flit(0, true)));
    assert_eq!(unit.tx(2), None);
    assert_eq!(events.first_drop.map(|drop| drop.port), Some(TRUNK + 2));
    assert_eq!(unit.tx(TRUNK), Some(&flit(7, true)));
    assert_eq!(unit.tx(TRUNK + 1), None);
    assert_eq!(unit.tx(TRUNK + 2), Some(&flit(8, true)));
}
