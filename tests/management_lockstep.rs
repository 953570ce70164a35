//! The RTL of a management unit among links, a host and a control port that do what they like: every output as the golden
//! model has it; and faults in the RTL, which have to show.
#![cfg(feature = "cosim")]

use mkns::cosim::{ManagementReport, ManagementRun, Silent, management_model};
use mkns::rtl::render_management;

/// A link that seldom rests and a busy host; floods beside a calm host; calm links beside a busy host.
const RATES: [(u32, u32); 3] = [(50, 100), (1000, 5), (3, 300)];

fn reports(sources: &[(String, String)], messages: u64, seed: u64) -> Vec<ManagementReport> {
    let library = management_model(sources, 60 * messages, &Silent);
    let library = library.expect("Verilator is set up");
    let runs = RATES.map(|rates| ManagementRun {
        messages,
        rates,
        seed,
    });
    let reports = runs.iter().map(|run| run.run(&library));
    reports.map(|report| report.expect("it runs")).collect()
}

fn is_as_the_golden_model(messages: u64) {
    for report in reports(&render_management(), messages, 3) {
        assert_eq!(report.difference, None, "{report:?}");
        let all = report
            .sent
            .iter()
            .chain([0, 2, 4, 5, 8].map(|at| &report.statuses[at]));
        assert!(report.notices > 2, "{report:?}");
        for count in all {
            assert!(*count > messages / 1_000, "{report:?}");
        }
        assert!(
            report.resets > 1 && report.accesses > messages / 10,
            "{report:?}"
        );
    }
}

#[test]
fn every_output_of_a_management_unit_is_that_of_the_golden_model() {
    is_as_the_golden_model(10_000);
}

#[test]
#[ignore = "some minutes: make test-long"]
fn a_million_messages_through_a_management_unit() {
    is_as_the_golden_model(1_000_000);
}

/// `good` in a file of the unit becomes `bad`, and lockstep finds it.
fn is_found(file: &str, good: &str, bad: &str) {
    let mut sources = render_management();
    let source = sources.iter_mut().find(|(name, _)| name == file);
    let (_, text) = source.expect("the unit has the file");
    assert_eq!(text.matches(good).count(), 1, "{file}: {good}");
    *text = text.replace(good, bad);
    let reports = reports(&sources, 10_000, 4);
    let mut differences = reports.iter().map(|report| &report.difference);
    assert!(differences.all(Option::is_some), "{reports:?}");
}

#[test]
fn lockstep_finds_a_key_that_nobody_looks_at() {
    let good = "key_good <= key_equal & (~at[0] | key_good);";
    is_found("management_message.v", good, "key_good <= 1'b1;");
}

#[test]
fn lockstep_finds_a_return_path_that_is_off_by_one_port() {
    let good = "is_last ? status[3:0] : place;";
    is_found(
        "management_words.v",
        good,
        "is_last ? status[3:0] : place + 4'd1;",
    );
}

#[test]
fn lockstep_finds_a_repeated_write_that_is_carried_out_twice() {
    let good = "writes & (~key_good | old | repeated)";
    is_found("management_unit.v", good, "writes & (~key_good | old)");
}

#[test]
fn lockstep_finds_a_notice_that_is_not_repeated() {
    let good = "told <= leaves | (told & ~acknowledge & ~&pause);";
    let bad = "told <= leaves | (told & ~acknowledge);";
    is_found("management_notice.v", good, bad);
}

#[test]
fn lockstep_finds_a_link_that_comes_up_unnoticed() {
    let good = "(armed & (link_up & LINKS) != link_up_seen)";
    let bad = "(armed & (~link_up & link_up_seen) != {PORTS{1'b0}})";
    is_found("management_notice.v", good, bad);
}

#[test]
fn lockstep_finds_a_unit_that_does_not_wait_for_the_pins() {
    let good = "owner <= rests;\n                        asking <= rests;";
    let bad = "owner <= 1'b1;\n                        asking <= 1'b1;";
    is_found("management_unit.v", good, bad);
}
