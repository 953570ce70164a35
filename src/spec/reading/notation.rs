//! Notations such as `MKNS(2,8x4,2,0)`: text to arguments and places, no judgement of the numbers.
//!
//! A notation is the name of a kind and its arguments, numbers or `x`-separated lists, in
//! parentheses; letter case and blanks do not matter. What the arguments mean is the kind's business.

use std::ops::Range;

use super::arguments::{Arguments, Piece};
use super::kinds::READERS;
use super::reader::Reader;
use crate::data::NetworkKind;
use crate::findings::Findings;
use mkns_diag::{Code, nearest};

const FORMS: &str = "write a notation such as `MKNS(2,4,2,1)` or `torus(4x4)`; docs/reference/spec.md lists all kinds";

/// Reads the notation at `span` of `text`; `None` when its numbers cannot be told.
pub fn read(text: &str, span: Range<usize>, findings: &mut Findings) -> Option<NetworkKind> {
    let notation = Piece::trimmed(text, span);
    let (reader, open) = reader(text, &notation, findings)?;
    if !notation.text.ends_with(')') {
        let fact = "the notation does not end with `)`".to_owned();
        findings.report_at(
            notation.span.end..notation.span.end,
            Code::MalformedNotation,
            fact,
            reader.form,
        );
        return None;
    }
    let inside = Piece::trimmed(text, open + 1..notation.span.end - 1);
    let pieces = inside.split(text, |letter| letter == ',');
    if !reader.counts.contains(&pieces.len()) {
        let (title, arguments, found) = (reader.title, reader.arguments, pieces.len());
        let fact = format!("{title} takes {arguments}; here are {found}");
        findings.report_at(inside.span, Code::MalformedNotation, fact, reader.form);
        return None;
    }
    let form = reader.form;
    let arguments = Arguments { text, pieces, form };
    (reader.notation)(&arguments, findings)
}

/// The kind that the notation names, and where its parenthesis opens.
fn reader(text: &str, notation: &Piece, findings: &mut Findings) -> Option<(Reader, usize)> {
    let Some(open) = notation.text.find('(') else {
        let fact = format!(
            "`{}` is neither a notation nor the path of a TOML file",
            notation.text
        );
        findings.report_at(
            notation.span.clone(),
            Code::NeitherNotationNorPath,
            fact,
            FORMS,
        );
        return None;
    };
    let open = notation.span.start + open;
    let kind = Piece::trimmed(text, notation.span.start..open);
    let named = |reader: &Reader| reader.name.eq_ignore_ascii_case(kind.text);
    if let Some(reader) = READERS.into_iter().find(named) {
        return Some((reader, open));
    }
    let titles = READERS.map(|reader| reader.title);
    let fact = format!(
        "unknown kind of network `{}`; known: {}",
        kind.text,
        titles.join(", ")
    );
    let remedy = match nearest(kind.text, titles) {
        Some(known) => format!("did you mean `{known}`?"),
        None => FORMS.to_owned(),
    };
    findings.report_at(kind.span, Code::UnknownKind, fact, &remedy);
    None
}
