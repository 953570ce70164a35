//! Two link ports of RTL over a cable that makes errors: every output as the reference has it, every flit once and in
//! order; and faults in the RTL, which have to show.
#![cfg(feature = "cosim")]

use mkns::cable::Faults;
use mkns::cosim::{LinkFaultSource, LinkJudge, LinkParts, LinkRun, Silent, link_model};
use mkns::golden::link_port::LinkParameters;
use mkns::rtl::render_link;

/// Words from one link port to the other.
const FLIGHT: u32 = 20;

fn parameters(channels: usize) -> LinkParameters {
    let parameters = LinkParameters {
        channels,
        // Links die and rise often.
        silent_ticks: 32,
        stuck_ticks: 64,
        ..LinkParameters::default()
    };
    parameters.with_flight(FLIGHT)
}

fn runs(sources: &[(String, String)], channels: usize, runs: &[LinkRun]) -> Vec<LinkParts> {
    let of_run = runs.first().map(|run| run.parameters.clone());
    let parameters = of_run.unwrap_or_else(|| parameters(channels));
    let library = link_model(sources, &parameters, 0, &Silent);
    let library = library.expect("Verilator is set up");
    let parts = runs.iter().map(|run| run.run(&library, &mut |_| {}));
    parts.map(|parts| parts.expect("the model runs")).collect()
}

fn run(channels: usize, faults: Faults, fault_source: LinkFaultSource) -> LinkRun {
    LinkRun {
        parameters: parameters(channels),
        flight: FLIGHT,
        cycles: 60_000,
        seed: 7,
        faults,
        fault_source,
        judge: LinkJudge::Reference,
    }
}

/// Words that are good and say what a peer does not say at that time.
fn forged(channels: usize) -> LinkRun {
    run(channels, Faults::default(), LinkFaultSource::ForgedWords)
}

#[test]
fn every_output_of_a_link_port_is_that_of_the_reference() {
    for channels in [1, 2] {
        let (bits, all) = (Faults::bit_errors, Faults::of_every_kind(1e-3));
        let kinds = [
            run(channels, Faults::default(), LinkFaultSource::None),
            run(channels, bits(1e-4), LinkFaultSource::None),
            run(channels, all, LinkFaultSource::Boards),
            forged(channels),
            run(channels, bits(1e-4), LinkFaultSource::Software),
        ];
        for (parts, kind) in runs(&render_link(), channels, &kinds).iter().zip(&kinds) {
            assert_eq!(parts.difference, None, "{kind:?}");
            assert_eq!(parts.report.faults, Vec::<String>::new(), "{kind:?}");
            assert!(parts.report.delivered > 5_000, "{:?}", parts.report);
            let may_die = kind.fault_source != LinkFaultSource::None;
            assert_eq!(parts.report.deaths > 0, may_die, "{:?}", parts.report);
        }
    }
}

/// A link that carries messages, too.
fn with_messages(run: LinkRun) -> LinkRun {
    let parameters = LinkParameters {
        management: true,
        ..run.parameters
    };
    LinkRun { parameters, ..run }
}

#[test]
fn messages_pass_beside_the_flits_whole_or_not_at_all() {
    for channels in [1, 2] {
        let (bits, all) = (Faults::bit_errors, Faults::of_every_kind(1e-3));
        let kinds = [
            run(channels, Faults::default(), LinkFaultSource::None),
            run(channels, bits(1e-4), LinkFaultSource::None),
            run(channels, all, LinkFaultSource::Boards),
            forged(channels),
            run(channels, bits(1e-4), LinkFaultSource::Software),
            LinkRun {
                judge: LinkJudge::AnyClocks,
                ..run(channels, all, LinkFaultSource::Boards)
            },
        ]
        .map(with_messages);
        for (parts, kind) in runs(&render_link(), channels, &kinds).iter().zip(&kinds) {
            assert_eq!(parts.difference, None, "{kind:?}");
            assert_eq!(parts.report.faults, Vec::<String>::new(), "{kind:?}");
            assert!(parts.report.messages > 100, "{:?}", parts.report);
            assert!(parts.report.delivered > 3_000, "{:?}", parts.report);
        }
    }
}

/// What is planted into the receiver of messages, and found by the scoreboard alone.
fn scoreboard_finds(good: &str, bad: &str) {
    let sources = planted("link_receiver.v", good, bad);
    let errors = run(2, Faults::bit_errors(1e-4), LinkFaultSource::None);
    let scored = with_messages(LinkRun {
        judge: LinkJudge::OneClock,
        ..errors
    });
    let parts = &runs(&sources, 2, &[scored])[0];
    let finds = (parts.report.faults.iter()).any(|fault| fault.contains("message"));
    assert!(finds, "{:?}", parts.report);
}

#[test]
fn the_scoreboard_finds_the_crc_of_a_message_that_nobody_looks_at() {
    scoreboard_finds(
        "good <= &(own_crc ^ checked_crc)",
        "good <= (&(own_crc ^ checked_crc) | checked_field[23:20] == 4'd7)",
    );
}

#[test]
fn the_scoreboard_finds_a_message_that_overwrites_another() {
    scoreboard_finds("good & of_message & message_room;", "good & of_message;");
}

/// `good` in a file of `link_port` becomes `bad`.
fn planted(file: &str, good: &str, bad: &str) -> Vec<(String, String)> {
    let mut sources = render_link();
    let source = sources.iter_mut().find(|(name, _)| name == file);
    let (_, text) = source.expect("link_port has the file");
    assert_eq!(text.matches(good).count(), 1, "{file}: {good}");
    *text = text.replace(good, bad);
    sources
}

#[test]
fn the_scoreboard_finds_a_crc_that_nobody_looks_at() {
    let sources = planted(
        "link_receiver.v",
        "good <= &(own_crc ^ checked_crc)",
        "good <= 1'b1",
    );
    let scored = LinkRun {
        judge: LinkJudge::OneClock,
        ..run(2, Faults::bit_errors(1e-4), LinkFaultSource::None)
    };
    let parts = &runs(&sources, 2, &[scored])[0];
    assert!(!parts.report.faults.is_empty(), "{:?}", parts.report);
}

#[test]
fn lockstep_finds_a_request_bit_that_does_not_turn() {
    let sources = planted(
        "link_receiver.v",
        "request <= request ^ (failed | ask_again);",
        "request <= request;",
    );
    let parts = &runs(
        &sources,
        2,
        &[run(2, Faults::bit_errors(1e-4), LinkFaultSource::None)],
    )[0];
    let (_, fact) = parts.difference.clone().expect("a difference");
    assert!(fact.contains("line_tx_data"), "{fact}");
}

#[test]
fn lockstep_finds_an_old_free_that_is_not_passed_over() {
    let sources = planted(
        "link_sender.v",
        "status & limit_distance[7:5] != 3'b111;",
        "status & limit_distance != 8'd0;",
    );
    let parts = &runs(&sources, 2, &[forged(2)])[0];
    assert!(parts.difference.is_some(), "{:?}", parts.report);
}
