//! Where the external programs are that mkns runs: the project's `.tools` folder, the search path.
//!
//! Programs that `make setup` installs are called by explicit path, so that another version of the
//! system is never picked up. Knows no program's arguments.

use std::env;
use std::path::{Path, PathBuf};

/// A path below the `.tools` folder that is nearest upwards from the working folder or the sources.
pub fn in_tools(path: &str) -> Option<PathBuf> {
    let starts = [
        env::current_dir().ok(),
        env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from),
        Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
    ];
    let folders = starts.iter().flatten().flat_map(|start| start.ancestors());
    let mut paths = folders.map(|folder| folder.join(".tools").join(path));
    paths.find(|path| path.exists())
}

/// The first program of this name in `$PATH`.
pub fn in_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).find_map(|folder| existing(folder.join(program)))
}

/// The path when a file is there.
pub fn existing(path: impl AsRef<Path>) -> Option<PathBuf> {
    let path = path.as_ref();
    path.is_file().then(|| path.to_owned())
}
