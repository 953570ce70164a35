//! What lies below a folder of RTL, before anything of it is opened: plain files only, and not too many.

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use mkns_diag::{Code, Diagnostic, Place};

/// Files that somebody has added to what mkns wrote, at most.
const MOST_ADDED: usize = 2000;
/// Bytes of one file, at most: the top of a network of 243,712 blocks has less.
const MOST_BYTES: u64 = 2 << 30;

/// Paths of all files below `folder`, with `/` and in order. `known` are those that mkns wrote.
pub fn files_below(
    folder: &Path,
    known: &BTreeSet<&str>,
) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    let mut found = BTreeSet::new();
    let mut added = 0;
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = pending.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type();
            let kind = kind.map_err(|error| unreadable(&entry.path(), &error))?;
            if kind.is_dir() {
                pending.push((entry.path(), name + "/"));
                continue;
            }
            plain(&entry.path())?;
            added += usize::from(!known.contains(name.as_str()));
            if added > MOST_ADDED {
                return Err(vec![too_many(&folder)]);
            }
            found.insert(name);
        }
    }
    Ok(found)
}

/// Refuses a path that opening could wait for, or that has no end. What is not there is nobody's trouble here.
pub fn plain(path: &Path) -> Result<(), Vec<Diagnostic>> {
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        about => about.map_err(|error| unreadable(path, &error))?,
    };
    if !about.is_file() && !about.is_dir() {
        return Err(vec![special(path, about.file_type())]);
    }
    match about.len() > MOST_BYTES {
        true => Err(vec![too_large(path, about.len())]),
        false => Ok(()),
    }
}

/// An error of reading a path.
pub fn unreadable(path: &Path, error: &io::Error) -> Vec<Diagnostic> {
    let fact = format!("cannot read the RTL: {error}");
    let remedy = "correct the permissions, or remove that file";
    vec![Diagnostic::new(Code::RtlMissing, fact, remedy).at(Place::file(path))]
}

fn special(path: &Path, kind: FileType) -> Diagnostic {
    let what = match kind {
        _ if kind.is_fifo() => "a FIFO",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    };
    let fact = format!("{what} lies in the folder of RTL, which holds plain files only");
    let remedy = "remove it";
    Diagnostic::new(Code::RtlMissing, fact, remedy).at(Place::file(path))
}

fn too_many(folder: &Path) -> Diagnostic {
    let fact = format!(
        "the folder of RTL holds more than {MOST_ADDED} files besides those that mkns wrote"
    );
    let remedy = "name a folder that `mkns generate` wrote, with few files added";
    Diagnostic::new(Code::RtlMissing, fact, remedy).at(Place::file(folder))
}

fn too_large(path: &Path, bytes: u64) -> Diagnostic {
    let fact = format!("a file of the RTL has {bytes} bytes, but at most {MOST_BYTES} are read");
    let remedy = "remove it";
    Diagnostic::new(Code::RtlMissing, fact, remedy).at(Place::file(path))
}
