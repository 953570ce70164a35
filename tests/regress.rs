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
use crate::common::stub_tools::interruptible_mkns;
use mkns::campaign::regress::{
    Inputs, Limits, Program, Runner, Stop, SuiteListener, read_suites, run_case,
};
use mkns::report::{self, Case, Regression, Run, TestedPart, Verdict};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

struct Quiet;

impl SuiteListener for Quiet {
    fn begins(&self, _case: &Case) {}
    fn ended(&self, _run: &Run) {}
}

fn case(spec: &str, seed: u64) -> Case {
    Case::new(spec, TestedPart::Switch, "uniform", seed, 1_000)
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

fn stub_tools(folder: &Path) -> Program {
    let path = folder.join("stand-in");
    fs::write(&path, STAND_IN).expect("a writable folder");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own file");
    Program { path }
}

fn limits(seconds: u64, mebibytes: u64) -> Limits {
    Limits {
        seconds,
        cpu_seconds: None,
        memory_bytes: mebibytes << 20,
    }
}

/// A regression with one row of every verdict.
fn all_verdicts(folder: &Path) -> Regression {
    let runner = Runner {
        program: stub_tools(folder),
        limits: limits(1, 1024),
        workers: 3,
        stop: Stop::default(),
    };
    let specs = ["good", "crash", "hang", "memory", "tool", "mute", "good"];
    let cases = (0..).zip(specs).map(|(at, spec)| case(spec, at)).collect();
    Regression {
        file: "stand-in.toml".to_owned(),
        suite: "every verdict & <more>".to_owned(),
        version: "0".to_owned(),
        program: String::new(),
        first_seed: 0,
        rounds: 1,
        again: None,
        workers: 3,
        seconds: 1.0,
        runs: runner.run(&Inputs::default().planned(cases), &Quiet),
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
    let program = stub_tools(folder.path());
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
    // Its own processor time ends it, too; waiting for something else does not count.
    let busy = Limits {
        cpu_seconds: Some(1),
        ..limits(600, 4096)
    };
    let hung = run(&endless, busy);
    assert_eq!(hung.verdict, Verdict::Hung);
    assert!(hung.detail.contains("1 s of processor time"), "{hung:?}");
    let mut large = case("MKNS(2,8x10x10x10,4,1)", 1);
    large.part = TestedPart::Network;
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
    assert!(
        text.starts_with("nothing to run again: all 2 rows passed with these inputs"),
        "{text}"
    );
    assert_eq!(mkns(&["--suite", "smok"]).0, Some(2));
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

/// A folder with a regression file whose specs are real, and its `mkns regress`: exit code, output, complaints.
struct Suite {
    folder: tempfile::TempDir,
}

impl Suite {
    fn new(name: &str, keys: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let spec = "tests/regressions/specs/cut_through.toml";
        fs::copy(spec, folder.path().join("small")).expect("a writable folder");
        let suite = Self { folder };
        suite.write(name, keys);
        suite
    }

    fn write(&self, name: &str, keys: &str) {
        let text = format!(
            "[[suite.{name}]]\nspecs = [\"./small\"]\nparts = [\"switch\"]\ntraffic = [\"uniform\"]\n\
             cycles = 500\n{keys}\n"
        );
        let file = self.folder.path().join("r.toml");
        fs::write(file, text).expect("a writable folder");
    }

    fn run(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.current_dir(self.folder.path());
        command.args(["regress", "r.toml"]).args(words);
        let output = command.output().expect("mkns starts");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

/// A row that passed with other files, or before the suite was another, says nothing of these.
#[test]
fn abuse_6_rows_of_other_inputs_are_run_again() {
    let suite = Suite::new("smoke", "seeds = 1");
    let json = ["--json", "rows.json"];
    let again = ["--json", "rows.json", "--rerun-failed"];
    let (code, text, _) = suite.run(&json);
    assert_eq!(code, Some(0), "{text}");
    let spec = suite.folder.path().join("small");
    let before = fs::read_to_string(&spec).expect("a spec");
    fs::write(&spec, before + "\n# changed\n").expect("a writable folder");
    let (code, text, _) = suite.run(&again);
    assert_eq!(code, Some(0), "{text}");
    let wanted = "1 of 1 rows run again: 1 passed with other settings, specs, cases or RTL";
    assert!(text.contains(wanted), "{text}");
    suite.write("smoke", "seeds = 2");
    let (code, text, _) = suite.run(&again);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("1 of 2 rows run again: 1 were not in the suite"),
        "{text}"
    );
    // As another build of mkns has written it.
    let rows = suite.folder.path().join("rows.json");
    let written = fs::read_to_string(&rows).expect("rows");
    let mut written: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    written["program"] = json!("0.0.9");
    for run in written["runs"].as_array_mut().expect("rows") {
        run["key"] = json!("");
    }
    fs::write(&rows, written.to_string()).expect("our own file");
    let (_, text, _) = suite.run(&again);
    let wanted = "2 of 2 rows run again: 2 passed with another build of mkns";
    assert!(text.contains(wanted), "{text}");
}

/// A file's only suite need not be named, and the suite of the rows may be.
#[test]
fn users_8_a_suite_may_be_named_and_need_not() {
    let suite = Suite::new("mine", "seeds = [7, 9]");
    let (code, text, _) = suite.run(&["--list"]);
    assert_eq!(code, Some(0));
    let names: Vec<&str> = text.lines().collect();
    assert_eq!(names.len(), 2, "{text}");
    assert!(
        names[1].ends_with("switch uniform cycles 500 seed 9"),
        "{text}"
    );
    let words = [
        "--suite",
        "mine",
        "--json",
        "rows.json",
        "--only",
        "seed 9",
        "-v",
    ];
    let (code, text, said) = suite.run(&words);
    assert_eq!(code, Some(0), "{said}");
    assert!(text.starts_with("1 of 1 runs passed"), "{text}");
    // users 6: a line for each row where there is no terminal.
    assert!(said.contains(&format!("passed: {}, ", names[1])), "{said}");
    assert_eq!(suite.run(&["--only", "seed 8"]).0, Some(2));
    let words = ["--suite", "mine", "--json", "rows.json", "--rerun-failed"];
    let (code, text, _) = suite.run(&words);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 of 2 runs passed"), "{text}");
    let words = ["--suite", "smoke", "--json", "rows.json", "--rerun-failed"];
    let (code, _, said) = suite.run(&words);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("the rows are of suite `mine`, not `smoke`"),
        "{said}"
    );
}

/// Why a run could not be made, as the command itself would say it.
#[test]
fn users_7_a_row_that_is_not_run_shows_its_diagnostic_as_text() {
    let suite = Suite::new("smoke", "seeds = 1\nset = [\"flit_bits=100\"]");
    let (code, text, _) = suite.run(&["--junit", "junit.xml"]);
    assert_eq!(code, Some(7), "{text}");
    assert!(
        !text.contains("exit_code") && text.contains("    error[E0"),
        "{text}"
    );
    assert!(text.contains("      = help: "), "{text}");
    let xml = fs::read_to_string(suite.folder.path().join("junit.xml")).expect("a report");
    let document = roxmltree::Document::parse(&xml).expect("well-formed XML");
    let error = document
        .descendants()
        .find(|node| node.has_tag_name("error"));
    let message = error.and_then(|error| error.attribute("message"));
    let message = message.expect("an error with a message");
    assert!(
        message.contains("flit_bits") && !message.contains("E0"),
        "{message}"
    );
}

/// Several seeds without a regression file; `-v` says what goes on.
#[test]
fn users_5_cosim_runs_several_seeds_here() {
    let run = |words: &[&str]| {
        let spec = "tests/regressions/specs/cut_through.toml";
        let words = [
            &["cosim", spec, "--block", "switch", "--traffic", "uniform"],
            words,
        ]
        .concat();
        let words = [
            &words[..],
            &["--cycles", "500", "--seed", "4", "--seeds", "3"],
        ]
        .concat();
        let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(words)
            .output();
        output.expect("mkns starts")
    };
    let output = run(&["-v"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    for (line, seed) in lines.iter().zip(4..7) {
        assert!(
            line.ends_with(&format!("no difference (seed {seed})")),
            "{line}"
        );
    }
    assert_eq!(lines[3], "3 seeds, no difference");
    let is_run = |line: &&str| line.contains("switch") && !line.contains("ing ");
    assert_eq!(said.lines().filter(is_run).count(), 3, "{said}");
    let output = run(&["--format", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let seeds = found["runs"].as_array().expect("runs").iter();
    let seeds: Vec<u64> = seeds.filter_map(|run| run["seed"].as_u64()).collect();
    assert_eq!(seeds, [4, 5, 6]);
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
