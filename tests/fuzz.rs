//! A short run of the fuzzer; `make fuzz` has the long one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mkns");

fn fuzz(program: &Path, words: &[&str]) -> (bool, String) {
    let run = Command::new("python3")
        .arg("tools/fuzz.py")
        .arg(program)
        .args(words)
        .output()
        .expect("python3 runs");
    let said = [run.stdout, run.stderr].concat();
    (
        run.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn fuzz_no_mutated_input_ends_in_a_panic_a_signal_or_never() {
    let folder = tempfile::tempdir().expect("a folder");
    let keep = folder.path().to_string_lossy();
    let bounds = ["--count", "200", "--jobs", "2", "--minutes", "3"];
    let (passed, said) = fuzz(
        Path::new(PROGRAM),
        &[&bounds[..], &["--keep", &keep]].concat(),
    );
    assert!(passed, "{said}");
    assert!(said.contains(" inputs of "), "{said}");
}

/// A program that panics on some inputs: they are kept, and the command is said.
#[test]
fn fuzz_keeps_what_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("mkns");
    let script = format!("#!/bin/sh\n[ \"$1\" = check ] && exit 101\nexec {PROGRAM} \"$@\"\n");
    fs::write(&program, script).expect("a script");
    let may_run = fs::Permissions::from_mode(0o755);
    fs::set_permissions(&program, may_run).expect("a script of ours");
    let keep = folder.path().join("kept");
    let words = ["--count", "60", "--jobs", "2", "--seed", "fails", "--keep"];
    let (passed, said) = fuzz(&program, &[&words[..], &[&keep.to_string_lossy()]].concat());
    assert!(!passed && said.contains("exit code 101: "), "{said}");
    assert!(said.contains("mkns check "), "{said}");
    assert!(fs::read_dir(&keep).expect("inputs").next().is_some());
}
