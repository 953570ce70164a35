//! 1.8, Requests: how long packets stay in an adaptive block.

use super::adaptive_bench::*;
use super::testbench::{PinTestbench, Sent};

/// What body flits carry.
const OWN: u64 = 0xab;

/// Port 3 is the candidate of node 1, and port 1 its escape.
fn switch() -> PinTestbench {
    adaptive_switch(adaptive_parameters(), &[0, 0b1000])
}

/// Cycles from the rx pins of port 0 to the tx pins, of the flits of a packet of this length to node 1.
fn cycles_through(
    bench: &mut PinTestbench,
    channel: usize,
    travel: u32,
    flits: usize,
) -> Vec<usize> {
    let header = header(1, travel, flits as u32);
    let mut left = Vec::new();
    for cycle in 0..flits + 12 {
        let data = if cycle == 0 { header } else { OWN };
        if cycle < flits {
            bench.send(0, channel, cycle + 1 == flits, data);
        }
        let own = |flit: &Sent| flit.data == OWN || flit.data & 0xff == header & 0xff;
        left.extend(bench.tick().iter().any(own).then_some(cycle));
    }
    assert_eq!(left.len(), flits);
    left.iter()
        .enumerate()
        .map(|(came, left)| left - came)
        .collect()
}

#[test]
fn a_packet_that_commits_to_an_idle_output_takes_five_cycles() {
    assert_eq!(cycles_through(&mut switch(), 1, 1, 1), [5]);
    assert_eq!(cycles_through(&mut switch(), 1, 2, 4), [5; 4]);
}

/// Only packets of channel A are granted at once, and only those that commit.
#[test]
fn other_packets_take_six_cycles() {
    for (channel, travel) in [(0, 1), (0, 0), (1, 0), (1, 3)] {
        let cycles = cycles_through(&mut switch(), channel, travel, 4);
        assert_eq!(cycles, [6; 4], "{channel} {travel}");
    }
}

/// Cycles of a packet that comes this many cycles after one of one flit for the same output, on the escape.
fn cycles_behind_another(after: usize) -> usize {
    let mut bench = switch();
    bench.tick_sending(2, 0, true, header(3, 0, 1));
    bench.run(after - 1);
    cycles_through(&mut bench, 1, 1, 1)[0]
}

/// The other packet waits in the second cycle after it came, and in the next one it is granted and popped. Nothing is
/// granted after that.
#[test]
fn an_output_that_has_something_to_do_grants_later() {
    let cycles: Vec<usize> = (1..6).map(cycles_behind_another).collect();
    assert_eq!(cycles, [6, 6, 5, 5, 5]);
}

/// Cycles until the credit of a header comes back that goes to a host.
fn cycles_to_host(channel: usize) -> usize {
    let mut bench = adaptive_adapter(&[]);
    bench.tick_sending(0, channel, true, header(0, 1, 1));
    let returned = (1..20).find(|_| {
        bench.tick();
        bench.returned_credit(0, channel)
    });
    returned.expect("a credit")
}

#[test]
fn a_packet_from_a_to_a_host_loses_no_cycle() {
    assert_eq!(cycles_to_host(1) + 1, cycles_to_host(0));
}

/// The output first learns the way of the second packet.
#[test]
fn packets_of_the_same_request_leave_with_a_gap_of_one_cycle() {
    let mut bench = switch();
    let mut left = Vec::new();
    for cycle in 0..20 {
        let (packet, flit) = (cycle / 4, cycle % 4);
        let data = if flit == 0 { header(1, 1, 4) } else { OWN };
        if packet < 2 {
            bench.send(0, 1, flit == 3, data);
        }
        left.extend(bench.tick().iter().map(|_| cycle));
    }
    let apart: Vec<usize> = left.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(apart, [1, 1, 1, 2, 1, 1, 1]);
}
