//! A network of boards with serial cables between them: bit errors cost nothing but time, what moved plugs cost is
//! accounted for packet by packet, and faults in the RTL of boards show.
#![cfg(feature = "cosim")]

use crate::common::lockstep::run_networks;
use crate::common::rtl_designs::quick_models;
use crate::common::waveform;
use mkns::cosim::{
    self, Backend, CableFaultPlan, CaseFile, Failure, FailureKind, FaultPlan, NetworkSummary,
    Recording, Request, SessionError, Silent, Subject, Swapped, Unplugged, shrink_network,
    with_board_tops,
};
use mkns::design::{self, Plan};
use mkns::rtl::render_network;
use mkns::topology::Part;
use mkns::traffic::Pattern;

/// Dimension 1 on boards' backplanes, dimension 2 on cables.
fn plan() -> Plan {
    let settings = ["link.dimensions=[2]", "link.flight_words=20"].map(str::to_owned);
    let spec = mkns::spec::parse_with("MKNS(2,3x3,2,1)", &settings).expect("a valid spec");
    design::build(&spec).expect("the network can be built")
}

/// A serial cable by the block of its first end.
fn cable(plan: &Plan, block: &str) -> u32 {
    let faults = mkns::topology::Faults::named(&plan.network, [format!("{block}/7").as_str()]);
    match faults.expect("the cable is there").parts().next() {
        Some(Part::Cable(number)) => number,
        other => panic!("{other:?} is no cable"),
    }
}

fn run(
    plan: &Plan,
    sources: &[(String, String)],
    cycles: u64,
    cables: CableFaultPlan,
) -> Result<NetworkSummary, SessionError> {
    let models = quick_models(&with_board_tops(plan, sources));
    let summaries = run_networks(Subject::Network(plan), &models, &request(cycles, cables))?;
    Ok(summaries.into_iter().next().expect("one kind of traffic"))
}

fn request(cycles: u64, cables: CableFaultPlan) -> Request {
    Request {
        spec: "test".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 200,
        cycles,
        seed: 3,
        fault_plan: FaultPlan::default(),
        cables,
        threads: 2,
        trace: None,
    }
}

fn rtl(plan: &Plan) -> Vec<(String, String)> {
    render_network(plan).expect("the network can be built")
}

/// `good` in a file becomes `bad`.
fn planted(plan: &Plan, file: &str, good: &str, bad: &str) -> Vec<(String, String)> {
    let mut sources = rtl(plan);
    let source = sources.iter_mut().find(|(name, _)| name == file);
    let (_, text) = source.expect("the network has the file");
    assert_eq!(text.matches(good).count(), 1, "{file}: {good}");
    *text = text.replace(good, bad);
    sources
}

/// Two plugs are pulled and put in again, two others end in each other's sockets.
fn moved_plugs(plan: &Plan) -> CableFaultPlan {
    let unplugged = |block, from| Unplugged {
        cable: cable(plan, block),
        from,
        to: Some(13_000),
    };
    CableFaultPlan {
        bit_error_rate: 1e-5,
        unplugged: vec![unplugged("ab_0_0_0_0", 500), unplugged("ab_1_1_0_0", 1_000)],
        swapped: vec![Swapped {
            cables: ["ab_2_0_0_0", "ab_2_1_0_0"].map(|block| cable(plan, block)),
            from: 1_500,
            to: 12_000,
        }],
    }
}

#[test]
fn bit_errors_cost_no_packet() {
    let plan = plan();
    let errors = CableFaultPlan {
        bit_error_rate: 1e-4,
        ..CableFaultPlan::default()
    };
    let summary = run(&plan, &rtl(&plan), 6_000, errors).expect("no difference");
    let serial = summary.serial.expect("there are serial cables");
    assert_eq!(summary.totals.packets_sent, summary.totals.packets_received);
    assert!(summary.totals.packets_received > 2_000);
    assert_eq!((serial.cables, serial.deaths, serial.lost_flits), (9, 0, 0));
    assert!(serial.crc_errors > 100 && serial.replays > 50, "{serial:?}");
    assert!(serial.down.is_empty());
}

#[test]
fn packets_that_moved_plugs_cost_are_accounted_for() {
    let plan = plan();
    let summary = run(&plan, &rtl(&plan), 16_000, moved_plugs(&plan)).expect("no difference");
    let serial = summary.serial.expect("there are serial cables");
    // Of the two cables that came back, and of the two that did not.
    assert_eq!(serial.deaths, 8);
    assert!(
        serial.packets_cut > 0 && serial.lost_flits > 0,
        "{serial:?}"
    );
    let down: Vec<_> = serial
        .down
        .iter()
        .map(|down| (down.end.as_str(), down.reason))
        .collect();
    let expected = [
        "ab_2_0_0_0 port 7",
        "kb_y2 port 0",
        "ab_2_1_0_0 port 7",
        "kb_y2 port 1",
    ];
    assert_eq!(down, expected.map(|end| (end, "wrong peer")));
    let first = &serial.down[0];
    assert_eq!(first.joined_to.as_deref(), Some("kb_y2 port 1"));
    assert_eq!(first.planned, "kb_y2 port 0");
    let fault_report = summary.fault_report.expect("plugs were moved");
    let totals = summary.totals;
    assert!(fault_report.packets_lost >= serial.packets_cut);
    assert_eq!(
        totals.packets_sent,
        totals.packets_received + fault_report.packets_lost + fault_report.packets_bad
    );
}

/// Sessions of two links have equal numbers after power-up: a plug has to be out until both ends have forgotten the old one
/// (7.6), as `--swap` demands. One that comes sooner brings words of another link that pass for the old one's.
#[test]
fn plugs_that_move_stay_out_until_links_forget() {
    let plan = plan();
    let swapped = |cycles| CableFaultPlan {
        swapped: vec![Swapped {
            cables: ["ab_2_0_0_0", "ab_2_1_0_0"].map(|block| cable(&plan, block)),
            from: 500,
            to: 500 + cycles,
        }],
        ..CableFaultPlan::default()
    };
    let (ticks, cycles_of_a_tick) = (128 + 1, 64);
    assert!(Swapped::LEAST_CYCLES > ticks * cycles_of_a_tick);
    let sources = rtl(&plan);
    let summary = run(&plan, &sources, 12_000, swapped(Swapped::LEAST_CYCLES));
    let serial = summary
        .expect("no difference")
        .serial
        .expect("serial cables");
    assert_eq!((serial.deaths, serial.down.len()), (4, 4));
    assert!(
        serial.down.iter().all(|down| down.reason == "wrong peer"),
        "{:?}",
        serial.down
    );
    let serial = run(&plan, &sources, 2_000, swapped(64)).map(|summary| summary.serial);
    let serial = serial.expect("no difference").expect("serial cables");
    assert!(
        serial.down.len() < 4,
        "a link to the wrong block is up: {serial:?}"
    );
}

#[test]
fn faults_in_boards_show() {
    let plan = plan();
    // Who is at the other end does not count; the window hands on what the block reads; a port of a board gets the
    // credits of the wrong side.
    let faults = [
        (
            "link_session.v",
            "(is_block | is_port) ? expected_peer[24]",
            "(is_block | is_port) ? 1'b0",
        ),
        (
            "link_window.v",
            "s_axil_rdata   = read_answer ? word",
            "s_axil_rdata   = ~read_answer ? word",
        ),
        (
            "mkns_2_3_2_1_adapter_board.v",
            ".rx_credit(block_tx[",
            ".rx_credit(block_rx[",
        ),
    ];
    for (file, good, bad) in faults {
        let sources = planted(&plan, file, good, bad);
        match run(&plan, &sources, 14_000, moved_plugs(&plan)) {
            Err(SessionError::Failed(failure)) => {
                assert_eq!(failure.kind, FailureKind::Divergence, "{file}: {failure}");
            }
            other => panic!("{file}: the fault is not found: {other:?}"),
        }
    }
}

fn failure_of<T: std::fmt::Debug>(ended: Result<T, SessionError>) -> Box<Failure> {
    match ended {
        Err(SessionError::Failed(failure)) => failure,
        other => panic!("the fault is not found: {other:?}"),
    }
}

/// A receiver that does not ask again for blocks with errors: a waveform shows the lines and what the block is given, and
/// the least case needs the errors of the line.
#[test]
fn a_failure_behind_a_line_is_traced_shrunk_and_repeated() {
    let plan = plan();
    let models = |sources: &[(String, String)]| quick_models(&with_board_tops(&plan, sources));
    let (good, bad) = (
        "(had_pending ? ~block & ~(good & of_message) :",
        "(had_pending ? 1'b0 :",
    );
    let faulty = models(&planted(&plan, "link_receiver.v", good, bad));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("line.fst");
    let errors = CableFaultPlan {
        bit_error_rate: 1e-4,
        ..CableFaultPlan::default()
    };
    let request = Request {
        trace: Some(Recording::to(&path)),
        ..request(2_000, errors.clone())
    };
    let failure = failure_of(run_networks(Subject::Network(&plan), &faulty, &request));
    assert!(failure.unwritten.is_empty(), "{:?}", failure.unwritten);
    waveform::shows(&path, &failure);
    let case = shrink_network(&plan, &faulty, &request, &failure, &Silent).expect("models run");
    let case = case.expect("it fails again");
    assert_eq!(case.cables, errors);
    let saved = CaseFile::read("case.toml", &case.text("a title")).expect("a file as written");
    assert_eq!(saved, case);
    saved
        .fits("case.toml", &plan)
        .expect("a case of this network");
    let again = failure_of(cosim::run(
        Subject::Case(&plan, &saved),
        Backend::Verilator(&faulty),
        &request,
        &Silent,
    ));
    assert_eq!(again.signal, failure.signal);
    cosim::run(
        Subject::Case(&plan, &saved),
        Backend::Verilator(&models(&rtl(&plan))),
        &request,
        &Silent,
    )
    .expect("no difference");
    let elsewhere = CaseFile {
        cables: CableFaultPlan {
            unplugged: vec![Unplugged {
                cable: 0,
                from: 1,
                to: None,
            }],
            ..errors
        },
        ..saved
    };
    let refusal = elsewhere
        .fits("case.toml", &plan)
        .expect_err("dimension 1 is parallel");
    assert!(
        refusal[0].fact.contains("cable 0 is not a serial cable"),
        "{refusal:?}"
    );
}
