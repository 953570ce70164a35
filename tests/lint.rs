//! Generated Verilog passes Verilator, Icarus Verilog and Yosys without a word, and `mkns lint` says
//! so only when it is true. Needs the tools that `make setup` installs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use mkns::rtl::lint::Tool;

fn mkns(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(arguments).output().expect("mkns runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Word, tool and top of each line of the report.
fn verdicts(report: &str) -> Vec<[&str; 3]> {
    let lines = report.lines().filter(|line| !line.starts_with(' '));
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>());
    words.map(|words| [words[0], words[1], words[2]]).collect()
}

/// A spec of the smallest blocks, quick to check; written into `folder`.
fn tiny_spec(folder: &Path) -> String {
    let path = folder.join("tiny.toml");
    let spec = "[network]\nvms_per_node = 1\nports = 4\n\n[[network.dimensions]]\nsize = 2\n";
    fs::write(&path, spec).expect("writable");
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn a_small_network_is_clean_as_a_whole() {
    let run = mkns(&["lint", "MKNS(2,2,2,1)"]);
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    let network = "mkns_2_2_2_1";
    let mut expected = vec![
        ["skipped", "yosys", "mkns_2_2_2_1_top:"],
        ["ok", "slang", "wiring,"],
    ];
    let tops = ["adapter_node", "switch_node", "top"].map(|part| format!("{network}_{part}"));
    for tool in ["verilator", "iverilog", "yosys"] {
        let whole = tool != "yosys";
        expected.extend(
            tops.iter()
                .take(2 + usize::from(whole))
                .map(|top| ["ok", tool, top]),
        );
    }
    // results come as runs end
    let mut found = verdicts(&report);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// Its blocks have ports that are not built, and only one kind of them has hosts.
#[test]
fn an_adaptive_network_is_clean_as_a_whole() {
    let run = mkns(&["lint", "MKNS(2,2,2,1)", "--set", "routing=adaptive"]);
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    let passed = verdicts(&report)
        .iter()
        .filter(|words| words[0] == "ok")
        .count();
    assert_eq!(passed, 9, "{report}");
}

/// A second check of the same files is the first one's; a changed file is read again.
#[test]
fn what_has_passed_is_not_run_again_until_a_file_changes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("a plain path");
    assert!(
        mkns(&["generate", &tiny_spec(folder.path()), "-o", out_name])
            .status
            .success()
    );
    let lint = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.args(["lint", out_name]);
        let run = command
            .env("MKNS_CACHE", folder.path().join("cache"))
            .output();
        let run = run.expect("mkns runs");
        (run.status.code(), text(&run.stdout))
    };
    let (code, first) = lint();
    assert!(
        code == Some(0) && !first.contains("passed before"),
        "{first}"
    );
    let (code, second) = lint();
    assert_eq!(code, Some(0), "{second}");
    let lines = second
        .lines()
        .filter(|line| !line.starts_with("skipped") && !line.contains("slang"));
    assert!(
        lines.clone().all(|line| line.ends_with("passed before")),
        "{second}"
    );
    let changed = out.join("rtl/crossbar.v");
    let verilog = fs::read_to_string(&changed).expect("a module");
    fs::write(&changed, verilog + "// mine\n").expect("writable");
    let (code, third) = lint();
    assert!(
        code == Some(0) && !third.contains("passed before"),
        "{third}"
    );
}

/// Yosys takes minutes for a whole network, so it is asked for.
#[test]
fn yosys_reads_the_whole_network_when_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = mkns(&["lint", "--synthesis", &tiny_spec(folder.path())]);
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    let whole = ["ok", "yosys", "mkns_1_2_1_1_d4_top"];
    assert!(verdicts(&report).contains(&whole), "{report}");
    assert!(!report.contains("skipped"), "{report}");
}

/// A reader sees the first result while later ones are still being made.
#[test]
fn results_are_printed_as_they_come() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["lint", &tiny_spec(folder.path())])
        .env("MKNS_CACHE", folder.path().join("cache"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("mkns runs");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let first = lines.next().expect("a result").expect("text");
    let still_runs = child.try_wait().expect("a child").is_none();
    let rest = lines.count();
    assert!(child.wait().expect("a child").success());
    assert!(
        first.starts_with("ok") && still_runs && rest > 3,
        "{first}, {rest} more"
    );
}

#[test]
fn unusual_parameters_and_the_assembly_are_clean() {
    let run = mkns(&["lint", "tests/snapshots/wide_assembly.toml"]);
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    for tool in ["verilator", "iverilog", "yosys"] {
        assert!(
            verdicts(&report).contains(&["ok", tool, "wide_assembly_switch_assembly"]),
            "{report}"
        );
    }
}

/// Verilator takes a constant of more than 8,192 equal bits for a slip.
#[test]
fn large_tables_and_wide_flits_are_clean() {
    let wide = ["--set", "flit_bits=256", "--set", "max_packet_flits=9"];
    let tables = ["--set", "routing=layered", "--set", "layers=8"];
    let run = mkns(&[&["lint", "random_shortcut(66,8,2)"], &wide[..], &tables[..]].concat());
    let report = text(&run.stdout);
    assert_eq!(run.status.code(), Some(0), "{report}{}", text(&run.stderr));
    let adapter = ["ok", "verilator", "random_shortcut_66_8_2_adapter_node"];
    assert!(verdicts(&report).contains(&adapter), "{report}");
}

/// Tops of boards, with one and with two channels, tables that are fixed and tables that are written, layers of paths.
#[test]
fn tops_of_boards_are_clean() {
    for (spec, settings, tops) in [
        (
            "MKNS(1,2x3,2,1)",
            "link=serial control_port=false",
            &["ab_0_0_0_0", "kb_y1"][..],
        ),
        (
            "torus(3x3,2)",
            "link.dimensions=[2] virtual_channels=2 rx_buffer_flits=32",
            &["ab_0_1"],
        ),
        (
            "MKNS(2,3,2,1)",
            "link=serial routing=planes rx_buffer_flits=32",
            &["ab_2_0_0_0"],
        ),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join("out");
        let out_name = out.to_str().expect("a plain path");
        let mut arguments = vec!["generate", spec, "-o", out_name, "--set", "name=net"];
        arguments.extend(settings.split(' ').flat_map(|setting| ["--set", setting]));
        let made = mkns(&arguments);
        assert!(made.status.success(), "{spec}: {}", text(&made.stderr));
        for top in tops {
            let rtl = fs::read_dir(out.join("rtl")).expect("sources");
            let rtl = rtl.map(|entry| {
                entry
                    .expect("readable")
                    .file_name()
                    .into_string()
                    .expect("plain")
            });
            let mut sources: Vec<String> = rtl.map(|name| format!("rtl/{name}")).collect();
            sources.push(format!("boards/net_{top}.v"));
            let lint = |fault: fn(&str) -> String| {
                let path = out.join(format!("boards/net_{top}.v"));
                let right = fs::read_to_string(&path).expect("a top");
                fs::write(&path, fault(&right)).expect("writable");
                let run = (Tool::Verilator.command(&format!("net_{top}"), &sources))
                    .expect("`make setup` installs it")
                    .current_dir(&out)
                    .output()
                    .expect("it runs");
                fs::write(&path, right).expect("writable");
                let said = text(&run.stderr);
                (run.status.success() && !said.contains("arning"), said)
            };
            let (clean, said) = lint(str::to_owned);
            assert!(clean, "{spec} {top}: {said}");
            let (clean, _) = lint(|right| right.replacen(".link_clk(", ".link_clock(", 1));
            assert!(!clean, "{spec} {top}: a wrong pin is seen");
        }
    }
}

/// Each fault is of a kind that at least the named tool must see.
#[test]
fn faults_are_reported_by_tool_and_top_with_exit_code_7() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("a plain path");
    let top = out.join("rtl/mkns_1_2_1_1_d4_top.v");
    let spec = tiny_spec(folder.path());
    // a net too narrow, a module that does not exist
    let faults = [
        (
            "verilator",
            "wire [LINK_BITS-1:0] cable_0_a_tx",
            "wire [LINK_BITS-2:0] cable_0_a_tx",
        ),
        ("yosys", "    cable #(", "    cabel #("),
        ("iverilog", "    cable #(", "    cabel #("),
    ];
    for (tool, sound, faulty) in faults {
        let made = mkns(&["generate", &spec, "-o", out_name, "--overwrite"]);
        assert!(made.status.success(), "{}", text(&made.stderr));
        let verilog = fs::read_to_string(&top).expect("a top");
        assert!(verilog.contains(sound), "the fault has a place to be");
        fs::write(&top, verilog.replacen(sound, faulty, 1)).expect("writable");
        let run = mkns(&["lint", "--synthesis", out_name]);
        let report = text(&run.stdout);
        assert_eq!(run.status.code(), Some(7), "{report}");
        assert!(
            verdicts(&report).contains(&["failed", tool, "mkns_1_2_1_1_d4_top"]),
            "{report}"
        );
        assert!(
            verdicts(&report).contains(&["ok", tool, "mkns_1_2_1_1_d4_adapter_node"]),
            "{report}"
        );
        assert!(report.ends_with(" runs passed\n"), "{report}");
    }
}

/// Standard output takes nothing: the verdict stands, in words of standard error.
#[test]
fn a_verdict_stands_that_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("a plain path");
    let made = mkns(&["generate", &tiny_spec(folder.path()), "-o", out]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let crossbar = Path::new(out).join("rtl/crossbar.v");
    fs::write(crossbar, "module crossbar; assign = 1;\n").expect("writable");
    for format in ["text", "json"] {
        let full = fs::File::options().write(true).open("/dev/full");
        let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["lint", out, "--format", format])
            .stdout(full.expect("Linux"))
            .output()
            .expect("mkns runs");
        let said = text(&run.stderr);
        assert_eq!(run.status.code(), Some(7), "{said}");
        assert!(said.contains(" runs passed"), "{said}");
    }
}

#[test]
fn files_that_were_added_by_hand_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("a plain path");
    let made = mkns(&["generate", &tiny_spec(folder.path()), "-o", out_name]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let rename = |from: &str, to: &str| {
        let text = fs::read_to_string(out.join("rtl").join(from)).expect("a file");
        let text = text.replace("crossbar #(", "my_crossbar #(");
        fs::write(out.join("rtl").join(to), text).expect("writable");
    };
    rename("crossbar.v", "my_crossbar.v");
    rename("switch_core.v", "switch_core.v");
    // The old module would be defined beside the new one.
    fs::write(out.join("rtl/crossbar.v"), "").expect("writable");
    let run = mkns(&["lint", out_name]);
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stdout));
}

#[test]
fn a_missing_tool_is_named_with_exit_code_6() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(["lint", &tiny_spec(folder.path())]);
    command.env("MKNS_VERILATOR_ROOT", "/nonexistent");
    let run = command.output().expect("mkns runs");
    assert_eq!(run.status.code(), Some(6), "{}", text(&run.stdout));
    assert!(text(&run.stderr).contains("verilator is not installed"));
    let node = "mkns_1_2_1_1_d4_adapter_node";
    assert!(verdicts(&text(&run.stdout)).contains(&["missing", "verilator", node]));
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let run = mkns(&["lint", folder.to_str().expect("a plain path")]);
    assert_eq!(run.status.code(), Some(2));
    assert!(text(&run.stderr).contains("E0505"));
}

#[test]
fn users_2_lint_compares_the_wiring_with_the_plan() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("a plain path");
    let made = mkns(&["generate", "MKNS(2,2,2,1)", "-o", out_name]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let top = out.join("rtl/mkns_2_2_2_1_top.v");
    let verilog = fs::read_to_string(&top).expect("a top");
    assert!(verilog.contains("cable_1_a_rx, {6"));
    let swapped = verilog.replacen("20'h00002", "20'h00003", 1);
    assert_ne!(swapped, verilog);
    fs::write(&top, swapped).expect("writable");
    let run = mkns(&["lint", out_name]);
    let said = text(&run.stderr);
    assert_eq!(run.status.code(), Some(5), "{said}");
    assert!(
        said.contains("E0527") && said.contains("NODE_ADDRESS"),
        "{said}"
    );
}
