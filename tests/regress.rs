//! Regressions as users run them: rows for runs that crash, hang or run out of memory, the reports,
//! and the page in a browser.
#![cfg(feature = "cosim")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::browser::Browser;
use crate::common::stand_in::interruptible_mkns;
use mkns::cosim::regress::{Limits, Program, Runner, Stop, Watch, read_suites, run_case};
use mkns::report::{self, Case, Part, Regression, Run, Verdict};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

struct Quiet;

impl Watch for Quiet {
    fn begins(&self, _case: &Case) {}
    fn ended(&self, _run: &Run) {}
}

fn case(spec: &str, seed: u64) -> Case {
    Case {
        spec: spec.to_owned(),
        part: Part::Switch,
        traffic: "uniform".to_owned(),
        seed,
        cycles: 1_000,
        load: None,
        rtl: None,
    }
}

/// A stand-in for `mkns` that does what the spec's name says.
const STAND_IN: &str = r#"#!/bin/sh
case "$2" in
good) echo '{"seconds": 0.5, "blocks": [{"cycles": 1000, "block": "switch"}], "failure": null}' ;;
crash) echo "half a line"; kill -SEGV $$ ;;
hang) sleep 600 ;;
memory) echo "memory allocation of 99 bytes failed" >&2; kill -ABRT $$ ;;
tool) echo "no simulator" >&2; exit 6 ;;
mute) exit 0 ;;
esac
"#;

fn stand_in(folder: &Path) -> Program {
    let path = folder.join("stand-in");
    fs::write(&path, STAND_IN).expect("a writable folder");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own file");
    Program { path }
}

fn limits(seconds: u64, mebibytes: u64) -> Limits {
    Limits {
        seconds,
        memory_bytes: mebibytes << 20,
    }
}

/// A regression with one row of every verdict.
fn all_verdicts(folder: &Path) -> Regression {
    let runner = Runner {
        program: stand_in(folder),
        limits: limits(1, 1024),
        workers: 3,
        stop: Stop::default(),
    };
    let specs = ["good", "crash", "hang", "memory", "tool", "mute", "good"];
    let cases: Vec<Case> = (0..).zip(specs).map(|(at, spec)| case(spec, at)).collect();
    Regression {
        file: "stand-in.toml".to_owned(),
        suite: "every verdict & <more>".to_owned(),
        version: "0".to_owned(),
        workers: 3,
        seconds: 1.0,
        runs: runner.run(&cases, &Quiet),
    }
}

/// Whatever becomes of a process is a row, in the order of the cases.
#[test]
fn a_run_that_dies_is_a_row_and_the_reports_say_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let regression = all_verdicts(folder.path());
    let verdicts: Vec<Verdict> = regression.runs.iter().map(|run| run.verdict).collect();
    use Verdict::{Crashed, Hung, NotRun, OutOfMemory, Passed};
    let wanted = [Passed, Crashed, Hung, OutOfMemory, NotRun, Crashed, Passed];
    assert_eq!(verdicts, wanted, "{:#?}", regression.runs);
    assert_eq!(regression.runs[0].speed, Some(2_000.0));
    assert_eq!(regression.runs[0].detail, "");
    assert!(regression.runs[1].detail.contains("signal 11"));
    assert!(regression.runs[4].detail.contains("no simulator"));

    let xml = report::junit(&regression);
    let document = roxmltree::Document::parse(&xml).expect("well-formed XML");
    let count = |tag: &str| {
        let tagged = |node: &roxmltree::Node| node.has_tag_name(tag);
        document.descendants().filter(tagged).count()
    };
    assert_eq!((count("testcase"), count("error")), (7, 5), "{xml}");
    let suite = document
        .descendants()
        .find(|node| node.has_tag_name("testsuite"));
    assert_eq!(suite.and_then(|suite| suite.attribute("errors")), Some("5"));

    click_through(&report::html(&regression), folder.path());
}

/// What could be taken for a pass, or a difference for something else.
#[test]
fn no_row_passes_without_a_comparison_and_no_difference_is_lost() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let failure = r#"{"kind": "divergence", "block": "switch", "cycle": 7, "signal": "tx_data", "port": "port 1",
        "golden": "1", "rtl": "0", "packet": null, "history": [], "state": "", "note": "",
        "replay": "mkns cosim again"}"#;
    let script = format!(
        r#"#!/bin/sh
case "$2" in
nothing) echo '{{"blocks": [], "networks": [], "failure": null}}' ;;
no_cycle) echo '{{"blocks": [{{"cycles": 0, "block": "switch"}}], "failure": null}}' ;;
torn) echo '{{"failure": {{"ki'; exit 5 ;;
starved) echo '{{"failure": {failure}}}'; echo "Cannot allocate memory" >&2; exit 5 ;;
orphan) sleep 986 & exit 2 ;;
esac
"#
    );
    let program = stand_in(folder.path());
    fs::write(&program.path, script).expect("a writable folder");
    let run = |spec| run_case(&program, &case(spec, 1), limits(20, 1024), &Stop::default());
    assert_eq!(run("nothing").verdict, Verdict::NotRun);
    assert_eq!(run("no_cycle").verdict, Verdict::NotRun);
    assert_eq!(run("torn").verdict, Verdict::Failed);
    let starved = run("starved");
    assert_eq!(starved.verdict, Verdict::Failed);
    assert_eq!(starved.replay, "mkns cosim again");
    assert!(!starved.detail.contains("replay"), "{}", starved.detail);
    // What a run has started and left ends with it, and holds nothing up.
    let orphan = run("orphan");
    assert_eq!(orphan.verdict, Verdict::NotRun);
    assert!(orphan.seconds < 10.0, "{orphan:?}");
}

/// Sorts, filters and unfolds the page in a browser, wide and on a phone.
fn click_through(html: &str, folder: &Path) {
    let page = folder.join("index.html");
    fs::write(&page, html).expect("a writable folder");
    let browser = Browser::open(&page);
    let column = "return Array.from(document.querySelectorAll('#runs tbody tr'))\
                  .filter(row => row.offsetParent !== null).map(row => row.cells[4].textContent)";
    let seeds = || browser.run(column);
    assert_eq!(seeds(), json!(["0", "1", "2", "3", "4", "5", "6"]));
    let title = browser.run("return document.querySelector('h1').textContent");
    let title = title.as_str().expect("a text");
    assert!(title.contains("every verdict & <more>") && title.contains("not all passed"));
    browser.click("#runs th:nth-child(5) button");
    assert_eq!(seeds(), json!(["0", "1", "2", "3", "4", "5", "6"]));
    browser.click("#runs th:nth-child(5) button");
    assert_eq!(seeds(), json!(["6", "5", "4", "3", "2", "1", "0"]));
    browser.click("#runs th:nth-child(1) button");
    assert_eq!(seeds(), json!(["5", "1", "2", "4", "3", "6", "0"]));
    browser.click("#only-bad");
    assert_eq!(seeds(), json!(["5", "1", "2", "4", "3"]));
    let unfolded = "return document.querySelector('tbody tr:nth-child(2) pre').checkVisibility()";
    assert_eq!(browser.run(unfolded), json!(false));
    browser.click("tbody tr:nth-child(2) summary");
    assert_eq!(browser.run(unfolded), json!(true));

    browser.assert_fits_a_phone();
    browser.run(
        "const sort = document.getElementById('sort'); sort.value = '4'; \
         sort.dispatchEvent(new Event('change'))",
    );
    assert_eq!(seeds(), json!(["1", "2", "3", "4", "5"]));
    browser.assert_loads_nothing();
}

/// The real program under limits that it cannot keep: too little memory, too little time.
#[test]
fn mkns_itself_is_stopped_by_its_limits() {
    let program = Program {
        path: env!("CARGO_BIN_EXE_mkns").into(),
    };
    let mut endless = case("tests/regressions/specs/cut_through.toml", 1);
    endless.cycles = u64::MAX;
    let run = |case, limits| run_case(&program, case, limits, &Stop::default());
    assert_eq!(run(&endless, limits(1, 4096)).verdict, Verdict::Hung);
    let mut large = case("MKNS(2,8x10x10x10,4,1)", 1);
    large.part = Part::Network;
    let starved = run(&large, limits(60, 48));
    let verdict = starved.verdict;
    assert_eq!(verdict, Verdict::OutOfMemory, "{}", starved.detail);
}

/// The command line: a suite runs, its rows are written, and what failed is run again.
#[test]
fn failed_rows_are_run_again_and_updated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("r.toml");
    let suite = "[[suite.smoke]]\nspecs = [\"small.toml\"]\nparts = [\"switch\"]\n\
                 traffic = [\"uniform\"]\ncycles = 500\nseeds = 2\n";
    fs::write(&file, suite).expect("a writable folder");
    let rows = folder.path().join("rows.json");
    let mkns = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.arg("regress").arg(&file).arg("--json").arg(&rows);
        let output = command.args(more).output().expect("mkns starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    // The spec is not there yet: both rows fail, and the report is there.
    let (code, text) = mkns(&[]);
    assert_eq!(code, Some(7), "{text}");
    assert!(
        text.contains("0 of 2 runs passed") && text.contains("E0101"),
        "{text}"
    );
    let spec = "tests/regressions/specs/cut_through.toml";
    fs::copy(spec, folder.path().join("small.toml")).expect("a writable folder");
    let (code, text) = mkns(&["--rerun-failed"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 of 2 runs passed"), "{text}");
    let written: Regression =
        serde_json::from_str(&fs::read_to_string(&rows).expect("rows")).expect("rows as written");
    assert_eq!(written.count(Verdict::Passed), 2);
    assert!(written.runs.iter().all(|run| run.cycles >= Some(500)));
    let (code, text) = mkns(&["--rerun-failed"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text, "nothing to run again: all 2 rows passed\n");
    for more in [
        &["--suite", "smok"][..],
        &["--rerun-failed", "--suite", "smoke"],
    ] {
        assert_eq!(mkns(more).0, Some(2), "{more:?}");
    }
    let other = Regression {
        file: "other.toml".to_owned(),
        ..written.clone()
    };
    let empty = Regression {
        runs: Vec::new(),
        ..written
    };
    for unfit in [other, empty] {
        let text = serde_json::to_string(&unfit).expect("rows");
        fs::write(&rows, text).expect("our own file");
        assert_eq!(mkns(&["--rerun-failed"]).0, Some(2));
    }
}

/// Processes whose parent is `parent`.
fn children_of(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("Linux");
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |process: &u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        status.contains(&format!("\nPPid:\t{parent}\n"))
    };
    numbers.filter(is_child).collect()
}

/// Looks again and again until there is something to see.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..1_000 {
        if let Some(seen) = look() {
            return seen;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{what}: not within 20 s");
}

/// Whoever ends a regression ends its runs with it, and gets the rows so far.
#[test]
fn a_signal_ends_the_runs_and_leaves_a_report() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("r.toml");
    let spec = fs::canonicalize("tests/regressions/specs/cut_through.toml").expect("it exists");
    let suite = format!(
        "[[suite.smoke]]\nspecs = [{spec:?}]\nparts = [\"switch\"]\ntraffic = [\"uniform\"]\n\
         cycles = 1_000_000_000_000\nseeds = 3\n"
    );
    fs::write(&file, suite).expect("a writable folder");
    let rows = folder.path().join("rows.json");
    for signal in [Signal::INT, Signal::TERM] {
        let mut regress = interruptible_mkns()
            .args(["regress", "-j", "2", "--json"])
            .args([&rows, &file])
            .stdout(Stdio::null())
            .spawn()
            .expect("mkns starts");
        let runs = wait_for("two runs", || {
            Some(children_of(regress.id())).filter(|runs| runs.len() == 2)
        });
        kill_process(Pid::from_child(&regress), signal).expect("our own process");
        let status = wait_for("the end", || regress.try_wait().expect("our own process"));
        assert_eq!(status.code(), Some(7));
        for run in runs {
            assert!(!Path::new(&format!("/proc/{run}")).exists(), "{run} lives");
        }
        let text = fs::read_to_string(&rows).expect("rows");
        let written: Regression = serde_json::from_str(&text).expect("rows as written");
        let interrupted = |run: &&Run| run.detail == "interrupted";
        assert_eq!(written.runs.iter().filter(interrupted).count(), 3, "{text}");
    }
}

/// Whatever ends a regression, its rows so far are there, and the others are known to be missing.
#[test]
fn rows_are_on_disk_before_the_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("r.toml");
    let spec = fs::canonicalize("tests/regressions/specs/cut_through.toml").expect("it exists");
    let matrix = |cycles: &str| {
        format!(
            "[[suite.smoke]]\nspecs = [{spec:?}]\nparts = [\"switch\"]\n\
             traffic = [\"uniform\"]\ncycles = {cycles}\nseeds = 1\n"
        )
    };
    let suite = matrix("1_000") + &matrix("1_000_000_000_000");
    fs::write(&file, suite).expect("a writable folder");
    let rows = folder.path().join("rows.json");
    let mut regress = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["regress", "-j", "1", "--json"])
        .args([&rows, &file])
        .stdout(Stdio::null())
        .spawn()
        .expect("mkns starts");
    let text = wait_for("rows", || fs::read_to_string(&rows).ok());
    let runs = wait_for("the long run", || {
        Some(children_of(regress.id())).filter(|runs| runs.len() == 1)
    });
    regress.kill().expect("our own process");
    regress.wait().expect("our own process");
    let run = Pid::from_raw(runs[0] as i32).expect("a process");
    kill_process(run, Signal::KILL).expect("our own process");
    let written: Regression = serde_json::from_str(&text).expect("rows as written");
    let verdicts: Vec<Verdict> = written.runs.iter().map(|run| run.verdict).collect();
    assert_eq!(verdicts, [Verdict::Passed, Verdict::NotRun], "{text}");
    assert_eq!(written.runs[1].detail, "not reached");
}

/// The file that `make regress` runs is large enough and names specs that exist.
#[test]
fn the_projects_own_suites_are_sound() {
    let path = "tests/regressions/mkns.toml";
    let text = fs::read_to_string(path).expect("the file exists");
    let suites = read_suites(path, &text).expect("the file is valid");
    for (suite, least) in [("smoke", 30), ("nightly", 100)] {
        let cases = suites.cases(suite, 1).expect("the suite exists");
        assert!(cases.len() >= least, "{suite} has {} runs", cases.len());
        for case in cases {
            mkns::spec::parse(&case.spec)
                .unwrap_or_else(|found| panic!("{}: {found:?}", case.spec));
        }
    }
}
