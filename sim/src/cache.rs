//! A folder of finished builds, named by content key.
//!
//! A build happens in a temporary folder beside the finished ones and is published by rename, so an
//! entry is complete or absent. One lock file per key makes threads and processes wait for the one
//! that builds. Knows nothing of what is built.

use std::env;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use mkns_diag::cache;
use mkns_scratch::Scratch;

use crate::error::{Error, Result};
use crate::prune;
use crate::seal;

/// Bytes that the models of a cache may take, unless `$MKNS_CACHE_LIMIT` says otherwise: some thousand
/// models of blocks.
const LIMIT: u64 = 1 << 30;

#[derive(Clone, Debug)]
pub(crate) struct Cache {
    root: PathBuf,
}

/// Held while a key is built; ends with the process at the latest.
pub(crate) struct KeyLock {
    _file: File,
}

/// `$MKNS_CACHE_LIMIT` in MiB, else [`LIMIT`]; in bytes.
fn limit() -> u64 {
    let given = env::var("MKNS_CACHE_LIMIT").ok();
    let mebibytes = given.and_then(|text| text.trim().parse::<u64>().ok());
    mebibytes.map_or(LIMIT, |count| count.saturating_mul(1 << 20))
}

impl Cache {
    pub fn open(root: &Path) -> Result<Self> {
        cache::ensure_private(root).map_err(Error::io("use the cache", root))?;
        if root.to_string_lossy().contains(['"', '\\', '\n']) {
            let what = "Verilator takes no quotes, backslashes and line ends in paths; \
                        set $MKNS_CACHE to another folder";
            let error = io::Error::new(io::ErrorKind::InvalidFilename, what);
            return Err(Error::io("use the cache", root)(error));
        }
        for part in ["locks", "tmp", "failed"] {
            let path = root.join(part);
            fs::create_dir_all(&path).map_err(Error::io("create", &path))?;
        }
        // Absolute: it is handed to tools that run in other folders.
        let root = fs::canonicalize(root).map_err(Error::io("find", root))?;
        Ok(Self { root })
    }

    /// Where the finished build of `key` is, or will be.
    pub fn entry(&self, kind: &str, key: &str) -> PathBuf {
        self.root.join(kind).join(key)
    }

    /// Whether the finished build of an entry can be used.
    pub fn has(&self, entry: &Path) -> bool {
        seal::is_whole(entry)
    }

    /// Takes away what is in the place of a finished build and cannot be used.
    pub fn remove_damaged(&self, entry: &Path) -> Result<()> {
        match fs::symlink_metadata(entry) {
            Err(_) => Ok(()),
            Ok(about) if about.is_dir() => fs::remove_dir_all(entry),
            Ok(_) => fs::remove_file(entry),
        }
        .map_err(Error::io("remove the damaged build", entry))
    }

    /// Waits for whoever builds `key`; `on_wait` is called once if there is somebody.
    pub fn lock(&self, key: &str, on_wait: impl FnOnce()) -> Result<KeyLock> {
        let path = self.root.join("locks").join(key);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(Error::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                on_wait();
                file.lock().map_err(Error::io("lock", &path))?;
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path)(error)),
        }
        Ok(KeyLock { _file: file })
    }

    /// Runs `make` in an empty folder and publishes the folder as the entry of `key`. On failure
    /// only the log stays, as `failed/<key>.log`, and the error names that file.
    pub fn publish(
        &self,
        kind: &str,
        key: &str,
        make: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        let temporary = self.root.join("tmp");
        let folder = Scratch::new_in(key, &temporary)
            .map_err(Error::io("create a folder in", &temporary))?;
        make(folder.path()).map_err(|error| self.keep_log(key, error))?;
        seal::seal(folder.path()).map_err(Error::io("seal", folder.path()))?;
        let entry = self.entry(kind, key);
        let parent = self.root.join(kind);
        fs::create_dir_all(&parent).map_err(Error::io("create", &parent))?;
        fs::rename(folder.path(), &entry).map_err(Error::io("publish", &entry))?;
        folder.keep();
        // Its name lasts as long as its content.
        let _ = File::open(&parent).and_then(|parent| parent.sync_all());
        prune::touch(&entry);
        prune::prune(&self.root, "models", limit());
        Ok(())
    }

    fn keep_log(&self, key: &str, error: Error) -> Error {
        let kept = self.root.join("failed").join(format!("{key}.log"));
        match error {
            Error::ToolFailed {
                program,
                status,
                log,
                said,
            } => {
                let log = if fs::copy(&log, &kept).is_ok() {
                    kept
                } else {
                    log
                };
                Error::ToolFailed {
                    program,
                    status,
                    log,
                    said,
                }
            }
            other => other,
        }
    }
}
