//! The folder of results: a file for every job that has ended.
//!
//! A file is there whole or not at all. A final result has a name of its own, beside which that of a job that was
//! killed has no weight: whoever writes when, a result that is there stays, and a job counts once.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mkns_scratch::write_whole;

use super::outcome::Outcome;

/// Results below a folder.
#[derive(Debug, Clone)]
pub struct Store {
    runs: PathBuf,
}

impl Store {
    /// Below `folder`, which need not be there.
    pub fn new(folder: &Path) -> Store {
        Store {
            runs: folder.join("runs"),
        }
    }

    fn file(&self, key: &str, is_final: bool) -> PathBuf {
        let ending = if is_final { "json" } else { "lost.json" };
        self.runs.join(format!("{key}.{ending}"))
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// When the file cannot be written; what was there stays.
    pub fn put(&self, outcome: &Outcome) -> io::Result<()> {
        let path = self.file(&outcome.job.key, outcome.status.is_final());
        let text = serde_json::to_string_pretty(outcome)? + "\n";
        write_whole(&path, text)
    }

    /// The result of a job: the final one, if there is one.
    pub fn get(&self, key: &str) -> Option<Outcome> {
        let read = |is_final| read(&self.file(key, is_final));
        read(true).or_else(|| read(false))
    }

    /// Whether a job need not run again.
    pub fn is_final(&self, key: &str) -> bool {
        read(&self.file(key, true)).is_some()
    }

    /// The results of all jobs by their keys.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn all(&self) -> io::Result<BTreeMap<String, Outcome>> {
        let entries = match fs::read_dir(&self.runs) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            entries => entries?,
        };
        let mut keys = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".json") {
                keys.extend(name.split('.').next().map(str::to_owned));
            }
        }
        let found = keys
            .into_iter()
            .filter_map(|key| Some((key.clone(), self.get(&key)?)));
        Ok(found.collect())
    }

    /// Takes over what another folder holds. Of two results of one job the weightier stays ([`Outcome::weight`]), so
    /// neither order nor repetition of merging matters.
    ///
    /// # Errors
    /// When a folder cannot be read or written.
    pub fn merge(&self, other: &Store) -> io::Result<()> {
        for (key, theirs) in other.all()? {
            let ours = self.get(&key);
            if ours.is_none_or(|ours| ours.weight(&theirs).is_lt()) {
                self.put(&theirs)?;
            }
        }
        Ok(())
    }
}

/// A file that a machine left broken is none.
fn read(path: &Path) -> Option<Outcome> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}
