//! Runs a program of a flow: low priority, its words into a log, a time limit, progress line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::{FlowError, Program};
use mkns_diag::tools::in_path;
use mkns_scratch::Scratch;

/// What a flow tells while it works.
pub trait Watcher {
    /// A step begins, such as `synthesis`.
    fn begins(&self, step: &str);
    /// A line that a program printed.
    fn line(&self, line: &str);
}

/// Says nothing.
pub struct Silent;

impl Watcher for Silent {
    fn begins(&self, _step: &str) {}
    fn line(&self, _line: &str) {}
}

/// Where programs run, and for how long.
pub struct Workshop<'a> {
    /// Working folder; holds all files that programs read and write.
    pub folder: &'a Path,
    /// For each program run; none: for ever.
    pub limit: Option<Duration>,
    pub watcher: &'a dyn Watcher,
}

impl Workshop<'_> {
    /// Runs `program` to its end; what it prints goes to the file `log` of the folder.
    ///
    /// Returns how long it took. Fails when it is missing, ends with an error or runs too long.
    pub fn run(
        &self,
        program: Program,
        arguments: &[String],
        log: &str,
    ) -> Result<Duration, FlowError> {
        let path = program.path().ok_or(FlowError::Missing { program })?;
        let log = self.folder.join(log);
        let mut file = File::create(&log).map_err(io_error("write", &log))?;
        let start = Instant::now();
        let mut command = gently(&path);
        let _scratch = Scratch::of_program(&mut command);
        command
            .args(arguments)
            .current_dir(self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = mkns_scratch::spawn(&mut command).map_err(io_error("start", &path))?;
        let lines = lines_of(&mut child);
        let mut kept = Vec::new();
        loop {
            let left = self
                .limit
                .map(|limit| limit.saturating_sub(start.elapsed()));
            let line = match next_line(&lines, left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    // It may have ended by itself just now; either way it is gone afterwards.
                    let _ = child.kill();
                    let _ = child.wait();
                    let seconds = self.limit.unwrap_or_default().as_secs();
                    return Err(FlowError::TimeLimit { program, seconds });
                }
            };
            writeln!(file, "{line}").map_err(io_error("write", &log))?;
            self.watcher.line(&line);
            if is_complaint(&line) {
                kept.push(line);
            }
        }
        let status = child.wait().map_err(io_error("wait for", &path))?;
        if status.success() {
            return Ok(start.elapsed());
        }
        let summary = match kept.first() {
            Some(line) => line.clone(),
            None => status.to_string(),
        };
        Err(FlowError::Failed {
            program,
            summary,
            log,
        })
    }

    /// Writes a file of the folder.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FlowError> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(io_error("make", parent))?;
        }
        std::fs::write(&path, text).map_err(io_error("write", &path))
    }

    /// Reads a file of the folder.
    pub fn read(&self, name: &str) -> Result<String, FlowError> {
        let path = self.folder.join(name);
        std::fs::read_to_string(&path).map_err(io_error("read", &path))
    }
}

/// The command at low priority where the system has `nice`: a run takes minutes to hours.
fn gently(program: &Path) -> Command {
    match in_path("nice") {
        Some(nice) => {
            let mut command = Command::new(nice);
            command.args(["-n", "10"]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// Lines of both output streams as they come; disconnected when both have ended.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(stream) = child.stdout.take() {
        forward(stream, sender.clone());
    }
    if let Some(stream) = child.stderr.take() {
        forward(stream, sender);
    }
    receiver
}

fn forward(stream: impl io::Read + Send + 'static, sender: Sender<String>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(length) if length > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            if sender.send(text).is_err() {
                return;
            }
        }
    });
}

fn next_line(lines: &Receiver<String>, left: Option<Duration>) -> Result<String, RecvTimeoutError> {
    match left {
        Some(left) => lines.recv_timeout(left),
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
    }
}

fn is_complaint(line: &str) -> bool {
    // Yosys may have the place before its word: `FILE:LINE: ERROR: …`.
    let words = ["error:", ": ERROR"];
    line.starts_with("ERROR")
        || line.starts_with("Error")
        || words.iter().any(|word| line.contains(word))
}

/// Makes a [`FlowError::Io`].
pub fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FlowError {
    let path: PathBuf = path.to_owned();
    move |source| FlowError::Io {
        action,
        path,
        source,
    }
}
