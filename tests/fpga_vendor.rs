//! Scripts for the programs of FPGA makers, executed by `tclsh` against stubs that record and check
//! every command, file, option and port; and `mkns fpga` where such a program is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::common::elaborated::Elaborated;
use mkns::fpga::{BOARDS, Board, Build, Flow, Project, SelfTest, Silent, ToolRunner};
use mkns::{design, rtl, spec};

const SPEC: &str = include_str!("../src/cli/fpga_default.toml");
const STUBS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vendor_stubs.tcl");

/// Boards with the flow of their maker.
fn boards_of_makers() -> impl Iterator<Item = Board> {
    let with_maker = |board: &Board| board.with_flow(board.other_flow.unwrap_or(board.flow));
    let boards = BOARDS.iter().filter_map(with_maker);
    boards.filter(|board| board.flow != Flow::Open)
}

/// Sources, constraints and script of a board in `folder`.
fn prepare(board: &Board, folder: &Path) {
    let spec = spec::parse_toml("default", SPEC).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let module = (plan.modules.iter())
        .find(|module| module.kind == design::ModuleKind::Switch)
        .expect("a switch block");
    let build = Build {
        project: Project::SelfTest(SelfTest {
            module,
            parameters: &rtl::block_parameters(module),
            sources: &rtl::render_sources(&plan),
        }),
        board,
        seed: 1,
        banner: "a test",
    };
    let runner = ToolRunner {
        folder,
        limit: None,
        listener: &Silent,
    };
    build.prepare(&runner).expect("the folder can be written");
}

/// Ports of the board's top module as Yosys elaborates it, vectors bit by bit.
fn ports(board: &Board) -> Vec<String> {
    static TOPS: OnceLock<Elaborated> = OnceLock::new();
    let tops = TOPS.get_or_init(|| {
        let tops = BOARDS.iter().map(|board| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            prepare(board, folder.path());
            let name = format!("{}.v", board.top());
            let text = fs::read_to_string(folder.path().join("rtl").join(&name));
            (name, text.expect("the top module was written"))
        });
        Elaborated::of(&tops.collect::<Vec<_>>())
    });
    tops.ports(&board.top())
}

fn run_script(folder: &Path, slack: &str, ports: &[String]) -> Output {
    let mut command = Command::new("tclsh");
    command
        .arg(STUBS)
        .arg(slack)
        .args(ports)
        .current_dir(folder);
    command
        .output()
        .expect("tclsh runs: `make setup` installs it")
}

fn recorded(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("recorded.txt")).expect("commands were recorded");
    text.lines().map(str::to_owned).collect()
}

/// The recorded commands without constraints and sources, first word only.
fn steps(folder: &Path) -> Vec<String> {
    let left_out = [
        "read_verilog",
        "set_property",
        "create_clock",
        "set_false_path",
        "set_global_assignment",
        "set_location_assignment",
        "set_instance_assignment",
        "derive_clock_uncertainty",
        "add_file",
        "set_option",
        "prj_add_source",
        "ldc_set_location",
        "ldc_set_port",
    ];
    let lines = recorded(folder).into_iter();
    let words = lines.map(|line| line.split(' ').next().unwrap_or("").to_owned());
    words
        .filter(|word| !left_out.contains(&word.as_str()))
        .collect()
}

#[test]
fn scripts_run_from_sources_to_bitstream() {
    for board in boards_of_makers() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path();
        prepare(&board, folder);
        let output = run_script(folder, "0.25", &ports(&board));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {said}", board.name);
        let expected: &[&str] = match board.flow {
            Flow::Vivado => &[
                "read_xdc",
                "synth_design",
                "opt_design",
                "place_design",
                "phys_opt_design",
                "route_design",
                "report_utilization",
                "report_timing_summary",
                "report_clock_interaction",
                "report_drc",
                "report_cdc",
                "report_methodology",
                "report_bus_skew",
                "write_checkpoint",
                "write_bitstream",
                "exit",
            ],
            Flow::Quartus => &[
                "project_new",
                "exec",
                "export_assignments",
                "execute_flow",
                "load_report",
                "unload_report",
                "project_close",
                "exit",
            ],
            Flow::Gowin => &["set_device", "run", "exit"],
            Flow::Radiant => &[
                "prj_create",
                "prj_set_impl_opt",
                "prj_save",
                "prj_run",
                "prj_run",
                "prj_run",
                "prj_run",
                "prj_close",
                "exit",
            ],
            Flow::Open => unreachable!("no script"),
        };
        assert_eq!(steps(folder), expected, "{}", board.name);
        let lines = recorded(folder).join("\n");
        assert!(
            lines.contains(board.part),
            "{} names its device",
            board.name
        );
        for (name, _) in fs_sources(folder) {
            assert!(lines.contains(&name), "{}: {name} is not read", board.name);
        }
    }
}

/// Paths and texts of the generated Verilog.
fn fs_sources(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder.join("rtl")).expect("sources were written");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    paths
        .map(|path| {
            let name = path
                .file_name()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            (
                format!("rtl/{name}"),
                fs::read_to_string(&path).expect("readable"),
            )
        })
        .collect()
}

#[test]
fn scripts_fail_when_timing_is_not_met() {
    for board in boards_of_makers() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path();
        prepare(&board, folder);
        let output = run_script(folder, "-0.001", &ports(&board));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{}: {said}", board.name);
        assert!(said.contains("timing is not met"), "{}: {said}", board.name);
        let top = board.top();
        let bitstream = match board.flow {
            Flow::Open | Flow::Vivado => format!("{top}.bit"),
            Flow::Quartus => format!("output/{top}.sof"),
            Flow::Gowin => format!("impl/pnr/{top}.fs"),
            Flow::Radiant => format!("impl_1/{top}_impl_1.bit"),
        };
        assert!(!folder.join(bitstream).exists(), "{}", board.name);
    }
}

/// What slack does not tell: end points without a constraint, short pulses, Gray codes whose bits are too far apart.
#[test]
fn scripts_fail_on_what_slack_does_not_tell() {
    for (flow, found, said) in [
        (
            Flow::Vivado,
            "unconstrained",
            "unconstrained_internal_endpoints 12",
        ),
        (Flow::Vivado, "pulse", "timing is not met"),
        (Flow::Vivado, "skew", "too far apart"),
        (Flow::Quartus, "pulse", "timing is not met"),
    ] {
        for board in boards_of_makers().filter(|board| board.flow == flow) {
            let folder = tempfile::tempdir().expect("a temporary folder");
            prepare(&board, folder.path());
            let output = run_script(folder.path(), found, &ports(&board));
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{}, {found}: {text}",
                board.name
            );
            assert!(text.contains(said), "{}, {found}: {text}", board.name);
        }
    }
}

#[test]
fn quartus_may_call_its_panels_by_their_older_names() {
    let board = Board::named("de10_agilex").expect("a known board");
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(board, folder.path());
    let output = run_script(folder.path(), "timequest", &ports(board));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_stubs_see_missing_files_wrong_ports_and_missing_pins() {
    let board = Board::named("vcu118").expect("a known board");
    let broken = |edit: &dyn Fn(&Path, &mut Vec<String>)| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        prepare(board, folder.path());
        let mut ports = ports(board);
        edit(folder.path(), &mut ports);
        let output = run_script(folder.path(), "1", &ports);
        assert_ne!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = broken(&|folder, _| fs::remove_file(folder.join("rtl/selftest.v")).expect("there"));
    assert!(said.contains("there is no file rtl/selftest.v"), "{said}");
    let said = broken(&|_, ports| ports.retain(|port| port != "led[3]"));
    assert!(said.contains("no port led[3]"), "{said}");
    let said = broken(&|_, ports| ports.push("forgotten".to_owned()));
    assert!(
        said.contains("no constraint names port forgotten"),
        "{said}"
    );
}

#[test]
fn pins_of_lpf_and_cst_files_are_those_of_the_top() {
    for board in BOARDS.iter() {
        let Some((_, text)) = (board.constraints.iter())
            .find(|(name, _)| name.ends_with(".lpf") || name.ends_with(".cst"))
        else {
            continue;
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        prepare(board, folder.path());
        let located = |line: &&str| line.starts_with("LOCATE COMP") || line.starts_with("IO_LOC");
        let mut named: Vec<&str> = (text.lines().filter(located))
            .map(|line| line.split('"').nth(1).expect("a quoted name"))
            .collect();
        named.sort_unstable();
        let mut ports = ports(board);
        ports.sort_unstable();
        assert_eq!(named, ports, "{}", board.name);
    }
}

/// Every constraint file says where its pins come from.
#[test]
fn constraints_name_their_source() {
    for board in BOARDS.iter() {
        for (name, text) in board.constraints {
            let source = ["corundum/corundum", "litex", "emard/ulx3s"];
            let named = source.iter().any(|source| text.contains(source));
            assert!(named || name.ends_with(".sdc"), "{}: {name}", board.name);
        }
    }
}

fn mkns(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(arguments)
        .current_dir(folder)
        .env("PATH", "/usr/bin:/bin")
        .output()
        .expect("mkns runs")
}

#[test]
fn a_missing_program_is_named_with_the_command_to_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for board in boards_of_makers() {
        let maker = ["--flow", board.flow.name(), "-o", "out"];
        let arguments = ["fpga", "--board", board.name];
        let output = mkns(&[&arguments[..], &maker].concat(), folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{}: {said}", board.name);
        assert!(
            said.contains("E0701") && said.contains("build.tcl"),
            "{said}"
        );
        assert!(folder.path().join("out/build.tcl").is_file());
    }
}

#[test]
fn wrong_boards_and_flows_are_usage_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = mkns(&["fpga", "--board", "ulx4s"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("E0708"));
    let output = mkns(
        &["fpga", "--board", "ulx3s", "--flow", "vivado"],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("E0709"));
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn a_dry_run_writes_everything_and_runs_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = mkns(&["fpga", "--board", "ulx3s", "--dry-run"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("nextpnr-ecp5 --85k --package CABGA381 --speed 6"),
        "{said}"
    );
    let build = folder.path().join("rtl-out/selftest_ulx3s");
    assert!(build.join("board.lpf").is_file() && build.join("rtl/selftest.v").is_file());
    assert!(!build.join("netlist.json").exists());
}
