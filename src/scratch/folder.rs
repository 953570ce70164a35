//! Temporary folders and programs that go with the process.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::process::geteuid;

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
            // What is in it is nobody else's business.
            .permissions(Permissions::from_mode(0o700))
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
pub struct CleanupGuard(MutexGuard<'static, BTreeSet<PathBuf>>);

impl CleanupGuard {
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
        if let (true, Some(_lock)) = (name.starts_with(PREFIX), abandoned(&path)) {
            // Another process may be removing it, too.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// The lock of a folder of this user's whose owner is dead. Anybody may have put anything of this name there: what is
/// no folder is not opened, and nothing is waited for.
fn abandoned(folder: &Path) -> Option<File> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = flags.bits().cast_signed();
    let folder = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(folder)
        .ok()?;
    let about = folder.metadata().ok()?;
    let age = about.modified().ok()?.elapsed().unwrap_or_default();
    let is_own = about.uid() == geteuid().as_raw();
    (is_own && age > YOUNG && folder.try_lock().is_ok()).then_some(folder)
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
    fn abuse_5_what_is_no_folder_of_this_user_is_neither_opened_nor_removed() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = |name: &str| parent.path().join(format!("{PREFIX}{name}"));
        let made = Command::new("mkfifo").arg(path("pipe")).status();
        assert!(made.expect("mkfifo runs").success());
        let touched = Command::new("touch")
            .args(["-d", "5 minutes ago"])
            .arg(path("pipe"))
            .status();
        assert!(touched.expect("touch runs").success());
        let target = parent.path().join("target");
        fs::create_dir(&target).expect("writable");
        make_old(&target);
        std::os::unix::fs::symlink(&target, path("link")).expect("a link");
        let scratch = Scratch::new_in("next", parent.path()).expect("nothing blocks");
        assert!(path("pipe").exists() && path("link").exists() && target.exists());
        let about = fs::metadata(scratch.path()).expect("it is there");
        assert_eq!(
            about.mode() & 0o777,
            0o700,
            "abuse 19: nobody else reads it"
        );
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
