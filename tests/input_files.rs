//! Files that come from elsewhere, whatever program wrote them: all verbs read them in one way, and none writes its
//! results over them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::sources::rust_files;

const SPEC: &str = "MKNS(1,2,1,1)";

fn mkns(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    let words = words
        .split_whitespace()
        .map(|word| word.replace("SPEC", SPEC));
    command.args(words).current_dir(folder);
    command.output().expect("mkns runs")
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A verb for every kind of file, and what such a file holds.
fn readers() -> Vec<(&'static str, String)> {
    let exported = |form: &str| {
        let output = mkns(Path::new("."), &format!("export SPEC --to {form}"));
        String::from_utf8(output.stdout).expect("text")
    };
    let down = "check SPEC --down-file FILE --format json";
    let goal = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n";
    let trace = "cycle,source,destination,flits\n0,0,1,4\n";
    let sweep = String::from_utf8(
        mkns(
            Path::new("."),
            "sim SPEC --load 0.1 --cycles 500 --format csv",
        )
        .stdout,
    );
    let text = |text: &str| text.to_owned();
    vec![
        ("info ./FILE", text("network = \"MKNS(1,2,1,1)\"\n")),
        ("cabling SPEC --read-back FILE", exported("csv")),
        (
            "cabling SPEC --floor FILE",
            text("[rack]\nheight_mm = 2000\n"),
        ),
        ("check SPEC --routes FILE", exported("routes")),
        (down, text("# none\n")),
        (
            "sim SPEC --traffic trace --packets FILE --cycles 500 --warmup 0",
            text(trace),
        ),
        ("workload SPEC --job FILE.goal", text(goal)),
        ("explore --hosts 4..4 --ports 4 --prices FILE", text("")),
        (
            "plot --kind latency FILE.csv -o p.svg",
            sweep.expect("text"),
        ),
        (
            "study FILE --status -o results",
            text("[[study]]\nspec = [\"MKNS(1,2,1,1)\"]\nload = [0.1]\n"),
        ),
        #[cfg(feature = "cosim")]
        (
            "regress FILE --suite none",
            text("[[suite.smoke]]\nspecs = [\"MKNS(1,2,1,1)\"]\n"),
        ),
        #[cfg(feature = "cosim")]
        ("cosim --case FILE", text("spec = \"MKNS(1,2,1,1)\"\n")),
    ]
}

/// The verb's words, its file named, and the path of the file.
fn named(words: &str) -> (String, &'static str) {
    let file = match words {
        _ if words.contains(".goal") => "file.goal",
        _ if words.contains(".csv") => "file.csv",
        _ => "file",
    };
    let bare = words
        .replace("FILE.goal", "FILE")
        .replace("FILE.csv", "FILE");
    (bare.replace("FILE", file), file)
}

#[test]
fn reports_7_every_verb_takes_a_byte_order_mark_and_refuses_other_encodings() {
    for (words, text) in readers() {
        let folder = tempfile::tempdir().expect("a folder");
        let (words, file) = named(words);
        let path = folder.path().join(file);
        let outcome = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("writable");
            mkns(folder.path(), &words)
        };
        let plain = outcome(text.as_bytes());
        let marked = outcome(format!("\u{feff}{text}").as_bytes());
        assert_eq!(
            (plain.status.code(), complaint(&plain)),
            (marked.status.code(), complaint(&marked)),
            "{words}"
        );
        let utf16: Vec<u8> = [0xfeff]
            .into_iter()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let latin1 = [b"# K\xf6ln\n", text.as_bytes()].concat();
        for (bytes, at) in [(utf16, "at byte 0"), (latin1, "byte 3, in line 1, is 0xf6")] {
            let refused = outcome(&bytes);
            let said = complaint(&refused);
            assert_eq!(refused.status.code(), Some(2), "{words}: {said}");
            for part in [at, file, "UTF-8", "iconv"] {
                assert!(said.contains(part), "{words}: {part}: {said}");
            }
        }
    }
}

#[test]
fn abuse_17_no_verb_opens_a_pipe_or_reads_a_device_to_its_end() {
    for (words, _) in readers() {
        let folder = tempfile::tempdir().expect("a folder");
        let (words, file) = named(words);
        let path = folder.path().join(file);
        let made = Command::new("mkfifo").arg(&path).output();
        assert!(made.expect("mkfifo runs").status.success());
        for kind in ["a pipe", "a device"] {
            let start = Instant::now();
            let refused = mkns(folder.path(), &words);
            let said = complaint(&refused);
            assert_eq!(refused.status.code(), Some(2), "{words}: {said}");
            assert!(
                said.contains(&format!("this is {kind}, not a file")),
                "{words}: {said}"
            );
            assert!(start.elapsed() < Duration::from_secs(20), "{words}");
            fs::remove_file(&path).expect("our own");
            symlink("/dev/zero", &path).expect("a link");
        }
    }
}

#[test]
fn abuse_17_unknown_keys_are_counted_and_not_all_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys: String = (0..16_000).map(|key| format!("key_{key} = 1\n")).collect();
    let text = format!("network = \"{SPEC}\"\n{keys}");
    fs::write(folder.path().join("s.toml"), text).expect("writable");
    let refused = mkns(folder.path(), "info s.toml");
    let said = complaint(&refused);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(said.matches("error[E0214]: unknown key").count(), 20);
    assert!(said.contains("15980 more problems"), "{said}");
}

#[test]
fn abuse_17_messages_of_any_size_need_no_memory_before_they_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "num_ranks 2\nrank 0 {\nsend 18446744073709551615b to 1\n}\n\
                rank 1 {\nrecv 18446744073709551615b from 0\n}\n";
    fs::write(folder.path().join("a.goal"), text).expect("writable");
    let refused = mkns(folder.path(), "workload SPEC --job a.goal");
    assert_eq!(refused.status.code(), Some(2));
    let said = complaint(&refused);
    assert!(said.contains("at most 67108864 are simulated"), "{said}");
}

#[test]
fn abuse_13_no_verb_writes_its_result_over_its_input() {
    let trace = "cycle,source,destination,flits\n0,0,1,4\n";
    let sim = "sim SPEC --traffic trace --packets t.csv --cycles 500 --warmup 0";
    let sweep = mkns(
        Path::new("."),
        "sim SPEC --load 0.1 --cycles 500 --format csv",
    )
    .stdout;
    let cases = [
        ("s.toml", "export s.toml --to json -o OUT"),
        ("s.toml", "report s.toml -o OUT"),
        ("s.toml", "plot --kind path-lengths s.toml -o OUT.svg"),
        ("s.toml", "cabling s.toml -o OUT.svg"),
        (
            "s.toml",
            "workload s.toml --job broadcast:8 --critical-path OUT",
        ),
        ("t.csv", &format!("{sim} --flows OUT")),
        ("t.csv", &format!("{sim} --links OUT")),
        ("w.csv", "plot --kind latency w.csv -o OUT.svg"),
        #[cfg(feature = "cosim")]
        ("r.toml", "regress r.toml --json OUT"),
        #[cfg(feature = "cosim")]
        ("r.toml", "regress r.toml --junit OUT"),
        #[cfg(feature = "cosim")]
        ("s.toml", "cosim s.toml --shrink OUT"),
        #[cfg(feature = "cosim")]
        ("s.toml", "cosim s.toml --trace OUT.fst"),
    ];
    for (input, words) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let suite = format!(
            "[[suite.smoke]]\nspecs = [\"{SPEC}\"]\nparts = [\"adapter\"]\ntraffic = [\"uniform\"]\ncycles = 10\nseeds = 1\n"
        );
        let network = format!("network = \"{SPEC}\"\n");
        let files = [
            ("s.toml", network.as_bytes()),
            ("t.csv", trace.as_bytes()),
            ("r.toml", suite.as_bytes()),
            ("w.csv", &sweep),
        ];
        for (name, bytes) in files {
            fs::write(path(name), bytes).expect("writable");
        }
        let before = fs::read(path(input)).expect("just written");
        let output = words.split_whitespace().last().expect("words");
        let output = output.replace("OUT", "out");
        fs::hard_link(path(input), path(&output)).expect("a link");
        let refused = mkns(folder.path(), &words.replace("OUT", "out"));
        let said = complaint(&refused);
        assert_eq!(refused.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains("error[E0106]"), "{words}: {said}");
        assert_eq!(
            fs::read(path(input)).expect("it is there"),
            before,
            "{words}"
        );
    }
}

/// A file that goes past the one reader may hang, be taken for another encoding, or be written over.
#[test]
fn reports_7_no_source_reads_files_past_the_one_reader() {
    // What mkns itself has written, or the system.
    let own = [
        // results and their folders
        "src/jobs/",
        "src/fpga/area_cache.rs",
        "src/fpga/tool_runner.rs",
        "src/scratch/",
        "sim/src/",
        // what a tool has just written
        "src/campaign/mutate/",
        "src/campaign/coverage/",
        // cell models of an installed tool
        "src/cosim/cell_library.rs",
        // folders of RTL are compared byte by byte
        "src/rtl/",
        // and files of a regression, whose keys hold their bytes
        "src/campaign/regress/inputs.rs",
        // processes
        "src/cli/interrupt.rs",
        "src/cli/sim/ranks.rs",
        // the registers of a card
        "src/cli/block_registers.rs",
        "src/manage/",
        // the lock of a folder
        "src/live/window.rs",
        // a test that reads a page
        "src/cli/option_names.rs",
        // only asks whether a file can be written
        "src/report/file.rs",
    ];
    for file in rust_files(&["src", "sim/src"]) {
        let name = file.display().to_string();
        if own.iter().any(|own| name.starts_with(own)) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a readable file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in [
            "read_to_string(",
            "fs::read(",
            "File::open(",
            "OpenOptions",
            "BufReader",
        ] {
            assert!(
                !code.contains(word),
                "{name}: `{word}`, use mkns_diag::TextFile"
            );
        }
    }
}
