//! Splitter and combiner, worked by hand from section 6 of `docs/microarchitecture.md`.

use super::testbench::{PinTestbench, two_channels};
use crate::Block;
use mkns_design::{BlockModule, PokShape};

/// First trunk port of a unit with 3 branches.
const TRUNK: usize = 3;

/// A POK_3 with 64-bit flits and two channels, idle.
fn testbench() -> PinTestbench {
    let module = BlockModule::pok(PokShape::new(3, false), &two_channels());
    let block = Block::new(&module, 0, None);
    PinTestbench::of(module, block)
}

impl PinTestbench {
    /// One cycle with these flits on the rx pins, channel 0: port, data, last. Returns the flits on
    /// the tx pins: port and data.
    fn step(&mut self, flits: &[(usize, u64, bool)]) -> Vec<(usize, u64)> {
        for &(port, data, last) in flits {
            self.send(port, 0, last, data);
        }
        let sent = self.tick().into_iter();
        sent.map(|flit| (flit.port, flit.data)).collect()
    }
}

#[test]
fn a_flit_takes_two_cycles_and_a_header_loses_its_first_local_address() {
    let mut testbench = testbench();
    // Train 2, 1, 2 from the lowest bits up; source and length above.
    let header = 0x1234_5000_0000 | 0b10_01_10;
    assert!(testbench.step(&[(TRUNK, header, false)]).is_empty());
    assert!(testbench.step(&[(TRUNK, 0b10_01_10, true)]).is_empty());
    assert_eq!(testbench.step(&[]), [(2, 0x1234_5000_0000 | 0b10_01)]);
    assert!(testbench.returned_credit(TRUNK, 0));
    assert_eq!(
        testbench.step(&[]),
        [(2, 0b10_01_10)],
        "payload stays as it is"
    );
    assert!(testbench.step(&[]).is_empty());
}

#[test]
fn a_packet_for_a_branch_that_is_not_there_vanishes_whole_and_gives_its_credits_back() {
    let mut testbench = testbench();
    testbench.step(&[(TRUNK, 3, false)]);
    testbench.step(&[(TRUNK, 0, true)]);
    assert!(testbench.step(&[(TRUNK, 0, true)]).is_empty());
    assert!(testbench.returned_credit(TRUNK, 0));
    assert!(testbench.step(&[]).is_empty());
    assert!(testbench.returned_credit(TRUNK, 0));
    assert_eq!(testbench.step(&[]), [(0, 0)], "the packet behind it passes");
}

#[test]
fn branches_take_turns_packet_by_packet_on_the_trunk() {
    let mut testbench = testbench();
    let all = |last| [(0, 10, last), (1, 11, last), (2, 12, last)];
    let mut seen = Vec::new();
    // Two packets of two flits from each branch at once.
    for cycle in 0..16 {
        let flits = if cycle < 4 {
            &all(cycle % 2 == 1)[..]
        } else {
            &[]
        };
        seen.extend(testbench.step(flits));
    }
    let data: Vec<u64> = seen.iter().map(|(_, data)| *data).collect();
    assert_eq!(data, [10, 10, 11, 11, 12, 12, 10, 10, 11, 11, 12, 12]);
    assert!(seen.iter().all(|(port, _)| *port == TRUNK));
}

#[test]
fn no_flit_leaves_without_a_credit() {
    let mut testbench = testbench();
    let credits = two_channels().rx_buffer_flits as usize;
    let mut sent = 0;
    for cycle in 0..100 {
        let packet = [(TRUNK, 1, true)];
        // The sender holds C credits itself and gets one back for each flit that left.
        let flits = if cycle < 2 * credits {
            &packet[..]
        } else {
            &[]
        };
        sent += testbench.step(flits).len();
    }
    assert_eq!(sent, credits);
}
