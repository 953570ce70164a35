//! Parameters outside their limits do not elaborate, however they are cut on their way: the missing module names the
//! limit. Needs `iverilog`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::files::files_below;

/// Top module, its parameters, and what its limit is called; nothing when they are legal.
const CASES: [(&str, &[&str], &str); 20] = [
    ("switch_block", &[], ""),
    ("adapter_block", &[], ""),
    (
        "switch_block",
        &["TABLE0_BITS=17"],
        "TABLEn_BITS_must_be_0_to_12",
    ),
    (
        "switch_block",
        &["TABLE0_LSB=35"],
        "TABLEn_LSB_must_be_0_to_19",
    ),
    (
        "switch_block",
        &["TABLE0_LSB=25"],
        "TABLEn_LSB_must_be_0_to_19",
    ),
    (
        "switch_block",
        &["VC_BITS=3"],
        "VC_BITS_must_be_2_with_4_VCS_else_1",
    ),
    (
        "adapter_block",
        &["TABLE7_LSB=-1"],
        "TABLEn_LSB_must_be_0_to_19",
    ),
    (
        "adapter_block",
        &["VC_BITS=2"],
        "VC_BITS_must_be_2_with_4_VCS_else_1",
    ),
    (
        "adapter_block",
        &["FIELDS=2", "FIELD1_LSB=40", "FIELD1_BITS=3"],
        "FIELDn_must_lie_within_20_bits",
    ),
    (
        "adapter_block",
        &["FIELD7_SIZE=2"],
        "FIELDn_must_lie_within_20_bits",
    ),
    ("adapter_block", &["FIELDS=9"], "FIELDS_must_be_1_to_8"),
    ("switch_block", &["ADAPTIVE=1"], "ADAPTIVE_needs_VCS_of_2"),
    (
        "switch_block",
        &["ADAPTIVE=1", "VCS=2", "MAX_PACKET_FLITS=63"],
        "ADAPTIVE_needs_VCS_of_2_LAYERS_of_1_MAX_PACKET_FLITS",
    ),
    (
        "switch_block",
        &["CANDIDATE_BITS=13"],
        "CANDIDATE_BITS_must_be_0_to_12",
    ),
    (
        "adapter_block",
        &["ADAPTIVE=1", "VCS=2", "HOST_CHANNELS=2"],
        "ADAPTIVE_needs_HOST_CHANNELS_of_1_no_PATHS",
    ),
    (
        "axis_async_fifo",
        &["ADDRESS_BITS=1"],
        "ADDRESS_BITS_must_be_2_to_12",
    ),
    (
        "packet_buffer",
        &["ADDRESS_BITS=17"],
        "ADDRESS_BITS_must_be_2_to_16",
    ),
    (
        "packet_length",
        &["DATA_WIDTH=24"],
        "DATA_WIDTH_must_be_64_128_256_or_512",
    ),
    (
        "uart_receiver",
        &["DIVIDER=3"],
        "DIVIDER_must_be_4_to_65535",
    ),
    (
        "uart_transmitter",
        &["DIVIDER=70000"],
        "DIVIDER_must_be_2_to_65535",
    ),
];

/// The templates of a folder that are Verilog but for the line of their banner.
fn sources(from: &Path, to: &Path) -> Vec<PathBuf> {
    let templates = files_below(from).into_iter();
    let written = templates.filter_map(|template| {
        let text = fs::read_to_string(&template).expect("a template");
        if text.contains("<%") {
            return None;
        }
        let lines = text.lines().filter(|line| !line.starts_with("<$"));
        let file = to.join(template.file_name().expect("a name"));
        fs::write(&file, lines.collect::<Vec<_>>().join("\n") + "\n").expect("writable");
        Some(file)
    });
    written.collect()
}

#[test]
fn cards_f9_parameters_outside_their_limits_do_not_elaborate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl-templates");
    let mut files = Vec::new();
    for part in ["common", "switch", "adapter", "fpga"] {
        files.extend(sources(&templates.join(part), folder.path()));
    }
    let of_block = |file: &&PathBuf| {
        let name = file.file_stem().and_then(|name| name.to_str());
        let of_fpga = templates
            .join("fpga")
            .join(file.file_name().expect("a name"));
        !of_fpga.exists() || CASES.iter().any(|(top, ..)| Some(*top) == name)
    };
    for (top, parameters, limit) in CASES {
        let overrides = parameters.iter().map(|one| format!("-P{top}.{one}"));
        let ended = Command::new("iverilog")
            .args(["-g2005", "-t", "null", "-s", top])
            .args(overrides)
            .args(files.iter().filter(of_block))
            .output()
            .expect("iverilog runs");
        let said = String::from_utf8_lossy(&ended.stderr);
        let expected = format!("illegal_parameter_{limit}");
        match limit {
            "" => assert!(ended.status.success(), "{top}: {said}"),
            _ => assert!(said.contains(&expected), "{top}, {parameters:?}: {said}"),
        }
    }
}
