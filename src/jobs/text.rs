//! Results and submissions may come from elsewhere: they are read up to a length, and only where they are files.

use std::io;
use std::path::Path;

use mkns_scratch::{Unreadable, read_kept};

/// Bytes of the longest that is read. The tasks of the largest study take a quarter of it.
const MOST: u64 = 256 << 20;

/// The text of a file that this program may write anew.
pub fn text_of(path: &Path) -> io::Result<String> {
    let bytes = read_kept(path, MOST).map_err(|why| match why {
        Unreadable::Refused(error) => error,
        _ => io::ErrorKind::InvalidData.into(),
    })?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn abuse_17_results_without_end_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("result.json");
        fs::write(&path, "{}").expect("writable");
        assert_eq!(text_of(&path).expect("short enough"), "{}");
        let file = File::create(&path).expect("writable");
        file.set_len(MOST + 1)
            .expect("no block of the disk is taken");
        text_of(&path).expect_err("too long");
        fs::remove_file(&path).expect("our own");
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        text_of(&path).expect_err("a device");
    }
}
