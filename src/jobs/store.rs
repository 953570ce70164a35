//! The folder of results: a file for every job that has ended.
//!
//! A file is there whole or not at all. A final result has a name of its own, beside which that of a job that was
//! killed has no weight: whoever writes when, a result that is there stays, and a job counts once.
//!
//! A file's name is the key of its job. Results come from elsewhere, too: one that says another key is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mkns_scratch::write_whole;

use super::job::{Job, is_key};
use super::outcome::Outcome;
use super::text::text_of;

/// Folder of the results that were set aside, beside the others.
pub const SUPERSEDED: &str = "superseded";

/// Results below a folder.
#[derive(Debug, Clone)]
pub struct Store {
    runs: PathBuf,
    /// Results of other inputs, or of another program, that were those of a job by its labels.
    superseded: PathBuf,
}

/// A file among results that is none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFile {
    pub path: PathBuf,
    /// The key that it says.
    pub key: String,
}

impl Store {
    /// Below `folder`, which need not be there.
    pub fn new(folder: &Path) -> Store {
        Store {
            runs: folder.join("runs"),
            superseded: folder.join(SUPERSEDED),
        }
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// When the file cannot be written; what was there stays. When the job has a key that is none.
    pub fn put(&self, outcome: &Outcome) -> io::Result<()> {
        let key = &outcome.job.key;
        if !is_key(key) {
            let what = format!("`{key}` is no key of a run: 32 hexadecimal digits");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let path = file(&self.runs, key, outcome.status.is_final());
        let text = serde_json::to_string_pretty(outcome)? + "\n";
        write_whole(&path, text)
    }

    /// The result of a job: the final one, if there is one.
    pub fn get(&self, key: &str) -> Option<Outcome> {
        let read = |is_final| read(&file(&self.runs, key, is_final), key);
        read(true).or_else(|| read(false))
    }

    /// Whether a job need not run again.
    pub fn is_final(&self, key: &str) -> bool {
        read(&file(&self.runs, key, true), key).is_some()
    }

    /// The results of all jobs by their keys.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn all(&self) -> io::Result<BTreeMap<String, Outcome>> {
        let keys = names(&self.runs)?;
        let keys = keys.iter().filter_map(|name| name.split('.').next());
        let keys: BTreeSet<&str> = keys.filter(|key| is_key(key)).collect();
        let found = keys.into_iter();
        let found = found.filter_map(|key| Some((key.to_owned(), self.get(key)?)));
        Ok(found.collect())
    }

    /// Results whose name is not their key: somebody else has put them there.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn unknown_files(&self) -> io::Result<Vec<UnknownFile>> {
        let stranger = |name: &String| {
            let path = self.runs.join(name);
            let key = any(&path)?.job.key;
            let is_own = is_key(&key) && name.split('.').next() == Some(&key);
            (!is_own).then_some(UnknownFile { path, key })
        };
        Ok(names(&self.runs)?.iter().filter_map(stranger).collect())
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

    /// Sets results aside that have the labels of one of these jobs and another key: their files or the program have
    /// changed since. Those of the jobs that were set aside before come back. Returns how many were set aside.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn set_aside(&self, jobs: &[Job]) -> io::Result<usize> {
        let wanted: BTreeSet<&str> = jobs.iter().map(|job| job.key.as_str()).collect();
        let labels: BTreeSet<&Vec<(String, String)>> = jobs.iter().map(|job| &job.labels).collect();
        let is_old = |(key, outcome): &(String, Outcome)| {
            !wanted.contains(key.as_str()) && labels.contains(&outcome.job.labels)
        };
        let old: Vec<(String, Outcome)> = self.all()?.into_iter().filter(is_old).collect();
        for (key, _) in &old {
            for is_final in [true, false] {
                renamed((&self.runs, &self.superseded), key, is_final)?;
            }
        }
        for name in names(&self.superseded)? {
            let key = name.split('.').next().unwrap_or_default();
            let is_own = wanted.contains(key) && read(&self.superseded.join(&name), key).is_some();
            if is_own && !self.is_final(key) {
                renamed((&self.superseded, &self.runs), key, true)?;
            }
        }
        Ok(old.len())
    }
}

fn file(folder: &Path, key: &str, is_final: bool) -> PathBuf {
    let ending = if is_final { "json" } else { "lost.json" };
    folder.join(format!("{key}.{ending}"))
}

/// Moves a result, if it is there, from one folder to another.
fn renamed((from, to): (&Path, &Path), key: &str, is_final: bool) -> io::Result<()> {
    let path = file(from, key, is_final);
    if !path.exists() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    match fs::rename(path, file(to, key, is_final)) {
        // Somebody else has moved it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.ends_with(".json").then_some(name));
    }
    names.sort();
    Ok(names)
}

/// A result under the name of its own key. A file that a machine left broken is none.
fn read(path: &Path, key: &str) -> Option<Outcome> {
    any(path).filter(|outcome| is_key(key) && outcome.job.key == key)
}

fn any(path: &Path) -> Option<Outcome> {
    serde_json::from_str(&text_of(path).ok()?).ok()
}
