//! Temporary folders and programs that go with the process.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How the names of all such folders begin: nobody else's folder is ever taken for one.
const PREFIX: &str = ".mkns-scratch-";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Folders of this process.
static LIVING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// An empty folder of this process's own.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Held as long as the folder is in use.
    _lock: File,
}

impl Scratch {
    /// A folder among the system's temporary ones; `purpose` is part of its name.
    pub fn new(purpose: &str) -> io::Result<Self> {
        Self::new_in(purpose, &env::temp_dir())
    }

    /// A folder in `parent`, from where it can be renamed.
    pub fn new_in(purpose: &str, parent: &Path) -> io::Result<Self> {
        clear(parent);
        let mut living = living();
        let folder = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{purpose}-"))
            .tempdir_in(parent)
            .map_err(|error| within(parent, &error))?;
        let lock = File::open(folder.path())?;
        // Where folders cannot be locked, none is cleared either.
        let _ = lock.try_lock();
        let folder = folder.keep();
        living.insert(folder.clone());
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// A folder for the temporary files of a program, which it may leave when it is stopped. Where none can be
    /// made, the program takes the usual one.
    pub fn of_program(program: &mut Command) -> Option<Self> {
        let scratch = Self::new("program").ok()?;
        program.env("TMPDIR", scratch.path());
        Some(scratch)
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The folder stays, and is its caller's.
    pub fn keep(self) -> PathBuf {
        living().remove(&self.folder);
        self.folder.clone()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut living = living();
        if living.remove(&self.folder) {
            // Nobody is there to be told; a later process tries again.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Starts a program, unless the process is ending.
pub fn spawn(program: &mut Command) -> io::Result<Child> {
    let _living = living();
    program.spawn()
}

/// The process is ending: whoever starts a program, makes a folder or drops one waits for that end.
pub struct Ending(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Ending {
    pub fn begin() -> Self {
        Self(living())
    }

    /// Removes every folder of this process.
    pub fn remove_folders(&self) {
        for folder in self.0.iter() {
            // What a program that is just ending still writes makes the first try fail.
            let gone = || fs::remove_dir_all(folder).is_ok() || !folder.exists();
            let _ = (0..20).any(|_| {
                let done = gone();
                if !done {
                    std::thread::sleep(Duration::from_millis(10));
                }
                done
            });
        }
    }
}

fn living() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes folders in `parent` whose owner is dead.
fn clear(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && is_abandoned(&path) {
            // Another process may be removing it, too.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|about| about.modified());
    let age = changed.map(|time| time.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age > YOUNG)
        && File::open(folder).is_ok_and(|folder| folder.try_lock().is_ok())
}

fn within(parent: &Path, error: &io::Error) -> io::Error {
    let what = format!("no folder can be made in {}: {error}", parent.display());
    io::Error::new(error.kind(), what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn make_old(folder: &Path) {
        let file = File::open(folder).expect("a folder");
        let then = SystemTime::now() - 2 * YOUNG;
        file.set_modified(then).expect("our own folder");
    }

    #[test]
    fn what_a_dead_process_left_goes_and_what_a_living_one_uses_stays() {
        let parent = tempfile::tempdir().expect("a folder");
        let left = parent.path().join(format!("{PREFIX}left-abc"));
        let other = parent.path().join("mkns-of-somebody");
        let young = parent.path().join(format!("{PREFIX}young-abc"));
        for folder in [&left, &other, &young] {
            fs::create_dir(folder).expect("a folder");
            fs::write(folder.join("file"), "text").expect("a file");
        }
        let living = Scratch::new_in("living", parent.path()).expect("a folder");
        for folder in [left.as_path(), &other, living.path()] {
            make_old(folder);
        }
        let next = Scratch::new_in("next", parent.path()).expect("a folder");
        assert!(!left.exists());
        assert!(other.exists() && young.exists() && living.path().exists());
        let (path, kept) = (living.path().to_owned(), next.keep());
        drop(living);
        assert!(!path.exists() && kept.exists());
    }
}
