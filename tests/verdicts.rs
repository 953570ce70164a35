//! Verdicts can be trusted: nothing runs that could not be written down, a difference is never lost, a run
//! that shows nothing does not pass, and whoever ends mkns ends all of it.
#![cfg(feature = "cosim")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::stub_tools::StubTools;
use rustix::process::{Pid, Signal, kill_process};

const SPEC: &str = "tests/regressions/specs/small.toml";

fn mkns(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(arguments).output().expect("mkns starts")
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A path below a file is refused by every verb that writes, before it does anything.
#[test]
fn a_path_that_cannot_be_written_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    fs::write(&file, "precious").expect("a writable folder");
    let bad = file.join("x.svg").display().to_string();
    let directory = folder.path().display().to_string();
    let suite = "tests/regressions/mkns.toml";
    let network = "MKNS(2,4,2,1)";
    for (arguments, path) in [
        (vec!["cosim", SPEC, "--trace"], &bad),
        (vec!["cosim", SPEC, "--trace"], &directory),
        (vec!["cosim", SPEC, "--shrink"], &bad),
        (
            vec![
                "cosim",
                SPEC,
                "--block",
                "switch",
                "--simulator",
                "icarus",
                "--vectors",
            ],
            &bad,
        ),
        (vec!["regress", suite, "--junit"], &bad),
        (vec!["regress", suite, "--json"], &bad),
        (vec!["regress", suite, "--html"], &bad),
        (vec!["sim", network, "--links"], &bad),
        (vec!["sim", network, "--flows"], &bad),
        (vec!["plot", "--kind", "path-lengths", network, "-o"], &bad),
        (vec!["report", network, "-o"], &bad),
        (vec!["export", network, "--to", "json", "-o"], &bad),
        (vec!["generate", network, "-o"], &bad),
        (vec!["bench", SPEC, "--block", "switch", "--keep"], &bad),
        (vec!["fpga", "--board", "ulx3s", "--dry-run", "-o"], &bad),
        (vec!["fpga", "--wrapper", "xdma", "-o"], &bad),
    ] {
        let start = Instant::now();
        let output = mkns(&[arguments.as_slice(), &[path]].concat());
        let (stdout, stderr) = said(&output);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{arguments:?}: {stdout}{stderr}"
        );
        assert!(
            stderr.contains("E0110") && stderr.contains(path.as_str()),
            "{stderr}"
        );
        assert_eq!(stderr.matches("error").count(), 1, "{stderr}");
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{arguments:?} ran"
        );
    }
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "precious");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// What would be compared with nothing, or by nothing.
#[test]
fn a_run_that_shows_nothing_does_not_pass() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().join("r.toml");
    fs::write(&empty, "[suite]\nsmoke = []\n").expect("a writable folder");
    let empty = empty.to_str().expect("a plain path");
    let case = folder.path().join("case.toml");
    let text = "spec = \"MKNS(1,2,1,1)\"\ntraffic = \"uniform\"\ncycles = 50\nseed = 1\n";
    fs::write(&case, text).expect("a writable folder");
    let case = case.to_str().expect("a plain path");
    // What each must say, of which option where that is told.
    for (said_first, command) in [
        (
            "error: invalid value '0' for '--cycles <",
            "cosim SPEC --cycles 0",
        ),
        (
            "error: invalid value '0' for '--cycles <",
            "cosim SPEC --block switch --cycles 0",
        ),
        ("error[E0111]", "cosim SPEC --cycles 1"),
        ("error[E0111]", "cosim SPEC --block switch --cycles 2"),
        (
            "error: invalid value '0' for '--cycles <",
            "coverage SPEC --block switch --cycles 0",
        ),
        (
            "error: invalid value '0' for '--seeds <",
            "coverage SPEC --block switch --seeds 0",
        ),
        (
            "error: invalid value '0' for '--cycles <",
            "mutate SPEC --block switch --cycles 0",
        ),
        (
            "error: invalid value '0' for '--seeds <",
            "mutate SPEC --block switch --seeds 0",
        ),
        (
            "error: invalid value '0' for '--mutants <",
            "mutate SPEC --block switch --mutants 0",
        ),
        (
            "error: invalid value '0' for '--cycles <",
            "bench SPEC --cycles 0",
        ),
        ("error[E0111]", "bench SPEC --cycles 1 --rounds 1"),
        ("error[E0111]", "cosim --case CASE"),
        (
            "error: invalid value '0' for '--samples <",
            "verify-nonblocking hypercube(3) --samples 0",
        ),
        ("error[E0901]", "sim SPEC --cycles 0"),
        (
            "error[E0111]",
            "sim SPEC --load 0.0001 --cycles 1 --warmup 0",
        ),
        (
            "error[E0111]",
            "report SPEC --cycles 1 --warmup 0 --load 0.01",
        ),
        (
            "error[E0111]",
            "plot --kind link-loads SPEC --cycles 1 --warmup 0 --load 0.01",
        ),
        ("error[E0609]", "regress EMPTY"),
    ] {
        let arguments = command.split(' ').map(|word| match word {
            "SPEC" => SPEC,
            "EMPTY" => empty,
            "CASE" => case,
            word => word,
        });
        let output = mkns(&arguments.collect::<Vec<_>>());
        let (stdout, stderr) = said(&output);
        assert_eq!(output.status.code(), Some(2), "{command}: {stdout}{stderr}");
        assert!(stderr.contains(said_first), "{command}: {stderr}");
        assert_eq!(stderr.matches("error").count(), 1, "{stderr}");
    }
}

/// A simulation says its result, though its details cannot be written.
#[test]
fn a_result_stands_without_its_details() {
    let cycles = ["--cycles", "500", "--warmup", "0"];
    let output = mkns(&[&["sim", SPEC, "--links", "/dev/full"], &cycles[..]].concat());
    let (stdout, stderr) = said(&output);
    assert_eq!(output.status.code(), Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("offered  accepted"), "{stdout}");
    assert!(stderr.contains("E0102"), "{stderr}");
}

const LOCKSTEP: [&str; 8] = [
    "cosim",
    SPEC,
    "--block",
    "switch",
    "--traffic",
    "uniform",
    "--cycles",
    "2000",
];

/// The disk goes away under the waveform, the small case and the report: the difference stays.
#[test]
fn a_difference_stays_one_whatever_cannot_be_written() {
    let stub_tools = StubTools::faulty();
    let (trace, shrink) = (stub_tools.path("t/t.fst"), stub_tools.path("s/s.toml"));
    let ruin = format!(
        "rm -rf {0}; touch {0}; false",
        stub_tools.path("s").display()
    );
    let output = stub_tools
        .mkns(&LOCKSTEP)
        .arg("--trace")
        .arg(&trace)
        .arg("--shrink")
        .arg(&shrink)
        .env("ON_TRACE", ruin)
        .output()
        .expect("mkns starts");
    let (stdout, stderr) = said(&output);
    assert_eq!(output.status.code(), Some(5), "{stdout}{stderr}");
    assert!(
        stdout.contains("RTL differs from the golden model"),
        "{stdout}"
    );
    assert_eq!(stderr.matches("E0631]").count(), 2, "{stderr}");
    assert!(
        stderr.contains("no waveform") && stderr.contains("no small case"),
        "{stderr}"
    );

    // Neither does standard output itself.
    for format in ["text", "json"] {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("Linux");
        let output = stub_tools
            .mkns(&LOCKSTEP)
            .args(["--format", format])
            .stdout(full)
            .output()
            .expect("mkns starts");
        let (_, stderr) = said(&output);
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(
            stderr.contains("RTL differs from the golden model"),
            "{stderr}"
        );
    }
}

/// The head of a saved case says what its replay finds, and the command stands once.
#[test]
fn a_saved_case_says_what_its_replay_finds() {
    let stub_tools = StubTools::faulty();
    let network = ["cosim", SPEC, "--cycles", "500"];
    for arguments in [&LOCKSTEP[..], &network] {
        let case = stub_tools.path("case.toml");
        let case = case.to_str().expect("a plain path");
        let output = stub_tools.mkns(arguments).args(["--shrink", case]).output();
        let output = output.expect("mkns starts");
        let (stdout, stderr) = said(&output);
        assert_eq!(output.status.code(), Some(5), "{stdout}{stderr}");
        assert_eq!(stdout.matches("--case").count(), 1, "{stdout}");
        let text = fs::read_to_string(case).expect("a saved case");
        let mut head = text.lines().map(|line| line.trim_start_matches("# "));
        assert_eq!(
            head.next(),
            Some(format!("mkns cosim --case {case}").as_str())
        );
        let replay = stub_tools.mkns(&["cosim", "--case", case]).output();
        let (stdout, _) = said(&replay.expect("mkns starts"));
        assert_eq!(head.next(), stdout.lines().next(), "{stdout}");
        fs::remove_file(case).expect("our own file");
    }
}

/// A regression whose rows fail says so, though one of its reports cannot be written.
#[test]
fn a_regression_reports_its_failures_whatever_cannot_be_written() {
    let stub_tools = StubTools::faulty();
    let spec = fs::canonicalize(SPEC).expect("it exists");
    let suite = format!(
        "[[suite.smoke]]\nspecs = [{spec:?}]\nparts = [\"switch\"]\ntraffic = [\"uniform\"]\n\
         cycles = 2000\nseeds = 2\n"
    );
    let file = stub_tools.path("r.toml");
    fs::write(&file, suite).expect("a writable folder");
    let file = file.to_str().expect("a plain path");
    let json = stub_tools.path("rows.json");
    let mut regress = stub_tools.mkns(&["regress", file, "-j", "1"]);
    // A device that takes no byte.
    regress
        .args(["--junit", "/dev/full"])
        .arg("--json")
        .arg(&json);
    let output = regress.output().expect("mkns ends");
    let (stdout, stderr) = said(&output);
    assert_eq!(output.status.code(), Some(5), "{stdout}{stderr}");
    assert!(stdout.contains("0 of 2 runs passed"), "{stdout}");
    assert_eq!(stdout.matches("failed: ").count(), 2, "{stdout}");
    assert_eq!(stdout.matches("replay: ").count(), 2, "{stdout}");
    assert!(
        stderr.contains("E0102") && stderr.contains("/dev/full"),
        "{stderr}"
    );
    let rows = fs::read_to_string(&json).expect("the other report");
    let rows: mkns::report::Regression = serde_json::from_str(&rows).expect("rows");
    assert_eq!(mkns::report::junit(&rows).matches("replay: ").count(), 2);
}

/// Looks again and again until there is something to see.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..3_000 {
        if let Some(seen) = look() {
            return seen;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what}: not within a minute");
}

/// Processes that have this folder in their environment.
fn processes_of(folder: &Path) -> Vec<u32> {
    let name = folder.to_str().expect("a plain path");
    let entries = fs::read_dir("/proc").expect("Linux");
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_ours = |process: &u32| {
        let bytes = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).contains(name)
    };
    numbers.filter(is_ours).collect()
}

/// Starts a command, ends it when it has started this many programs, and looks at what it leaves.
fn leaves_nothing(arguments: &[&str], signal: Signal, programs: usize, code: i32) {
    let stub_tools = StubTools::endless();
    let spawn = |mut command: Command| -> Child {
        let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("mkns starts")
    };
    let mkns = spawn(stub_tools.mkns(arguments));
    let root = stub_tools.folder.path();
    wait_for("programs", || {
        (processes_of(root).len() > programs).then_some(())
    });
    wait_for("a folder", || {
        (!stub_tools.left_in("tmp").is_empty()).then_some(())
    });
    kill_process(Pid::from_child(&mkns), signal).expect("our own process");
    let output = mkns.wait_with_output().expect("mkns ends");
    let stderr = said(&output).1;
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("error"), "{stderr}");
    assert_eq!(processes_of(root), [0; 0], "{arguments:?}");
    assert_eq!(stub_tools.left_in("tmp"), [""; 0], "{arguments:?}");
    assert_eq!(stub_tools.left_in("cache/tmp"), [""; 0], "{arguments:?}");
    assert_eq!(stub_tools.left_in("cache/models"), [""; 0], "{arguments:?}");
}

#[test]
fn whoever_ends_mkns_ends_its_programs_and_its_folders() {
    let block = ["--block", "switch"];
    let cosim = [&["cosim", SPEC][..], &block].concat();
    leaves_nothing(&cosim, Signal::INT, 1, 130);
    leaves_nothing(&cosim, Signal::TERM, 1, 143);
    leaves_nothing(&["lint", SPEC], Signal::INT, 2, 130);
    leaves_nothing(
        &[&["mutate", SPEC][..], &block].concat(),
        Signal::INT,
        1,
        130,
    );
    leaves_nothing(
        &[&["coverage", SPEC][..], &block].concat(),
        Signal::TERM,
        1,
        143,
    );
    let bench = ["bench", SPEC, "--block", "switch", "--no-verilated"];
    leaves_nothing(&bench, Signal::INT, 1, 130);
}

/// A regression's runs take their compilers with them.
#[test]
fn an_interrupted_regression_leaves_no_compiler() {
    leaves_nothing(
        &["regress", "tests/regressions/mkns.toml", "-j", "2"],
        Signal::TERM,
        3,
        7,
    );
}
