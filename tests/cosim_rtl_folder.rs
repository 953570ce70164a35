//! RTL as it is on disk against the golden model: `--rtl DIR`, as users call it. Unchanged RTL passes in
//! silence, changed RTL is named and judged, and what does not fit is told at its place.
#![cfg(feature = "cosim")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const SPEC: &str = "tests/regressions/specs/smallest.toml";
/// A data bit that the crossbar lets through as 0.
const GOOD: &str = "tx_data <= data;";
const BAD: &str = "tx_data <= data & ~{OUTPUTS{{{DATA_WIDTH-1{1'b0}}, 1'b1}}};";

/// What a run said.
struct Said {
    code: Option<i32>,
    output: String,
    errors: String,
}

fn mkns(arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    let ended = command.args(arguments).output().expect("mkns runs");
    Said {
        code: ended.status.code(),
        output: String::from_utf8_lossy(&ended.stdout).into_owned(),
        errors: String::from_utf8_lossy(&ended.stderr).into_owned(),
    }
}

/// A folder that `mkns generate` wrote, to be changed.
struct Folder(TempDir);

impl Folder {
    fn generated() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        let said = mkns(&["generate", SPEC, "-o", &folder.rtl()]);
        assert_eq!(said.code, Some(0), "{}", said.errors);
        folder
    }

    /// A copy of the templates.
    fn templates() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        for part in ["adapter", "common", "network", "rok", "switch"] {
            let to = folder.path(part);
            fs::create_dir_all(&to).expect("a folder");
            let from = fs::read_dir(Path::new("hdl-templates").join(part)).expect("templates");
            for entry in from.map(|entry| entry.expect("an entry")) {
                fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
            }
        }
        folder
    }

    /// What `--rtl` is given.
    fn rtl(&self) -> String {
        self.path("").to_str().expect("ASCII").to_owned()
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join("mine").join(file)
    }

    fn change(&self, file: &str, good: &str, bad: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(good), "{file}: `{good}`");
        fs::write(path, text.replace(good, bad)).expect("our own file");
    }

    /// A run of the switch block.
    fn switch(&self, more: &[&str]) -> Said {
        let rtl = self.rtl();
        let fixed = ["cosim", SPEC, "--block", "switch", "--rtl", &rtl];
        let run = ["--traffic", "uniform", "--cycles", "300"];
        mkns(&[&fixed[..], &run, more].concat())
    }
}

#[test]
fn an_unchanged_folder_passes_in_silence() {
    for folder in [Folder::generated(), Folder::templates()] {
        let said = folder.switch(&["--format", "json"]);
        assert_eq!((said.code, said.errors.as_str()), (Some(0), ""));
        let outcome: Value = serde_json::from_str(&said.output).expect("JSON");
        assert_eq!(outcome["changed_rtl"], serde_json::json!([]));
    }
}

/// What shows that a folder's RTL is run, and how to see the fault again.
fn is_found(folder: &Folder, said: &Said) {
    let notice = format!(
        "RTL of {} differs from what mkns generates in crossbar.v\n",
        folder.rtl()
    );
    assert_eq!(
        (said.code, &said.errors),
        (Some(5), &notice),
        "{}",
        said.output
    );
    let replay = said
        .output
        .lines()
        .find(|line| line.starts_with("replay: "));
    let option = format!(" --rtl {}", folder.rtl());
    assert!(
        replay.is_some_and(|line| line.contains(&option)),
        "{}",
        said.output
    );
}

#[test]
fn a_changed_file_is_named_and_found_until_it_is_mended() {
    let folder = Folder::generated();
    folder.change("rtl/crossbar.v", GOOD, BAD);
    is_found(&folder, &folder.switch(&[]));
    let said = folder.switch(&["--simulator", "icarus"]);
    is_found(&folder, &said);
    // Its replay command can be given: Icarus takes no `--trace`.
    assert!(!said.output.contains("--trace"), "{}", said.output);

    let case = folder.0.path().join("case.toml");
    let case = case.to_str().expect("ASCII");
    let said = folder.switch(&["--shrink", case]);
    is_found(&folder, &said);
    let again = format!("mkns cosim --case {case} --rtl {}", folder.rtl());
    let text = fs::read_to_string(case).expect("a case");
    assert!(text.contains(&again), "{text}");
    let replay = || mkns(&["cosim", "--case", case, "--rtl", &folder.rtl()]);
    is_found(&folder, &replay());
    folder.change("rtl/crossbar.v", BAD, GOOD);
    let said = replay();
    assert_eq!((said.code, said.errors.as_str()), (Some(0), ""));
}

/// The block around a POK unit that is only part of terminals is in no generated folder of its network.
#[test]
fn units_of_terminals_run_alone_from_a_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mine = folder.path().join("mine");
    let mine = mine.to_str().expect("ASCII");
    let spec = "multi_ring(3,1,1)";
    assert_eq!(mkns(&["generate", spec, "-o", mine]).code, Some(0));
    let run = ["--block", "rok", "--traffic", "uniform", "--cycles", "300"];
    for rtl in [mine, "hdl-templates"] {
        let said = mkns(&[&["cosim", spec, "--rtl", rtl][..], &run].concat());
        assert_eq!((said.code, said.errors.as_str()), (Some(0), ""), "{rtl}");
    }
}

#[test]
fn whole_networks_run_the_folders_blocks_and_its_top() {
    let folder = Folder::generated();
    folder.change("rtl/crossbar.v", GOOD, BAD);
    let rtl = folder.rtl();
    let run = ["cosim", SPEC, "--rtl", &rtl, "--cycles", "300"];
    is_found(&folder, &mkns(&run));
    is_found(&folder, &mkns(&[&run[..], &["--flat"]].concat()));
}

#[test]
fn a_regression_runs_the_folder_of_its_matrix() {
    let folder = Folder::generated();
    folder.change("rtl/crossbar.v", GOOD, BAD);
    let suite = folder.0.path().join("suite.toml");
    let spec = fs::canonicalize(SPEC).expect("the spec");
    let text = format!(
        "[[suite.smoke]]\nspecs = [{spec:?}]\nrtl = \"mine\"\nparts = [\"switch\"]\n\
         traffic = [\"uniform\"]\ncycles = 300\nseeds = 1\n"
    );
    fs::write(&suite, text).expect("a file");
    let said = mkns(&["regress", suite.to_str().expect("ASCII")]);
    assert_eq!(said.code, Some(5), "{}{}", said.output, said.errors);
    assert!(said.output.contains("--rtl "), "{}", said.output);
    folder.change("rtl/crossbar.v", BAD, GOOD);
    let said = mkns(&["regress", suite.to_str().expect("ASCII")]);
    assert_eq!(said.code, Some(0), "{}{}", said.output, said.errors);
}

#[test]
fn files_that_were_added_by_hand_are_read() {
    let folder = Folder::generated();
    fs::copy(folder.path("rtl/crossbar.v"), folder.path("rtl/mine.v")).expect("a copy");
    for file in ["rtl/mine.v", "rtl/switch_core.v"] {
        folder.change(file, "crossbar #(", "mine #(");
    }
    let said = folder.switch(&[]);
    assert_eq!(said.code, Some(0), "{}", said.errors);
    assert!(
        said.errors.ends_with(" in mine.v, switch_core.v\n"),
        "{}",
        said.errors
    );
}

/// A pass says nothing of a file that the block does not use, so that is said.
#[test]
fn changed_files_beside_the_block_are_told_apart() {
    let folder = Folder::generated();
    folder.change("rtl/pcie_egress.v", "endmodule", "\nendmodule");
    let said = folder.switch(&[]);
    assert_eq!(said.code, Some(0), "{}", said.errors);
    let end = " in pcie_egress.v, which does not run in the lockstep of switch_block\n";
    assert!(said.errors.ends_with(end), "{}", said.errors);

    // An assembly is named after its network. One that does not compile says so at once.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (spec, folder) = ("MKNS(1,3x20,2,2)", Folder(folder));
    let rtl = folder.rtl();
    assert_eq!(mkns(&["generate", spec, "-o", &rtl]).code, Some(0));
    folder.change("rtl/crossbar.v", "endmodule", "assign = 1;\nendmodule");
    let said = mkns(&["cosim", spec, "--block", "assembly", "--rtl", &rtl]);
    assert_eq!(said.code, Some(7), "{}", said.errors);
    assert!(said.errors.contains(" in crossbar.v\n"), "{}", said.errors);
}

/// The only diagnostic of a run, which is told with exit code 7 at its place in the folder.
fn refused(said: &Said, code: &str, place: &str, fact: &str) {
    assert_eq!(said.code, Some(7), "{}{}", said.output, said.errors);
    assert_eq!(said.errors.matches("error[").count(), 1, "{}", said.errors);
    // The temporary folder of a tool is no place to look at.
    let (_, told) = said.errors.split_once("error[").expect("a diagnostic");
    assert_eq!(told.matches("/.tmp").count(), 1, "{}", said.errors);
    for part in [code, place, fact] {
        assert!(told.contains(part), "`{part}`: {}", said.errors);
    }
}

#[test]
fn ports_and_parameters_that_do_not_fit_are_named() {
    let folder = Folder::generated();
    let place = folder.path("rtl/switch_block.v");
    let place = place.to_str().expect("ASCII");
    // Not the names of the core's ports and parameters.
    let switch = fs::read_to_string(place).expect("a file");
    let rename = |from: &str, to: &str| {
        let renamed = switch.replace(from, to);
        let renamed = renamed.replace(&format!(".{to}("), &format!(".{from}("));
        fs::write(place, renamed).expect("our own file");
    };
    rename("rx_valid", "rx_there");
    let said = folder.switch(&[]);
    let fact = "port `rx_valid` of module `switch_block`: an input of 4 bits is expected, but it is not in \
                the RTL, which has `rx_there` instead";
    refused(&said, "E0614", place, fact);
    let said = folder.switch(&["--simulator", "icarus"]);
    refused(&said, "E0614", place, "port `rx_valid` of module");
    rename("COUNTERS", "COUNTED");
    let fact = "module `switch_block` has no parameter `COUNTERS`";
    refused(&folder.switch(&[]), "E0614", place, fact);
    let said = folder.switch(&["--simulator", "icarus"]);
    refused(&said, "E0614", place, fact);
}

#[test]
fn what_tools_refuse_is_told_where_the_user_has_it() {
    let folder = Folder::generated();
    folder.change("rtl/crossbar.v", "endmodule", "assign = 1;\nendmodule");
    let place = format!("{}:", folder.path("rtl/crossbar.v").display());
    let runs: [&[&str]; 3] = [&[], &["--simulator", "icarus"], &["--netlist", "ecp5"]];
    for more in runs {
        refused(&folder.switch(more), "E0604", &place, "syntax error");
    }
    let rtl = folder.rtl();
    let said = mkns(&["coverage", SPEC, "--block", "switch", "--rtl", &rtl]);
    refused(&said, "E0604", &place, "syntax error");
}

#[test]
fn what_tools_refuse_in_a_template_is_told_by_its_own_line() {
    let folder = Folder::templates();
    folder.change("common/crossbar.v", "endmodule", "assign = 1;\nendmodule");
    let path = folder.path("common/crossbar.v");
    let text = fs::read_to_string(&path).expect("a file");
    let line = 1 + text
        .lines()
        .position(|line| line == "assign = 1;")
        .expect("our own line");
    let place = format!("{}:{line}:", path.display());
    refused(&folder.switch(&[]), "E0604", &place, "syntax error");
}

#[test]
fn changed_templates_need_no_rebuild_unless_they_loop() {
    let folder = Folder::templates();
    folder.change("common/crossbar.v", GOOD, BAD);
    is_found(&folder, &folder.switch(&[]));
    folder.change("common/crossbar.v", BAD, GOOD);
    folder.change("network/node.v", "<$ banner $>", "// mine\n<$ banner $>");
    // Blocks alone have no node.
    assert_eq!(folder.switch(&[]).code, Some(0));
    let said = mkns(&["cosim", SPEC, "--flat", "--rtl", &folder.rtl()]);
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert!(said.errors.contains("E0523"), "{}", said.errors);
    assert!(
        said.errors.contains("mine/network/node.v:"),
        "{}",
        said.errors
    );
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let folder = Folder::generated();
    let (rtl, deep) = (folder.rtl(), folder.path("rtl"));
    let deep = deep.to_str().expect("ASCII");
    let flat = ["cosim", "MKNS(2,2,2,1)", "--flat", "--rtl", &rtl];
    for (arguments, code, fact) in [
        (&["cosim", SPEC, "--rtl", "src"][..], "E0520", "neither"),
        (&["cosim", SPEC, "--rtl", "none"], "E0520", "no such folder"),
        (
            &["cosim", SPEC, "--rtl", deep],
            "E0520",
            "name the folder above",
        ),
        (&flat, "E0522", "smallest, MKNS(1,2,2,1)"),
    ] {
        let said = mkns(arguments);
        assert_eq!(said.code, Some(2), "{}", said.errors);
        assert!(
            said.errors.contains(code) && said.errors.contains(fact),
            "{}",
            said.errors
        );
    }
    fs::remove_file(folder.path("rtl/crossbar.v")).expect("our own file");
    let said = folder.switch(&[]);
    assert_eq!(said.code, Some(2), "{}", said.errors);
    assert!(
        said.errors.contains("lacks rtl/crossbar.v"),
        "{}",
        said.errors
    );
}

/// A module that does something before the first cycle, in the switch block of a generated folder.
fn with_initial(items: &str) -> Folder {
    let folder = Folder::generated();
    folder.change(
        "rtl/crossbar.v",
        "endmodule",
        &format!("{items}\nendmodule"),
    );
    folder
}

#[test]
fn abuse_11_a_process_that_rtl_ends_has_no_verdict() {
    for (function, call) in [("exit", "exit(0)"), ("_exit", "_exit(0)")] {
        let import = format!("import \"DPI-C\" function void {function}(input int c);");
        let folder = with_initial(&format!("{import} initial {call};"));
        let said = mkns(&[
            "cosim",
            SPEC,
            "--block",
            "switch",
            "--cycles",
            "50",
            "--rtl",
            &folder.rtl(),
            "--allow-task",
            "import \"DPI-C\"",
        ]);
        assert_eq!(said.code, Some(1), "{call}: {}", said.errors);
        assert!(said.errors.contains("E0617"), "{}", said.errors);
    }
}

#[test]
fn abuse_11_rtl_that_finishes_before_the_first_cycle_is_a_failure_with_its_cause() {
    let folder = with_initial("initial $finish;");
    let said = mkns(&[
        "cosim",
        SPEC,
        "--block",
        "switch",
        "--cycles",
        "50",
        "--rtl",
        &folder.rtl(),
    ]);
    assert_eq!(said.code, Some(5), "{}", said.errors);
    assert!(
        said.output.contains("the RTL stopped by itself"),
        "{}",
        said.output
    );
    assert!(said.output.contains("$finish"), "{}", said.output);
}

/// One turn too few in a node, by the wiring check: the blocks themselves are as generated.
#[test]
fn a_node_with_other_turns_than_the_plan_is_found() {
    let folder = Folder::generated();
    let node = "rtl/smallest_adapter_node.v";
    let text = fs::read_to_string(folder.path(node)).expect("a file");
    let turns = text.find(".TURNS(").expect("the parameter");
    let literal = turns + text[turns..].find("'h").expect("a literal") + 2;
    let digit = literal + text[literal..].find(|c| c != '0').expect("a turn");
    let good = &text[turns..=digit];
    folder.change(node, good, &format!("{}0", &text[turns..digit]));
    let rtl = folder.rtl();
    let said = mkns(&["cosim", SPEC, "--cycles", "50", "--rtl", &rtl]);
    assert_ne!(said.code, Some(0), "{}{}", said.output, said.errors);
    let all = said.output + &said.errors;
    assert!(all.contains("TURNS"), "{all}");
}

/// The only test that waits as long as a user would: a cycle is given a minute.
#[test]
#[ignore = "takes a minute: make test-long"]
fn verilated_rtl_with_an_endless_loop_is_given_up() {
    let folder = Folder::generated();
    let good = "for (slot = 0; slot < SLOTS; slot = slot + 1)";
    let endless = "for (slot = 0; slot < SLOTS; slot = slot - 1)";
    folder.change("rtl/accept_bank.v", good, endless);
    let said = folder.switch(&[]);
    assert_eq!(said.code, Some(7), "{}", said.errors);
    assert!(said.errors.contains("E0618"), "{}", said.errors);
}
