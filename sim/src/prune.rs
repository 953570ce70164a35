//! Keeps a cache of builds within a size: the entries that were used longest ago go first.
//!
//! Every use of an entry sets the time of a stamp file in it. Entries used a short while ago stay
//! whatever the size, because a process may be about to load them; what is loaded already stays
//! valid when its file goes. Failing to remove something is no error: another process may have.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Its time says when an entry was used last.
const STAMP: &str = "used";
/// Entries used more recently than this are kept.
const FRESH: Duration = Duration::from_secs(15 * 60);
/// Unfinished builds and logs of failed ones that are older than this are left over.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Notes that an entry is used now.
pub(crate) fn touch(entry: &Path) {
    // A cache that cannot be written still serves.
    let _ = File::create(entry.join(STAMP));
}

/// Removes entries of `kind` until those left take at most `limit` bytes, and what stopped builds
/// have left behind.
pub(crate) fn prune(root: &Path, kind: &str, limit: u64) {
    let now = SystemTime::now();
    let age = |time: SystemTime| now.duration_since(time).unwrap_or_default();
    let mut entries: Vec<(Duration, u64, PathBuf)> = children(&root.join(kind))
        .map(|path| (age(used(&path)), size(&path), path))
        .collect();
    entries.sort();
    let mut kept = 0;
    for (age, size, path) in entries {
        kept += size;
        if kept > limit && age > FRESH {
            remove(&path);
        }
    }
    for path in ["tmp", "failed"]
        .iter()
        .flat_map(|part| children(&root.join(part)))
    {
        if age(changed(&path)) > STALE {
            remove(&path);
        }
    }
}

/// First out of sight, then away: an entry is complete or absent.
fn remove(path: &Path) {
    if path.is_file() {
        let _ = fs::remove_file(path);
        return;
    }
    let going = path.with_extension("going");
    if fs::rename(path, &going).is_ok() {
        let _ = fs::remove_dir_all(&going);
    }
}

fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let found = fs::read_dir(folder).into_iter().flatten();
    found.filter_map(|entry| Some(entry.ok()?.path()))
}

/// Entries of before there were stamps count from their making.
fn used(entry: &Path) -> SystemTime {
    let stamp = entry.join(STAMP);
    changed(if stamp.exists() { &stamp } else { entry })
}

fn changed(path: &Path) -> SystemTime {
    let time = fs::metadata(path).and_then(|about| about.modified());
    time.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Bytes of the files of an entry, which has no folders.
fn size(entry: &Path) -> u64 {
    let bytes = |path: PathBuf| fs::metadata(path).map_or(0, |about| about.len());
    children(entry).map(bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of 1,000 bytes that was used `age` ago.
    fn entry(root: &Path, name: &str, age: Duration) {
        let folder = root.join("models").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("model.so"), [0; 1000]).expect("a file");
        touch(&folder);
        set_age(&folder.join(STAMP), age);
    }

    fn set_age(path: &Path, age: Duration) {
        let file = File::options().append(true).open(path).expect("a file");
        file.set_modified(SystemTime::now() - age).expect("a time");
    }

    fn left(root: &Path, part: &str) -> Vec<String> {
        let name = |path: PathBuf| path.file_name().map(|name| name.to_string_lossy().into());
        let mut names: Vec<String> = children(&root.join(part)).filter_map(name).collect();
        names.sort();
        names
    }

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, hours) in [("a", 2), ("b", 5), ("c", 1), ("d", 4)] {
            entry(folder.path(), name, hours * HOUR);
        }
        prune(folder.path(), "models", 4_000);
        assert_eq!(left(folder.path(), "models"), ["a", "b", "c", "d"]);
        prune(folder.path(), "models", 2_500);
        assert_eq!(left(folder.path(), "models"), ["a", "c"]);
        touch(&folder.path().join("models/a"));
        prune(folder.path(), "models", 1_000);
        assert_eq!(left(folder.path(), "models"), ["a"]);
    }

    #[test]
    fn what_is_in_use_stays_whatever_the_size() {
        let folder = tempfile::tempdir().expect("a folder");
        entry(folder.path(), "new", Duration::ZERO);
        entry(folder.path(), "old", HOUR);
        prune(folder.path(), "models", 0);
        assert_eq!(left(folder.path(), "models"), ["new"]);
    }

    #[test]
    fn leftovers_of_stopped_builds_go_after_a_day() {
        let folder = tempfile::tempdir().expect("a folder");
        let failed = folder.path().join("failed");
        fs::create_dir_all(&failed).expect("a folder");
        for (name, hours) in [("new.log", 23), ("old.log", 25)] {
            fs::write(failed.join(name), "").expect("a file");
            set_age(&failed.join(name), hours * HOUR);
        }
        prune(folder.path(), "models", 0);
        assert_eq!(left(folder.path(), "failed"), ["new.log"]);
    }
}
