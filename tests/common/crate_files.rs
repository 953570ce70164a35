//! Which file of a crate needs which: the paths that files name (`use` or not), led to where names are defined.
//!
//! A name counts for the file that defines it, however many files hand it on: `use super::Plan` in a folder whose
//! `mod.rs` says `pub use plan::Plan` leads to `plan.rs`. Tests inside a file do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path of names from the root of a crate.
type ModulePath = Vec<String>;

#[derive(Default)]
struct Module {
    file: PathBuf,
    /// Modules declared in it.
    children: BTreeSet<String>,
    /// Names that it takes from elsewhere, and the paths written for them.
    imports: BTreeMap<String, Vec<String>>,
    /// All paths that it names.
    named: Vec<Vec<String>>,
}

/// The modules of a crate.
pub struct Crate(BTreeMap<ModulePath, Module>);

impl Crate {
    pub fn read(root: &Path) -> Self {
        let mut all = Self(BTreeMap::new());
        all.read_file(
            Vec::new(),
            root.to_owned(),
            root.parent().expect("a folder"),
        );
        all
    }

    fn read_file(&mut self, at: ModulePath, file: PathBuf, folder: &Path) {
        let text = fs::read_to_string(&file).expect("a readable file");
        let tokens: TokenStream = text.parse().expect("a file of Rust");
        self.read_module(at, &file, folder, tokens);
    }

    /// `folder` is where the files of its child modules are.
    fn read_module(&mut self, at: ModulePath, file: &Path, folder: &Path, tokens: TokenStream) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        let mut is_test = false;
        while let Some((first, behind)) = rest.split_first() {
            match (word(first).as_deref(), behind) {
                (Some("mod"), [name, body, behind @ ..]) if word(name).is_some() => {
                    let name = word(name).expect("a name");
                    let path = [at.clone(), vec![name.clone()]].concat();
                    let below = folder.join(&name);
                    match body {
                        _ if is_test => {}
                        TokenTree::Group(body) => {
                            self.read_module(path, file, &below, body.stream());
                        }
                        _ => {
                            let alone = folder.join(format!("{name}.rs"));
                            let file = [alone, below.join("mod.rs")]
                                .into_iter()
                                .find(|file| file.exists());
                            self.read_file(path, file.expect("the file of a module"), &below);
                        }
                    }
                    module.children.insert(name);
                    (rest, is_test) = (behind, false);
                }
                // `use<'a>` is part of a type
                (Some("use"), behind) if !behind.first().is_some_and(|next| is_sign(next, '<')) => {
                    let end = behind.iter().position(|token| is_sign(token, ';'));
                    let (tree, behind) = behind.split_at(end.expect("the end of `use`"));
                    for (name, path) in use_tree(&[], tree).into_iter().filter(|_| !is_test) {
                        module.named.push(path.clone());
                        module.imports.insert(name, path);
                    }
                    (rest, is_test) = (behind, false);
                }
                // `#[cfg(test)]` before a module
                (None, [TokenTree::Group(attribute), behind @ ..]) if is_sign(first, '#') => {
                    is_test |= attribute.stream().to_string().replace(' ', "") == "cfg(test)";
                    rest = behind;
                }
                _ => {
                    is_test &= matches!(word(first).as_deref(), Some("pub"));
                    rest = module.read_token(rest);
                }
            }
        }
        self.0.insert(at, module);
    }

    /// The file that a path of `module` leads to; none outside the crate, and none where a module as such is named
    /// that only hands names on.
    fn file_of(&self, module: &ModulePath, path: &[String], depth: usize) -> Option<&Path> {
        let mut at = module.clone();
        let mut rest = path;
        let mut is_first = true;
        loop {
            let here = self.0.get(&at)?;
            let Some((name, behind)) = rest.split_first() else {
                return here.defines().then_some(here.file.as_path());
            };
            match name.as_str() {
                "crate" if is_first => at.clear(),
                "self" if is_first => {}
                "super" => {
                    at.pop()?;
                }
                name if here.children.contains(name) => at.push(name.to_owned()),
                name => {
                    return match here.imports.get(name) {
                        Some(import) if depth < 8 => {
                            let path = [import.as_slice(), behind].concat();
                            self.file_of(&at, &path, depth + 1)
                        }
                        _ => (!is_first).then_some(here.file.as_path()),
                    };
                }
            }
            (rest, is_first) = (behind, false);
        }
    }

    /// For each file those that it needs.
    pub fn graph(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut graph: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (at, module) in &self.0 {
            let paths = module.named.iter();
            let files = paths.filter_map(|path| self.file_of(at, path, 0));
            let others = files.filter(|file| *file != module.file);
            graph.entry(&module.file).or_default().extend(others);
        }
        graph
    }
}

impl Module {
    /// Whether there is more in its file than modules and names of others.
    fn defines(&self) -> bool {
        let text = fs::read_to_string(&self.file).expect("a readable file");
        let words = [
            "fn ",
            "struct ",
            "enum ",
            "trait ",
            "const ",
            "impl ",
            "type ",
            "macro_rules!",
        ];
        let starts = |line: &str| {
            let line = line
                .trim_start_matches("pub(crate) ")
                .trim_start_matches("pub(super) ");
            let line = line.trim_start_matches("pub ");
            words.iter().any(|word| line.starts_with(word))
        };
        text.lines().any(starts)
    }

    /// Notes the path that the tokens begin with, if any; returns what is behind it.
    fn read_token<'a>(&mut self, tokens: &'a [TokenTree]) -> &'a [TokenTree] {
        if let TokenTree::Group(group) = &tokens[0] {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut rest = inner.as_slice();
            while !rest.is_empty() {
                rest = self.read_token(rest);
            }
            return &tokens[1..];
        }
        let mut path = Vec::new();
        let mut rest = tokens;
        while let Some(name) = rest.first().and_then(word) {
            path.push(name);
            match rest {
                [_, one, two, behind @ ..] if is_sign(one, ':') && is_sign(two, ':') => {
                    rest = behind
                }
                _ => {
                    rest = &rest[1..];
                    break;
                }
            }
        }
        match path.len() {
            0 => return &tokens[1..],
            1 => {}
            _ => self.named.push(path),
        }
        rest
    }
}

/// The names that a `use` brings, each with its path.
fn use_tree(before: &[String], tokens: &[TokenTree]) -> Vec<(String, Vec<String>)> {
    let mut path = before.to_vec();
    let mut rest = tokens;
    let mut alias = None;
    while let Some((first, behind)) = rest.split_first() {
        match first {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
                let parts = tokens.split(|token| is_sign(token, ','));
                let parts = parts.filter(|part| !part.is_empty());
                return parts.flat_map(|part| use_tree(&path, part)).collect();
            }
            _ => match word(first).as_deref() {
                Some("as") => {
                    alias = behind.first().and_then(word);
                    break;
                }
                // `a::{self}` is `a`
                Some("self") if !path.is_empty() => {}
                Some(name) => path.push(name.to_owned()),
                None => {}
            },
        }
        rest = behind;
    }
    let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
    vec![(name, path)]
}

fn word(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
