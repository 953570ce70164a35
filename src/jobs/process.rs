//! One command line of `mkns` in a process of its own, with limits on wall time and memory.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, kill_process_group, prlimit};
use serde::{Deserialize, Serialize};

/// How often a running process is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a process that is told to end may take for it: it ends its compilers and clears its folders.
const FAREWELL: Duration = Duration::from_secs(3);
/// Lines of a dead process's complaints that go into the report.
const TAIL_LINES: usize = 30;

/// Set when a run is to end at once: by a signal, in most cases.
pub type Stop = Arc<AtomicBool>;

/// What one run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time, models included, seconds.
    pub seconds: u64,
    /// Address space, bytes; the compilers that it starts have the same limit.
    pub memory_bytes: u64,
}

/// The program that is run: `mkns`, unless a test has a stand-in.
#[derive(Debug, Clone)]
pub struct Program {
    pub path: PathBuf,
}

/// Why a process is no longer waited for.
#[derive(Debug, Clone, Copy)]
pub enum End {
    Exit(ExitStatus),
    /// Its time was up.
    Late,
    /// It was to stop.
    Stopped,
}

/// How a process ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub end: End,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub complaints: String,
    /// Wall time.
    pub seconds: f64,
}

impl Program {
    /// Runs `mkns WORDS --format json --quiet` to whatever end it comes.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn run(&self, words: &[String], limits: Limits, stop: &Stop) -> io::Result<Ended> {
        let start = Instant::now();
        let mut command = Command::new(&self.path);
        command.args(words).args(["--format", "json", "--quiet"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own, so that its compilers end with it.
        command.process_group(0);
        let mut child = mkns_scratch::spawn(&mut command)?;
        let group = Pid::from_child(&child);
        let output = drain(child.stdout.take());
        let complaints = drain(child.stderr.take());
        let limit = Rlimit {
            current: Some(limits.memory_bytes),
            maximum: Some(limits.memory_bytes),
        };
        let end = prlimit(Some(group), Resource::As, limit)
            .map_err(io::Error::from)
            .and_then(|_| wait(&mut child, Duration::from_secs(limits.seconds), stop));
        if !matches!(end, Ok(End::Exit(_))) {
            let _ = kill_process(group, Signal::TERM);
            let _ = wait(&mut child, FAREWELL, &Stop::default());
        }
        // Whatever is left of the group: what a process that was killed had started goes on otherwise.
        let _ = kill_process_group(group, Signal::KILL);
        child.wait()?;
        let end = end?;
        let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
        Ok(Ended {
            end,
            output: text(output),
            complaints: text(complaints),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// Reads a pipe to its end beside everything else, so that no full pipe holds the process up.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth reporting.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits until the process ends, its time is up or it is to stop.
fn wait(child: &mut Child, time: Duration, stop: &Stop) -> io::Result<End> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Exit(status));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(End::Stopped);
        }
        if start.elapsed() >= time {
            return Ok(End::Late);
        }
        thread::sleep(GLANCE);
    }
}

/// What Rust, C++, the compilers and the loader say when they get no more memory.
pub fn ran_out_of_memory(complaints: &str) -> bool {
    let signs = [
        "memory allocation of",
        "bad_alloc",
        "out of memory",
        "Out of memory",
        "Cannot allocate memory",
        "cannot allocate memory",
    ];
    signs.iter().any(|sign| complaints.contains(sign))
}

/// The last lines.
pub fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}
