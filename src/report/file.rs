//! Report files: each is there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes `text` to `path`, whose folder is made if needed: to a temporary file first, which then
/// takes the name.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
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
