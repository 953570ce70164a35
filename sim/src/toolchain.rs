//! Where Verilator and the C++ compiler are, and which versions: both go into every cache key.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mkns_diag::{cache, tools};

use crate::error::{Error, Result};

/// Lines of a failed tool's words that go into the error.
const SAID_LINES: usize = 30;

/// The programs that make a model, with the identity of each.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The folder that `VERILATOR_ROOT` names: holds `bin/verilator_bin` and `include/`.
    pub verilator_root: PathBuf,
    /// C++ compiler: `$CXX`, else `g++`.
    pub compiler: PathBuf,
    /// Folder of finished builds. [`Toolchain::locate`] takes `$MKNS_CACHE`, else `mkns` in the
    /// user's cache folder.
    pub cache: PathBuf,
    /// What both programs say about themselves.
    pub versions: String,
}

impl Toolchain {
    /// Finds Verilator where [`mkns_diag::tools`] says.
    pub fn locate() -> Result<Self> {
        let verilator_root = tools::verilator_root().map_err(|looked| Error::ToolMissing {
            program: "verilator".into(),
            looked,
        })?;
        let compiler = env::var_os("CXX").unwrap_or_else(|| "g++".into()).into();
        Self::at(verilator_root, compiler)
    }

    /// Uses exactly these programs.
    pub fn at(verilator_root: PathBuf, compiler: PathBuf) -> Result<Self> {
        let root = fs::canonicalize(&verilator_root).unwrap_or(verilator_root);
        let program = tools::verilator_program(&root);
        let versions = [
            version(&program, "--version")?,
            version(&compiler, "--version")?,
        ]
        .join("\n");
        Ok(Self {
            verilator_root: root,
            compiler,
            cache: cache::folder(),
            versions,
        })
    }

    /// Verilator, ready for arguments.
    pub(crate) fn verilator(&self) -> Command {
        let mut command = Command::new(tools::verilator_program(&self.verilator_root));
        command.env("VERILATOR_ROOT", &self.verilator_root);
        command
    }

    pub(crate) fn include_dir(&self) -> PathBuf {
        self.verilator_root.join("include")
    }
}

/// First line of what the program prints about itself.
fn version(program: &Path, argument: &str) -> Result<String> {
    let missing = |fact: String| Error::ToolMissing {
        program: name(program),
        looked: fact,
    };
    let output = mkns_scratch::output(Command::new(program).arg(argument))
        .map_err(|error| missing(format!("{}: {error}", program.display())))?;
    if !output.status.success() {
        return Err(missing(format!(
            "{} {argument}: {}",
            program.display(),
            output.status
        )));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

fn name(program: &Path) -> String {
    program
        .file_name()
        .unwrap_or(OsStr::new("?"))
        .to_string_lossy()
        .into_owned()
}

/// Runs a tool to its end; command line and output go to the end of `log`, its temporary files beside it.
pub(crate) fn run(command: &mut Command, log: &Path) -> Result<()> {
    let program = name(Path::new(command.get_program()));
    let open = || OpenOptions::new().create(true).append(true).open(log);
    let mut file = open().map_err(Error::io("write", log))?;
    writeln!(file, "$ {command:?}").map_err(Error::io("write", log))?;
    let before = file.metadata().map_err(Error::io("read", log))?.len();
    let duplicate = |file: &File| file.try_clone().map_err(Error::io("write", log));
    command.env("TMPDIR", log.parent().unwrap_or(Path::new(".")));
    command
        .stdin(Stdio::null())
        .stdout(duplicate(&file)?)
        .stderr(file);
    let status = mkns_scratch::spawn(command)
        .and_then(|mut program| program.wait())
        .map_err(|error| Error::ToolMissing {
            program: program.clone(),
            looked: error.to_string(),
        })?;
    if status.success() {
        return Ok(());
    }
    Err(Error::ToolFailed {
        program,
        status: status.to_string(),
        log: log.to_owned(),
        said: said_since(before, log),
    })
}

/// What a tool has added to a log of so many bytes, from its first complaint on.
fn said_since(before: u64, log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let said = text.get(before as usize..).unwrap_or_default();
    complaint(&String::from_utf8_lossy(said))
}

/// The first line that speaks of an error and those after it; the last lines where none does.
fn complaint(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let is_error = |line: &&str| line.to_lowercase().contains("error");
    let start = lines.iter().position(is_error);
    let start = start.unwrap_or(lines.len().saturating_sub(SAID_LINES));
    let end = lines.len().min(start + SAID_LINES);
    lines[start..end].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_complaint_is_told() {
        let said = "%Warning: odd\n  1 | a\n%Error: b\n%Error: c\n";
        assert_eq!(complaint(said), "%Error: b\n%Error: c");
        let many = "x\n".repeat(99) + "killed";
        assert!(complaint(&many).ends_with("killed"));
        assert_eq!(complaint(&many).lines().count(), SAID_LINES);
    }
}
