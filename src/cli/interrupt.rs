//! SIGINT, SIGTERM and SIGHUP: the programs that mkns has started end, its temporary folders go, and it
//! ends with 128 and the signal's number.
//!
//! A verb that has something to report asks for the first signal: [`stop`].

use std::collections::HashSet;
use std::fs;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use mkns_scratch::CleanupGuard;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Set by a signal after which the process only ends.
static ENDING: AtomicBool = AtomicBool::new(false);
/// What [`stop`] gives.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Programs that do not end when they are asked to, after this time, are killed.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes of the waiting thread's stack.
const STACK: usize = 256 << 10;
/// How often is looked whether they have ended.
const GLANCE: Duration = Duration::from_millis(10);

/// Waits for signals in a thread of its own. A signal that is ignored, as under `nohup`, stays so.
pub fn watch() {
    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let signals = wanted.into_iter().filter(|&signal| !is_ignored(signal));
    // Without the thread a signal ends the process as usual.
    if let Ok(mut signals) = Signals::new(signals) {
        let work = move || {
            for signal in signals.forever() {
                match STOP.get() {
                    Some(stop) if !stop.swap(true, Ordering::Relaxed) => {}
                    _ => end(128 + signal),
                }
            }
        };
        // A process with little memory may get no thread.
        let _ = thread::Builder::new().stack_size(STACK).spawn(work);
    }
}

/// The first signal sets this flag and does nothing else; the second ends the process.
pub fn stop() -> Arc<AtomicBool> {
    Arc::clone(STOP.get_or_init(Arc::default))
}

/// Waits for the end if it has begun: what failed because of it is not worth telling.
pub fn wait_if_ending() {
    while ENDING.load(Ordering::Relaxed) {
        thread::park();
    }
}

/// Ends the process in order: its programs first, then its temporary folders.
pub fn end(exit_code: i32) -> ! {
    ENDING.store(true, Ordering::Relaxed);
    let guard = CleanupGuard::begin();
    end_programs();
    guard.remove_folders();
    signal_hook::low_level::exit(exit_code)
}

/// Ends all programs below this process. Each is asked once: a second signal would interrupt it while it
/// removes its own files.
fn end_programs() {
    // What a program has started and leaves becomes this process's own, so that it is found.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Pid::from_raw(1));
    let start = Instant::now();
    let mut asked = HashSet::new();
    loop {
        let programs = descendants();
        if programs.is_empty() {
            return;
        }
        for program in programs {
            // It may have ended by itself.
            if asked.insert(program) {
                let _ = kill_process(program, Signal::TERM);
            } else if start.elapsed() > PATIENCE {
                let _ = kill_process(program, Signal::KILL);
            }
        }
        thread::sleep(GLANCE);
        if start.elapsed() > 2 * PATIENCE {
            return;
        }
    }
}

/// Living processes below this one, where there is a `/proc`.
fn descendants() -> Vec<Pid> {
    let mut found = vec![process::id() as i32];
    let parents = parents();
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = parents.iter().filter(|(_, of)| *of == parent);
        found.extend(children.map(|(process, _)| *process));
        next += 1;
    }
    found
        .into_iter()
        .skip(1)
        .filter_map(Pid::from_raw)
        .collect()
}

/// Every living process and its parent.
fn parents() -> Vec<(i32, i32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pair = |entry: fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let status = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name, in brackets, may hold anything: 7 (name) S 1 …
        let mut words = status.rsplit_once(')')?.1.split_whitespace();
        let is_dead = words.next()? == "Z";
        (!is_dead).then_some((process, words.next()?.parse().ok()?))
    };
    entries.filter_map(pair).collect()
}

/// Whether whoever started this process had the signal ignored.
fn is_ignored(signal: i32) -> bool {
    static MASK: LazyLock<u64> = LazyLock::new(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0)
    });
    *MASK >> (signal - 1) & 1 == 1
}
