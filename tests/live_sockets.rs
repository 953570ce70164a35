//! The sockets of `mkns live` from both ends: packets go where they should, what the network does not carry is counted,
//! whoever does not read holds nobody up, and commands are obeyed.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mkns::host::Port;
use serde_json::Value;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

/// A network that runs as a program of its own.
struct Running {
    folder: TempDir,
    program: Option<Child>,
}

impl Running {
    fn start(network: &str, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.args([
            "live",
            network,
            "--model",
            "fast",
            "--format",
            "json",
            "--sockets",
        ]);
        command.arg(folder.path().join("net")).args(more);
        let program = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let running = Self {
            folder,
            program: Some(program.expect("mkns starts")),
        };
        let start = Instant::now();
        while !running.sockets().join("control").exists() {
            assert!(start.elapsed() < PATIENCE, "no sockets appear");
            thread::sleep(Duration::from_millis(5));
        }
        running
    }

    fn sockets(&self) -> std::path::PathBuf {
        self.folder.path().join("net")
    }

    fn host(&self, number: u32) -> Port {
        let url = format!("live:{}/host_{number}", self.sockets().display());
        // The program makes the control socket first and the last host's socket last.
        let start = Instant::now();
        loop {
            match Port::open(&url) {
                Err(_) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(5)),
                port => return port.expect("a port"),
            }
        }
    }

    fn ask(&self, command: &str) -> Value {
        let answer = ask(&self.sockets(), command);
        serde_json::from_slice(&answer.stdout).expect("an answer")
    }

    /// Ends it by a command; its report.
    fn stop(mut self) -> Value {
        self.ask("stop");
        let output = self.program.take().expect("it runs").wait_with_output();
        let output = output.expect("it ends");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!self.sockets().exists(), "the sockets are left behind");
        serde_json::from_slice(&output.stdout).expect("a report")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(program) = &mut self.program {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

fn ask(sockets: &Path, command: &str) -> Output {
    let mut mkns = Command::new(env!("CARGO_BIN_EXE_mkns"));
    mkns.args(["live", "--ask", command, "--sockets"])
        .arg(sockets);
    mkns.output().expect("mkns starts")
}

fn receive(port: &Port) -> mkns::host::ReceivedPacket {
    port.receive(Some(PATIENCE))
        .expect("an open port")
        .expect("a packet in time")
}

#[test]
fn packets_go_to_the_host_with_their_address() {
    let network = Running::start("MKNS(2,4,2,1)", &[]);
    let (a, b) = (network.host(0), network.host(31));
    let [told_a, told_b] = [&a, &b].map(|port| port.information().expect("a running network"));
    assert_eq!(
        (told_b.host, told_b.hosts, told_b.longest_payload),
        (31, 32, 256)
    );
    for length in [0, 1, 7, 8, 9, 255, 256] {
        let payload: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
        a.send(told_b.address, 0, &payload).expect("sent");
        let there = receive(&b);
        assert_eq!((there.source, &there.payload), (told_a.address, &payload));
        b.send(there.source, 0, &there.payload).expect("sent back");
        assert_eq!(receive(&a).payload, payload);
    }
    let report = network.stop();
    assert_eq!(report["packets"]["sent"], 14);
    assert_eq!(report["packets"]["received"], 14);
}

#[test]
fn what_the_network_does_not_carry_is_refused_and_counted() {
    let network = Running::start("MKNS(2,4,2,1)", &[]);
    let (a, b) = (network.host(0), network.host(1));
    let to_b = b.information().expect("a running network").address;
    a.send(0xf_ffff, 0, b"to nobody").expect("sent");
    a.send(to_b, 0, &[0; 257]).expect("sent");
    a.send(to_b, 5, b"a layer too high").expect("sent");
    a.send(20, 0, b"where nobody listens").expect("sent");
    a.send(to_b, 0, b"the only good one").expect("sent");
    assert_eq!(receive(&b).payload, b"the only good one");
    let [of_a, of_b] = [&a, &b].map(|port| port.counters().expect("counters"));
    assert_eq!((of_a.sent, of_a.refused, of_a.received), (2, 3, 0));
    assert_eq!((of_b.sent, of_b.received, of_b.dropped), (0, 1, 0));
    // A host without a program drops what arrives, and a host that is not there has no counters.
    let of_nobody = network.ask("counters 20");
    assert_eq!(of_nobody["counters"], serde_json::json!([0, 0, 1, 0, 1, 0]));
    assert_eq!(network.ask("counters 32")["error"], "there is no host 32");
    let report = network.stop();
    assert_eq!(
        (&report["packets"]["sent"], &report["packets"]["received"]),
        (&2.into(), &2.into())
    );
    assert_eq!(
        (
            &report["sockets"]["refused"],
            &report["sockets"]["nobody_there"]
        ),
        (&3.into(), &1.into())
    );
}

/// One host never reads: the packets for it are dropped, whole, when its buffers are full, and others go on.
#[test]
fn a_host_that_does_not_read_holds_nobody_up() {
    let network = Running::start("MKNS(2,4,2,1)", &[]);
    let [a, b, sleeper] = [0, 5, 9].map(|host| network.host(host));
    let [to_b, to_sleeper] = [&b, &sleeper].map(|port| port.information().expect("told").address);
    let flood = 12_000;
    for number in 0..flood {
        a.send(to_sleeper, 0, &[number as u8; 256]).expect("sent");
    }
    a.send(to_b, 0, b"behind all of them").expect("sent");
    assert_eq!(receive(&b).payload, b"behind all of them");
    let mut read = 0;
    while let Some(packet) = sleeper
        .receive(Some(Duration::from_millis(500)))
        .expect("an open port")
    {
        assert_eq!(packet.payload, [packet.payload[0]; 256], "a packet is cut");
        read += 1;
    }
    let counters = sleeper.counters().expect("counters");
    assert_eq!(u64::from(counters.received - counters.dropped), read);
    assert_eq!(u64::from(counters.received), flood);
    let report = network.stop();
    let dropped = report["sockets"]["not_read"].as_u64().expect("a number");
    assert!(dropped > 0 && read > 0, "{report}");
    assert_eq!(read + dropped, flood, "{report}");
}

#[test]
fn a_second_program_at_a_host_is_turned_away() {
    let network = Running::start("MKNS(1,2,1,0)", &[]);
    let first = network.host(0);
    let url = format!("live:{}/host_0", network.sockets().display());
    let second = Port::open(&url).expect_err("it is taken").to_string();
    assert!(
        second.contains("another program has taken the port"),
        "{second}"
    );
    drop(first);
    let start = Instant::now();
    while Port::open(&url).is_err() {
        assert!(start.elapsed() < PATIENCE, "the host stays taken");
    }
    network.stop();
}

#[test]
fn a_part_fails_on_command_and_the_manager_reroutes() {
    let network = Running::start("MKNS(2,4,2,1)", &["--set", "routing=vtftr", "--manager"]);
    let unknown = network.ask("fail kb_y9");
    assert!(
        unknown["error"]
            .as_str()
            .is_some_and(|fact| fact.contains("kb_y9")),
        "{unknown}"
    );
    assert_eq!(network.ask("fail kb_y1")["failing"], "kb_y1");
    let words = network.ask("repair everything");
    assert!(
        words["error"]
            .as_str()
            .is_some_and(|fact| fact.contains("is no command")),
        "{words}"
    );
    let start = Instant::now();
    let before = network.ask("status")["cycle"].as_u64().expect("a cycle");
    while network.ask("status")["cycle"].as_u64() < Some(before + 50_000) {
        assert!(start.elapsed() < PATIENCE, "the network stands");
    }
    let report = network.stop();
    assert_eq!(report["failures"][0]["part"], "kb_y1", "{report}");
    assert_eq!(report["repairs"][0]["failed"][0], "kb_y1", "{report}");
}

#[test]
fn sockets_that_cannot_be_made_are_refused_in_words() {
    let network = Running::start("MKNS(1,2,1,0)", &[]);
    let start = |sockets: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.args([
            "live",
            "MKNS(1,2,1,0)",
            "--model",
            "fast",
            "--sockets",
            sockets,
        ]);
        let output = command.output().expect("mkns starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, said) = start(&network.sockets().display().to_string());
    assert!(
        code == Some(2) && said.contains("another `mkns live` answers there"),
        "{said}"
    );
    let (code, said) = start("/nowhere/at/all");
    assert!(code == Some(2) && said.contains("E0660"), "{said}");
    let (code, said) = start(&format!("/tmp/{}", "long/".repeat(30)));
    assert!(
        code == Some(2) && said.contains("has 107 at most"),
        "{said}"
    );
    let nobody = ask(Path::new("/nowhere"), "status");
    assert_eq!(nobody.status.code(), Some(2));
    network.stop();
}

#[test]
fn a_network_without_a_window_is_not_managed_through_its_sockets() {
    let network = Running::start("MKNS(1,2,1,0)", &[]);
    let run = |words: &[&str], sockets: &str| {
        let mut mkns = Command::new(env!("CARGO_BIN_EXE_mkns"));
        let output = mkns.args(words).arg(sockets).output();
        let output = output.expect("mkns starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    };
    let sockets = network.sockets().display().to_string();
    let manage = ["manage", "MKNS(1,2,1,0)", "--once", "--through"];
    let (code, said) = run(&manage, &format!("live:{sockets}"));
    assert!(
        code == Some(2) && said.contains("offers no control port"),
        "{said}"
    );
    let (code, said) = run(&manage, &sockets);
    assert!(
        code == Some(2) && said.contains("it has to be live:"),
        "{said}"
    );
    assert_eq!(
        network.ask("read 7040")["error"],
        "no control port is offered"
    );
    let window = ["--in-band", "ab_0"];
    let live = ["live", "MKNS(1,2,1,0)", "--model", "fast", "--sockets"];
    let (code, said) = run(&[&live[..1], &window, &live[1..]].concat(), &sockets);
    assert!(code == Some(2) && said.contains("--model rtl"), "{said}");
    network.stop();
}

/// A program that ends and starts again, or opens its port twice, finds its place free: the network looks whether the one
/// before has gone, although it has not yet read its last messages.
#[test]
fn a_port_that_was_closed_can_be_opened_at_once() {
    let network = Running::start("MKNS(1,2,1,0)", &[]);
    drop(network.host(0));
    let url = format!("live:{}/host_0", network.sockets().display());
    for round in 0..300_u32 {
        let port = Port::open(&url).unwrap_or_else(|error| panic!("round {round}: {error}"));
        let own = port.information().expect("it is told").address;
        // Now and then more than the network takes at once.
        let packets = if round % 50 == 49 { 2_000 } else { round % 12 };
        for _ in 0..packets {
            port.send(own, 0, &[1; 8]).expect("sent");
        }
    }
    network.stop();
}
