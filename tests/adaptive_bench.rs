//! Single packets through an adaptive block (`docs/microarchitecture.md` 1.8), in Icarus Verilog: where they leave,
//! what their headers say, and that room comes back. Every planted fault is found.

use std::fs;
use std::process::Command;

use crate::common::templates::plain_templates;

/// What a fault does, what stands in the templates, and what stands there instead.
const FAULTS: [(&str, &str, &str); 10] = [
    (
        "a commit takes no room",
        "{ROOM_BITS{promises}}",
        "{ROOM_BITS{1'b0}}",
    ),
    (
        "a credit counts twice",
        "{not_sent[ROOM_BITS-1:0], tx_credit}",
        "{{ROOM_BITS-1{1'b0}}, tx_credit, tx_credit}",
    ),
    (
        "what was promised and never comes is not given back",
        "(fetched_adaptive[number] &",
        "(1'b0 &",
    ),
    (
        "what is thrown away is not given back",
        ".wasted(wasted)",
        ".wasted(1'b0)",
    ),
    ("no host waits", "= ~waited[2]", "= 1'b0"),
    (
        "hosts wait for two ticks only",
        "<= {waited[1:0], 1'b1}",
        "<= {waited[0], 2'd3}",
    ),
    (
        "hosts wait without end",
        "<= {waited[1:0], 1'b1}",
        "<= 3'd1",
    ),
    ("the CRC stays", "{~top[7], top[6:3]", "{top[7], top[6:3]"),
    ("a packet goes back", "port != reader", "port != 99"),
    (
        "a long packet goes on",
        "cuts[port] = is_body",
        "cuts[port] = 1'b0 & is_body",
    ),
];

/// What the bench prints when the templates are changed so.
fn printed(good: &str, bad: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut changed = good.is_empty();
    let mut files = vec!["tests/data/adaptive_bench.v".into()];
    for (name, text) in plain_templates(&["common", "adapter"]) {
        changed |= text.contains(good);
        let text = if good.is_empty() {
            text
        } else {
            text.replace(good, bad)
        };
        let file = folder.path().join(name);
        fs::write(&file, text).expect("writable");
        files.push(file);
    }
    assert!(changed, "no template has `{good}`");
    let bench = folder.path().join("bench");
    let built = Command::new("iverilog")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["-g2005", "-s", "adaptive_bench", "-o"])
        .arg(&bench)
        .args(files)
        .output()
        .expect("iverilog runs");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    let run = Command::new("vvp").arg(&bench).output().expect("vvp runs");
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn packets_take_candidates_and_room_comes_back() {
    let printed = printed("", "");
    assert!(printed.contains("all right"), "{printed}");
}

#[test]
fn every_fault_in_an_adaptive_block_is_found() {
    for (fault, good, bad) in FAULTS {
        let printed = printed(good, bad);
        assert!(printed.contains("wrong: "), "{fault}: {printed}");
    }
}
