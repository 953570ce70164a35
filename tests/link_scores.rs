//! Link ports of RTL at clocks of random ratios: every flit once and in order, every credit comes back, the goodput is that
//! of the formula; and faults in the RTL that this finds.
#![cfg(feature = "cosim")]

use mkns::cable::{Faults, LinkReport};
use mkns::cosim::{
    LinkFaultSource, LinkParameters, LinkScenario, Silent, expected_goodput, link_goodput,
    link_model, score_link, uncertain_link_model,
};
use mkns::rtl::render_link;

/// The sources with replacements, which have to match exactly once.
fn replaced(replacements: &[(&str, &str, &str)]) -> Vec<(String, String)> {
    let mut sources = render_link();
    for (file, good, bad) in replacements {
        let source = sources.iter_mut().find(|(name, _)| name == file);
        let (_, text) = source.expect("link_port has the file");
        assert_eq!(text.matches(good).count(), 1, "{file}: {good}");
        *text = text.replace(good, bad);
    }
    sources
}

/// Flits of the run that every `make test` makes.
const FLITS: u64 = 10_000_000;

fn parameters() -> LinkParameters {
    let parameters = LinkParameters {
        silent_ticks: 32,
        stuck_ticks: 256,
        ..LinkParameters::default()
    };
    parameters.with_flight(77)
}

fn score(sources: &[(String, String)], scenario: &LinkScenario, flits: u64) -> LinkReport {
    let library = uncertain_link_model(sources, &parameters(), FLITS, &Silent);
    let library = library.expect("Verilator is set up");
    let run = (flits, 1, 1);
    score_link(&library, &parameters(), scenario, run, &mut |_| {}).expect("the model runs")
}

#[test]
fn ten_million_flits_at_random_clocks_come_once_and_in_order() {
    for scenario in LinkScenario::all() {
        let flits = FLITS * scenario.share / 100;
        let report = score(&render_link(), &scenario, flits);
        assert_eq!(report.faults, Vec::<String>::new(), "{scenario:?}");
        assert!(report.delivered >= flits, "{report:?}");
        assert_eq!(report.deaths > 10, scenario.deadly, "{report:?}");
    }
}

/// The goodput at a rate of bit errors, over what the formula says.
fn goodput_off(sources: &[(String, String)], rate: f64) -> f64 {
    let flight = 40;
    let parameters = LinkParameters::default().with_flight(flight);
    let library = link_model(sources, &parameters, FLITS, &Silent).expect("Verilator is set up");
    let cycles = 1_000_000;
    let measured = link_goodput(&library, &parameters, (rate, flight), cycles);
    measured.expect("the model runs") / expected_goodput(&parameters, rate, flight) - 1.0
}

#[test]
fn goodput_is_that_of_the_formula() {
    for rate in [0.0, 1e-6, 1e-5, 1e-4] {
        let off = goodput_off(&render_link(), rate);
        assert!(off.abs() < 0.04, "{rate}: {off}");
    }
}

#[test]
fn a_crc_that_nobody_looks_at_is_found() {
    let sources = replaced(&[(
        "link_receiver.v",
        "good <= &(own_crc ^ checked_crc)",
        "good <= 1'b1",
    )]);
    let report = score(&sources, &LinkScenario::all()[2], 100_000);
    assert!(!report.faults.is_empty(), "{report:?}");
}

/// Where the number is not covered but starts the CRC, errors in the first data word make one number of another.
#[test]
fn a_number_in_the_start_value_of_the_crc_is_found() {
    let sources = replaced(&[
        (
            "link_receiver.v",
            ".crc(crc),",
            ".crc(crc ^ ({23'd0, number} & {32{~word_ctl & pending == 4'd0}})),",
        ),
        (
            "link_receiver.v",
            "15'd0, number & {9{is_t}}} : word[63:24]",
            "24'd0} : word[63:24]",
        ),
        (
            "link_sender.v",
            ".crc(crc),",
            ".crc(crc ^ ({23'd0, first} & {32{chosen_valid & ~chosen_ctl & held == 4'd1}})),",
        ),
        (
            "link_sender.v",
            "session, peer_session, 15'd0, first,",
            "session, peer_session, 24'd0,",
        ),
    ]);
    let often = |name, faults| LinkScenario {
        name,
        share: 100,
        faults,
        flight: 3,
        fault_source: LinkFaultSource::None,
        deadly: true,
    };
    let few = often("few", Faults::bit_errors(1e-5));
    let report = score(&sources, &few, 200_000);
    assert_eq!(report.faults, Vec::<String>::new(), "it works as well");
    let gaps = Faults {
        hidden_gap: 1e-2,
        ..Faults::default()
    };
    let many = often("many", gaps);
    let report = score(&render_link(), &many, 100_000);
    assert_eq!(report.faults, Vec::<String>::new());
    let report = score(&sources, &many, 100_000);
    assert!(!report.faults.is_empty(), "{report:?}");
}

#[test]
fn free_as_an_increment_is_found() {
    let sources = replaced(&[
        (
            "link_sender.v",
            "status_free + ROOM",
            "status_free + limit_known",
        ),
        (
            "link_sender.v",
            "expected, freed_shown, 1'b0",
            "expected, freed_shown - told[channel], 1'b0",
        ),
        (
            "link_sender.v",
            "                reg [7:0] limit;\n",
            "                reg [7:0] limit;\n\
                 always @(posedge clk) if (~up) told[v] <= 8'd0;\n\
                 else if (step & is_status & channel == NUMBER[0]) told[v] <= freed_shown;\n",
        ),
        (
            "link_sender.v",
            "    // What the peer tells",
            "    reg [7:0] told [0:1];\n    // What the peer tells",
        ),
    ]);
    let [calm, _, hard, ..] = LinkScenario::all();
    let report = score(&sources, &calm, 100_000);
    assert_eq!(report.faults, Vec::<String>::new(), "it works as well");
    let report = score(&sources, &hard, 3_000_000);
    assert!(!report.faults.is_empty(), "{report:?}");
}

/// Neither loses a flit: both cost time.
#[test]
fn requests_that_are_served_always_or_never_are_found_by_the_goodput() {
    let always = (
        "link_sender.v",
        "status & status_error & status_request != served;",
        "status & status_error;",
    );
    let never = (
        "link_receiver.v",
        "request <= request ^ (failed | ask_again);",
        "request <= request;",
    );
    for fault in [always, never] {
        let off = goodput_off(&replaced(&[fault]), 1e-5);
        eprintln!("{off}");
        assert!(off < -0.04, "{fault:?}: {off}");
    }
}
