//! Failures of planted faults reduced to a few packets, saved, and run again with and without the fault;
//! and the saved cases of the project, which have to pass.
#![cfg(feature = "cosim")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::faulty::{small_plan, stuck_bit};
use crate::common::lockstep::{run_blocks, run_networks};
use crate::common::rtl_designs::quick_models;
use mkns::cosim::{
    self, Backend, CaseFile, Checked, Failure, FailureKind, FaultPlan, Models, Request,
    SessionError, Silent, Subject, shrink_block, shrink_network,
};
use mkns::design::{ModuleKind, Plan};
use mkns::diag::Code;
use mkns::rtl::render_sources;
use mkns::traffic::Pattern;

fn request() -> Request {
    Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "small".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles: 2_000,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    }
}

fn failure_of<T: std::fmt::Debug>(ended: Result<T, SessionError>) -> Box<Failure> {
    match ended {
        Err(SessionError::Failed(failure)) => failure,
        other => panic!("the fault is not found: {other:?}"),
    }
}

/// As it comes back from its file.
fn saved(case: &CaseFile) -> CaseFile {
    let read = CaseFile::read("case.toml", &case.text("a title")).expect("a file as written");
    assert_eq!(read, *case);
    read
}

fn run(plan: &Plan, models: &Models, case: &CaseFile) -> Result<Checked, SessionError> {
    case.fits("case.toml", plan)
        .expect("packets that hosts can send");
    cosim::run(
        Subject::Case(plan, case),
        Backend::Verilator(models),
        &request(),
        &Silent,
    )
}

#[test]
fn a_networks_failure_is_reduced_to_a_packet_that_shows_it_again() {
    let plan = small_plan();
    let faulty = quick_models(&stuck_bit(&plan));
    let failure = failure_of(run_networks(Subject::Network(&plan), &faulty, &request()));
    let case = shrink_network(&plan, &faulty, &request(), &failure, &Silent)
        .unwrap_or_else(|error| panic!("{error:?}"))
        .expect("the packets alone show it");
    // Any flit with that bit shows it: one packet, and nothing else of the run is needed.
    assert_eq!((case.packets.len(), case.cycles), (1, 1), "{case:?}");
    assert!(!case.pauses);

    let case = saved(&case);
    let first = failure_of(run(&plan, &faulty, &case));
    let second = failure_of(run(&plan, &faulty, &case));
    assert_eq!((first.kind, &first.signal), (failure.kind, &failure.signal));
    assert_eq!(first, second, "the same every time");

    let good = quick_models(&render_sources(&plan));
    match run(&plan, &good, &case) {
        Ok(Checked { networks, .. }) => assert_eq!(networks[0].totals.packets_received, 1),
        other => panic!("fails without the fault: {other:?}"),
    }
}

#[test]
fn a_lone_blocks_failure_is_reduced_to_one_port_that_sends_headers() {
    let plan = small_plan();
    let faulty = quick_models(&stuck_bit(&plan));
    let kind = ModuleKind::Switch;
    let failure = failure_of(run_blocks(
        Subject::Blocks(&plan, kind),
        &faulty,
        &request(),
    ));
    let case = shrink_block(&plan, &faulty, &request(), kind, &failure, &Silent)
        .unwrap_or_else(|error| panic!("{error:?}"))
        .expect("it was under traffic");
    let case = saved(&case);
    let less = &case.restrictions;
    assert!(less.no_control_traffic && less.no_link_faults && less.prompt_receivers);
    assert_eq!((less.silent_ports.len(), less.longest_packet), (3, Some(1)));
    assert!(case.cycles <= failure.cycle + 1, "{case:?}");
    let again = failure_of(run(&plan, &faulty, &case));
    assert_eq!(again.kind, FailureKind::Divergence);
    assert_eq!(
        (again.cycle + 1, &again.signal),
        (case.cycles, &failure.signal)
    );

    let good = quick_models(&render_sources(&plan));
    let passed = run(&plan, &good, &case);
    assert!(
        matches!(&passed, Ok(Checked { blocks, .. }) if !blocks.is_empty()),
        "{passed:?}"
    );
}

/// Whatever is saved under tests/regressions/cases was found once, and must not come back.
#[test]
fn the_projects_own_cases_pass() {
    let folder = Path::new("tests/regressions/cases");
    let files = fs::read_dir(folder).expect("the folder exists");
    let files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    assert!(!files.is_empty());
    for file in files {
        let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["cosim", "--case"])
            .arg(&file)
            .output()
            .expect("mkns starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}\n{said}", file.display());
    }
}

/// A file that is none, packets that no host can send: one diagnostic, nothing is run.
#[test]
fn what_is_wrong_with_a_case_is_said() {
    let plan = small_plan();
    let good = "spec = \"small\"\ntraffic = \"uniform\"\ncycles = 5\nseed = 1\n\
                [[packet]]\ncycle = 0\nsource = 1\ndestination = 3\nlength = 8\nlayer = 0\n";
    let case = CaseFile::read("case.toml", good).expect("a case");
    case.fits("case.toml", &plan)
        .expect("packets that hosts can send");
    for (change, to, fact) in [
        ("seed = 1", "sed = 1", "unknown field `sed`"),
        ("\"uniform\"", "\"unifrom\"", "unknown variant `unifrom`"),
        ("source = 1", "source = 99", "packet 1: `source` is 99"),
        (
            "destination = 3",
            "destination = 12",
            "`destination` is 12, but it must be 0 to 11",
        ),
        (
            "length = 8",
            "length = 65",
            "`length` is 65, but it must be 8 to 64",
        ),
        ("layer = 0", "layer = 3", "packet 1: `layer` is 3"),
    ] {
        assert!(good.contains(change));
        let text = good.replacen(change, to, 1);
        let found = CaseFile::read("case.toml", &text)
            .and_then(|case| case.fits("case.toml", &plan))
            .expect_err(to);
        assert!(found[0].fact.contains(fact), "{to}: {}", found[0].fact);
        assert_eq!(found[0].code, Code::NotCaseFile);
    }
}
