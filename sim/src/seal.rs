//! What a finished build holds, written down beside it: a build that was cut short by a power failure, or changed
//! since, is known before it is loaded.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use mkns_scratch::ContentKey;

/// Holds what all other files come to.
const SEAL: &str = "seal";
/// Written anew with every use.
const STAMP: &str = "used";

/// What is known of a finished build.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum State {
    Whole,
    /// Changed, cut short, or not a build at all.
    Damaged,
    /// Of a version of mkns that wrote no seals.
    Unsealed,
}

/// Seals a finished build, and waits until all of it is on the disk.
pub(crate) fn seal(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(SEAL), digest(folder)?)?;
    for entry in fs::read_dir(folder)? {
        File::open(entry?.path())?.sync_all()?;
    }
    File::open(folder)?.sync_all()
}

/// Whether a build is as it was sealed.
pub(crate) fn state(folder: &Path) -> State {
    let Ok(now) = digest(folder) else {
        return State::Damaged;
    };
    match fs::read_to_string(folder.join(SEAL)) {
        Ok(sealed) if sealed == now => State::Whole,
        Err(error) if error.kind() == io::ErrorKind::NotFound && has_content(folder) => {
            State::Unsealed
        }
        _ => State::Damaged,
    }
}

/// Names, sizes and contents of the files of a build. Of precompiled headers, which are large and which the compiler
/// checks, the size.
fn digest(folder: &Path) -> io::Result<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if name != SEAL && name != STAMP {
            paths.push(path);
        }
    }
    paths.sort();
    let mut key = ContentKey::new("seal");
    for path in paths {
        let about = fs::metadata(&path)?;
        if !about.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        key.add("size", about.len().to_le_bytes());
        if path.extension().is_none_or(|extension| extension != "gch") {
            key.add_file("file", &path)?;
        }
    }
    Ok(key.finish())
}

/// Whether a build of an older version has a library or objects that are not empty.
fn has_content(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let path = entry.path();
        let extension = path.extension()?;
        let is_built = extension == "so" || extension == "o";
        is_built.then(|| fs::metadata(&path).map_or(0, |about| about.len()))
    });
    let sizes: Vec<u64> = sizes.collect();
    !sizes.is_empty() && sizes.iter().all(|size| *size > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_8_a_build_that_was_cut_short_or_changed_is_known() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("build");
        let library = folder.join("model.so");
        assert_eq!(state(&folder), State::Damaged, "nothing there");
        fs::write(&folder, "").expect("writable");
        assert_eq!(state(&folder), State::Damaged, "a file");
        fs::remove_file(&folder).expect("our own");
        fs::create_dir(&folder).expect("writable");
        assert_eq!(state(&folder), State::Damaged, "an empty folder");
        fs::write(&library, "").expect("writable");
        assert_eq!(state(&folder), State::Damaged, "an empty library");
        fs::write(&library, "program").expect("writable");
        assert_eq!(state(&folder), State::Unsealed);
        seal(&folder).expect("writable");
        fs::write(folder.join(STAMP), "").expect("writable");
        assert_eq!(state(&folder), State::Whole);
        for damage in ["progr", "pr0gram", ""] {
            fs::write(&library, damage).expect("writable");
            assert_eq!(state(&folder), State::Damaged, "{damage}");
        }
        fs::write(&library, "program").expect("writable");
        assert_eq!(state(&folder), State::Whole);
        fs::remove_file(&library).expect("our own");
        assert_eq!(state(&folder), State::Damaged, "no library");
        fs::create_dir(&library).expect("writable");
        assert_eq!(state(&folder), State::Damaged, "a folder for the library");
    }
}
