//! The host library from C and from Python: a C program sends a packet over a running network, a Python program answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const C_PROGRAM: &str = r#"
#include <mkns_host.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    mkns_network network;
    mkns_packet packet;
    char payload[MKNS_MOST_PAYLOAD];

    if (mkns_open("usb:/dev/x") || !strstr(mkns_error(), "its scheme is unknown"))
        return 2;
    mkns_port *port = mkns_open(argv[1]);
    if (!port || mkns_information(port, &network) != MKNS_DONE || network.host != 0 || network.hosts != 2)
        return 3;
    if (mkns_send(port, 1 << 20, 0, "x", 1) != MKNS_FAILED)
        return 4;
    if (mkns_receive(port, 0, &packet, payload, sizeof payload) != MKNS_NOTHING)
        return 5;
    mkns_counters counters;
    if (mkns_read_counters(port, &counters) != MKNS_DONE || counters.sent != 0)
        return 8;
    if (mkns_send(port, 1, 0, "from C", 6) != MKNS_DONE)
        return 6;
    if (mkns_receive(port, 60000, &packet, payload, sizeof payload) != MKNS_DONE)
        return 7;
    printf("%.*s from %u", (int)packet.length, payload, packet.source);
    mkns_close(port);
    return 0;
}
"#;

const PYTHON_PROGRAM: &str = r#"
import sys
import mkns_host

with mkns_host.Port(sys.argv[1]) as port:
    assert port.network().host == 1, port.network()
    assert port.receive(timeout=0) is None
    assert port.counters().received == 0
    print("ready", flush=True)
    packet = port.receive(timeout=60)
    port.send(packet.source, packet.payload + b" and Python")
    assert port.counters().received == 1
try:
    mkns_host.Port("live:/nowhere")
except mkns_host.PortError as error:
    assert "/nowhere" in str(error)
else:
    sys.exit("a port that does not exist opens")
"#;

/// The shared library, which cargo builds beside the tests.
fn library() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_mkns"));
    let folder = program.parent().expect("a folder").join("deps");
    let library = folder.join("libmkns_host.so");
    assert!(library.exists(), "{} is not there", library.display());
    library
}

#[test]
fn c_and_python_talk_over_a_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let (sockets, library) = (folder.path().join("net"), library());
    let source = folder.path().join("program.c");
    fs::write(&source, C_PROGRAM).expect("written");
    let program = folder.path().join("program");
    let mut compiler = Command::new("g++");
    compiler.args([
        "-x",
        "c",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-parameter",
        "-I",
        "src/host/include",
    ]);
    compiler
        .arg(&source)
        .args(["-x", "none"])
        .arg(&library)
        .arg("-o")
        .arg(&program);
    let compiled = compiler.output().expect("g++ starts");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );

    let mut network = Command::new(env!("CARGO_BIN_EXE_mkns"));
    network
        .args(["live", "MKNS(1,2,1,0)", "--model", "fast", "--sockets"])
        .arg(&sockets);
    network.stdout(Stdio::null()).stderr(Stdio::null());
    let mut network = network.spawn().expect("mkns starts");
    let start = Instant::now();
    while !sockets.join("control").exists() && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    let url = |host: u32| format!("live:{}/host_{host}", sockets.display());
    let mut python = Command::new("python3");
    python
        .args(["-c", PYTHON_PROGRAM, &url(1)])
        .stdout(Stdio::piped());
    python
        .env("PYTHONPATH", "src/host/python")
        .env("MKNS_HOST_LIBRARY", &library);
    let mut python = python.spawn().expect("python3 starts");
    let mut ready = [0; 5];
    let read = std::io::Read::read_exact(python.stdout.as_mut().expect("a pipe"), &mut ready);
    read.expect("the Python program opens its port");
    let mut c = Command::new(&program);
    c.arg(url(0))
        .env("LD_LIBRARY_PATH", library.parent().expect("a folder"));
    let answered = c.output().expect("the C program starts");
    let python = python.wait().expect("it ends");
    let _ = network.kill();
    let _ = network.wait();
    assert_eq!(
        answered.status.code(),
        Some(0),
        "the number says which call of the C program"
    );
    assert_eq!(
        String::from_utf8_lossy(&answered.stdout),
        "from C and Python from 1"
    );
    assert!(python.success());
}
