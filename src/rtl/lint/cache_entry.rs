//! What has passed before: a tool that found nothing in some files finds nothing in the same files again.
//!
//! An entry is an empty file, named by the program (path, size, time of change), what it is asked, and the
//! names and texts of all sources. Only passes are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use mkns_diag::cache;
use mkns_scratch::ContentKey;

/// The entry of one run; none where the cache is not this user's own.
pub struct LintCacheEntry(Option<PathBuf>);

impl LintCacheEntry {
    /// The entry of a command that reads `sources` in `folder`.
    pub fn of(command: &Command, sources: &[String], folder: &Path) -> io::Result<Self> {
        let mut key = ContentKey::new("lint");
        key.add("mkns", env!("CARGO_PKG_VERSION"));
        key.add_program(Path::new(command.get_program()))?;
        for argument in command.get_args() {
            // Sources may lie in a folder of this run.
            if !sources.iter().any(|source| argument == source.as_str()) {
                key.add("argument", argument.as_encoded_bytes());
            }
        }
        for source in sources {
            key.add_file("source", &folder.join(source))?;
        }
        let folder = cache::private_folder().ok();
        Ok(Self(
            folder.map(|folder| folder.join("lint").join(key.finish())),
        ))
    }

    pub fn is_known(&self) -> bool {
        self.0.as_ref().is_some_and(|entry| entry.exists())
    }

    /// Notes that the run has passed. What cannot be noted is run again.
    pub fn note(&self) {
        let Some(entry) = &self.0 else {
            return;
        };
        let folder = entry.parent().expect("an entry is in a folder");
        let _ = fs::create_dir_all(folder).and_then(|()| fs::write(entry, ""));
    }
}
