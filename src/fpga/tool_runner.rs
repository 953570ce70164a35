//! Runs a program of a flow: low priority, its words into a log, a time limit, progress line by line.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{FlowError, Program};
use mkns_scratch::{Limits, Scratch};

/// What a flow tells while it works.
pub trait FlowListener {
    /// A step begins, such as `synthesis`.
    fn begins(&self, step: &str);
    /// A line that a program printed.
    fn line(&self, line: &str);
}

/// Says nothing.
pub struct Silent;

impl FlowListener for Silent {
    fn begins(&self, _step: &str) {}
    fn line(&self, _line: &str) {}
}

/// Where programs run, and for how long.
pub struct ToolRunner<'a> {
    /// Working folder; holds all files that programs read and write.
    pub folder: &'a Path,
    /// For each program run; none: for ever.
    pub limit: Option<Duration>,
    pub listener: &'a dyn FlowListener,
}

impl ToolRunner<'_> {
    /// Runs `program` to its end; what it prints goes to the file `log` of the folder.
    ///
    /// Fails when it is missing, ends with an error or runs too long.
    pub fn run(&self, program: Program, arguments: &[String], log: &str) -> Result<(), FlowError> {
        let path = program.path().ok_or(FlowError::Missing { program })?;
        let log = self.folder.join(log);
        let mut file = File::create(&log).map_err(io_error("write", &log))?;
        let mut command = Command::new(&path);
        let _scratch = Scratch::of_program(&mut command);
        command.args(arguments).current_dir(self.folder);
        let limits = Limits {
            wall: self.limit,
            low_priority: true,
            ..Limits::default()
        };
        let mut kept = None;
        let mut written = Ok(());
        let ended = limits
            .run(&mut command, &mut |line| {
                if written.is_ok() {
                    written = writeln!(file, "{line}");
                }
                self.listener.line(line);
                if kept.is_none() && is_complaint(line) {
                    kept = Some(line.to_owned());
                }
            })
            .map_err(io_error("start", &path))?;
        written.map_err(io_error("write", &log))?;
        if ended.cut_short.is_some() {
            let seconds = self.limit.unwrap_or_default().as_secs();
            return Err(FlowError::TimeLimit { program, seconds });
        }
        if ended.status.success() {
            return Ok(());
        }
        Err(FlowError::Failed {
            program,
            summary: kept.unwrap_or_else(|| ended.status.to_string()),
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
