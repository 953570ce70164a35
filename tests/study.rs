//! Studies as users run them: rows of all runs, nothing repeated, nothing lost when a process is killed, the same by
//! tasks of a Slurm that is a script.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const STUDY: &str = r#"
[options]
cycles = 300
warmup = 100

[[matrix]]
spec = ["MKNS(2,4,2,1)", "small.toml"]
traffic = ["uniform", "transpose"]
load = [0.1, 0.3]
seeds = 2

[[matrix]]
spec = "MKNS(2,4,2,1)"
down = [[], ["ab_0_0_0_0/1", "ab_0_1_0_0:0"]]
"#;

/// Runs of the file, of which one matrix has 16 and the other 2.
const RUNS: usize = 18;

const SMALL: &str = "[network]\nkind = \"torus\"\nsizes = [4, 4]\nvms_per_node = 1\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    write("loads.toml", STUDY).expect("a writable folder");
    write("small.toml", SMALL).expect("a writable folder");
    folder
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.current_dir(folder).arg("study").args(words);
    command
}

fn study(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().expect("mkns runs")
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let output = study(folder, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What runs found: columns that do not depend on the machine, in the order of the table.
fn found(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("runs.csv")).expect("a table");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let of_the_machine = |name: &str| mkns::study::OF_THE_MACHINE.contains(&name);
    let row = |row: csv::StringRecord| {
        let cells = head.iter().zip(row.iter());
        let cells = cells.filter(|(name, _)| !of_the_machine(name));
        cells.map(|(name, cell)| format!("{name}={cell}")).collect()
    };
    reader
        .records()
        .map(|record| row(record.expect("a row")))
        .collect()
}

fn count(rows: &[Vec<String>], cell: &str) -> usize {
    rows.iter()
        .filter(|row| row.iter().any(|other| other == cell))
        .count()
}

#[test]
fn every_run_is_a_row_and_is_not_repeated() {
    let folder = folder();
    let said = succeeds(folder.path(), &["loads.toml"]);
    assert!(said.starts_with("18 runs: 18 finished"), "{said}");
    let results = folder.path().join("loads");
    let rows = found(&results);
    assert_eq!(rows.len(), RUNS);
    assert_eq!(count(&rows, "status=finished"), RUNS);
    assert_eq!(count(&rows, "spec=small.toml"), 8);
    assert_eq!(count(&rows, "seed=2"), 8);
    assert_eq!(count(&rows, "down=ab_0_0_0_0/1 ab_0_1_0_0:0"), 1);
    // What is there stays as it is, to the byte.
    let before = fs::read_to_string(results.join("runs.csv")).expect("a table");
    succeeds(folder.path(), &["loads.toml", "--resume"]);
    assert_eq!(
        before,
        fs::read_to_string(results.join("runs.csv")).expect("a table")
    );
    let other = |words: &[&str]| {
        let mut mkns = Command::new(env!("CARGO_BIN_EXE_mkns"));
        let output = mkns.current_dir(folder.path()).args(words).output();
        let output = output.expect("mkns runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{words:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    // A curve for each network and option, and a page with a row for each run.
    let picture = other(&["plot", "--kind", "latency", "loads"]);
    for name in [
        "torus",
        "small.toml, transpose",
        "MKNS(2,4,2,1), uniform",
        "down ab_0_0_0_0/1",
    ] {
        assert_eq!(picture.contains(name), name != "torus", "{name}");
    }
    let page = other(&["report", "loads"]);
    assert_eq!(page.matches("<tr>").count(), RUNS + 1);
    assert!(page.contains("<svg") && page.contains("18 runs: 18 finished"));
    // A changed file is another network, and other runs.
    fs::write(
        folder.path().join("small.toml"),
        SMALL.replace("[4, 4]", "[3, 4]"),
    )
    .expect("a file");
    succeeds(folder.path(), &["loads.toml"]);
    let count = |name: &str| {
        let all = fs::read_dir(results.join(name));
        all.expect("a folder").count()
    };
    assert_eq!((count("runs"), count("superseded")), (RUNS, 8));
    assert_eq!(found(&results).len(), RUNS);
    // What is set aside is no row of a picture; it comes back with its file.
    fs::write(folder.path().join("small.toml"), SMALL).expect("a file");
    succeeds(folder.path(), &["loads.toml"]);
    assert_eq!((count("runs"), count("superseded")), (RUNS, 8));
    assert_eq!(
        before,
        fs::read_to_string(results.join("runs.csv")).expect("a table")
    );
}

/// A spec file need not be called `*.toml`, and its path counts from the study's folder.
#[test]
fn abuse_3_a_spec_under_any_name_is_part_of_the_rows_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("below");
    fs::create_dir(&below).expect("a folder");
    let write = |name: &str, text: &str| fs::write(below.join(name), text).expect("a file");
    write("lab", "network = \"MKNS(1,3,1,0)\"\n");
    write("other", "network = \"MKNS(1,4,1,0)\"\n");
    let text = "[[matrix]]\nspec = [\"./lab\", \"other\"]\nload = 0.2\ncycles = 200\nwarmup = 0\n";
    write("s.toml", text);
    let blocks = |wanted: &str| {
        let output = study(folder.path(), &["below/s.toml"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        let rows = found(&folder.path().join("s"));
        assert_eq!((rows.len(), count(&rows, wanted)), (2, 1), "{rows:?}");
        said
    };
    assert_eq!(blocks("blocks=3"), "");
    write("lab", "network = \"MKNS(1,6,1,0)\"\n");
    let said = blocks("blocks=6");
    assert!(
        said.contains("rows of other inputs or another build of mkns: 1,"),
        "{said}"
    );
    // A file that is elsewhere is none of the study, wherever mkns is started.
    fs::rename(below.join("lab"), folder.path().join("lab")).expect("our file");
    let output = study(folder.path(), &["below/s.toml"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("below/lab"), "{said}");
}

/// Rows of a program that was made of another commit are not this one's.
#[test]
fn abuse_3_rows_of_another_program_are_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[[matrix]]\nspec = \"MKNS(1,3,1,0)\"\nload = 0.2\ncycles = 200\nwarmup = 0\n";
    fs::write(folder.path().join("s.toml"), text).expect("a file");
    succeeds(folder.path(), &["s.toml"]);
    let runs = folder.path().join("s/runs");
    let mut all = fs::read_dir(&runs).expect("a folder");
    let row = all.next().expect("a row").expect("a row").path();
    // As an older mkns has written it: the same labels, another key.
    let old = "0123456789abcdef0123456789abcdef";
    let text = fs::read_to_string(&row).expect("a row");
    let key = row.file_stem().and_then(|stem| stem.to_str());
    let text = text.replace(key.expect("a key"), old);
    fs::write(runs.join(format!("{old}.json")), text).expect("a file");
    fs::remove_file(&row).expect("our file");
    let output = study(folder.path(), &["s.toml"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("rows of other inputs or another build of mkns: 1,"),
        "{said}"
    );
    assert!(row.exists() && !runs.join(format!("{old}.json")).exists());
}

/// Keys of results from elsewhere are names of files here.
#[test]
fn abuse_7_a_key_in_a_file_is_no_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[[matrix]]\nspec = \"MKNS(1,3,1,0)\"\nload = 0.2\ncycles = 200\nwarmup = 0\n";
    fs::write(folder.path().join("s.toml"), text).expect("a file");
    succeeds(folder.path(), &["s.toml"]);
    let mut all = fs::read_dir(folder.path().join("s/runs")).expect("a folder");
    let row = all.next().expect("a row").expect("a row").path();
    let text = fs::read_to_string(&row).expect("a row");
    let key = row.file_stem().and_then(|stem| stem.to_str());
    let key = key.expect("a key");
    let evil = folder.path().join("evil/runs");
    fs::create_dir_all(&evil).expect("a folder");
    let named = "fedcba9876543210fedcba9876543210";
    for (name, says) in [(named, "../../PWN"), ("0123", key), (named, key)] {
        let file = evil.join(format!("{name}.json"));
        fs::write(&file, text.replace(key, says)).expect("a file");
        let merged = study(folder.path(), &["--merge", "evil", "-o", "all"]);
        let said = String::from_utf8_lossy(&merged.stderr);
        assert_eq!(merged.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("E0643") && said.contains(name), "{said}");
        assert!(!folder.path().join("all").exists(), "{name}");
        fs::remove_file(file).expect("our file");
    }
    // What a task of Slurm reads.
    let submission = folder.path().join("results/slurm/1");
    fs::create_dir_all(&submission).expect("a folder");
    let job = |key: &str| serde_json::json!({"key": key, "words": ["info"], "labels": [], "seconds": 1.0});
    for (name, key) in [
        (format!("mkns-{named}"), "../../../PWN"),
        ("root".to_owned(), named),
    ] {
        let limits = serde_json::json!({"seconds": 9, "memory_bytes": 1_u64 << 32});
        let tasks = serde_json::json!({"name": name, "limits": limits, "tasks": [[job(key)]]});
        fs::write(submission.join("tasks.json"), tasks.to_string()).expect("a file");
        let mut task = Command::new(env!("CARGO_BIN_EXE_mkns"));
        let output = task.arg("task").arg(&submission).arg("0").output();
        let output = output.expect("mkns runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("32 hexadecimal digits"), "{said}");
    }
    let left = fs::read_dir(folder.path()).expect("a folder");
    let left = left.map(|entry| entry.expect("an entry").file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["evil", "results", "s", "s.toml"]);
}

/// No matrix takes memory before it is known how large it is.
#[test]
fn abuse_17_sizes_are_bounded_before_memory_is_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = "spec = \"MKNS(1,3,1,0)\"";
    for keys in [
        "seeds = 1000000000",
        "load = \"0..1\"\nstep = 1e-9",
        "seeds = 1000\nload = \"0.001..1\"\nstep = 0.001",
    ] {
        let text = format!("[[matrix]]\n{spec}\n{keys}\n");
        fs::write(folder.path().join("s.toml"), text).expect("a file");
        let output = study(folder.path(), &["s.toml"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{keys}: {said}");
        assert!(said.contains("at most 100000"), "{keys}: {said}");
    }
    for words in [
        &["--seeds", "4000000000"][..],
        &["--load", "0.1..1", "--step", "1e-9"],
    ] {
        let mut sim = Command::new(env!("CARGO_BIN_EXE_mkns"));
        let output = sim.args(["sim", "MKNS(1,3,1,0)"]).args(words).output();
        let output = output.expect("mkns runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("at most 100000"), "{words:?}: {said}");
    }
}

#[test]
fn a_study_that_is_killed_goes_on_and_halves_are_the_whole() {
    let folder = folder();
    succeeds(folder.path(), &["loads.toml", "-o", "whole"]);
    let whole = found(&folder.path().join("whole"));
    for pause in [50, 250, 700] {
        let mut words = command(folder.path(), &["loads.toml", "-o", "killed"]);
        words.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = words.spawn().expect("mkns runs");
        thread::sleep(Duration::from_millis(pause));
        child.kill().expect("it may have ended");
        child.wait().expect("it was started");
    }
    succeeds(folder.path(), &["loads.toml", "-o", "killed"]);
    assert_eq!(found(&folder.path().join("killed")), whole);
    let halves = STUDY.split("\n[[matrix]]\n").collect::<Vec<_>>();
    for (name, matrix) in [("one.toml", halves[1]), ("two.toml", halves[2])] {
        let text = format!("{}\n[[matrix]]\n{matrix}", halves[0]);
        fs::write(folder.path().join(name), text).expect("a file");
        succeeds(folder.path(), &[name]);
    }
    succeeds(
        folder.path(),
        &["--merge", "one", "two", "one", "-o", "merged"],
    );
    let mut merged = found(&folder.path().join("merged"));
    let mut sorted = whole;
    merged.sort();
    sorted.sort();
    assert_eq!(merged, sorted);
}

#[test]
fn faults_of_a_file_are_placed() {
    let folder = folder();
    for (change, to, fact) in [
        (
            "load = [0.1, 0.3]",
            "lod = [0.1]",
            "`lod` is no option of a run; did you mean `load`?",
        ),
        (
            "load = [0.1, 0.3]",
            "load = [1.5]",
            "`--load 1.5` is out of range",
        ),
        (
            "load = [0.1, 0.3]",
            "load = \"0.3..0.1\"",
            "a sweep is such as",
        ),
        ("seeds = 2", "seeds = 0", "`seeds` is 0"),
        ("\"transpose\"", "\"transpos\"", "invalid value 'transpos'"),
        ("\"small.toml\"", "\"none.toml\"", "cannot read"),
        ("cycles = 300", "cycles = 0", "`--cycles 0` is out of range"),
        ("ab_0_0_0_0/1", "ab_9_0_0_0/1", "ab_9_0_0_0"),
        (
            "[options]",
            "[slurm]\ncpus = 0\n[options]",
            "`cpus` of [slurm] is 0",
        ),
    ] {
        fs::write(folder.path().join("wrong.toml"), STUDY.replace(change, to)).expect("a file");
        let output = study(folder.path(), &["wrong.toml"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{to}: {said}");
        assert!(
            said.contains(fact) && said.contains("wrong.toml"),
            "{to}: {said}"
        );
        assert!(
            !folder.path().join("wrong").exists(),
            "{to}: something was left"
        );
    }
}

/// `sbatch` runs the tasks at once, but for those named in the file `lost`, which it says have timed out; the other
/// programs say what it wrote.
const SLURM: &str = r#"#!/bin/sh
cd "$SLURM_HERE" || exit 1
case ${0##*/} in
sbatch)
    [ ! -e refuse ] || { echo "invalid partition" >&2; exit 1; }
    for word in "$@"; do
        case $word in
        --array=*) last=${word#--array=0-} ;;
        --job-name=*) name=${word#--job-name=} ;;
        esac
        script=$word
    done
    export SLURM_ARRAY_JOB_ID=$(($(cat next 2>/dev/null || echo 40) + 1))
    echo $SLURM_ARRAY_JOB_ID > next
    echo "$name" > "$SLURM_ARRAY_JOB_ID.name"
    for task in $(seq 0 "$last"); do
        if grep -qx "$task" lost 2>/dev/null; then
            head -n 3 "${script%task.sh}tasks.json" >/dev/null
            state=TIMEOUT
            # It had begun all of its runs.
            sed -n 's/.*"key": "\(.*\)",/\1/p' "${script%task.sh}tasks.json" > "${script%task.sh}$task.begun"
        else
            SLURM_ARRAY_TASK_ID=$task sh "$script" >/dev/null && state=COMPLETED || state=FAILED
        fi
        echo "$task|$state" >> "$SLURM_ARRAY_JOB_ID"
    done
    rm -f lost
    [ ! -e mute ] || exec sleep 60
    echo "$SLURM_ARRAY_JOB_ID" ;;
squeue)
    while [ $# -gt 0 ]; do
        case $1 in
        -j) cat "$2" ;;
        -n) for file in *.name; do grep -qx "$2" "$file" && echo "${file%.name}"; done ;;
        esac
        shift
    done
    exit 0 ;;
esac
"#;

/// What Slurm's programs are told comes from files that others may have written.
#[test]
fn abuse_15_slurm_receives_only_options_and_digits() {
    let folder = folder();
    for slurm in [
        "args = [\"/tmp/evil.sh\"]",
        "args = [\"--\"]",
        "task_minutes = nan",
        "task_minutes = inf",
    ] {
        let text = format!("[slurm]\n{slurm}\n{STUDY}");
        fs::write(folder.path().join("wrong.toml"), text).expect("a file");
        let output = with_slurm(folder.path(), &["wrong.toml", "--on", "slurm"]);
        let output = { output }.output().expect("mkns runs");
        assert_eq!(output.status.code(), Some(2), "{slurm}");
    }
    let words = [
        "loads.toml",
        "--on",
        "slurm",
        "--slurm-args",
        "--qos=low /tmp/evil.sh",
    ];
    let output = with_slurm(folder.path(), &words)
        .output()
        .expect("mkns runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("loads").exists());
    // The number of a job that is none, in results that were copied from elsewhere.
    let words = ["loads.toml", "--on", "slurm"];
    let output = with_slurm(folder.path(), &words)
        .output()
        .expect("mkns runs");
    assert!(output.status.success());
    let submission = folder.path().join("loads/slurm/1");
    fs::write(submission.join("job"), "--user=root").expect("a file");
    fs::write(submission.join("states"), "0 RUNNING\n").expect("a file");
    let told = folder.path().join("told");
    let scancel = folder.path().join("slurm-programs/scancel");
    fs::write(
        &scancel,
        format!("#!/bin/sh\necho \"$@\" >> '{}'\n", told.display()),
    )
    .expect("a file");
    let words = ["loads.toml", "--on", "slurm", "--cancel"];
    let output = with_slurm(folder.path(), &words)
        .output()
        .expect("mkns runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`--user=root` is no number of a job"),
        "{said}"
    );
    assert!(!told.exists());
}

/// sbatch replaces `%j` and the like in names of files.
#[test]
fn reports_11_a_percent_sign_in_a_folder_reaches_slurm_escaped() {
    let folder = folder();
    let odd = folder.path().join("st %j 100% ü");
    fs::create_dir(&odd).expect("a folder");
    let text = "[[matrix]]\nspec = \"MKNS(1,3,1,0)\"\nload = 0.2\ncycles = 200\nwarmup = 0\n";
    fs::write(odd.join("s.toml"), text).expect("a file");
    let mut command = with_slurm(folder.path(), &["s.toml", "--on", "slurm"]);
    let told = folder.path().join("told");
    let sbatch = folder.path().join("slurm-programs/sbatch");
    fs::write(
        &sbatch,
        format!(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\necho 41\n",
            told.display()
        ),
    )
    .expect("a file");
    let output = command.current_dir(&odd).output().expect("mkns runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let told = fs::read_to_string(told).expect("what sbatch was told");
    let pattern = "st %%j 100%% ü/s/slurm/1/%a.log";
    let output = told.lines().find(|line| line.starts_with("--output="));
    assert!(output.is_some_and(|line| line.ends_with(pattern)), "{told}");
}

/// A folder with programs of Slurm, and a command that finds them.
fn with_slurm(folder: &Path, words: &[&str]) -> Command {
    let programs = folder.join("slurm-programs");
    fs::create_dir_all(&programs).expect("a writable folder");
    for name in ["sbatch", "squeue", "scancel"] {
        let path = programs.join(name);
        if !path.exists() {
            fs::write(&path, SLURM).expect("a writable folder");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our own file");
        }
    }
    let paths = std::env::var("PATH").expect("a search path");
    let mut command = command(folder, words);
    command.env("PATH", format!("{}:{paths}", programs.display()));
    command.env("SLURM_HERE", folder);
    command
}

#[test]
fn tasks_of_slurm_find_what_this_machine_finds() {
    let folder = folder();
    let text = format!("[slurm]\ntask_minutes = 0.01\n{STUDY}");
    fs::write(folder.path().join("loads.toml"), text).expect("a file");
    succeeds(folder.path(), &["loads.toml", "-o", "here"]);
    let here = found(&folder.path().join("here"));
    let run = |words: &[&str]| {
        with_slurm(folder.path(), words)
            .output()
            .expect("mkns runs")
    };
    let words = ["loads.toml", "-o", "there", "--on", "slurm", "--wait"];
    let there = folder.path().join("there");
    // A submission that Slurm refuses leaves nothing behind.
    fs::write(folder.path().join("refuse"), "").expect("a file");
    let refused = run(&words);
    assert_eq!(refused.status.code(), Some(7));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("invalid partition"));
    assert_eq!(
        fs::read_dir(there.join("slurm")).expect("a folder").count(),
        0
    );
    fs::remove_file(folder.path().join("refuse")).expect("our file");
    // The second task runs out of its time.
    fs::write(folder.path().join("lost"), "1\n").expect("a file");
    let first = run(&words);
    assert_eq!(
        first.status.code(),
        Some(7),
        "{}",
        String::from_utf8_lossy(&first.stderr)
    );
    let rows = found(&there);
    let lost = count(&rows, "status=timed_out");
    assert!(lost > 0 && lost < RUNS, "{lost}");
    assert_eq!(count(&rows, "status=finished"), RUNS - lost);
    let resumed = run(&[&words[..], &["--resume"]].concat());
    assert!(
        resumed.status.success(),
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(found(&there), here);
    let again = run(&words);
    assert!(again.status.success());
    assert_eq!(
        fs::read_dir(there.join("slurm")).expect("a folder").count(),
        2
    );
}

#[test]
fn a_submitting_program_that_is_killed_loses_nothing() {
    let folder = folder();
    let words = ["loads.toml", "--on", "slurm"];
    // Slurm has the tasks, and its number does not reach the file.
    fs::write(folder.path().join("mute"), "").expect("a file");
    let mut submitting = with_slurm(folder.path(), &words);
    submitting.stdout(Stdio::null()).stderr(Stdio::null());
    let mut submitting = submitting.spawn().expect("mkns runs");
    let runs = folder.path().join("loads/runs");
    let mut tries = 0;
    while fs::read_dir(&runs).map_or(0, |all| all.count()) < RUNS {
        tries += 1;
        assert!(tries < 1000, "the tasks do not run");
        thread::sleep(Duration::from_millis(100));
    }
    submitting.kill().expect("it waits");
    submitting.wait().expect("it was started");
    fs::remove_file(folder.path().join("mute")).expect("our file");
    let run = |words: &[&str]| {
        with_slurm(folder.path(), words)
            .output()
            .expect("mkns runs")
    };
    let collected = run(&["loads.toml", "--on", "slurm", "--collect"]);
    assert!(collected.status.success());
    assert_eq!(
        count(&found(&folder.path().join("loads")), "status=finished"),
        RUNS
    );
    let again = run(&words);
    assert!(again.status.success());
    assert_eq!(
        fs::read_dir(folder.path().join("loads/slurm"))
            .expect("a folder")
            .count(),
        1
    );
}

#[test]
fn without_slurm_it_says_so() {
    let folder = folder();
    let output = command(folder.path(), &["loads.toml", "--on", "slurm"])
        .env("PATH", folder.path())
        .output()
        .expect("mkns runs");
    assert_eq!(output.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&output.stderr).contains("E0641"));
}
