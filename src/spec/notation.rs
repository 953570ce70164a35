//! Notations such as `MKNS(2,8x4,2,0)`: text to arguments and places, no judgement of the numbers.
//!
//! A notation is the name of a kind and its arguments, numbers or `x`-separated lists, in
//! parentheses; letter case and blanks do not matter. What the arguments mean is the kind's business.

use std::ops::Range;

use super::NetworkKind;
use super::findings::Findings;
use super::kind::{READERS, Reader};
use mkns_diag::{Code, nearest};

const FORMS: &str =
    "write a notation such as `MKNS(2,4,2,1)` or `torus(4x4)`; docs/spec-format.md lists all kinds";

/// A piece of the notation and where it stands in the whole text.
#[derive(Debug, Clone)]
struct Piece<'a> {
    text: &'a str,
    span: Range<usize>,
}

impl<'a> Piece<'a> {
    /// The piece of `text` at `span`, without the blanks around it.
    fn trimmed(text: &'a str, span: Range<usize>) -> Self {
        let whole = &text[span.clone()];
        let start = span.start + (whole.len() - whole.trim_start().len());
        let text = whole.trim();
        Self {
            text,
            span: start..start + text.len(),
        }
    }

    /// Pieces between separators.
    fn split(&self, whole: &'a str, is_separator: fn(char) -> bool) -> Vec<Self> {
        let mut start = self.span.start;
        let pieces = self.text.split(is_separator);
        pieces
            .map(|piece| {
                let span = start..start + piece.len();
                start = span.end + 1;
                Self::trimmed(whole, span)
            })
            .collect()
    }
}

/// A number and where it stands.
pub type Placed = (u32, Range<usize>);

/// The arguments of a notation.
pub struct Arguments<'a> {
    text: &'a str,
    pieces: Vec<Piece<'a>>,
    /// How to write the notation.
    form: &'static str,
}

/// Reads the notation at `span` of `text`; `None` when its numbers cannot be told.
pub fn read(text: &str, span: Range<usize>, findings: &mut Findings) -> Option<NetworkKind> {
    let whole = Piece::trimmed(text, span);
    let (reader, open) = reader(text, &whole, findings)?;
    if !whole.text.ends_with(')') {
        let fact = "the notation does not end with `)`".to_owned();
        findings.report_at(
            whole.span.end..whole.span.end,
            Code::MalformedNotation,
            fact,
            reader.form,
        );
        return None;
    }
    let inside = Piece::trimmed(text, open + 1..whole.span.end - 1);
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
fn reader(text: &str, whole: &Piece, findings: &mut Findings) -> Option<(Reader, usize)> {
    let Some(open) = whole.text.find('(') else {
        let fact = format!(
            "`{}` is neither a notation nor the path of a TOML file",
            whole.text
        );
        findings.report_at(
            whole.span.clone(),
            Code::NeitherNotationNorPath,
            fact,
            FORMS,
        );
        return None;
    };
    let open = whole.span.start + open;
    let kind = Piece::trimmed(text, whole.span.start..open);
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

impl Arguments<'_> {
    /// Number of arguments.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Argument `at` as a whole number; messages call it `name`.
    pub fn number(&self, at: usize, name: &str, findings: &mut Findings) -> Option<Placed> {
        number(&self.pieces[at], name, self.form, findings)
    }

    /// Argument `at` as an `x`-separated list of whole numbers; every faulty one is reported.
    pub fn list(&self, at: usize, name: &str, findings: &mut Findings) -> Option<Vec<Placed>> {
        let items = self.pieces[at].split(self.text, |letter| letter.eq_ignore_ascii_case(&'x'));
        let items = items.iter();
        let numbers: Vec<_> = items
            .map(|item| number(item, name, self.form, findings))
            .collect();
        numbers.into_iter().collect()
    }
}

/// A whole number.
fn number(piece: &Piece, name: &str, form: &str, findings: &mut Findings) -> Option<Placed> {
    let digits = !piece.text.is_empty() && piece.text.bytes().all(|byte| byte.is_ascii_digit());
    match piece.text.parse() {
        Ok(value) if digits => Some((value, piece.span.clone())),
        _ => {
            let fact = match piece.text {
                "" => format!("a value of {name} is missing"),
                text if digits => format!("{name} = {text} is far too large"),
                text => format!("{name} = `{text}` is not a whole number"),
            };
            findings.report_at(piece.span.clone(), Code::MalformedNotation, fact, form);
            None
        }
    }
}
