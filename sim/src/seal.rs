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

/// Seals a finished build, and waits until all of it is on the disk.
pub(crate) fn seal(folder: &Path) -> io::Result<()> {
    fs::write(folder.join(SEAL), digest(folder)?)?;
    for entry in fs::read_dir(folder)? {
        File::open(entry?.path())?.sync_all()?;
    }
    File::open(folder)?.sync_all()
}

/// Whether a build is as it was sealed. One without a seal is not: nothing says that it is whole.
pub(crate) fn is_whole(folder: &Path) -> bool {
    let sealed = fs::read_to_string(folder.join(SEAL));
    sealed.is_ok_and(|sealed| digest(folder).is_ok_and(|now| now == sealed))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_8_a_build_that_was_cut_short_or_changed_is_known() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("build");
        let library = folder.join("model.so");
        assert!(!is_whole(&folder), "nothing there");
        fs::write(&folder, "").expect("writable");
        assert!(!is_whole(&folder), "a file");
        fs::remove_file(&folder).expect("our own");
        fs::create_dir(&folder).expect("writable");
        assert!(!is_whole(&folder), "an empty folder");
        fs::write(&library, "").expect("writable");
        assert!(!is_whole(&folder), "an empty library");
        fs::write(&library, "program").expect("writable");
        assert!(!is_whole(&folder), "without a seal");
        seal(&folder).expect("writable");
        fs::write(folder.join(STAMP), "").expect("writable");
        assert!(is_whole(&folder));
        for damage in ["progr", "pr0gram", ""] {
            fs::write(&library, damage).expect("writable");
            assert!(!is_whole(&folder), "{damage}");
        }
        fs::write(&library, "program").expect("writable");
        assert!(is_whole(&folder));
        fs::remove_file(&library).expect("our own");
        assert!(!is_whole(&folder), "no library");
        fs::create_dir(&library).expect("writable");
        assert!(!is_whole(&folder), "a folder for the library");
    }
}
