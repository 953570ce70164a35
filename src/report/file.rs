//! Whether a report can be written, asked before the work that it reports on.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use mkns_scratch::{folder_of, is_special};

/// Fails if a file cannot be written to `path`. Its folder is made if needed; a file that is there stays
/// as it is.
pub fn ensure_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if path.file_name().is_none() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    if path.exists() {
        OpenOptions::new().append(true).open(path)?;
    }
    match is_special(path) {
        true => Ok(()),
        false => ensure_writable_folder(folder_of(path)),
    }
}

/// Fails if files cannot be written in the folder, which is made if needed.
pub fn ensure_writable_folder(folder: &Path) -> io::Result<()> {
    let file = folder.ancestors().find(|above| above.is_file());
    if let Some(file) = file {
        let what = format!("{} is a file and not a folder", file.display());
        return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
    }
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}
