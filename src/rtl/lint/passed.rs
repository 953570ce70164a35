//! What has passed before: a tool that found nothing in some files finds nothing in the same files again.
//!
//! An entry is an empty file, named by the program (path, size, time of change), what it is asked, and the
//! names and texts of all sources. Only passes are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

use mkns_diag::cache;

/// The entry of one run.
pub struct Passed(PathBuf);

impl Passed {
    /// The entry of a command that reads `sources` in `folder`.
    pub fn of(command: &Command, sources: &[String], folder: &Path) -> io::Result<Self> {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        let program = fs::metadata(command.get_program())?;
        let changed = program.modified()?.duration_since(UNIX_EPOCH);
        let changed = changed.map_err(io::Error::other)?.as_nanos();
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(command.get_program().as_encoded_bytes());
        add(format!("{} {changed}", program.len()).as_bytes());
        for argument in command.get_args() {
            // Sources may lie in a folder of this run.
            if !sources.iter().any(|source| argument == source.as_str()) {
                add(argument.as_encoded_bytes());
            }
        }
        for source in sources {
            let name = Path::new(source).file_name().unwrap_or_default();
            add(name.as_encoded_bytes());
            add(&fs::read(folder.join(source))?);
        }
        let digest = hash.finalize();
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(cache::folder().join("lint").join(name)))
    }

    pub fn is_known(&self) -> bool {
        self.0.exists()
    }

    /// Notes that the run has passed. What cannot be noted is run again.
    pub fn note(&self) {
        let folder = self.0.parent().expect("an entry is in a folder");
        let _ = fs::create_dir_all(folder).and_then(|()| fs::write(&self.0, ""));
    }
}
