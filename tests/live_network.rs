//! `mkns live` and `mkns interface`: programs send packets to each other through sockets, and Linux through interfaces.
#![cfg(feature = "cosim")]

use std::process::Command;

/// Set where a test may not make network namespaces.
const NO_NAMESPACES: &str = "MKNS_NO_NAMESPACES";

/// Four hosts ping each other over the fast model, and over the RTL in lockstep with the golden model.
#[test]
fn four_linux_hosts_ping_each_other() {
    if std::env::var_os(NO_NAMESPACES).is_some() {
        println!("not run: {NO_NAMESPACES} is set");
        return;
    }
    let mut script = Command::new("python3");
    script.args(["tools/live.py", env!("CARGO_BIN_EXE_mkns"), "--small"]);
    let output = script.output().expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{said}\nWhere no namespaces can be made, {NO_NAMESPACES}=1 leaves this test out."
    );
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("results");
    for model in ["rtl", "fast"] {
        assert_eq!(results[model]["pings"]["answered"], 12, "{results}");
        // A question and an answer each.
        assert_eq!(results[model]["packets"], 24, "{results}");
    }
}
