//! Where Verilator and the C++ compiler are, and which versions: both go into every cache key.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use mkns_diag::{cache, tools};
use mkns_scratch::last_lines;

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
            version(Command::new(&program))?,
            version(command_of(&compiler))?,
        ];
        let versions = versions.join("\n");
        Ok(Self {
            verilator_root: root,
            compiler,
            cache: cache::folder().map_err(Error::io("find", Path::new("the cache")))?,
            versions,
        })
    }

    /// Verilator, ready for arguments.
    pub(crate) fn verilator(&self) -> Command {
        let mut command = Command::new(tools::verilator_program(&self.verilator_root));
        command.env("VERILATOR_ROOT", &self.verilator_root);
        command
    }

    /// The C++ compiler, ready for arguments.
    pub(crate) fn compiler(&self) -> Command {
        command_of(&self.compiler)
    }

    pub(crate) fn include_dir(&self) -> PathBuf {
        self.verilator_root.join("include")
    }
}

/// A program by its path or name, or one with words before its arguments, as in `ccache g++`.
fn command_of(program: &Path) -> Command {
    let text = program.to_string_lossy();
    let mut words = text.split_whitespace();
    match words.next() {
        Some(first) if !program.is_file() => {
            let mut command = Command::new(first);
            command.args(words);
            command
        }
        _ => Command::new(program),
    }
}

/// First line of what the program prints about itself.
fn version(mut command: Command) -> Result<String> {
    let program = PathBuf::from(command.get_program());
    let program = program.as_path();
    let missing = |fact: String| Error::ToolMissing {
        program: name(program),
        looked: fact,
    };
    let ended = mkns_scratch::run(command.arg("--version"))
        .map_err(|error| missing(format!("{}: {error}", program.display())))?;
    if !ended.status.success() {
        let program = program.display();
        return Err(missing(format!("{program} --version: {}", ended.status)));
    }
    let first = ended.output.lines().next();
    Ok(first.unwrap_or_default().trim().to_owned())
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
    let asked = format!("$ {command:?}\n");
    command.env("TMPDIR", log.parent().unwrap_or(Path::new(".")));
    let ended = mkns_scratch::run(command).map_err(|error| Error::ToolMissing {
        program: program.clone(),
        looked: error.to_string(),
    })?;
    let said = ended.said();
    let file = OpenOptions::new().create(true).append(true).open(log);
    file.and_then(|mut file| file.write_all((asked + &said).as_bytes()))
        .map_err(Error::io("write", log))?;
    if ended.status.success() {
        return Ok(());
    }
    Err(Error::ToolFailed {
        program,
        status: ended.status.to_string(),
        log: log.to_owned(),
        said: complaint(&said),
    })
}

/// The first line that speaks of an error and those after it; the last lines where none does.
fn complaint(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    let is_error = |line: &&str| line.to_lowercase().contains("error");
    match lines.iter().position(is_error) {
        Some(start) => lines[start..lines.len().min(start + SAID_LINES)].join("\n"),
        None => last_lines(said, SAID_LINES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_18_a_compiler_may_have_a_word_before_it() {
        let words = |compiler: &str| {
            let command = command_of(Path::new(compiler));
            let program = command.get_program().to_owned();
            let words = [program.as_os_str()].into_iter().chain(command.get_args());
            words
                .map(|word| word.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(words("g++"), ["g++"]);
        assert_eq!(words("ccache g++ -m64"), ["ccache", "g++", "-m64"]);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my g++");
        fs::write(&path, "").expect("writable");
        let path = path.display().to_string();
        assert_eq!(words(&path), [path.as_str()]);
    }

    #[test]
    fn the_first_complaint_is_told() {
        let said = "%Warning: odd\n  1 | a\n%Error: b\n%Error: c\n";
        assert_eq!(complaint(said), "%Error: b\n%Error: c");
        let many = "x\n".repeat(99) + "killed";
        assert!(complaint(&many).ends_with("killed"));
        assert_eq!(complaint(&many).lines().count(), SAID_LINES);
    }
}
