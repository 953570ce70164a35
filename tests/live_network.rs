//! `mkns live` and `mkns interface`: programs send packets to each other through sockets, and Linux through interfaces.
#![cfg(feature = "cosim")]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mkns::host::Port;

/// Models may have to be built.
const PATIENCE: Duration = Duration::from_secs(600);

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

/// Blocks of the RTL power up empty; `mkns manage` brings them up through the sockets, and another one takes them over.
#[test]
fn a_manager_brings_the_rtl_up_through_the_sockets() {
    let folder = tempfile::tempdir().expect("a folder");
    let sockets = folder.path().join("net");
    let network = [
        "MKNS(1,3x2,2,1)",
        "--set",
        "link.kind=serial",
        "--set",
        "link.management=in_band",
        "--set",
        "routing=up_down",
    ];
    let mkns = |verb: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.arg(verb).args(network);
        command
    };
    let mut live = mkns("live");
    live.args(["--in-band", "ab_0_0_0_0", "--quiet"]);
    live.args(["--format", "json", "--sockets"]);
    live.arg(&sockets).stdout(Stdio::piped());
    let live = live.spawn().expect("mkns starts");
    let last = format!("live:{}/host_5", sockets.display());
    let start = Instant::now();
    let there = loop {
        match Port::open(&last) {
            Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(100)),
            port => break port.expect("a network that runs"),
        }
    };
    let manage = |more: &[&str]| {
        let mut manage = mkns("manage");
        manage.args(["--once", "--through"]);
        let output = manage.arg(format!("live:{}", sockets.display())).args(more);
        let output = output.output().expect("mkns starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).expect("text")
    };
    let brought_up = manage(&["--bring-up"]);
    assert!(brought_up.contains("9 blocks brought up"), "{brought_up}");
    let here = Port::open(&format!("live:{}/host_0", sockets.display())).expect("a port");
    let address = there.information().expect("a running network").address;
    for number in 0..20_u8 {
        here.send(address, 0, &[number; 50]).expect("sent");
        if number == 10 {
            let taken_over = manage(&[]);
            assert!(taken_over.contains("all links are as"), "{taken_over}");
        }
    }
    for number in 0..20_u8 {
        let packet = there.receive(Some(PATIENCE)).expect("an open port");
        assert_eq!(packet.expect("a packet in time").payload, [number; 50]);
    }
    mkns::live::ask(&sockets, "stop").expect("it stops");
    let output = live.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the RTL differs, or lost a packet");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["packets"]["received"], 20, "{report}");
}
