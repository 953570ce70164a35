//! Modules that hold many blocks, each as one model: the generated network top and the switch
//! assembly against golden blocks, and faults in the text of the top, which only this can find.
#![cfg(feature = "cosim")]

use crate::common::lockstep::{run_blocks, run_networks};
use crate::common::rtl_designs::{build, quick_models};
use crate::common::specs;
use crate::common::waveform;
use mkns::cosim::{Failure, FailureKind, FaultPlan, Recording, Request, SessionError, Subject};
use mkns::design::Plan;
use mkns::rtl::{render_network, top_name};
use mkns::spec::Join;
use mkns::traffic::Pattern;

fn request(traffic: Pattern, cycles: u64) -> Request {
    Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "test".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![traffic],
        load: 300,
        cycles,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    }
}

fn show(error: SessionError) -> String {
    match error {
        SessionError::Failed(failure) => failure.to_string(),
        SessionError::Simulator(error) => error.to_string(),
    }
}

/// Four adapter blocks with four ports, joined in pairs by cables and by two switch blocks.
fn small() -> Plan {
    build(&specs::mkns_with_ports(4, 1, &[2, 2], &[Join::SwitchBlock]))
}

fn sources(plan: &Plan) -> Vec<(String, String)> {
    render_network(plan).expect("the network has a name")
}

#[test]
fn a_generated_top_equals_the_golden_network() {
    let plan = small();
    let models = quick_models(&sources(&plan));
    let request = request(Pattern::Uniform, 2_000);
    let summaries = run_networks(Subject::SingleModel(&plan), &models, &request)
        .unwrap_or_else(|error| panic!("{}", show(error)));
    let totals = summaries[0].totals;
    assert_eq!(totals.packets_sent, totals.packets_received);
    assert!(
        totals.packets_sent > 100 && totals.flows == 12,
        "{totals:?}"
    );
}

/// The top's `cable_up` and control ports, which nothing else moves.
#[test]
fn a_top_under_faults_equals_the_golden_network() {
    let plan = small();
    let models = quick_models(&sources(&plan));
    let request = Request {
        fault_plan: FaultPlan {
            link_faults: true,
            control_traffic: true,
        },
        ..request(Pattern::Uniform, 10_000)
    };
    let summaries = run_networks(Subject::SingleModel(&plan), &models, &request)
        .unwrap_or_else(|error| panic!("{}", show(error)));
    let fault_report = summaries[0].fault_report.expect("faults were injected");
    assert!(fault_report.cable_failures > 3, "{fault_report:?}");
    assert!(fault_report.control_operations > 100, "{fault_report:?}");
}

#[test]
fn a_switch_assembly_equals_six_golden_blocks() {
    assembly_is_equal(&with_assembly());
}

/// Its tables are initial values.
#[test]
fn a_switch_assembly_without_control_ports_equals_six_golden_blocks() {
    let mut spec = with_assembly().spec;
    spec.block.control_port = false;
    assembly_is_equal(&build(&spec));
}

fn assembly_is_equal(plan: &Plan) {
    let models = quick_models(&sources(plan));
    let request = Request {
        traffic: Pattern::LOCKSTEP.to_vec(),
        ..request(Pattern::Uniform, 10_000)
    };
    let summaries = run_blocks(Subject::Assemblies(plan), &models, &request)
        .unwrap_or_else(|error| panic!("{}", show(error)));
    assert_eq!(summaries.len(), Pattern::LOCKSTEP.len());
    for summary in summaries {
        assert!(
            summary.cycles >= 10_000 && summary.packets > 100,
            "{summary:?}"
        );
    }
}

/// Two lines of seven adapter blocks, each on an assembly of blocks with four ports and two channels: on one
/// channel a hot spot leaves little that moves.
fn with_assembly() -> Plan {
    let joins = [Join::SwitchAssembly];
    let mut spec = specs::mkns_with_ports(4, 1, &[2, 7], &joins);
    spec.block.virtual_channels = 2;
    build(&spec)
}

/// Exchanges two pieces of the text that follows the cables' declarations; each has to be there.
fn exchange(text: &str, heading: &str, first: &str, second: &str) -> String {
    let blocks = text.find(heading).expect("a heading");
    let (cables, blocks) = text.split_at(blocks);
    for piece in [first, second] {
        assert!(blocks.contains(piece), "no block contains `{piece}`");
    }
    let changed = blocks
        .replace(first, "\0")
        .replace(second, first)
        .replace('\0', second);
    format!("{cables}{changed}")
}

/// A mesh of three adapter blocks: little to compile.
fn triangle() -> Plan {
    build(&specs::mkns_with_ports(5, 1, &[3], &[]))
}

fn run_with_exchange(first: &str, second: &str, trace: Option<Recording>) -> Box<Failure> {
    let plan = triangle();
    let mut sources = sources(&plan);
    let file = format!("{}.v", top_name(&plan));
    let top = sources.iter_mut().find(|(name, _)| *name == file);
    let (_, text) = top.expect("the top is a file");
    *text = exchange(text, "// ---- Adapter blocks", first, second);
    let models = quick_models(&sources);
    let request = Request {
        trace,
        ..request(Pattern::Uniform, 1_000)
    };
    match run_networks(Subject::SingleModel(&plan), &models, &request) {
        Err(SessionError::Failed(failure)) => failure,
        Err(error) => panic!("{}", show(error)),
        Ok(_) => panic!("`{first}` instead of `{second}` is not found"),
    }
}

/// What is wrong in the text of the top shows at its PCIe side, and the failure says how to see it again.
fn shows_at_a_host(failure: &Failure) {
    assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
    assert!(failure.signal.contains("_pcie_"), "{failure}");
    assert!(failure.note.starts_with("host port of host"), "{failure}");
    assert!(failure.replay.contains("--flat"), "{failure}");
}

#[test]
fn exchanged_tables_and_addresses_in_the_top_are_found() {
    let faults = [
        (".TABLE0_INIT(TABLE_AB_X_0)", ".TABLE0_INIT(TABLE_AB_X_1)"),
        (".NODE_ADDRESS(20'h00001)", ".NODE_ADDRESS(20'h00002)"),
    ];
    for (first, second) in faults {
        shows_at_a_host(&run_with_exchange(first, second, None));
    }
}

#[test]
#[ignore = "takes most of a minute: make test-long"]
fn exchanged_cables_in_the_top_are_found_and_leave_a_waveform() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("top.fst");
    let trace = Some(Recording::to(path.clone()));
    let failure = run_with_exchange("cable_0_a", "cable_1_a", trace);
    shows_at_a_host(&failure);
    waveform::ends_at(&path, &failure);
}

#[test]
#[ignore = "takes most of a minute: make test-long"]
fn swapped_cables_in_an_assembly_are_found() {
    let plan = with_assembly();
    let mut sources = sources(&plan);
    let assembly = sources
        .iter_mut()
        .find(|(name, _)| name.ends_with("_switch_assembly.v"));
    let (_, text) = assembly.expect("the assembly is a file");
    *text = exchange(text, "    // leaf 0", "inner_0_a", "inner_1_a");
    let models = quick_models(&sources);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("assembly.fst");
    let request = Request {
        trace: Some(Recording::to(path.clone())),
        ..request(Pattern::Uniform, 5_000)
    };
    match run_blocks(Subject::Assemblies(&plan), &models, &request) {
        Err(SessionError::Failed(failure)) => {
            waveform::ends_at(&path, &failure);
            assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
            assert!(failure.block.contains("leaf"), "{failure}");
            assert!(failure.replay.contains("--block assembly"), "{failure}");
        }
        Err(error) => panic!("{}", show(error)),
        Ok(_) => panic!("the swapped cables are not found"),
    }
}

/// Two adapter blocks joined by a serial cable.
fn serial_pair() -> Plan {
    let mut spec = specs::mkns_with_ports(4, 1, &[2], &[]);
    spec.link = Some(mkns::spec::SerialLink::default());
    build(&spec)
}

/// Hosts wait for the links, in the top and in the golden boards.
#[test]
fn users_2_a_top_with_serial_cables_equals_golden_boards() {
    let plan = serial_pair();
    let models = quick_models(&sources(&plan));
    let request = request(Pattern::Uniform, 3_000);
    let summaries = run_networks(Subject::SingleModel(&plan), &models, &request)
        .unwrap_or_else(|error| panic!("{}", show(error)));
    let totals = summaries[0].totals;
    assert_eq!(totals.packets_sent, totals.packets_received);
    assert!(totals.packets_sent > 50, "{totals:?}");
    let serial = summaries[0].serial.as_ref().expect("serial cables");
    assert_eq!((serial.cables, serial.deaths), (1, 0));
}

/// Only the top says who is expected at the other end of a cable, and how long its flight is.
#[test]
fn users_2_a_fault_in_the_text_of_a_serial_top_is_found() {
    let plan = serial_pair();
    let mut sources = sources(&plan);
    let file = format!("{}.v", top_name(&plan));
    let (_, text) = sources
        .iter_mut()
        .find(|(name, _)| *name == file)
        .expect("the top is a file");
    assert_eq!(text.matches(".FLIGHT(40)").count(), 1, "{text}");
    *text = text.replace(".FLIGHT(40)", ".FLIGHT(39)");
    let request = request(Pattern::Uniform, 1_000);
    match run_networks(
        Subject::SingleModel(&plan),
        &quick_models(&sources),
        &request,
    ) {
        Err(SessionError::Failed(failure)) => shows_at_a_host(&failure),
        Err(error) => panic!("{}", show(error)),
        Ok(_) => panic!("the shorter cable is not found"),
    }
}
