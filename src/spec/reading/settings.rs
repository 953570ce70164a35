//! Settings of the command line, `--set KEY=VALUE`: they take the place of what the spec says.
//!
//! The spec's text and the settings stand one behind the other in one text, so that a span tells which
//! of them it is in and a fault of a setting is shown in the words of the command line.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::notation;
use super::schema::NetworkEntry;
use super::table::Value;
use crate::findings::{Findings, Piece};
use mkns_diag::Code;

/// Keys at the top of a document; others belong to `block`.
const TOP: [&str; 6] = ["name", "network", "routing", "escape", "block", "link"];
/// How a setting is shown.
const OPTION: &str = "--set ";

type Key<'i> = Spanned<DeString<'i>>;

/// A spec's text and the settings behind it.
#[derive(Debug)]
pub struct SpecText {
    source: String,
    text: String,
    /// Bytes of `text` that are the spec.
    length: usize,
    settings: Vec<Setting>,
    /// The table of a notation of which a setting changes a part; blanks before it keep its spans apart.
    spelled_out: OnceCell<String>,
}

/// One setting, `KEY=VALUE` as written and ready for the parser: blanks before keep its place.
#[derive(Debug)]
struct Setting {
    written: Range<usize>,
    keys: String,
    assignment: String,
    /// The value where it is a word without quotes.
    word: Option<Range<usize>>,
}

/// Where a setting goes and what it says.
struct Assignment<'i> {
    path: Vec<Key<'i>>,
    value: Value<'i>,
}

impl SpecText {
    pub fn new(source: &str, spec: &str, settings: &[String]) -> Self {
        let mut text = spec.to_owned();
        let mut read = Vec::new();
        for setting in settings {
            text.push('\n');
            let start = text.len();
            text.push_str(OPTION);
            text.push_str(setting);
            read.push(Setting::new(setting, start));
        }
        Self {
            source: source.to_owned(),
            text,
            length: spec.len(),
            settings: read,
            spelled_out: OnceCell::new(),
        }
    }

    /// The text that spans count in.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn findings(&self) -> Findings {
        let spec = &self.text[..self.length];
        let settings = self.settings.iter().map(|setting| {
            let shown = &self.text[setting.written.clone()];
            Piece::new(setting.written.start, shown, shown)
        });
        let pieces = std::iter::once(Piece::new(0, &self.source, spec)).chain(settings);
        Findings::of(pieces.collect())
    }

    /// The document with the settings in force; none when something is no TOML. A notation alone is the
    /// document's network.
    pub fn document(&self, is_notation: bool, findings: &mut Findings) -> Option<DeTable<'_>> {
        let mut root = if is_notation {
            let key = Spanned::new(0..0, Cow::Borrowed("network"));
            let value = DeValue::String(Cow::Borrowed(&self.text[..self.length]));
            let mut root = DeTable::new();
            root.insert(key, Spanned::new(0..self.length, value));
            root
        } else {
            let (root, errors) = DeTable::parse_recoverable(&self.text[..self.length]);
            if !errors.is_empty() {
                report_syntax(&errors, findings);
                return None;
            }
            root.into_inner()
        };
        let assignments = self.settings.iter().map(|setting| {
            let read = setting.read(&self.text);
            read.map_err(|fault| fault.report(setting, findings)).ok()
        });
        let assignments: Vec<_> = assignments.collect::<Option<_>>()?;
        // A whole network first: others may change a part of it.
        let (parts, networks): (Vec<_>, Vec<_>) = (assignments.into_iter())
            .partition(|one| one.path.len() > 1 && one.path[0].get_ref() == "network");
        for network in networks {
            set(&mut root, network.path, network.value);
        }
        if !parts.is_empty() {
            self.spell_out(&mut root, findings);
        }
        for part in parts {
            set(&mut root, part.path, part.value);
        }
        Some(root)
    }

    /// Puts a table in the place of a network in notation; leaves a faulty one to the reader.
    fn spell_out<'a>(&'a self, root: &mut DeTable<'a>, findings: &mut Findings) {
        let Some(network) = root.get("network") else {
            return;
        };
        let span = network.span();
        let (DeValue::String(_), Some(inside)) = (network.get_ref(), self.notation_at(network))
        else {
            return;
        };
        let Some(kind) = notation::read(&self.text, inside, &mut Findings::of(Vec::new())) else {
            return;
        };
        let table = toml::to_string(&NetworkEntry::from(&kind));
        let table = table.expect("a network has a form in TOML");
        let kind = kind.kind();
        let table = self
            .spelled_out
            .get_or_init(|| blanks(self.text.len() + 1) + &table);
        let Ok(mut table) = DeTable::parse(table).map(Spanned::into_inner) else {
            return;
        };
        if kind.ports() == kind.default_ports() {
            table.remove("ports");
        }
        let (source, text, at) = findings.written_at(&span);
        findings.add(Piece::new(self.text.len() + 1, &source, &text).all_at(at));
        let value = Spanned::new(span, DeValue::Table(table));
        root.insert(Spanned::new(0..0, Cow::Borrowed("network")), value);
    }

    /// Where the notation of a string stands; none when it is not written plainly.
    pub fn notation_at(&self, value: &Value) -> Option<Range<usize>> {
        let DeValue::String(written) = value.get_ref() else {
            return None;
        };
        let span = value.span();
        let quoted = span.start + 1..span.end.saturating_sub(1);
        let is_there = |at: &Range<usize>| self.text.get(at.clone()) == Some(written);
        [span, quoted].into_iter().find(is_there)
    }
}

/// Why a setting cannot be read.
enum Fault {
    /// It has no `=`, or nothing on one side of it.
    Form,
    Syntax(Vec<toml::de::Error>),
}

impl Fault {
    fn report(self, setting: &Setting, findings: &mut Findings) {
        match self {
            Self::Form => findings.report_at(
                setting.written.start + OPTION.len()..setting.written.end,
                Code::NotASetting,
                "a setting has the form KEY=VALUE".to_owned(),
                "write a key of the spec and its value, such as `--set flit_bits=128`",
            ),
            Self::Syntax(errors) => report_syntax(&errors[..1], findings),
        }
    }
}

impl Setting {
    fn new(setting: &str, start: usize) -> Self {
        let at = start + OPTION.len();
        let written = start..at + setting.len();
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        let keys = format!("{}{key}=0", blanks(at));
        let assignment = blanks(at) + setting;
        let word = value.trim();
        let is_word = !word.starts_with(['"', '\'', '[', '{']) && !word.contains('\n');
        let is_word = is_word && DeTable::parse(&assignment).is_err();
        let value_at = written.end - value.trim_start().len();
        Self {
            keys,
            assignment,
            word: is_word.then_some(value_at..value_at + word.len()),
            written,
        }
    }

    fn read<'a>(&'a self, text: &'a str) -> Result<Assignment<'a>, Fault> {
        let syntax = |error| Fault::Syntax(vec![error]);
        let setting = &text[self.written.start + OPTION.len()..self.written.end];
        match setting.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {}
            _ => return Err(Fault::Form),
        }
        let mut path = Vec::new();
        let mut rest = DeTable::parse(&self.keys).map_err(syntax)?.into_inner();
        while let Some((key, value)) = rest.into_iter().next() {
            path.push(key);
            match value.into_inner() {
                DeValue::Table(inner) => rest = inner,
                _ => break,
            }
        }
        let value = match &self.word {
            Some(at) => Spanned::new(at.clone(), DeValue::String(text[at.clone()].into())),
            None => {
                let table = DeTable::parse(&self.assignment).map_err(syntax)?;
                let span = table.span();
                let table = Spanned::new(span, DeValue::Table(table.into_inner()));
                path.iter().try_fold(table, descend).ok_or(Fault::Form)?
            }
        };
        if !TOP.contains(&path[0].get_ref().as_ref()) {
            path.insert(0, Spanned::new(path[0].span(), Cow::Borrowed("block")));
        }
        Ok(Assignment { path, value })
    }
}

fn descend<'i>(value: Value<'i>, key: &Key) -> Option<Value<'i>> {
    match value.into_inner() {
        DeValue::Table(mut table) => table.remove(key.get_ref().as_ref()),
        _ => None,
    }
}

/// Puts a value in the place of what `table` has there.
fn set<'i>(table: &mut DeTable<'i>, mut path: Vec<Key<'i>>, value: Value<'i>) {
    let key = path.remove(0);
    let name: &str = key.get_ref();
    if path.is_empty() {
        table.remove(name);
        table.insert(key, value);
        return;
    }
    let is_table = |value: &Value| matches!(value.get_ref(), DeValue::Table(_));
    if !table.get(name).is_some_and(is_table) {
        let empty = Spanned::new(key.span(), DeValue::Table(DeTable::new()));
        table.remove(name);
        table.insert(key.clone(), empty);
    }
    let name: &str = key.get_ref();
    if let Some(DeValue::Table(inner)) = table.get_mut(name).map(Spanned::get_mut) {
        set(inner, path, value);
    }
}

fn report_syntax(errors: &[toml::de::Error], findings: &mut Findings) {
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let fact = format!("this is not valid TOML: {}", error.message());
        findings.report_at(
            span,
            Code::InvalidToml,
            fact,
            "see docs/reference/spec.md for an example",
        );
    }
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}
