//! Section 5: blocks joined by links.

use mkns_design::{Pins, Plan, get_bits, set_bits};
use mkns_topology::BlockId;

use crate::Network;

/// Two adapter blocks with a host each, joined by a cable of `stages` register stages.
fn two_nodes(stages: u32) -> Plan {
    let mut spec = mkns_spec::parse("MKNS(1,2,1,1)").expect("a valid spec");
    spec.block.link_latency = stages;
    mkns_design::build(&spec).expect("a plan")
}

fn pins(plan: &Plan) -> Pins {
    Pins::new(&plan.modules[0])
}

/// After a reset, ready to take beats; hosts take what comes.
fn network(plan: &Plan) -> Network {
    let pins = pins(plan);
    let ready = pins.egress.expect("it has a host").ready;
    let mut network = Network::new(plan);
    for rst in [1, 0] {
        for block in [BlockId(0), BlockId(1)] {
            let inputs = network.inputs_mut(block);
            inputs[pins.rst] = rst;
            set_bits(&mut inputs[ready..], 0, 1, 1);
        }
        network.step();
    }
    network
}

/// Host 0 gives a header-only packet for host `to` in this cycle, 0 in what follows.
fn send(network: &mut Network, plan: &Plan, to: u32) {
    let stream = pins(plan).ingress.expect("it has a host");
    let inputs = network.inputs_mut(BlockId(0));
    inputs[stream.data] = u64::from(plan.layout.address_of(to));
    inputs[stream.keep] = 0xff;
    inputs[stream.last] = 1;
    inputs[stream.valid] = 1;
    network.step();
    assert_eq!(network.outputs(BlockId(0))[stream.ready], 1);
    network.inputs_mut(BlockId(0))[stream.valid] = 0;
}

/// Cycles from now on until a beat is on the pins of a block's host, at most 60.
fn cycles_until_beat(network: &mut Network, plan: &Plan, block: BlockId) -> Option<u32> {
    let valid = pins(plan).egress.expect("it has a host").valid;
    (1..60).find(|_| {
        network.step();
        network.outputs(block)[valid] == 1
    })
}

#[test]
fn a_cable_costs_its_stages() {
    for stages in [1, 3] {
        let plan = two_nodes(stages);
        let mut network = network(&plan);
        send(&mut network, &plan, 1);
        // 3 cycles to the core, 5 through each of two, the cable, 2 to the host.
        let latency = cycles_until_beat(&mut network, &plan, BlockId(1));
        assert_eq!(latency, Some(3 + 5 + stages + 5 + 2));
    }
}

#[test]
fn a_credit_comes_back_along_the_cable() {
    let plan = two_nodes(2);
    let mut network = network(&plan);
    send(&mut network, &plan, 1);
    let pins = pins(&plan);
    let (mut gave, mut got) = (None, None);
    for cycle in 0..40 {
        network.step();
        let given = get_bits(&network.outputs(BlockId(1))[pins.rx_credit..], 0, 64) != 0;
        gave = gave.or(given.then_some(cycle));
        // What stands there now is of the next cycle.
        let arrives = network.inputs_mut(BlockId(0))[pins.tx_credit] != 0;
        got = got.or(arrives.then_some(cycle + 1));
    }
    assert_eq!(got, gave.map(|cycle: i32| cycle + 2));
}

#[test]
fn both_ends_see_a_cable_go_down() {
    let plan = two_nodes(1);
    let mut network = network(&plan);
    let cable = plan.network.cables[0];
    let link_up = pins(&plan).link_up;
    let up = |network: &mut Network, block| network.inputs_mut(block)[link_up];
    let (a, b) = (1 << cable.a.port.0, 1 << cable.b.port.0);
    let before = (up(&mut network, BlockId(0)), up(&mut network, BlockId(1)));
    assert_eq!(before, (a, b), "unused ports are down");
    network.set_cable_up(&cable, false);
    assert_eq!(up(&mut network, cable.a.block), 0);
    assert_eq!(up(&mut network, cable.b.block), 0);
    send(&mut network, &plan, 1);
    assert_eq!(cycles_until_beat(&mut network, &plan, BlockId(1)), None);
}

#[test]
fn a_reset_empties_the_cables() {
    let plan = two_nodes(3);
    let mut network = network(&plan);
    send(&mut network, &plan, 1);
    // On the tx pins in cycle 8, so on the way in cycle 9.
    for _ in 0..9 {
        network.step();
    }
    network.reset_links();
    assert_eq!(cycles_until_beat(&mut network, &plan, BlockId(1)), None);
}
