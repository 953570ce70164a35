//! Runs other programs, with limits: on wall time, processor time and memory, and a flag that stops them.
//!
//! One that may be ended before its time has a process group of its own, of which nothing goes on after it. Any
//! other is in the group of this process: what ends that, such as a key of the terminal, ends both.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpriority_process, kill_process,
    kill_process_group, prlimit, setpriority_process, waitid,
};

use crate::folder::spawn;
use crate::streams::Streams;

/// How long a program that is told to end may take for it: it ends its own programs and clears its folders.
const FAREWELL: Duration = Duration::from_secs(3);
/// How often processor time is asked for.
const GLANCE: Duration = Duration::from_millis(200);
/// How much lower a low priority is.
const NICENESS: i32 = 10;

/// What a program may take: by default all that there is. Memory and processor time are counted for each process:
/// what the program starts has as much again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits<'a> {
    pub wall: Option<Duration>,
    pub cpu_seconds: Option<u64>,
    /// Processor time of the program itself, without the programs that it starts; only where there is a `/proc`.
    pub own_cpu: Option<Duration>,
    /// Address space.
    pub memory_bytes: Option<u64>,
    /// Ends the program when it is set.
    pub stop: Option<&'a AtomicBool>,
    /// Leaves the processors to others.
    pub low_priority: bool,
}

/// Why a program was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Its wall time was up.
    Late,
    /// It had used its processor time.
    Busy,
    Stopped,
}

/// How a program ended.
#[derive(Debug, Clone)]
pub struct Ended {
    pub status: ExitStatus,
    /// None when it came to its end by itself, or by a signal from elsewhere.
    pub cut_short: Option<StopReason>,
    /// Standard output.
    pub output: String,
    /// Standard error.
    pub complaints: String,
    /// Wall time.
    pub elapsed: Duration,
}

impl Ended {
    /// All of its output, then all of its complaints.
    pub fn said(&self) -> String {
        [self.output.as_str(), &self.complaints].concat()
    }
}

/// Runs a program to its end, without limits.
pub fn run(command: &mut Command) -> io::Result<Ended> {
    Limits::default().run(command, &mut |_| {})
}

impl Limits<'_> {
    /// Runs a program to whatever end it comes; `line` is told each line of both streams when it comes.
    pub fn run(&self, command: &mut Command, line: &mut dyn FnMut(&str)) -> io::Result<Ended> {
        let start = Instant::now();
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let has_group = self.wall.is_some() || self.own_cpu.is_some() || self.stop.is_some();
        if has_group {
            command.process_group(0);
        }
        let mut child = spawn(command)?;
        let program = Pid::from_child(&child);
        let mut streams = Streams::of(&mut child);
        let set = self.set(program);
        let cut_short = set.and_then(|()| self.wait(program, || streams.read(line)));
        if !matches!(cut_short, Ok(None)) {
            let _ = kill_process(program, Signal::TERM);
            let wall = Some(FAREWELL);
            let farewell = Self {
                wall,
                ..Self::default()
            };
            let _ = farewell.wait(program, || streams.read(line));
        }
        // Its number is its own until it is waited for.
        let _ = match has_group {
            true => kill_process_group(program, Signal::KILL),
            false => kill_process(program, Signal::KILL),
        };
        let status = child.wait()?;
        // What it has left behind elsewhere may hold the streams open for ever.
        let end = Instant::now();
        while streams.read(line) && end.elapsed() < FAREWELL {}
        let text = |said: Vec<u8>| String::from_utf8_lossy(&said).into_owned();
        let [output, complaints] = streams.said.map(text);
        Ok(Ended {
            status,
            cut_short: cut_short?,
            output,
            complaints,
            elapsed: start.elapsed(),
        })
    }

    /// Limits a program that has just started.
    fn set(&self, program: Pid) -> io::Result<()> {
        let limit = |resource, most: Option<u64>| {
            let (current, maximum) = (Some(most?), most);
            let limit = Rlimit { current, maximum };
            Some(prlimit(Some(program), resource, limit))
        };
        limit(Resource::Cpu, self.cpu_seconds).transpose()?;
        limit(Resource::As, self.memory_bytes).transpose()?;
        if self.low_priority {
            setpriority_process(Some(program), getpriority_process(None)? + NICENESS)?;
        }
        Ok(())
    }

    /// Waits until the program ends or is to be ended, and reads what it says.
    fn wait(&self, program: Pid, mut read: impl FnMut() -> bool) -> io::Result<Option<StopReason>> {
        let start = Instant::now();
        let mut asked = start;
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while waitid(WaitId::Pid(program), ended)?.is_none() {
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Ok(Some(StopReason::Stopped));
            }
            if self.wall.is_some_and(|wall| start.elapsed() >= wall) {
                return Ok(Some(StopReason::Late));
            }
            if self
                .own_cpu
                .is_some_and(|most| is_busy(program, most, &mut asked))
            {
                return Ok(Some(StopReason::Busy));
            }
            read();
        }
        Ok(None)
    }
}

/// Whether a program has used so much processor time; asked once in a while.
fn is_busy(program: Pid, most: Duration, asked: &mut Instant) -> bool {
    if asked.elapsed() < GLANCE {
        return false;
    }
    *asked = Instant::now();
    own_cpu(program).is_some_and(|used| used >= most)
}

/// Processor time of a program, without that of its children.
fn own_cpu(program: Pid) -> Option<Duration> {
    let path = format!("/proc/{}/stat", program.as_raw_nonzero());
    let status = fs::read_to_string(path).ok()?;
    // The name, in brackets, may hold anything: 7 (name) S 1 …; user and system time are the 14th and 15th.
    let mut words = status.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    let ticks = ticks()? + ticks()?;
    // Linux tells programs hundredths of a second, whatever its own clock is.
    Some(Duration::from_millis(ticks.saturating_mul(10)))
}

/// The last lines of what a program said.
pub fn last_lines(said: &str, count: usize) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
