//! The Verilog that a check is made of: as generated, or as a folder on disk has it, changed by hand or
//! not.
//!
//! What is in a folder stands in for what would be generated, file by file; the rest of a run (parameters
//! of blocks, tables, golden model) comes from the spec.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::names::BANNER_START;
use super::rtl_folder::{Found, read_folder};
use super::scope::Scope;
use super::source_scan::{Scanned, refuse_outside};
use super::sources::Source;
use super::used_files::used_files;
use mkns_design::Plan;
use mkns_diag::{Diagnostic, Place};

/// Files that a notice names, at most.
const MOST_NAMED: usize = 10;

/// The RTL under test.
#[derive(Debug, Clone)]
pub struct RtlSources {
    /// File name and text, in order of names.
    pub files: Vec<(String, String)>,
    /// Names of files that are not as they would be generated, in order.
    pub changed: Vec<String>,
    /// Files of the network that are not made into a model, in order of names; only from a folder.
    around: Vec<(String, String)>,
    /// Paths below the folder that nothing reads.
    unread: Vec<String>,
    /// Where each file is; none as generated.
    paths: BTreeMap<String, PathBuf>,
    folder: Option<PathBuf>,
    /// The network that the folder was generated for, if that is another.
    other: Option<String>,
}

impl RtlSources {
    /// What the plan generates, or what a folder has instead.
    pub fn new(plan: &Plan, scope: Scope, folder: Option<&Path>) -> Result<Self, Vec<Diagnostic>> {
        let expected = scope.sources(plan)?;
        match folder {
            Some(folder) => {
                let found = read_folder(plan, scope, &expected, folder)?;
                // A block alone has files that the network does not have.
                let mut whole = expected;
                if !found.around.is_empty() {
                    whole.extend(Scope::Network.sources(plan)?);
                }
                Ok(Self::of(folder, found, &whole))
            }
            None => Ok(Self {
                files: (expected.into_iter())
                    .map(|source| (source.name, source.text))
                    .collect(),
                changed: Vec::new(),
                around: Vec::new(),
                unread: Vec::new(),
                paths: BTreeMap::new(),
                folder: None,
                other: None,
            }),
        }
    }

    fn of(folder: &Path, found: Found, expected: &[Source]) -> Self {
        let as_generated = |name: &str, text: &str| {
            let source = expected.iter().find(|source| source.name == name);
            source.is_some_and(|source| without_banner(&source.text) == without_banner(text))
        };
        let all = || found.files.iter().chain(&found.around);
        let changed = all()
            .filter(|(name, file)| !as_generated(name, &file.text))
            .map(|(name, _)| name.clone());
        Self {
            changed: changed.collect(),
            paths: all()
                .map(|(name, file)| (name.clone(), file.path.clone()))
                .collect(),
            files: (found.files.into_iter())
                .map(|(name, file)| (name, file.text))
                .collect(),
            around: (found.around.into_iter())
                .map(|(name, file)| (name, file.text))
                .collect(),
            unread: found.unread,
            folder: Some(folder.to_owned()),
            other: found.other,
        }
    }

    /// Whether it comes from a folder.
    pub fn is_on_disk(&self) -> bool {
        self.folder.is_some()
    }

    /// All that was read, whether a model is made of it or not.
    pub fn all_files(&self) -> impl Iterator<Item = &(String, String)> {
        self.files.iter().chain(&self.around)
    }

    /// Whether the folder has the modules of the network, not only blocks.
    pub fn has_network(&self) -> bool {
        self.is_on_disk() && self.all_files().any(|(name, _)| name.ends_with("_top.v"))
    }

    /// Refuses RTL of a folder that would run programs or touch files, except by the tasks `allowed`.
    pub fn refuse_outside(&self, allowed: &[String]) -> Result<(), Vec<Diagnostic>> {
        let place = |name: &String| self.paths.get(name).cloned().unwrap_or_default();
        let sources = self.all_files().map(|(name, text)| Scanned {
            path: place(name),
            text,
        });
        match self.is_on_disk() {
            true => refuse_outside(&sources.collect::<Vec<_>>(), allowed),
            false => Ok(()),
        }
    }

    /// What a user should know before a verdict on the modules `tops`: which files are not as generated,
    /// and which of these are not part of it; for which network they were.
    pub fn notice(&self, tops: &[&str]) -> Vec<String> {
        let Some(folder) = &self.folder else {
            return Vec::new();
        };
        let folder = folder.display();
        let other = self.other.iter().map(|other| {
            format!("RTL of {folder} was generated for {other}: its block modules are taken")
        });
        let used = used_files(&self.files, tops);
        let list = |is_used: bool| -> Option<String> {
            let names = self.changed.iter().map(String::as_str);
            let names: Vec<&str> = names
                .filter(|name| used.contains(name) == is_used)
                .collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        let what = format!("RTL of {folder} differs from what mkns generates in");
        let changed = list(true).map(|names| format!("{what} {names}"));
        let unused = list(false).map(|names| {
            format!(
                "{what} {names}, which does not run in the lockstep of {}",
                tops.join(", ")
            )
        });
        let unread = (!self.unread.is_empty()).then(|| {
            let names = self.unread.iter().take(MOST_NAMED).cloned();
            let more = self.unread.len().saturating_sub(MOST_NAMED);
            let more = (more > 0).then(|| format!("{more} more"));
            let names: Vec<String> = names.chain(more).collect();
            format!("not read by this run, in {folder}: {}", names.join(", "))
        });
        other.chain(changed).chain(unused).chain(unread).collect()
    }

    /// The file of a module, which has the module's name.
    pub fn place_of(&self, module: &str) -> Option<Place> {
        let path = self.paths.get(&format!("{module}.v"))?;
        Some(Place::file(path))
    }

    /// A line of a file, of which a tool saw a copy under any path.
    pub fn place_in(&self, path: &str, line: &str) -> Place {
        let name = path.rsplit('/').next().unwrap_or(path);
        let shown = self.paths.get(name).map(|path| path.display().to_string());
        let shown = shown.unwrap_or_else(|| name.to_owned());
        let file = self.all_files().find(|(file, _)| file == name);
        match (file, line.parse()) {
            (Some((_, text)), Ok(line)) => Place::in_text(&shown, text, span(text, line, None), ""),
            _ => Place::file(&shown),
        }
    }

    /// The first complaint of a tool about a place in these files, wherever it read them: the place on
    /// disk, and what is wrong there.
    pub fn complaint(&self, said: &str) -> Option<(Place, String)> {
        let is_warning = |line: &&str| line.to_lowercase().contains("warning");
        let (warnings, errors): (Vec<&str>, Vec<&str>) = said.lines().partition(is_warning);
        let mut lines = errors.into_iter().chain(warnings);
        lines.find_map(|line| self.complaint_of(line))
    }

    /// `PATH:LINE:COLUMN: MESSAGE`, the column being optional.
    fn complaint_of(&self, line: &str) -> Option<(Place, String)> {
        let (name, rest) = self.paths.keys().find_map(|name| {
            let (before, rest) = line.split_once(&format!("{name}:"))?;
            let is_whole = before.is_empty() || before.ends_with(['/', ' ', '`']);
            is_whole.then_some((name, rest))
        })?;
        let (number, mut message) = rest.split_once(':')?;
        let number: usize = number.parse().ok()?;
        let mut column = None;
        if let Some((digits, rest)) = message.split_once(':')
            && let Ok(given) = digits.parse::<usize>()
        {
            (column, message) = (Some(given), rest);
        }
        let message = message.trim();
        let message = ["error:", "ERROR:", "warning:"]
            .iter()
            .find_map(|word| message.strip_prefix(word))
            .unwrap_or(message);
        let (_, text) = self.all_files().find(|(file, _)| file == name)?;
        let path = self.paths[name].display().to_string();
        let place = Place::in_text(&path, text, span(text, number, column), "");
        Some((place, message.trim().to_owned()))
    }
}

/// A letter of a line, both counted from 1; the whole line where no column is given.
fn span(text: &str, line: usize, column: Option<usize>) -> Range<usize> {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let line = text[start..].lines().next().unwrap_or_default();
    let Some(column) = column else {
        let indent = line.len() - line.trim_start().len();
        return start + indent..start + line.trim_end().len();
    };
    let letter = line.char_indices().nth(column.saturating_sub(1));
    let start = start + letter.map_or(0, |(at, _)| at);
    start..start + 1
}

/// The text with the line blank that says for which network it was printed, by which version: equal
/// blocks of different networks are equal then.
pub fn without_banner(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let kept = lines.map(|line| match line.starts_with(BANNER_START) {
        true => "\n",
        false => line,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> RtlSources {
        let text = "module a;\n  asign b = 1;\nendmodule\n".to_owned();
        RtlSources {
            files: vec![("a.v".to_owned(), text)],
            changed: vec!["a.v".to_owned()],
            around: Vec::new(),
            unread: Vec::new(),
            paths: [("a.v".to_owned(), PathBuf::from("mine/rtl/a.v"))].into(),
            folder: Some("mine".into()),
            other: None,
        }
    }

    #[test]
    fn complaints_are_placed_where_the_user_has_the_file() {
        let sources = sources();
        for said in [
            "$ verilator /tmp/x/a.v\n%Warning: /tmp/x/a.v:1:1: odd\n%Error: /tmp/x/a.v:2:3: no such\n",
            "a.v:2: no such\na.v:2: error: more\n",
            "/tmp/x/a.v:2: ERROR: no such\n",
        ] {
            let (place, message) = sources.complaint(said).expect("a complaint");
            assert_eq!(place.source, "mine/rtl/a.v");
            let line = place.excerpt.expect("a line");
            assert_eq!((line.line, line.column), (2, 3));
            assert_eq!(line.text, "  asign b = 1;");
            assert_eq!(message, "no such");
        }
        assert_eq!(sources.complaint("schema.v:2: no such"), None);
        assert_eq!(sources.complaint("a.v: no line"), None);
    }
}
