//! Files that are there whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use crate::Scratch;
use crate::input::is_input;

/// Writes `contents` to `path`, whose folder is made if needed: to a temporary file first, which then
/// takes the name. What is no file (a pipe, `/dev/stdout`) is written to as it is. An input of this process is never
/// written to.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    if is_input(path) {
        let what = "this file is an input of this command";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    if is_special(path) {
        return fs::write(path, contents);
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let temporary = Scratch::new_in("file", folder)?;
    let file = temporary.path().join("new");
    fs::write(&file, contents)?;
    fs::rename(file, path)
}

/// The folder that a path names a file of.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Whether something is there that a new file must not take the place of.
pub fn is_special(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| !about.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_stays_beside_it() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("reports/a.txt");
        for text in ["first", "second"] {
            write_whole(&path, text).expect("a writable folder");
            assert_eq!(fs::read_to_string(&path).expect("a file"), text);
        }
        let folder = fs::read_dir(folder_of(&path)).expect("a folder");
        assert_eq!(folder.count(), 1);
    }
}
