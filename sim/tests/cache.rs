//! Builds: found again, shared by racing processes, and without a trace when they fail.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{counter, toolchain, toolchain_with_empty_cache};
use mkns_sim::{Effort, Error, ModelSource, Progress, Toolchain};

/// Set in the processes that race; names their cache.
const RACE: &str = "MKNS_SIM_TEST_RACE";

/// All that `build` reports.
fn progress_of(source: &ModelSource, toolchain: &Toolchain) -> Vec<Progress> {
    let seen = RefCell::new(Vec::new());
    mkns_sim::build(source, toolchain, &|progress| {
        seen.borrow_mut().push(progress)
    })
    .unwrap();
    seen.into_inner()
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn a_model_is_compiled_once_and_again_when_its_text_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counter.v");
    let text = fs::read_to_string(crate::support::rtl("counter.v")).unwrap();
    let unique = format!("{text}// {}\n", folder.path().display());
    let source = ModelSource {
        files: vec![file.clone()],
        ..counter()
    };
    let compiles = |text: &str| {
        fs::write(&file, text).unwrap();
        progress_of(&source, &toolchain()).contains(&Progress::Compiling {
            top: "counter".into(),
        })
    };
    assert!(compiles(&unique));
    assert!(!compiles(&unique));
    assert!(compiles(&format!("{unique} ")));
    assert!(!compiles(&unique));
}

#[test]
fn an_optimised_model_serves_a_short_run_but_not_the_other_way_round() {
    let folder = tempfile::tempdir().unwrap();
    let tools = toolchain_with_empty_cache(folder.path());
    let compiles = |source: &ModelSource| {
        progress_of(source, &tools).contains(&Progress::Compiling {
            top: source.top.clone(),
        })
    };
    let full = counter();
    let quick = ModelSource {
        effort: Effort::Quick,
        ..counter()
    };
    assert!(compiles(&quick) && !compiles(&quick));
    assert!(compiles(&full));
    fs::remove_dir_all(tools.cache.join("models")).unwrap();
    assert!(compiles(&full) && !compiles(&quick));
}

#[test]
fn racing_processes_share_one_build() {
    if let Some(cache) = env::var_os(RACE) {
        // One of the racing processes: its exit code and its count of builds are the result.
        let toolchain = Toolchain {
            cache: cache.into(),
            ..toolchain()
        };
        let built = progress_of(&counter(), &toolchain);
        println!(
            "compiled: {}",
            built
                .iter()
                .filter(|p| matches!(p, Progress::Compiling { .. }))
                .count()
        );
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let racers: Vec<Child> = (0..4)
        .map(|_| {
            Command::new(env::current_exe().unwrap())
                .args([
                    "--exact",
                    "cache::racing_processes_share_one_build",
                    "--nocapture",
                ])
                .env(RACE, cache.path())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut compiled = 0;
    for racer in racers {
        let output = racer.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        compiled += text.matches("compiled: 1").count();
        assert_eq!(text.matches("compiled: ").count(), 1, "{text}");
    }
    assert_eq!(
        compiled, 1,
        "one process builds, the others take its result"
    );
    assert_eq!(entries(&cache.path().join("models")), 1);
    assert_eq!(entries(&cache.path().join("runtime")), 1);
    assert_eq!(entries(&cache.path().join("tmp")), 0);
}

#[test]
fn racing_threads_share_one_build() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counter.v");
    let text = fs::read_to_string(crate::support::rtl("counter.v")).unwrap();
    fs::write(&file, format!("{text}// {}\n", folder.path().display())).unwrap();
    let source = ModelSource {
        files: vec![file],
        ..counter()
    };
    let builds: usize = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| progress_of(&source, &toolchain())))
            .collect();
        let seen = racers.into_iter().flat_map(|racer| racer.join().unwrap());
        seen.filter(|progress| matches!(progress, Progress::Finished { elapsed, .. } if *elapsed > Duration::ZERO))
            .count()
    });
    assert_eq!(builds, 1);
}

#[test]
fn a_failed_build_shows_its_log_and_leaves_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.v");
    fs::write(
        &file,
        "module broken(input wire clk);\n  assign nowhere = ;\nendmodule\n",
    )
    .unwrap();
    let source = ModelSource {
        top: "broken".into(),
        files: vec![file],
        ..ModelSource::default()
    };
    let tools = toolchain_with_empty_cache(folder.path());
    match mkns_sim::build(&source, &tools, &|_| {}) {
        Err(Error::ToolFailed {
            program, log, said, ..
        }) => {
            assert_eq!(program, "verilator_bin");
            assert!(
                said.contains("broken.v:2") && said.contains("syntax error"),
                "{said}"
            );
            assert!(fs::read_to_string(log).unwrap().contains("syntax error"));
        }
        other => panic!("expected a failed tool, got {other:?}"),
    }
    assert_eq!(entries(&tools.cache.join("models")), 0);
    assert_eq!(entries(&tools.cache.join("tmp")), 0);
    assert_eq!(entries(&tools.cache.join("failed")), 1);
}

#[test]
fn a_wrong_port_table_is_refused() {
    let mut source = counter();
    source.outputs[0].bits = 15;
    let error = mkns_sim::build(&source, &toolchain(), &|_| {})
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("port `count` of module `counter`"),
        "{error}"
    );
    assert!(
        error.contains("15 bits") && error.contains("of 16"),
        "{error}"
    );
}

#[test]
fn a_missing_tool_is_named() {
    let error = Toolchain::at("/nonexistent".into(), "g++".into())
        .unwrap_err()
        .to_string();
    assert!(error.contains("verilator_bin not found"), "{error}");
}

/// Power failures and full disks leave such: it is built anew, and never loaded.
#[test]
fn abuse_8_a_damaged_model_is_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let tools = toolchain_with_empty_cache(folder.path());
    let source = ModelSource {
        effort: Effort::Quick,
        ..counter()
    };
    let compiles = || {
        progress_of(&source, &tools).contains(&Progress::Compiling {
            top: source.top.clone(),
        })
    };
    assert!(compiles() && !compiles());
    let models = tools.cache.join("models");
    let entry = fs::read_dir(&models).unwrap().next().unwrap().unwrap();
    let library = entry.path().join("model.so");
    // Another file, because this process has the first one mapped.
    let whole = fs::read(&library).unwrap();
    fs::remove_file(&library).unwrap();
    fs::write(&library, &whole[..whole.len() / 2]).unwrap();
    assert!(compiles(), "cut short");
    fs::remove_dir_all(entry.path()).unwrap();
    fs::write(entry.path(), "").unwrap();
    assert!(compiles(), "a file in the place of the folder");
    fs::remove_file(entry.path().join("seal")).unwrap();
    assert!(compiles(), "without a digest");
    assert!(!compiles());
}
