//! Where results are kept that can be made again: models, areas, what lint has passed.
//!
//! Models are programs that mkns loads: a cache that somebody else may write to is refused.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// `$MKNS_CACHE`, else `mkns` in the user's cache folder.
///
/// # Errors
/// When none of these is known: a name in `/tmp` would be anybody's.
pub fn folder() -> io::Result<PathBuf> {
    folder_by(|variable| env::var_os(variable))
}

fn folder_by(variable: impl Fn(&str) -> Option<OsString>) -> io::Result<PathBuf> {
    let given = |name: &str| {
        variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    given("MKNS_CACHE")
        .or_else(|| given("XDG_CACHE_HOME").map(|cache| cache.join("mkns")))
        .or_else(|| given("HOME").map(|home| home.join(".cache/mkns")))
        .ok_or_else(|| {
            let what = "no folder for it is known, as neither $HOME nor $XDG_CACHE_HOME is set; \
                        set $MKNS_CACHE to a folder of your own";
            io::Error::new(io::ErrorKind::NotFound, what)
        })
}

/// [`folder()`], made if need be, when nobody else may write to it.
///
/// # Errors
/// When it is unknown, cannot be made, or is not private.
pub fn private_folder() -> io::Result<PathBuf> {
    let folder = folder()?;
    ensure_private(&folder)?;
    Ok(folder)
}

/// Makes a cache that only this user reads. One that is there must be this user's or the system's, and nobody else
/// may write to it.
///
/// # Errors
/// When it cannot be made or is not private.
pub fn ensure_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let about = fs::metadata(folder)?;
    let user = rustix::process::geteuid().as_raw();
    let refused = |what: String| {
        let what = format!("{what}; set $MKNS_CACHE to a folder of your own");
        Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
    };
    if ![0, user].contains(&about.uid()) {
        return refused(format!("it belongs to user {}", about.uid()));
    }
    match about.mode() & 0o022 {
        0 => Ok(()),
        _ => refused(format!(
            "other users may write to it (mode {:o}); delete it if you do not know what they wrote, or `chmod 700` it",
            about.mode() & 0o777
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn abuse_10_without_a_home_there_is_no_cache() {
        let found = |set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name);
            folder_by(|name| value(name).map(|(_, value)| value.into()))
        };
        let error = found(&[("HOME", "")]).expect_err("no home");
        assert!(error.to_string().contains("$MKNS_CACHE"), "{error}");
        let home = found(&[("HOME", "/home/a")]).expect("a home");
        assert_eq!(home, Path::new("/home/a/.cache/mkns"));
    }

    #[test]
    fn abuse_10_a_cache_is_private_or_refused() {
        let parent = tempfile::tempdir().expect("a folder");
        let cache = parent.path().join("a/cache");
        ensure_private(&cache).expect("it is made");
        let mode = |path: &Path| fs::metadata(path).expect("there").mode() & 0o777;
        assert_eq!(mode(&cache), 0o700);
        for (mode, is_private) in [(0o755, true), (0o775, false), (0o777, false)] {
            fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).expect("our own");
            let found = ensure_private(&cache);
            assert_eq!(found.is_ok(), is_private, "{mode:o}");
        }
    }
}
