//! The output folder: replaced as a whole or not at all, never somebody else's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::manifest::{MANIFEST, hash_of, is_manifest_edited, read_summary};
use super::output_file::OutputFile;
use mkns_diag::{Code, Diagnostic, Place};

/// How a folder on disk differs from what would be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "difference", content = "path", rename_all = "snake_case")]
pub enum Difference {
    Missing(String),
    Changed(String),
    /// On disk only.
    Extra(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "missing  {path}"),
            Self::Changed(path) => write!(f, "changed  {path}"),
            Self::Extra(path) => write!(f, "extra    {path}"),
        }
    }
}

/// Compares a folder with what would be written, in order of paths. A folder that does not exist
/// misses every file.
pub fn compare(files: &[OutputFile], folder: &Path) -> Result<Vec<Difference>, Vec<Diagnostic>> {
    let mut on_disk = match paths_in(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeSet::new(),
        paths => paths.map_err(|error| unusable(folder, "read", &error))?,
    };
    let mut differences = BTreeMap::new();
    for file in files {
        let path = file.path.clone();
        if !on_disk.remove(&path) {
            differences.insert(path.clone(), Difference::Missing(path));
        } else if contents(&folder.join(&path)).as_deref() != Some(file.text.as_bytes()) {
            differences.insert(path.clone(), Difference::Changed(path));
        }
    }
    for path in on_disk {
        differences.insert(path.clone(), Difference::Extra(path));
    }
    Ok(differences.into_values().collect())
}

/// Writes the files as the folder `target`: everything goes to a temporary folder beside it, which
/// then takes its name. An earlier output of mkns is replaced; a folder with anything else in it, or
/// with files that somebody has changed, is refused.
pub fn write(files: &[OutputFile], target: &Path) -> Result<(), Vec<Diagnostic>> {
    refuse_edited(files, target)?;
    overwrite(files, target)
}

/// The folder that a path leads to: where it is a symbolic link, that stays one.
fn place_of(target: &Path) -> Result<PathBuf, Vec<Diagnostic>> {
    if !target.is_symlink() {
        return Ok(target.to_owned());
    }
    let led_to = target.canonicalize();
    led_to.map_err(|error| {
        let link = fs::read_link(target).unwrap_or_default();
        let to = link.display();
        let fact =
            format!("the output folder is a symbolic link to {to}, which is not there: {error}");
        let remedy = "make the folder that it leads to, or choose another with `-o`";
        vec![Diagnostic::new(Code::FolderUnusable, fact, remedy).at(Place::file(target))]
    })
}

/// What a file holds; none for a symbolic link, which mkns writes nowhere.
fn contents(path: &Path) -> Option<Vec<u8>> {
    let read = || fs::read(path).ok();
    (!path.is_symlink()).then(read).flatten()
}

/// [`write()`], whatever was changed in an earlier output.
pub fn overwrite(files: &[OutputFile], target: &Path) -> Result<(), Vec<Diagnostic>> {
    let target = &place_of(target)?;
    refuse_foreign(target)?;
    replace(files, target).map_err(|error| unusable(target, "write", &error))
}

fn replace(files: &[OutputFile], target: &Path) -> io::Result<()> {
    let parent = mkns_scratch::folder_of(target);
    fs::create_dir_all(parent)?;
    let temporary = mkns_scratch::Scratch::new_in("generate", parent)?;
    let fresh = temporary.path().join("new");
    for file in files {
        let path = fresh.join(&file.path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, &file.text)?;
    }
    let old = old_of(target);
    if !old.exists() && target.exists() && mkns_scratch::exchange(&fresh, target).is_ok() {
        // The earlier output goes with the temporary folder.
        return Ok(());
    }
    if old.exists() && target.exists() {
        fs::rename(&old, temporary.path().join("older"))?;
    }
    exchange(&fresh, target, &old)?;
    if old.exists() {
        // Removed with the temporary folder; what stays goes next time.
        let _ = fs::rename(&old, temporary.path().join("old"));
    }
    Ok(())
}

/// Where an earlier output waits until its successor has its name: in no temporary folder, which a signal
/// or a failure would remove.
fn old_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    mkns_scratch::folder_of(target).join(format!(".{name}.mkns-old"))
}

/// Gives `target` the contents of `fresh`; what was there becomes `old`, and comes back on failure.
fn exchange(fresh: &Path, target: &Path, old: &Path) -> io::Result<()> {
    let had_old = target.exists();
    if had_old {
        fs::rename(target, old)?;
    }
    let renamed = fs::rename(fresh, target);
    if renamed.is_err() && had_old {
        fs::rename(old, target)?;
    }
    renamed
}

/// Refuses a target that mkns did not write, or in which somebody put files of their own.
fn refuse_foreign(target: &Path) -> Result<(), Vec<Diagnostic>> {
    let paths = match paths_in(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        paths => paths.map_err(|error| unusable(target, "replace", &error))?,
    };
    let manifest = fs::read_to_string(target.join(MANIFEST)).unwrap_or_default();
    let listed = read_summary(&manifest).map(|summary| summary.files);
    let manifest = listed.is_some().then(|| MANIFEST.to_owned());
    let listed = listed.unwrap_or_default().into_keys();
    let ours: BTreeSet<String> = listed.chain(manifest).collect();
    let Some(foreign) = paths.difference(&ours).next() else {
        return Ok(());
    };
    let fact = format!(
        "the output folder holds `{foreign}`, which mkns did not write; the folder is replaced as a whole, and that file \
         would be gone"
    );
    let remedy = "choose a folder for nothing else with `-o`, or move that file elsewhere";
    let found = Diagnostic::new(Code::ForeignFolder, fact, remedy);
    Err(vec![found.at(Place::file(target))])
}

/// Refuses to replace files that differ from what mkns wrote, unless they are as they would be written.
fn refuse_edited(files: &[OutputFile], target: &Path) -> Result<(), Vec<Diagnostic>> {
    let manifest = fs::read_to_string(target.join(MANIFEST)).unwrap_or_default();
    let fresh: BTreeMap<&str, &str> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let is_edited = |path: &str, hash: &str| {
        let place = target.join(path);
        let is_changed = contents(&place).is_some_and(|bytes| {
            let is_wanted = fresh.get(path).map(|text| text.as_bytes()) == Some(&bytes);
            !is_wanted && hash_of(&bytes) != hash
        });
        place.is_symlink() || is_changed
    };
    let recorded = read_summary(&manifest).map(|summary| summary.files);
    let recorded = recorded.unwrap_or_default().into_iter();
    let edited = recorded.filter(|(path, hash)| is_edited(path, hash));
    let mut edited: Vec<String> = edited.map(|(path, _)| format!("`{path}`")).collect();
    let place = target.join(MANIFEST);
    if place.is_symlink() || is_manifest_edited(&manifest) {
        edited.push(format!("`{MANIFEST}`"));
    }
    if edited.is_empty() {
        return Ok(());
    }
    let fact = format!(
        "{} in the output folder changed since mkns wrote it, and would be replaced",
        edited.join(", ")
    );
    let remedy = "write elsewhere with `-o`, or give the changes up with `--overwrite`";
    let found = Diagnostic::new(Code::ChangedFiles, fact, remedy);
    Err(vec![found.at(Place::file(target))])
}

/// Paths of all files below a folder, relative to it, with `/`.
fn paths_in(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut pending = vec![(folder.to_owned(), String::new())];
    while let Some((path, prefix)) = pending.pop() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                pending.push((entry.path(), format!("{name}/")));
            } else {
                found.insert(name);
            }
        }
    }
    Ok(found)
}

fn unusable(folder: &Path, what: &str, error: &io::Error) -> Vec<Diagnostic> {
    let fact = format!("cannot {what} the output folder: {error}");
    let remedy = "choose a folder that you may write to with `-o`, and check the free disk space";
    vec![Diagnostic::new(Code::FolderUnusable, fact, remedy).at(Place::file(folder))]
}

/// Where a design goes unless the user says otherwise.
pub fn default_folder(name: &str) -> PathBuf {
    Path::new("rtl-out").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_scratch::Scratch;

    #[test]
    fn an_earlier_output_outlives_a_failure_and_goes_after_a_success() {
        let parent = Scratch::new("test").expect("a folder");
        let target = parent.path().join("out");
        let old = old_of(&target);
        fs::create_dir(&target).expect("a folder");
        fs::write(target.join("a.v"), "earlier").expect("a file");
        let missing = parent.path().join("missing");
        exchange(&missing, &target, &old).expect_err("there is nothing to put there");
        let text = fs::read_to_string(target.join("a.v")).expect("it is there");
        assert_eq!(text, "earlier");

        // A signal came when the earlier output had given its name up.
        fs::rename(&target, &old).expect("our own folder");
        for text in ["new", "newer"] {
            let file = OutputFile {
                path: "a.v".to_owned(),
                text: text.to_owned(),
            };
            replace(&[file], &target).expect("a writable folder");
            let written = fs::read_to_string(target.join("a.v")).expect("it is there");
            assert_eq!(written, text);
            let beside = fs::read_dir(parent.path()).expect("a folder");
            assert_eq!(beside.count(), 1);
        }
    }
}
