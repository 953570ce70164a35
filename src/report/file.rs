//! Report files: each is there whole or not at all; and whether one can be written, asked before the work
//! that it reports on.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes `text` to `path`, whose folder is made if needed: to a temporary file first, which then
/// takes the name. What is no file (a pipe, `/dev/stdout`) is written to as it is.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    if is_special(path) {
        return fs::write(path, contents);
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".mkns-")
        .tempfile_in(folder)?;
    file.write_all(contents.as_ref())?;
    // Temporary files are for their owner only; a report is for everybody.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path)?;
    Ok(())
}

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

/// The folder that a path names a file of.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Whether something is there that a new file must not take the place of.
fn is_special(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| !about.is_file())
}
