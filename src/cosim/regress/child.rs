//! One run in a process of its own, with limits on wall time and memory, so that whatever happens
//! to it is a row in a report.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, kill_process_group, prlimit};
use serde::Deserialize;

use crate::mismatch::Failure;
use mkns_report::{Case, Part, Run, Verdict};

/// How often a running process is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a process that is told to end may take for it: it ends its compilers and clears its folders.
const FAREWELL: Duration = Duration::from_secs(3);
/// What the row of a run says that was to stop.
const INTERRUPTED: &str = "interrupted";
/// Lines of a dead process's complaints that go into the report.
const TAIL_LINES: usize = 30;

/// Set when a run is to end at once: by a signal, in most cases.
pub type Stop = Arc<AtomicBool>;

/// What one run may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Wall time, models included, seconds.
    pub seconds: u64,
    /// Address space, bytes; the compilers that it starts have the same limit.
    pub memory_bytes: u64,
}

/// The program that runs a case: `mkns`, unless a test has a stand-in.
#[derive(Debug, Clone)]
pub struct Program {
    pub path: PathBuf,
}

/// What `mkns cosim --format json` says.
#[derive(Debug, Deserialize)]
struct Outcome {
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    blocks: Vec<Compared>,
    #[serde(default)]
    networks: Vec<Compared>,
    failure: Option<Box<Failure>>,
}

/// One comparison without a difference.
#[derive(Debug, Deserialize)]
struct Compared {
    cycles: u64,
    /// Blocks of a network; a lone block's entry holds its name.
    #[serde(default)]
    blocks: u64,
}

/// Why a process is no longer waited for.
enum End {
    Exit(ExitStatus),
    /// Its time was up.
    Late,
    /// It was to stop.
    Stopped,
}

/// How a process ended.
struct Ended {
    end: End,
    output: String,
    complaints: String,
}

impl Program {
    /// Runs a case to whatever end it comes.
    pub fn run(&self, case: &Case, limits: Limits, stop: &Stop) -> Run {
        let mut run = Run::not_run(case, "");
        if stop.load(Ordering::Relaxed) {
            run.detail = INTERRUPTED.to_owned();
            return run;
        }
        let start = Instant::now();
        let ended = self.process(case, limits, stop);
        run.seconds = start.elapsed().as_secs_f64();
        match ended {
            Ok(ended) => judge(&mut run, &ended, limits),
            Err(error) => run.detail = format!("cannot start {}: {error}", self.path.display()),
        }
        run
    }

    fn process(&self, case: &Case, limits: Limits, stop: &Stop) -> io::Result<Ended> {
        let mut command = Command::new(&self.path);
        command.args(case.arguments());
        command.args(["--format", "json", "--quiet"]);
        if case.part == Part::Network {
            // The runs beside it are the threads.
            command.args(["--threads", "1"]);
        }
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

/// Fills in what a row says.
fn judge(run: &mut Run, ended: &Ended, limits: Limits) {
    let status = match ended.end {
        End::Exit(status) => status,
        End::Stopped => {
            run.detail = INTERRUPTED.to_owned();
            return;
        }
        End::Late => {
            run.verdict = Verdict::Hung;
            run.detail = format!("no end after {} s: killed", limits.seconds);
            return;
        }
    };
    run.exit_code = status.code();
    let outcome: Option<Outcome> = serde_json::from_str(&ended.output).ok();
    match (status.code(), outcome) {
        (Some(0), Some(outcome)) if outcome.failure.is_none() => return passed(run, &outcome),
        // A difference stays one, whatever else went wrong.
        (Some(5), outcome) => return failed(run, outcome, &ended.complaints),
        (Some(code @ (1 | 2 | 6 | 7)), _) => {
            run.verdict = Verdict::NotRun;
            run.detail = format!("exit code {code}\n{}", tail(&ended.complaints));
        }
        _ => died(run, status, &ended.complaints),
    }
    if ran_out_of_memory(&ended.complaints) {
        run.verdict = Verdict::OutOfMemory;
        let allowed = limits.memory_bytes >> 20;
        run.detail = format!("more than {allowed} MiB wanted\n{}", run.detail);
    }
}

/// The row of a difference; the command that shows it again stands beside the text, not in it.
fn failed(run: &mut Run, outcome: Option<Outcome>, complaints: &str) {
    run.verdict = Verdict::Failed;
    match outcome.and_then(|outcome| outcome.failure) {
        Some(mut failure) => {
            run.replay = std::mem::take(&mut failure.replay);
            run.detail = failure.to_string();
        }
        None => run.detail = format!("a difference without a report\n{}", tail(complaints)),
    }
}

fn passed(run: &mut Run, outcome: &Outcome) {
    let compared = || outcome.blocks.iter().chain(&outcome.networks);
    let cycles = compared().map(|part| part.cycles).sum();
    if cycles == 0 {
        run.detail = "nothing was compared".to_owned();
        return;
    }
    run.verdict = Verdict::Passed;
    run.cycles = Some(cycles);
    let work: u64 = compared()
        .map(|part| part.cycles * part.blocks.max(1))
        .sum();
    run.speed = (outcome.seconds > 0.0).then(|| work as f64 / outcome.seconds);
}

fn died(run: &mut Run, status: ExitStatus, complaints: &str) {
    run.verdict = Verdict::Crashed;
    let how = match (status.signal(), status.code()) {
        (Some(signal), _) => format!("killed by signal {signal}"),
        (None, Some(code)) => format!("exit code {code} without a result"),
        (None, None) => "no exit code".to_owned(),
    };
    run.detail = format!("{how}\n{}", tail(complaints));
}

/// What Rust, C++, the compilers and the loader say when they get no more memory.
fn ran_out_of_memory(complaints: &str) -> bool {
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

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}
