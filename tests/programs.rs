//! Programs that mkns runs and that do not behave, as scripts: late, stopped, starved, missing, with children that
//! they leave and more to say than a pipe holds.

use std::fs;
use std::io::ErrorKind;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use mkns_scratch::{Ended, Limits, StopReason, run};
use rustix::process::{Pid, Signal, kill_process};

/// How long a program may take to end that is told to: far less than one that is not.
const SOON: Duration = Duration::from_secs(30);

fn sh(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn after(milliseconds: u64) -> Limits<'static> {
    Limits {
        wall: Some(Duration::from_millis(milliseconds)),
        ..Limits::default()
    }
}

fn ended(script: &str, limits: &Limits) -> Ended {
    let ended = limits.run(&mut sh(script), &mut |_| {});
    let ended = ended.expect("there is a shell");
    assert!(ended.elapsed < SOON, "{script}: {:?}", ended.elapsed);
    ended
}

fn number(text: &str) -> i32 {
    text.trim().parse().expect("a number")
}

/// Whether a process goes on; one that was just killed gets a little time.
fn lives(process: i32) -> bool {
    // A dead one that nobody has waited for has no command line.
    let words = || fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    (0..100).all(|_| {
        thread::sleep(Duration::from_millis(10));
        !words().is_empty()
    })
}

#[test]
fn a_late_program_ends_with_its_children() {
    let late = ended("sleep 600 & echo $!; wait", &after(300));
    assert_eq!(late.cut_short, Some(StopReason::Late));
    assert!(!late.status.success() && !lives(number(&late.output)));
    // It is told to end before it is killed.
    let stubborn = "trap 'echo no' TERM; while :; do sleep 0.1; done";
    let stubborn = ended(stubborn, &after(300));
    assert_eq!(stubborn.cut_short, Some(StopReason::Late));
    assert_eq!(stubborn.output, "no\n");
}

#[test]
fn a_program_is_stopped_and_its_lines_are_told_as_they_come() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let mut told = Vec::new();
    let script = "printf 'one  \ntw'; sleep 0.2; echo 1 >&2; printf 'o\nrest'; exec sleep 600";
    let stopped = limits.run(&mut sh(script), &mut |line| {
        told.push(line.to_owned());
        stop.fetch_or(line == "two", Ordering::Relaxed);
    });
    let stopped = stopped.expect("there is a shell");
    assert_eq!(stopped.cut_short, Some(StopReason::Stopped));
    assert!(stopped.elapsed < SOON);
    assert_eq!(stopped.said(), "one  \ntwo\nrest1\n");
    told.sort();
    assert_eq!(told, ["1", "one", "rest", "two"]);
}

#[test]
fn a_program_has_no_more_memory_time_or_priority_than_it_may() {
    // The first second is for the limits to be set.
    let allocate = "sleep 1; exec dd if=/dev/zero of=/dev/null bs=128M count=1";
    assert!(ended(allocate, &Limits::default()).status.success());
    let limits = Limits {
        memory_bytes: Some(64 << 20),
        ..Limits::default()
    };
    let starved = ended(allocate, &limits);
    assert!(!starved.status.success() && starved.complaints.contains("memory"));
    let limits = Limits {
        cpu_seconds: Some(1),
        low_priority: true,
        ..Limits::default()
    };
    let busy = ended("sleep 1; nice; while :; do :; done", &limits);
    let cut_short = [starved.cut_short, busy.cut_short];
    assert_eq!((cut_short, busy.status.code()), ([None; 2], None));
    let own = number(&ended("nice", &Limits::default()).output);
    assert_eq!(number(&busy.output), 19.min(own + 10));
}

#[test]
fn a_child_that_is_left_ends_or_is_not_waited_for() {
    let left = ended("sleep 600 & echo $!", &after(60_000));
    assert!(left.status.success() && left.cut_short.is_none());
    assert!(!lives(number(&left.output)));
    // In the group of the tests, with both streams open.
    let left = ended("sleep 600 & echo $!", &Limits::default());
    let child = number(&left.output);
    assert!(left.status.success() && lives(child));
    kill_process(Pid::from_raw(child).expect("a process"), Signal::KILL).expect("our own");
}

#[test]
fn full_pipes_hold_nothing_up() {
    let script =
        "for word in 1 2 3; do yes $word | head -n 99999; yes $word | head -n 99999 >&2; done";
    let said = ended(script, &after(60_000));
    assert!(said.status.success());
    let lines = ["1\n", "2\n", "3\n"].map(|line| line.repeat(99_999));
    let lines = lines.concat();
    assert!(said.output == lines && said.complaints == lines);
    // What is in them at its end is read, too.
    let mut script = sh("echo first; sleep 0.1; echo last");
    let slow = &mut |_: &str| thread::sleep(Duration::from_millis(500));
    let ended = Limits::default().run(&mut script, slow);
    assert_eq!(ended.expect("there is a shell").output, "first\nlast\n");
}

#[test]
fn a_missing_program_is_an_error() {
    let missing = run(&mut Command::new("no-such-program")).map(|ended| ended.status);
    assert_eq!(missing.expect_err("none").kind(), ErrorKind::NotFound);
}
