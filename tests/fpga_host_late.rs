//! Hosts that are late behind XDMA and LitePCIe, simulated by Icarus: the network is never held, nothing is lost while
//! the traffic fits the buffer, and beyond that whole packets are missing, all of them counted.

use mkns::fpga::HostCore;

use crate::common::wrapper_bench::{Edit, WrapperBench, number_after};

const CORES: [HostCore; 2] = [HostCore::Xdma, HostCore::LitePcie];

/// The bench with the wrapper of one core.
fn bench(kind: u32, edits: &[Edit]) -> WrapperBench {
    WrapperBench::build("late_host_tb", &CORES, &[("KIND", kind)], edits)
}

#[test]
fn a_reader_up_to_50_ms_late_loses_nothing_that_fits() {
    for kind in 0..2 {
        let bench = bench(kind, &[]);
        // Clocks of 1.25 MHz, a hundredth of a card's, so that 50 ms are 62,500 cycles; and two other ratios.
        for (seed, core_ps, net_ps) in [
            (1, 400_000, 400_000),
            (2, 300_000, 700_000),
            (3, 700_000, 300_000),
        ] {
            let said = bench.run(&[
                ("seed", seed),
                ("core_ps", core_ps),
                ("net_ps", net_ps),
                ("late", 50_000),
                ("beats", 1_024),
            ]);
            assert!(said.contains("PASS"), "{kind}, {seed}: {said}");
            assert_eq!(number_after(&said, "dropped"), 0, "{said}");
            assert!(number_after(&said, "arrived") > 200, "{said}");
            assert!(number_after(&said, "damaged") > 20, "{said}");
        }
    }
}

#[test]
fn beyond_the_buffer_whole_packets_are_missing_and_counted() {
    for kind in 0..2 {
        let bench = bench(kind, &[]);
        for seed in 1..4 {
            let said = bench.run(&[
                ("seed", seed),
                ("late", 100),
                ("beats", 4_000),
                ("rounds", 8),
            ]);
            assert!(said.contains("PASS"), "{kind}, {seed}: {said}");
            assert!(number_after(&said, "dropped") > 500, "{said}");
            assert!(number_after(&said, "arrived") > 500, "{said}");
        }
    }
}

#[test]
fn a_host_that_takes_a_beat_in_1000_cycles_does_not_hold_the_network() {
    for kind in 0..2 {
        let said = bench(kind, &[]).run(&[("slow", 1), ("late", 400), ("beats", 4_000)]);
        assert!(said.contains("PASS"), "{kind}: {said}");
        assert!(number_after(&said, "dropped") > 200, "{said}");
    }
}

#[test]
fn planted_faults_are_seen() {
    let faults = [
        // a packet without room loses its boundary: its first beats stay
        ("if (s_discard || overflow)", "if (s_discard)"),
        // a boundary is lost on the way
        (
            ".s_last(waits[WIDTH]),",
            ".s_last(waits[WIDTH] && !waits[8]),",
        ),
        (".s_commit(s_valid && s_last),", ".s_commit(s_valid),"),
        (".s_discard(is_damaged),", ".s_discard(1'b0),"),
        ("if (is_dropped)", "if (1'b0)"),
        ("assign s_ready = !rst;", "assign s_ready = !rst && room;"),
        // a beat that waits for room counts as lost
        (
            ".s_valid(crossed_valid && crossed_ready),",
            ".s_valid(crossed_valid),",
        ),
    ];
    for fault in faults {
        let bench = bench(0, &[fault]);
        let said = bench.run(&[("late", 100), ("beats", 4_000)]);
        assert!(said.contains("FAIL"), "`{}`: {said}", fault.1);
    }
}
