//! No file needs a file that needs it: within a crate, the paths that files name lead one way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::crate_files::Crate;

/// A circle of files, each of which needs the next and the last the first.
fn circle<'a>(graph: &BTreeMap<&'a Path, BTreeSet<&'a Path>>) -> Option<Vec<&'a Path>> {
    let mut done = BTreeSet::new();
    graph.keys().find_map(|start| {
        let mut way = Vec::new();
        walk(graph, start, &mut way, &mut done)
    })
}

fn walk<'a>(
    graph: &BTreeMap<&'a Path, BTreeSet<&'a Path>>,
    file: &'a Path,
    way: &mut Vec<&'a Path>,
    done: &mut BTreeSet<&'a Path>,
) -> Option<Vec<&'a Path>> {
    if let Some(start) = way.iter().position(|before| *before == file) {
        return Some(way[start..].to_vec());
    }
    if done.contains(file) {
        return None;
    }
    way.push(file);
    let found = graph[file]
        .iter()
        .find_map(|next| walk(graph, next, way, done));
    way.pop();
    done.insert(file);
    found
}

/// Roots of all crates of the program.
fn roots() -> Vec<PathBuf> {
    let entries = fs::read_dir("src").expect("the folder exists");
    let folders = entries.map(|entry| entry.expect("a readable entry").path());
    let libraries = folders.map(|folder| folder.join("lib.rs"));
    let mut roots: Vec<PathBuf> = libraries.filter(|file| file.exists()).collect();
    roots.push("sim/src/lib.rs".into());
    roots.sort();
    roots
}

#[test]
fn no_file_needs_itself_through_others() {
    let mut found = Vec::new();
    for root in roots() {
        let all = Crate::read(&root);
        let circle = circle(&all.graph()).map(|circle| {
            let files = circle.iter().chain(circle.first());
            let files: Vec<_> = files.map(|file| file.display().to_string()).collect();
            files.join(" -> ")
        });
        found.extend(circle);
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A crate of two files, one of which names the other by a name that `lib.rs` hands on.
fn crate_of(first: &str, second: &str) -> Option<usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    let library = "mod first;\nmod second;\npub use first::One;\npub use second::Two;\n";
    for (name, text) in [
        ("lib.rs", library),
        ("first.rs", first),
        ("second.rs", second),
    ] {
        write(name, text).expect("a writable folder");
    }
    let all = Crate::read(&folder.path().join("lib.rs"));
    circle(&all.graph()).map(|circle| circle.len())
}

#[test]
fn circles_are_found_and_tests_do_not_make_them() {
    let first = "use super::Two;\npub struct One(Two);\n";
    assert_eq!(crate_of(first, "pub struct Two;\n"), None);
    let second = "pub struct Two;\nfn one(_: &crate::One) {}\n";
    assert_eq!(crate_of(first, second), Some(2));
    let tested = "pub struct Two;\n#[cfg(test)]\nmod tests {\n    use crate::One;\n}\n";
    assert_eq!(crate_of(first, tested), None);
}
