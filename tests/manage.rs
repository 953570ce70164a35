//! `mkns manage` on files and devices that are no registers of a running network.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mkns::design::{Plan, register_map};
use mkns::topology::Faults;

const NETWORK: &str = "MKNS(1,2,1,1)";
const BLOCKS: u64 = 2;

fn manage(words: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["manage", NETWORK])
        .args(words)
        .arg(path)
        .output()
        .expect("mkns runs")
}

/// What was said on both streams, where the exit code is as expected.
fn said(output: &Output, code: i32) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let words = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words}");
    words
}

fn holds(output: &Output, code: i32, words: &str) {
    let found = said(output, code);
    assert!(found.contains(words), "no `{words}` in {found}");
}

/// Registers of all blocks as they are after a reset, with all links up.
fn registers(path: &Path) {
    let spec = mkns::spec::parse(NETWORK).expect("a valid spec");
    let network = mkns::topology::build(&spec);
    let routes = mkns::routing::build(&spec, &network, &Faults::none());
    let plan = Plan::new(&spec, network, routes.expect("routes"));
    let file = File::create(path).expect("a file");
    file.set_len(BLOCKS << 20).expect("room");
    let write = |block: u32, address: u32, value: u32| {
        let at = u64::from(block << 20 | address);
        file.write_all_at(&value.to_le_bytes(), at).expect("a file");
    };
    for instance in &plan.instances {
        for register in register_map(&plan.modules[instance.module]).registers {
            write(instance.block.0, register.address, register.reset());
        }
        let turns = plan.modules[instance.module].turns.rows();
        for (row, &outputs) in (0..).zip(turns) {
            write(instance.block.0, 0x1800 + 4 * row, outputs);
        }
        let cables = plan.network.cables.iter();
        let ends = cables.flat_map(|cable| [cable.a, cable.b]);
        let own = ends.filter(|end| end.block == instance.block);
        let up = own.fold(0, |up, end| up | 1 << end.port.0);
        write(instance.block.0, 0x14, up);
    }
}

#[test]
fn abuse_16_a_board_of_which_nobody_answers_is_no_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bar");
    fs::write(&path, vec![0xff; 2 << 20]).expect("a file");
    let words = said(&manage(&["--once", "--mmap"], &path), 1);
    assert!(words.contains("no block answers a read"), "{words}");
    assert!(
        !words.contains("registers written") && !words.contains("SPEC"),
        "{words}"
    );
    let untouched = fs::read(&path).expect("a file");
    assert!(untouched.iter().all(|&byte| byte == 0xff));
}

#[test]
fn abuse_16_a_silent_block_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bar");
    registers(&path);
    let once = || manage(&["--once", "--mmap"], &path);
    holds(&once(), 0, "all links are as the routes in use expect\n");
    let file = File::options().write(true).open(&path).expect("a file");
    file.write_all_at(&vec![0xff; 1 << 20], 1 << 20)
        .expect("a file");
    holds(&once(), 0, "no answer from ab_1_0_0_0");
    // A block that was built for other routes.
    file.write_all_at(&0_u32.to_le_bytes(), 0x1800)
        .expect("a file");
    holds(&once(), 1, "ab_0_0_0_0 has no turn from port 0 to port");
}

/// Settings of a network with management units, and the window of its first block.
const IN_BAND: [&str; 4] = [
    "--set",
    "link.kind=serial",
    "--set",
    "link.management=in_band",
];
const WINDOW: [&str; 3] = ["--in-band", "ab_0_0_0_0", "--once"];

/// The registers of one board, whose links are dark: what is there is brought up, the rest is missing.
#[test]
fn one_board_is_brought_up_and_the_rest_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bar");
    registers(&path);
    let words = [&IN_BAND[..], &WINDOW, &["--bring-up", "--mmap"]].concat();
    holds(&manage(&words, &path), 0, "1 blocks brought up");
    holds(&manage(&words, &path), 0, "missing: ab_1_0_0_0");
}

#[test]
fn options_of_a_manager_over_the_cables_are_refused_where_they_do_not_fit() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bar");
    registers(&path);
    let refused = |words: &[&[&str]], why: &str| {
        let words = [&words.concat()[..], &["--mmap"]].concat();
        holds(&manage(&words, &path), 2, why);
    };
    refused(&[&WINDOW], "no management units");
    refused(&[&IN_BAND, &["--in-band", "kb_9"]], "has no such block");
    refused(&[&IN_BAND, &["--bring-up"]], "--in-band");
    let key = folder.path().join("key");
    fs::write(&key, "no key").expect("a file");
    let key = ["--key", key.to_str().expect("a name")];
    refused(&[&IN_BAND, &WINDOW, &key], "not a management key");
}

#[test]
fn abuse_16_two_managers_do_not_share_a_device_and_a_cut_file_ends_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bar");
    registers(&path);
    let file = File::options().write(true).open(&path).expect("a file");
    file.write_all_at(&vec![0xff; 1 << 20], 1 << 20)
        .expect("a file");
    let mut first = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["manage", NETWORK, "--mmap"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mkns runs");
    // It says that a block is away, so it has begun; a manager that keeps looking says when.
    let mut time = [0; "2026-01-01T00:00:00.000Z ".len()];
    let stdout = first.stdout.as_mut().expect("a pipe");
    stdout.read_exact(&mut time).expect("words");
    let time = String::from_utf8_lossy(&time).into_owned();
    assert_eq!((&time[10..11], &time[23..]), ("T", "Z "), "{time}");
    holds(
        &manage(&["--once", "--mmap"], &path),
        1,
        "is in use by another mkns",
    );
    file.set_len(4096).expect("less room");
    holds(&wait_or_end(&mut first), 1, "the file has become shorter");
}

/// Waits a while, then ends the program.
fn wait_or_end(child: &mut Child) -> Output {
    let begun = Instant::now();
    let is_running = |child: &mut Child| child.try_wait().expect("a child").is_none();
    while is_running(child) && begun.elapsed() < Duration::from_secs(30) {
        thread::sleep(Duration::from_millis(20));
    }
    drop(child.kill());
    let status = child.wait().expect("a child");
    let mut stderr = Vec::new();
    if let Some(pipe) = &mut child.stderr {
        pipe.read_to_end(&mut stderr).expect("a pipe");
    }
    Output {
        status,
        stdout: Vec::new(),
        stderr,
    }
}

#[test]
fn abuse_4_what_is_no_serial_line_is_refused_or_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.csv");
    fs::write(&path, "kept\n").expect("a file");
    holds(
        &manage(&["--once", "--serial"], &path),
        2,
        "not a serial device",
    );
    assert_eq!(fs::read(&path).expect("a file"), b"kept\n");
    let words = said(
        &manage(
            &["--once", "--timeout", "50", "--serial"],
            Path::new("/dev/zero"),
        ),
        1,
    );
    assert!(words.contains("bytes came without a pause"), "{words}");
    assert!(
        words.contains("the connection to the blocks") && !words.contains("SPEC"),
        "{words}"
    );
    let null = manage(&["--once", "--serial"], Path::new("/dev/null"));
    holds(&null, 1, "the other end has closed the line");
    holds(
        &manage(&["--once", "--serial"], folder.path()),
        2,
        "directory",
    );
}
