//! The files of the program, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files below some folders, in order.
pub fn rust_files(folders: &[&str]) -> Vec<PathBuf> {
    let files = folders
        .iter()
        .flat_map(|folder| files_below(Path::new(folder)));
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    files.filter(is_rust).collect()
}

/// All files below a folder, in order.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}
