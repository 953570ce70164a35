//! One project for all boards of a kind: no tables, no number, no peers; what cannot be shared is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::fpga_node::{lint, pair, sources};

const IN_BAND: [&str; 4] = [
    "--set",
    "link.kind=serial",
    "--set",
    "link.management=in_band",
];
/// Outputs of the transceiver's core that nobody needs.
const OPEN_PINS: [&str; 1] = ["-Wno-PINCONNECTEMPTY"];
const CARD: [&str; 4] = ["--board", "alveo_u50", "--line", "10gbase_r"];

/// Runs `mkns fpga SPEC --shared` with the arguments in `folder`.
fn shared(spec: &str, arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["fpga", spec, "--shared", "--dry-run"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("mkns runs")
}

/// Rows of `TURNS` in the text of a node: as many bits as all blocks of the kind need.
fn turns(text: &str) -> &str {
    let (_, rest) = text.split_once(".TURNS(").expect("blocks have turns");
    rest.split(')').next().expect("a value")
}

#[test]
fn one_project_serves_all_boards_of_a_kind() {
    for kind in ["switch", "adapter"] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let block = ["--block", kind, "-o", kind];
        let arguments = [&block[..], &CARD, &IN_BAND].concat();
        let output = shared("MKNS(1,2x2,2,1)", &arguments, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let node = folder.path().join(kind);
        let top = format!("node_{kind}");
        assert_eq!(lint(&node, &top, &OPEN_PINS), Ok(()), "{kind}");
        let files = sources(&node);
        let core = format!("{top}_core.v");
        let (_, text) = (files.iter().find(|(name, _)| *name == core)).expect("a core");
        for word in [
            "any ",
            "management_unit #(",
            ".block_number(16'd65535)",
            ".EXPECTED_PEER(32'd0),",
        ] {
            assert!(text.contains(word), "{kind}: {word}");
        }
        for word in ["TABLE0_INIT", ".NODE_ADDRESS(", ".STEP(", "cable to"] {
            assert!(!text.contains(word), "{kind}: {word}");
        }
        assert_ne!(turns(text).trim_end_matches('0'), "", "{kind}");
        let script = fs::read_to_string(node.join("build.tcl")).expect("written");
        assert!(script.contains("management_unit.v"), "{kind}");
    }
}

/// A block with a name and a manager over its cables keeps its tables and number, and has a management unit.
#[test]
fn a_named_block_has_a_management_unit_too() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let block = ["--block", "kb_y0", "--dry-run", "-o", "kb_y0"];
    let output = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["fpga", "MKNS(1,2,2,1)"])
        .args([&block[..], &CARD, &IN_BAND].concat())
        .current_dir(folder.path())
        .output()
        .expect("mkns runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let node = folder.path().join("kb_y0");
    assert_eq!(lint(&node, "node_kb_y0", &OPEN_PINS), Ok(()));
    let files = sources(&node);
    let (_, text) = (files.iter().find(|(name, _)| name == "node_kb_y0_core.v")).expect("a core");
    assert!(text.contains("management_unit #(") && text.contains("TABLE0_INIT"));
    assert!(!text.contains(".block_number(16'd65535)"));
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pair = pair();
    let of = |kind: &'static str, more: &[&'static str]| [&["--block", kind][..], more].concat();
    let managed = |more: &[&'static str]| [more, &CARD, &IN_BAND].concat();
    for (spec, arguments, words) in [
        ("MKNS(1,2,2,1)", of("switch", &CARD), "link.management"),
        (
            "fat_tree(2x2,1,1)",
            of("switch", &managed(&[])),
            "sw1_0_0 and sw2_0_0 differ in the ports that have cables",
        ),
        (
            "KNS(2x3,1)",
            of("switch", &managed(&[])),
            "kb_x0 and kb_y0 differ in",
        ),
        (
            "MKNS(1,2,2,1)",
            of("adapter", &managed(&["--pcie", "none"])),
            "address of their own",
        ),
        (
            &pair,
            of("adapter", &[&["--board", "ulx3s"][..], &IN_BAND].concat()),
            "no core for hosts",
        ),
        ("MKNS(1,2,2,1)", of("kb_y0", &managed(&[])), "`--shared`"),
        (
            "MKNS(1,4,1,1)",
            of("switch", &managed(&[])),
            "no such block",
        ),
    ] {
        let output = shared(spec, &arguments, folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}
