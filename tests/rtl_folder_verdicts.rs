//! A folder of RTL is refused before any tool runs when a verdict on it would cover something else.
#![cfg(feature = "cosim")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SPEC: &str = "tests/regressions/specs/smallest.toml";

/// Exit code and standard error.
fn mkns(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    let ended = command.args(arguments).output().expect("mkns runs");
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    (ended.status.code(), errors)
}

fn generated(below: &Path) -> PathBuf {
    let folder = below.join("mine");
    let path = folder.to_str().expect("ASCII");
    assert_eq!(mkns(&["generate", SPEC, "-o", path]).0, Some(0));
    folder
}

fn block_of(folder: &Path) -> (Option<i32>, String) {
    let rtl = folder.to_str().expect("ASCII");
    mkns(&[
        "cosim", SPEC, "--block", "switch", "--cycles", "50", "--rtl", rtl,
    ])
}

#[test]
fn abuse_1_a_copy_beside_the_edited_file_is_refused_with_both_places() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = generated(place.path());
    let rtl = folder.join("rtl");
    fs::copy(
        rtl.join("accept_choice.v"),
        rtl.join("accept_choice-orig.v"),
    )
    .expect("a copy");
    let (code, errors) = block_of(&folder);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("E0524"), "{errors}");
    assert!(errors.contains("accept_choice.v:") && errors.contains("accept_choice-orig.v:"));
}

#[test]
fn abuse_2_and_11_includes_and_programs_are_refused() {
    for (line, code) in [
        ("`include \"early.vh\"", "E0525"),
        ("initial $system(\"touch x\");", "E0526"),
    ] {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = generated(place.path());
        let file = folder.join("rtl/accept_choice.v");
        let text = fs::read_to_string(&file).expect("a file");
        fs::write(
            &file,
            text.replacen("endmodule", &format!("{line}\nendmodule"), 1),
        )
        .expect("ours");
        let (exit, errors) = block_of(&folder);
        assert_eq!(exit, Some(2), "{errors}");
        assert!(errors.contains(code), "{errors}");
        let (exit, errors) = mkns(&["lint", folder.to_str().expect("ASCII")]);
        assert_eq!(exit, Some(2), "{errors}");
        assert!(errors.contains(code), "lint: {errors}");
    }
}

#[test]
fn abuse_18_a_fifo_below_the_folder_is_refused_and_not_opened() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = generated(place.path());
    let fifo = folder.join("rtl/zz.v");
    let made = Command::new("mkfifo").arg(&fifo).output();
    assert!(made.expect("mkfifo runs").status.success());
    let (code, errors) = block_of(&folder);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("a FIFO"), "{errors}");
}

#[test]
fn users_1_a_missing_network_file_is_an_error_in_every_mode() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = generated(place.path());
    let files = fs::read_dir(folder.join("rtl")).expect("a folder");
    let names = files.map(|entry| entry.expect("an entry").path());
    let node = names
        .into_iter()
        .find(|path| path.to_string_lossy().ends_with("_switch_node.v"));
    fs::remove_file(node.expect("a node")).expect("ours");
    let (code, errors) = block_of(&folder);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("_switch_node.v"), "{errors}");
}
