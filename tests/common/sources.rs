//! The files of the program, for tests that read them.

use std::path::{Path, PathBuf};

pub use super::files::files_below;

/// All Rust files below some folders, in order.
pub fn rust_files(folders: &[&str]) -> Vec<PathBuf> {
    let files = folders
        .iter()
        .flat_map(|folder| files_below(Path::new(folder)));
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    files.filter(is_rust).collect()
}
