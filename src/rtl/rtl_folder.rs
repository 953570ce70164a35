//! A folder of RTL on disk: one that `mkns generate` wrote, or the folder of templates. People may have
//! changed files in either, and added some.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::inventory::{files_below, plain, unreadable};
use super::manifest::{MANIFEST, Summary, read_summary};
use super::names::banner;
use super::scope::Scope;
use super::source_scan::{Scanned, refuse_ambiguous, refuse_outside};
use super::sources::{Source, file_name};
use super::template_folder::{self, NETWORK_TEMPLATES};
use super::templates::library;
use mkns_design::Plan;
use mkns_diag::{Code, Diagnostic, Place};

/// A file that was read.
pub struct RtlFile {
    pub path: PathBuf,
    /// As it would be generated: templates are filled in.
    pub text: String,
}

/// What a folder has instead of what would be generated.
pub struct Found {
    /// By name.
    pub files: BTreeMap<String, RtlFile>,
    /// Files of the network that the scope leaves out, by name.
    pub around: BTreeMap<String, RtlFile>,
    /// Paths below the folder that are neither read nor mkns' own.
    pub unread: Vec<String>,
    /// The network that it was generated for, if that is another than the plan's.
    pub other: Option<String>,
}

/// Reads what stands in for `expected`, and what was added by hand.
pub fn read_folder(
    plan: &Plan,
    scope: Scope,
    expected: &[Source],
    folder: &Path,
) -> Result<Found, Vec<Diagnostic>> {
    plain(&folder.join(MANIFEST))?;
    let manifest = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    let found = match read_summary(&manifest) {
        Some(summary) => generated(plan, scope, expected, folder, &summary)?,
        None if template_folder::is_one(folder) => templates(plan, expected, folder)?,
        None => return Err(vec![neither(folder)]),
    };
    let read = found.files.values().chain(found.around.values());
    let read: Vec<Scanned> = read.map(RtlFile::scanned).collect();
    refuse_ambiguous(&read)?;
    Ok(found)
}

impl RtlFile {
    pub fn scanned(&self) -> Scanned<'_> {
        Scanned {
            path: self.path.clone(),
            text: &self.text,
        }
    }
}

/// Refuses a generated folder of which a tool would read more than its own files, wait for one, or run programs.
pub fn refuse_unfit(folder: &Path, summary: &Summary) -> Result<(), Vec<Diagnostic>> {
    let listed = summary.files.keys().map(String::as_str).collect();
    files_below(folder, &listed)?;
    let rtl = folder.join("rtl");
    let mut found = Vec::new();
    for name in verilog_in(&rtl)? {
        found.extend(read(&rtl.join(name))?);
    }
    let found: Vec<Scanned> = found.iter().map(RtlFile::scanned).collect();
    refuse_ambiguous(&found)?;
    refuse_outside(&found, &[])
}

fn generated(
    plan: &Plan,
    scope: Scope,
    expected: &[Source],
    folder: &Path,
    summary: &Summary,
) -> Result<Found, Vec<Diagnostic>> {
    let is_other = summary.design_key != plan.key();
    if is_other && scope == Scope::Network {
        return Err(vec![another_design(plan, folder, summary)]);
    }
    let rtl = folder.join("rtl");
    let listed: BTreeSet<&str> = summary.files.keys().map(String::as_str).collect();
    let below = files_below(folder, &listed)?;
    let mut files = BTreeMap::new();
    let mut missing = Vec::new();
    for source in expected {
        let name = format!("rtl/{}", source.name);
        let path = rtl.join(&source.name);
        match read(&path)? {
            Some(file) => drop(files.insert(source.name.clone(), file)),
            // Part of no such network, only of its blocks alone.
            None if !is_other && !listed.contains(name.as_str()) => {
                let text = source.text.clone();
                drop(files.insert(source.name.clone(), RtlFile { path, text }));
            }
            None => missing.push(name),
        }
    }
    if !missing.is_empty() {
        return Err(vec![lacking(folder, &missing)]);
    }
    for name in verilog_in(&rtl)? {
        if !listed.contains(format!("rtl/{name}").as_str()) && !files.contains_key(&name) {
            files.extend(read(&rtl.join(&name))?.map(|file| (name, file)));
        }
    }
    let mut around = BTreeMap::new();
    let rest = listed.iter().filter_map(|path| path.strip_prefix("rtl/"));
    for name in rest.filter(|name| !files.contains_key(*name)) {
        match read(&rtl.join(name))? {
            Some(file) => drop(around.insert(name.to_owned(), file)),
            None => missing.push(format!("rtl/{name}")),
        }
    }
    // Of another network the blocks alone are taken.
    if !is_other && !missing.is_empty() {
        return Err(vec![lacking(folder, &missing)]);
    }
    let is_read = |path: &str| {
        let name = path.strip_prefix("rtl/");
        name.is_some_and(|name| files.contains_key(name) || around.contains_key(name))
    };
    let is_known = |path: &str| path == MANIFEST || listed.contains(path) || is_read(path);
    let unread = below.into_iter().filter(|path| !is_known(path)).collect();
    let other = is_other.then(|| format!("{}, {}", summary.name, summary.spec));
    Ok(Found {
        files,
        around: if is_other { BTreeMap::new() } else { around },
        unread,
        other,
    })
}

fn templates(plan: &Plan, expected: &[Source], folder: &Path) -> Result<Found, Vec<Diagnostic>> {
    let banner = banner(plan);
    let own: BTreeSet<&str> = library::paths()
        .chain(NETWORK_TEMPLATES.map(|(path, _)| path))
        .collect();
    let below = files_below(folder, &own)?;
    let mut files: BTreeMap<String, RtlFile> = BTreeMap::new();
    let mut missing = Vec::new();
    for source in expected {
        let Some(file) = read(&folder.join(source.template))? else {
            missing.push(source.template.to_owned());
            continue;
        };
        let text = template_folder::rendered(source, &file.text, &banner)
            .map_err(|mark| vec![template_folder::needs_rebuild(&file.path, &file.text, mark)])?;
        let path = file.path;
        files.insert(source.name.clone(), RtlFile { path, text });
    }
    missing.dedup();
    if !missing.is_empty() {
        return Err(vec![lacking(folder, &missing)]);
    }
    for part in template_folder::PARTS {
        for name in verilog_in(&folder.join(part))? {
            if own.contains(format!("{part}/{name}").as_str()) {
                continue;
            }
            if let Some(file) = read(&folder.join(part).join(&name))? {
                let text = template_folder::filled(&file.text, &banner).map_err(|mark| {
                    vec![template_folder::needs_rebuild(&file.path, &file.text, mark)]
                })?;
                let path = file.path;
                if let Some(other) = files.get(file_name(&name)) {
                    return Err(vec![same_name(&path, &other.path)]);
                }
                files.insert(file_name(&name).to_owned(), RtlFile { path, text });
            }
        }
    }
    let is_read = |path: &str| {
        let path = folder.join(path);
        files.values().any(|file| file.path == path)
    };
    let is_part = |path: &str| {
        let part = path.split('/').next();
        part.is_some_and(|part| template_folder::PARTS.contains(&part))
    };
    let is_unread = |path: &String| is_part(path) && !own.contains(path.as_str()) && !is_read(path);
    let unread = below.into_iter().filter(is_unread).collect();
    Ok(Found {
        files,
        around: BTreeMap::new(),
        unread,
        other: None,
    })
}

/// Two added templates would become one file.
fn same_name(path: &Path, other: &Path) -> Diagnostic {
    let fact = format!(
        "two templates have one name: {} and {}",
        other.display(),
        path.display()
    );
    let remedy = "rename one of them, or remove it";
    Diagnostic::new(Code::ModuleTwice, fact, remedy)
}

/// A file, if it is there.
fn read(path: &Path) -> Result<Option<RtlFile>, Vec<Diagnostic>> {
    plain(path)?;
    match fs::read(path) {
        // Comments may be in any encoding.
        Ok(bytes) => Ok(Some(RtlFile {
            path: path.to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// Names of the Verilog files directly in a folder, in order; none when it is not there.
pub fn verilog_in(folder: &Path) -> Result<BTreeSet<String>, Vec<Diagnostic>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        entries => entries.map_err(|error| unreadable(folder, &error))?,
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    // An editor's backup begins with a dot.
    let is_source = |name: &String| name.ends_with(".v") && !name.starts_with('.');
    Ok(names.filter(is_source).collect())
}

fn lacking(folder: &Path, missing: &[String]) -> Diagnostic {
    let fact = format!(
        "the folder lacks {}, which the spec's RTL consists of",
        missing.join(", ")
    );
    let remedy = "bring back what was there (an empty file will do for a module that nothing uses any \
                  more), or name a folder that was generated for this spec";
    Diagnostic::new(Code::RtlMissing, fact, remedy).at(Place::file(folder))
}

fn another_design(plan: &Plan, folder: &Path, summary: &Summary) -> Diagnostic {
    let Summary { name, spec, .. } = summary;
    let is_same = (name, spec) == (&plan.spec.name, &plan.spec.notation());
    let how = match is_same {
        true => " with other parameters, or by another version of mkns",
        false => "",
    };
    let fact = format!(
        "the modules of a network are to be checked, and this folder's are those of {name}, {spec}{how}"
    );
    let remedy =
        "name a folder that was generated for this spec; only block modules may be another's";
    Diagnostic::new(Code::OtherDesign, fact, remedy).at(Place::file(folder))
}

fn neither(folder: &Path) -> Diagnostic {
    let fact = match folder.is_dir() {
        true => {
            "the folder holds neither RTL that mkns generated (`manifest.json` and `rtl/`) nor templates"
        }
        false => "there is no such folder of RTL",
    };
    let above = folder
        .parent()
        .filter(|above| above.join(MANIFEST).exists());
    let remedy = match above {
        Some(above) if folder.ends_with("rtl") => {
            format!("name the folder above, `{}`", above.display())
        }
        _ => "name a folder that `mkns generate` wrote, or `hdl-templates`".to_owned(),
    };
    Diagnostic::new(Code::NotRtlFolder, fact, remedy).at(Place::file(folder))
}
