//! What all tests of this crate share: the tools, one cache, small sources.
//! Missing tools make a test fail with the remedy; nothing is skipped.

#![allow(dead_code, reason = "each test binary uses its part of these")]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use mkns_sim::{ModelLibrary, ModelSource, PortDecl, Toolchain};

/// The real tools and the user's cache: what other tests compiled of Verilator's own library serves.
pub fn toolchain() -> Toolchain {
    Toolchain::locate().unwrap_or_else(|error| panic!("{error}"))
}

/// The real tools and an empty cache in `folder`. Verilator's own library, which takes longer to
/// compile than a small model, is the one of the user's cache.
pub fn toolchain_with_empty_cache(folder: &Path) -> Toolchain {
    build(&counter());
    let shared = toolchain();
    let cache = folder.join("cache");
    fs::create_dir(&cache).unwrap();
    symlink(shared.cache.join("runtime"), cache.join("runtime")).unwrap();
    Toolchain { cache, ..shared }
}

pub fn build(source: &ModelSource) -> ModelLibrary {
    mkns_sim::build(source, &toolchain(), &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs the body of a test in a process of its own: what its models print is kept, and shown where it fails.
pub fn apart(test: &str, body: impl FnOnce()) {
    const APART: &str = "MKNS_SIM_TEST_APART";
    if env::var_os(APART).is_some() {
        return body();
    }
    let program = env::current_exe().unwrap();
    let mut command = Command::new(program);
    let output = command.args(["--exact", test]).env(APART, "").output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{test} is no test: {said}");
}

pub fn rtl(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/rtl")
        .join(file)
}

/// Inputs rst, enable, wide (2 words); outputs count, wide__q (2 words).
pub fn counter() -> ModelSource {
    ModelSource {
        top: "counter".into(),
        files: vec![rtl("counter.v")],
        inputs: vec![
            PortDecl::new("rst", 1),
            PortDecl::new("enable", 1),
            PortDecl::new("wide", 100),
        ],
        outputs: vec![PortDecl::new("count", 16), PortDecl::new("wide__q", 100)],
        registered_outputs: true,
        ..ModelSource::default()
    }
}

/// Inputs rst, add; outputs next, sum, noise.
pub fn accumulator() -> ModelSource {
    ModelSource {
        top: "accumulator".into(),
        files: vec![rtl("accumulator.v")],
        inputs: vec![PortDecl::new("rst", 1), PortDecl::new("add", 32)],
        outputs: vec![
            PortDecl::new("next", 32),
            PortDecl::new("sum", 32),
            PortDecl::new("noise", 64),
        ],
        ..ModelSource::default()
    }
}

/// Inputs rst, rx_valid, rx_data (10 words); outputs rx_credit, tx_valid, tx_data (10 words).
pub fn crossbar() -> ModelSource {
    ModelSource {
        top: "crossbar".into(),
        files: vec![rtl("crossbar.v")],
        inputs: vec![
            PortDecl::new("rst", 1),
            PortDecl::new("rx_valid", 10),
            PortDecl::new("rx_data", 640),
        ],
        outputs: vec![
            PortDecl::new("rx_credit", 10),
            PortDecl::new("tx_valid", 10),
            PortDecl::new("tx_data", 640),
        ],
        registered_outputs: true,
        ..ModelSource::default()
    }
}
