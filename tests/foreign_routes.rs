//! Tables from another program (`--routes`): every verb refuses those that lose packets or can deadlock, and none holds
//! good ones to the claims of an engine that did not make them.

use std::path::{Path, PathBuf};
use std::process::Command;

use mkns::design::{ComputedRoutes, Plan};
use mkns::routing::{self, AddressLayout, Routing, file};
use mkns::simulation::work::{Work, WorkError};
use mkns::topology::{self, Faults};
use mkns::workload::Collective;
use mkns::{design, spec};

const SPEC: &str = "MKNS(2,4,2,1)";

/// Exit code, standard output and standard error.
fn mkns(words: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(words)
        .output();
    let run = run.expect("mkns runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (run.status.code(), text(run.stdout), text(run.stderr))
}

fn routes_of(notation: &str) -> String {
    let spec = spec::parse(notation).expect("a valid spec");
    let network = topology::build(&spec);
    let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
    file::dump(&network, &routing.layout, &routing.tables)
}

/// The tables of [`SPEC`] with other ports in table x of some blocks: block, coordinate, port.
fn altered(entries: &[(u32, u32, u32)]) -> String {
    let mut text = routes_of(SPEC);
    for (block, x, port) in entries {
        let head = format!("ab_{block}_0_0_0,x,{x},");
        let at = text.find(&head).expect("the entry is there") + head.len();
        let end = at + text[at..].find(',').expect("a port");
        text.replace_range(at..end, &port.to_string());
    }
    text
}

/// Port 5 has no cable.
fn dead_end() -> String {
    altered(&[(0, 1, 5)])
}

/// Packets for first coordinate 1 go round blocks 0, 2 and 3.
fn ring() -> String {
    altered(&[(0, 1, 1), (2, 1, 2), (3, 1, 0)])
}

/// From block 0 to first coordinate 1 over block 2: all arrive, one cable later than by the engine's tables.
fn detour() -> String {
    altered(&[(0, 1, 1)])
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

#[test]
fn reports_2_every_verb_refuses_tables_that_lose_packets() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = folder.path().join("out");
    let output = output.to_str().expect("text");
    let verbs: &[&[&str]] = &[
        &["generate", SPEC, "-o", output],
        &["info", SPEC],
        &["sim", SPEC, "--load", "0.1", "--cycles", "500"],
        &["plot", SPEC, "--kind", "latency"],
        &["compare", SPEC, "--simulate"],
        &["workload", SPEC, "--job", "all-to-all:64"],
        &["cosim", SPEC, "--cycles", "100"],
        &["reroute", SPEC],
        &["manage", SPEC, "--once", "--mmap", "/dev/null"],
    ];
    for (name, text, what) in [
        (
            "dead.csv",
            dead_end(),
            "port index 5, where no cable is plugged in",
        ),
        (
            "ring.csv",
            ring(),
            "ab_0_0_0_0 to ab_1_0_0_0: the packet does not arrive",
        ),
    ] {
        let path = written(folder.path(), name, &text);
        let path = path.to_str().expect("text");
        for verb in verbs {
            let (code, out, error) = mkns(&[*verb, &["--routes", path]].concat());
            assert_eq!(code, Some(4), "{verb:?} {name}: {out}{error}");
            assert!(
                error.contains("E0405") && error.contains(what),
                "{verb:?}: {error}"
            );
            assert_eq!(out, "", "{verb:?}");
        }
        assert!(!Path::new(output).exists());
        let (code, out, _) = mkns(&["check", SPEC, "--routes", path]);
        assert_eq!(code, Some(4), "{out}");
    }
}

#[test]
fn reports_2_tables_without_entries_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = routes_of(SPEC).lines().next().expect("a header").to_owned() + "\n";
    for text in ["", &header] {
        let path = written(folder.path(), "empty.csv", text);
        for verb in ["check", "info", "sim"] {
            let (code, _, error) = mkns(&[verb, SPEC, "--routes", path.to_str().expect("text")]);
            assert_eq!(code, Some(2), "{verb}: {error}");
            assert!(
                error.contains("E0402") && error.contains("has no entries"),
                "{error}"
            );
        }
    }
}

/// Nine blocks in a ring without the steps at its dateline.
#[test]
fn numbers_a12_tables_that_can_deadlock_are_refused_with_their_circle() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = routes_of("torus(9,1)");
    let lines = lines.lines().filter(|line| !line.contains(",step,"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let path = written(folder.path(), "ring.csv", &text);
    let path = path.to_str().expect("text");
    let (code, _, error) = mkns(&["sim", "torus(9,1)", "--cycles", "500", "--routes", path]);
    assert_eq!(code, Some(4), "{error}");
    assert!(
        error.contains("packets can wait in a circle: ab_"),
        "{error}"
    );
    let (code, out, _) = mkns(&["check", "torus(9,1)", "--routes", path]);
    assert_eq!(code, Some(4));
    assert!(!out.contains("no cycle"), "numbers_b10: {out}");
}

#[test]
fn reports_3_good_tables_are_not_held_to_what_an_engine_claims() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = written(folder.path(), "detour.csv", &detour());
    let path = path.to_str().expect("text");
    let (code, out, _) = mkns(&["check", SPEC, "--routes", path]);
    assert_eq!(code, Some(0), "{out}");
    for check in ["minimal", "arithmetic"] {
        let line = out
            .lines()
            .find(|line| line.contains(check))
            .expect("a line");
        let skipped = format!("skipped  the table is from {path}");
        assert!(line.contains(&skipped), "numbers_b2: {line}");
    }
    let (code, out, _) = mkns(&["info", SPEC, "--routes", path]);
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains(&format!("routing: tables from {path}")),
        "{out}"
    );
    assert!(
        !out.contains("survives") && !out.contains("dimension_order"),
        "{out}"
    );
}

/// A network whose tables are those of a text.
fn plan_of(text: &str) -> Plan {
    let spec = spec::parse(SPEC).expect("a valid spec");
    let network = topology::build(&spec);
    let layout = AddressLayout::of(&spec);
    let tables = file::load("routes.csv", text, &network, &layout).expect("tables");
    let routing = Routing {
        layout,
        tables,
        paths: None,
        from_file: Some("folder/routes.csv".to_owned()),
    };
    Plan::new(&spec, network, routing)
}

/// What judges RTL looks routes up in the file, not in the arithmetic of an engine.
#[test]
fn reports_3_the_judge_takes_the_routes_of_the_file() {
    let [engine, file] = [
        design::build(&spec::parse(SPEC).expect("valid")).expect("a plan"),
        plan_of(&detour()),
    ];
    assert_eq!(file.routes_from.as_deref(), Some("routes.csv"));
    let port = |plan: &Plan, block: &str, to: &str| {
        let block_named = |name| plan.network.block_named(name).expect("a block");
        let address = plan.instances[block_named(to).0 as usize].node_address;
        let routes = ComputedRoutes::of_block(plan, block_named(block)).expect("routes");
        routes.entry(address, 0).port
    };
    assert_eq!(port(&engine, "ab_0_0_0_0", "ab_1_0_0_0"), 0);
    assert_eq!(port(&file, "ab_0_0_0_0", "ab_1_0_0_0"), 1);
    for block in ["ab_3_2_0_0", "kb_y1"] {
        let ports = [&engine, &file].map(|plan| port(plan, block, "ab_2_3_0_0"));
        assert_eq!(ports[0], ports[1], "{block}");
    }
}

/// Nothing but a check of the tables stands between a lost packet and a run without an end.
#[test]
fn reports_2_work_whose_messages_never_arrive_ends() {
    for (text, drops) in [(dead_end(), true), (ring(), false)] {
        let plan = plan_of(&text);
        let schedule = Collective::AllToAll.schedule(32, 64);
        let hosts: Vec<u32> = (0..32).collect();
        let work = Work {
            plan: &plan,
            schedule: &schedule,
            hosts: &hosts,
            packet_flits: 9,
            clock_mhz: None,
            parts: 1,
        };
        let error = work.run(&|_| {}).expect_err("messages are lost");
        let WorkError::Standstill {
            from, to, dropped, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!(dropped > 0, drops, "{error}");
        assert!(to / 2 % 4 == 1, "{from} to {to}: {error}");
    }
}
