//! What decides a row beside its command line: contents of specs, saved cases and RTL, and the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mkns_jobs::program_identity;
use mkns_report::Case;
use mkns_scratch::ContentKey;
use mkns_spec::is_file;

/// A case, and the key of all that decides its row.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub case: Case,
    pub key: String,
}

/// Contents of files and folders, each read once.
#[derive(Debug, Default)]
pub struct Inputs {
    read: BTreeMap<PathBuf, String>,
}

impl Inputs {
    /// Cases with their keys.
    pub fn planned(&mut self, cases: Vec<Case>) -> Vec<Planned> {
        let planned = cases.into_iter().map(|case| Planned {
            key: self.key(&case),
            case,
        });
        planned.collect()
    }

    /// Where files lie does not change what is run: contents stand for paths.
    fn key(&mut self, case: &Case) -> String {
        let mut key = ContentKey::new("row");
        key.add("program", program_identity());
        let is_path = |word: &String| {
            let paths = [Some(&case.spec), case.case.as_ref(), case.rtl.as_ref()];
            paths.contains(&Some(word))
        };
        for word in case.arguments().iter().filter(|word| !is_path(word)) {
            key.add("word", word);
        }
        match is_file(&case.spec, Path::new("")) {
            true => key.add("spec", self.content(&case.spec)),
            false => key.add("notation", &case.spec),
        }
        for (name, path) in [("case", &case.case), ("rtl", &case.rtl)] {
            if let Some(path) = path {
                key.add(name, self.content(path));
            }
        }
        key.finish()
    }

    /// Of a file or of all files below a folder.
    fn content(&mut self, path: &str) -> &str {
        let path = PathBuf::from(path);
        let read = || content_of(&path);
        self.read.entry(path.clone()).or_insert_with(read)
    }
}

/// A key of a file, or of all files below a folder with their names. What cannot be read has one, too: its run says
/// what is wrong.
pub fn content_of(path: &Path) -> String {
    let mut key = ContentKey::new("content");
    let mut seen = BTreeSet::new();
    if let Err(error) = add(&mut key, "", path, &mut seen) {
        key.add("unreadable", error.to_string());
    }
    key.finish()
}

/// Adds what a path leads to. Links are followed, no folder is entered twice, and no device is opened.
fn add(
    key: &mut ContentKey,
    name: &str,
    path: &Path,
    seen: &mut BTreeSet<PathBuf>,
) -> io::Result<()> {
    let about = fs::metadata(path)?;
    key.add("name", name);
    if about.is_file() {
        key.add("file", fs::read(path)?);
        return Ok(());
    }
    if !about.is_dir() || !seen.insert(path.canonicalize()?) {
        key.add("other", "");
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = entries.collect::<io::Result<Vec<_>>>()?;
    names.sort();
    for entry in names {
        let below = format!("{name}/{}", entry.to_string_lossy());
        if let Err(error) = add(key, &below, &path.join(&entry), seen) {
            // A link to nowhere.
            key.add("unreadable", format!("{below}: {error}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_report::TestedPart;

    #[test]
    fn abuse_6_a_rows_key_follows_all_that_decides_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let text = |name: &str| path(name).display().to_string();
        let write = |name: &str, text: &str| fs::write(path(name), text).expect("a file");
        fs::create_dir_all(path("rtl/sub")).expect("a folder");
        write("spec", "ports = 4");
        write("rtl/a.v", "module a;");
        write("rtl/sub/b.vh", "one");
        // Neither a device nor a link to nowhere holds it up.
        for (link, to) in [("device", "/dev/zero"), ("nowhere", "gone"), ("loop", "..")] {
            std::os::unix::fs::symlink(to, path("rtl").join(link)).expect("a link");
        }
        let mut case = Case::new(&text("spec"), TestedPart::Switch, "uniform", 1, 100);
        case.rtl = Some(text("rtl"));
        let key = |case: &Case| Inputs::default().key(case);
        let mut keys = vec![key(&case)];
        assert_eq!(key(&case), keys[0]);
        for (name, to) in [
            ("spec", "ports = 5"),
            ("rtl/a.v", "module a; //"),
            ("rtl/sub/b.vh", "two"),
            ("rtl/new.v", ""),
        ] {
            write(name, to);
            keys.push(key(&case));
        }
        fs::rename(path("rtl/new.v"), path("rtl/other.v")).expect("our file");
        keys.push(key(&case));
        case.cycles = 200;
        keys.push(key(&case));
        case.options.set = vec!["flit_bits=128".to_owned()];
        keys.push(key(&case));
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count, "two of them are equal");
        // The same files under another name are the same inputs.
        fs::remove_file(path("rtl/loop")).expect("our link");
        let before = key(&case);
        fs::rename(path("rtl"), path("moved")).expect("our folder");
        case.rtl = Some(text("moved"));
        assert_eq!(key(&case), before);
    }
}
