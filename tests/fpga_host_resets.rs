//! Host wrappers under random resets of either side, and LitePCIe's under programs that end in mid-packet, with and without
//! runs, simulated by Icarus: nothing comes out that was not sent, and a packet comes whole and once, or is marked as cut, or not at all.

use mkns::fpga::HostCore;
use mkns::random::Random;

use crate::common::wrapper_bench::{Edit, WrapperBench, number_after};

const RESETS: u32 = 250;
/// Runs per wrapper, each with clocks of its own.
const RUNS: u32 = 4;

/// LitePCIe's wrapper in front of its driver, with the driver's runs.
const RUNS_OF_LITEPCIE: u32 = 4;

fn bench(kind: u32, edits: &[Edit]) -> WrapperBench {
    let parameters = match kind {
        RUNS_OF_LITEPCIE => [("KIND", 1), ("RUNS", 1)],
        _ => [("KIND", kind), ("RUNS", 0)],
    };
    WrapperBench::build("wrapper_resets_tb", &HostCore::ALL, &parameters, edits)
}

/// A run with clocks that are drawn from its seed.
fn run(bench: &WrapperBench, seed: u32, resets: u32, deaths: u32) -> String {
    let mut random = Random::new(u64::from(seed));
    let mut half_period = || random.between(1_000, 8_000) as u32;
    let (core, net) = (half_period(), half_period());
    bench.run(&[
        ("seed", seed),
        ("core_ps", core),
        ("rx_ps", core + 1),
        ("net_ps", net),
        ("resets", resets),
        ("deaths", deaths),
    ])
}

/// 1,000 resets of one wrapper.
fn survives_resets(kind: u32) {
    let bench = bench(kind, &[]);
    let mut cut = 0;
    for seed in 1..=RUNS {
        let said = run(&bench, seed, RESETS, 0);
        println!("{said}");
        assert!(said.contains("PASS"), "seed {seed}: {said}");
        assert!(number_after(&said, "network") > 500, "{said}");
        assert!(number_after(&said, "host") > 500, "{said}");
        cut += number_after(&said, "cut");
    }
    assert!(cut > 100, "{cut} packets cut");
}

#[test]
fn cards_f1_xdma_survives_resets_of_either_side() {
    survives_resets(0);
}

#[test]
fn cards_f1_litepcie_survives_resets_of_either_side() {
    survives_resets(1);
}

#[test]
fn cards_f1_runs_of_litepcie_survive_resets_of_either_side() {
    survives_resets(RUNS_OF_LITEPCIE);
}

#[test]
fn cards_f1_aurora_survives_resets_of_either_side() {
    survives_resets(2);
}

#[test]
fn cards_f1_mac_survives_resets_of_any_side() {
    survives_resets(3);
}

#[test]
fn cards_f7_litepcie_resynchronizes_after_a_writer_that_ends_in_mid_packet() {
    let bench = bench(1, &[]);
    for (seed, resets) in (1..).zip([0, 0, 0, 100]) {
        let said = run(&bench, seed, resets, 400);
        println!("{said}");
        assert!(said.contains("PASS"), "seed {seed}: {said}");
        assert!(number_after(&said, "network") > 200, "{said}");
        assert!(number_after(&said, "cut") > 100, "{said}");
    }
}

/// Edits that take the pairing away: each side of the crossing has its own reset only.
const UNPAIRED: [Edit; 6] = [
    (".s_rst(s_clears)", ".s_rst(s_rst)"),
    (".m_rst(m_clears)", ".m_rst(m_rst)"),
    ("!s_stops && (is_cut", "!s_rst && (is_cut"),
    ("fifo_valid && !m_stops", "fifo_valid && !m_rst"),
    ("s_valid && !s_stops", "s_valid"),
    ("m_ready && !m_stops", "m_ready"),
];

#[test]
fn unpaired_resets_are_found_in_every_wrapper() {
    for kind in 0..=RUNS_OF_LITEPCIE {
        let said = run(&bench(kind, &UNPAIRED), 1, RESETS, 0);
        assert!(said.contains("FAIL"), "{kind}: {said}");
    }
}

#[test]
fn planted_faults_are_found() {
    let faults = [
        // the side that is reset clears its pointers before the other one has stopped
        (
            "assign clears = answered || asked;",
            "assign clears = stops;",
            2,
        ),
        (
            "assign clears = answered || asked;",
            "assign clears = answered;",
            0,
        ),
        ("is_cut <= is_open;", "is_cut <= 1'b0;", 0),
        ("is_open && (cut || is_cut)", "1'b0", 3),
        ("is_cut <= closes && !has_room;", "is_cut <= 1'b0;", 1),
        (".s_discard(cut)", ".s_discard(1'b0)", 0),
        (".s_discard(tx_reset)", ".s_discard(1'b0)", 2),
        (".s_discard(tx_reset)", ".s_discard(1'b0)", 3),
        // the length of the dead writer's packet stays
        (
            ".rst(core_rst || !dma0_status_reader_enable)",
            ".rst(core_rst)",
            1,
        ),
        // its packet does not end
        (".cut(!dma0_status_reader_enable)", ".cut(1'b0)", 1),
        // the run before passes once more
        (
            "word[63:32] == BEGIN && !(has_number && word[31:0] == number);",
            "word[63:32] == BEGIN;",
            RUNS_OF_LITEPCIE,
        ),
        // what stands behind the end of a run passes
        (
            "else if (!passes && word != 64'd0)",
            "else if (1'b0)",
            RUNS_OF_LITEPCIE,
        ),
        // the rest of a packet that was cut begins the next run
        (
            "wire drops   = is_open && (!enable || is_begin);",
            "wire drops   = is_open && !enable;",
            RUNS_OF_LITEPCIE,
        ),
        (
            "fits       = !interrupts && (",
            "fits       = (",
            RUNS_OF_LITEPCIE,
        ),
        (
            "packets <= packets + 32'd1;",
            "packets <= 32'd0;",
            RUNS_OF_LITEPCIE,
        ),
        (
            ".cut(!dma0_status_reader_enable)",
            ".cut(1'b0)",
            RUNS_OF_LITEPCIE,
        ),
    ];
    for (right, wrong, kind) in faults {
        let bench = bench(kind, &[(right, wrong)]);
        let deaths = if kind == 1 { 200 } else { 0 };
        let is_found = (1..=RUNS).any(|seed| run(&bench, seed, RESETS, deaths).contains("FAIL"));
        assert!(is_found, "`{wrong}` in wrapper {kind}");
    }
}
