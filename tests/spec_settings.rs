//! Settings of the command line, `--set KEY=VALUE`: what they change and what is said of wrong ones.

use std::io::Write;
use std::process::{Command, Stdio};

use mkns::cli::render_diagnostics;
use mkns::spec::{NetworkSpec, Switching, parse_notation, parse_toml_with, parse_with};

fn with(spec: &str, settings: &[&str]) -> NetworkSpec {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    parse_with(spec, &settings).unwrap_or_else(|found| panic!("{}", render_diagnostics(&found)))
}

fn complaint(settings: &[&str]) -> String {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    let found = parse_with("MKNS(2,4,2,1)", &settings).expect_err("a faulty setting");
    render_diagnostics(&found)
}

#[test]
fn keys_of_blocks_need_no_prefix_and_words_no_quotes() {
    let spec = with(
        "MKNS(2,4,2,1)",
        &[
            "flit_bits=128",
            "block.banks = 3",
            "switching=vct",
            "rx_buffer_flits=0x24",
            "queue_flits=64",
            "counters=false",
            "name=lab",
        ],
    );
    assert_eq!((spec.block.flit_bits, spec.block.banks), (128, 3));
    assert_eq!(spec.block.switching, Switching::Vct);
    assert_eq!(spec.block.rx_buffer_flits, 36);
    assert!(!spec.block.counters);
    assert_eq!(spec.name, "lab");
    assert_eq!(with("MKNS(2,4,2,1)", &["name='lab'"]).name, "lab");
}

#[test]
fn settings_override_the_file_and_later_ones_earlier_ones() {
    let file = "name = \"a\"\nnetwork = \"MKNS(2,4,2,1)\"\n[block]\nlayers = 2\nbanks = 4\n";
    let settings = ["layers=3", "layers=4"].map(str::to_owned);
    let spec = parse_toml_with("x.toml", file, &settings).expect("valid");
    assert_eq!((spec.block.layers, spec.block.banks), (4, 4));
    assert_eq!(spec.name, "a");
}

#[test]
fn a_notation_can_be_changed_in_part_and_as_a_whole() {
    let wide = with("MKNS(2,12,1,0)", &["network.ports=14"]);
    assert_eq!(wide.name, "mkns_2_12_1_1_d14");
    let cube = with("torus(4x4)", &["network.sizes=[3, 3, 3]"]);
    assert_eq!(cube.notation(), "torus(3x3x3)");
    let other = with(
        "torus(4x4)",
        &["network.vms_per_node=2", "network=MKNS(1,4,2,1)"],
    );
    assert_eq!(other.notation(), "MKNS(2,4,2,1)");
    // Defaults follow the network that comes out.
    let ring = with("MKNS(2,4,2,1)", &["network=torus(8x8)"]);
    let plain = parse_notation("torus(8x8)").expect("valid");
    assert_eq!(ring, plain);
}

#[test]
fn a_wrong_setting_is_shown_as_it_was_written() {
    assert_eq!(
        complaint(&["flit_bit=128"]),
        "error[E0214]: unknown key `flit_bit` in `block`
  |
1 | --set flit_bit=128
  |       ^^^^^^^^
  |
  = help: did you mean `flit_bits`?
  = more: mkns explain E0214

"
    );
    assert_eq!(
        complaint(&["layers=2", "block.flit_bits=100"]),
        "error[E0205]: block.flit_bits = 100, but it must be 64, 128, 256 or 512
  |
1 | --set block.flit_bits=100
  |                       ^^^ block.flit_bits
  |
  = help: use 64, 128, 256 or 512
  = more: mkns explain E0205

"
    );
}

#[test]
fn every_fault_of_a_setting_has_one_diagnostic() {
    for (setting, code) in [
        ("flit_bits", "E0228"),
        ("=4", "E0228"),
        ("flit_bits=", "E0228"),
        ("flit_bits=wide", "E0215"),
        ("flit_bits=\"128", "E0213"),
        ("flit bits=128", "E0213"),
        ("flit_bits.x=1", "E0215"),
        ("name=Lab", "E0217"),
        ("switching=vtc", "E0218"),
        ("network.ports=99", "E0205"),
        ("network.portz=9", "E0214"),
        ("network=MKNS(2,4)", "E0203"),
        ("block=3", "E0215"),
        ("queue_flits=8", "E0220"),
    ] {
        let text = complaint(&[setting]);
        assert_eq!(text.matches("error[").count(), 1, "{setting}: {text}");
        assert!(
            text.contains(&format!("error[{code}]")),
            "{setting}: {text}"
        );
        assert!(
            text.contains(&format!("1 | --set {setting}")),
            "{setting}: {text}"
        );
    }
}

#[test]
fn a_dash_is_toml_on_standard_input() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    // Two readers of one spec: the sweep and the row of the table.
    command.args([
        "compare",
        "--simulate",
        "-",
        "--set",
        "name=lab",
        "--load",
        "0.2",
    ]);
    command.args(["--cycles", "300", "--warmup", "0", "--format", "json"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("mkns starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    (pipe.write_all(b"network = \"MKNS(2,2,2,1)\"\n")).expect("mkns reads");
    drop(pipe);
    let output = child.wait_with_output().expect("mkns ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("\"hosts\": 8"), "{text}");
}
