//! Two paths change their names in one step: whoever looks sees one or the other, never none.

use std::io;
use std::path::Path;

/// What `one` names is afterwards named `other`, and the other way round. An error says that nothing has changed, also
/// where the system or the file system has no such step.
#[cfg(target_os = "linux")]
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
pub fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn two_folders_change_their_names_or_keep_them() {
        let parent = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one", "other"].map(|name| parent.path().join(name));
        let text = |folder: &Path| fs::read_to_string(folder.join("file")).expect("a file");
        for folder in [&one, &other] {
            fs::create_dir(folder).expect("a folder");
            fs::write(folder.join("file"), folder.display().to_string()).expect("a file");
        }
        let (first, second) = (text(&one), text(&other));
        if exchange(&one, &other).is_ok() {
            assert_eq!((text(&one), text(&other)), (second.clone(), first));
        }
        let kept = text(&one);
        exchange(&one, &parent.path().join("missing")).expect_err("there is nothing to take");
        assert_eq!(text(&one), kept);
    }
}
