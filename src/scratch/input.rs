//! Files that come from elsewhere: opened without waiting, read up to a limit, and never written over.
//!
//! Every input of this process is remembered by its path, as is every output that has been announced. Which of the two
//! comes first does not matter: neither may be the other, through whatever links.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{OFlags, fcntl_setfl};

/// Why an input is not read.
#[derive(Debug)]
pub enum Unreadable {
    /// The operating system refuses.
    Refused(io::Error),
    /// Not a file; what it is, with its article.
    Special(&'static str),
    /// Longer than this many bytes.
    TooLong(u64),
    /// A result of this command is to be written there.
    IsOutput,
}

/// What this process reads and writes.
struct Known {
    inputs: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    inputs: Vec::new(),
    outputs: Vec::new(),
});

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes of an input, at most `limit`. From now on no output takes its place.
///
/// # Errors
/// When it cannot be read, is no file, is too long, or is an announced output.
pub fn read_input(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let bytes = read_kept(path, limit)?;
    let mut known = known();
    if known.outputs.iter().any(|output| is_same(output, path)) {
        return Err(Unreadable::IsOutput);
    }
    if !known.inputs.iter().any(|input| input == path) {
        known.inputs.push(path.to_owned());
    }
    Ok(bytes)
}

/// The bytes of a file that this command may replace, such as its own results of an earlier run.
///
/// # Errors
/// When it cannot be read, is no file or is too long.
pub fn read_kept(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    if path == Path::new("/dev/stdin") {
        return read_up_to(limit, io::stdin().lock());
    }
    let is_pipe_of_shell = path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd");
    let special = |about: &Metadata| match kind(about) {
        Some("a pipe") if is_pipe_of_shell => None,
        kind => kind,
    };
    let about = fs::metadata(path).map_err(Unreadable::Refused)?;
    if let Some(kind) = special(&about) {
        return Err(Unreadable::Special(kind));
    }
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .map_err(Unreadable::Refused)?;
    // Another may have taken its place meanwhile.
    let about = file.metadata().map_err(Unreadable::Refused)?;
    if let Some(kind) = special(&about) {
        return Err(Unreadable::Special(kind));
    }
    if about.len() > limit {
        return Err(Unreadable::TooLong(limit));
    }
    fcntl_setfl(&file, OFlags::empty()).map_err(|error| Unreadable::Refused(error.into()))?;
    read_up_to(limit, file)
}

/// All that `from` gives, when it is not more than `limit` bytes.
///
/// # Errors
/// When it cannot be read or is too long.
pub fn read_up_to(limit: u64, from: impl Read) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    let mut from = from.take(limit + 1);
    from.read_to_end(&mut bytes).map_err(Unreadable::Refused)?;
    match bytes.len() as u64 > limit {
        true => Err(Unreadable::TooLong(limit)),
        false => Ok(bytes),
    }
}

/// What it is if it is not a file.
fn kind(about: &Metadata) -> Option<&'static str> {
    let kind = about.file_type();
    let kinds = [
        (kind.is_dir(), "a folder"),
        (kind.is_fifo(), "a pipe"),
        (kind.is_socket(), "a socket"),
        (kind.is_char_device() || kind.is_block_device(), "a device"),
    ];
    kinds.iter().find(|(is, _)| *is).map(|(_, name)| *name)
}

/// Announces that a result will be written to `path`; the error is the input that would be lost.
///
/// # Errors
/// When `path` is an input of this process.
pub fn announce_output(path: &Path) -> Result<(), PathBuf> {
    let mut known = known();
    if let Some(input) = known.inputs.iter().find(|input| is_same(input, path)) {
        return Err(input.clone());
    }
    known.outputs.push(path.to_owned());
    Ok(())
}

/// Whether this process has read the file.
pub(crate) fn is_input(path: &Path) -> bool {
    known().inputs.iter().any(|input| is_same(input, path))
}

/// Whether two paths lead to one file. Devices and pipes take what is written without losing anything.
fn is_same(a: &Path, b: &Path) -> bool {
    let identity = |path: &Path| {
        let about = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some((about.dev(), about.ino()))
    };
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn abuse_13_an_output_is_never_an_input_through_whatever_links() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("input"), "text").expect("writable");
        fs::write(path("other"), "text").expect("writable");
        symlink(path("input"), path("soft")).expect("a link");
        fs::hard_link(path("input"), path("hard")).expect("a link");
        read_input(&path("input"), 100).expect("readable");
        for name in ["input", "soft", "hard"] {
            let refused = announce_output(&path(name)).expect_err("an input");
            assert_eq!(refused, path("input"), "{name}");
            let written = crate::write_whole(&path(name), "new");
            assert!(written.is_err(), "{name}");
        }
        announce_output(&path("other")).expect("no input");
        announce_output(&path("new")).expect("nothing there");
        let later = read_input(&path("other"), 100);
        assert!(matches!(later, Err(Unreadable::IsOutput)), "{later:?}");
        read_kept(&path("other"), 100).expect("its own result");
        assert_eq!(fs::read(path("input")).expect("it is there"), b"text");
    }

    #[test]
    fn reports_7_special_files_are_not_opened_and_lengths_are_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let socket = path("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let mkfifo = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(mkfifo.expect("mkfifo runs").success());
        symlink("/dev/zero", path("link")).expect("a link");
        let cases = [
            (folder.path().to_owned(), "a folder"),
            (path("pipe"), "a pipe"),
            (socket, "a socket"),
            (path("link"), "a device"),
        ];
        for (path, kind) in cases {
            let found = read_input(&path, 100);
            let Err(Unreadable::Special(found)) = found else {
                panic!("{}: {found:?}", path.display());
            };
            assert_eq!(found, kind);
        }
        fs::write(path("long"), [b' '; 101]).expect("writable");
        let long = read_input(&path("long"), 100);
        assert!(matches!(long, Err(Unreadable::TooLong(100))), "{long:?}");
        assert_eq!(
            read_input(&path("long"), 101).expect("short enough").len(),
            101
        );
        let endless = read_up_to(100, io::repeat(0));
        assert!(
            matches!(endless, Err(Unreadable::TooLong(100))),
            "{endless:?}"
        );
    }
}
