//! The arguments of a notation: numbers or `x`-separated lists, each with its place.

use std::ops::Range;

use crate::findings::Findings;
use mkns_diag::Code;

/// A piece of the notation and where it stands in the whole text.
#[derive(Debug, Clone)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub span: Range<usize>,
}

impl<'a> Piece<'a> {
    /// The piece of `text` at `span`, without the blanks around it.
    pub fn trimmed(text: &'a str, span: Range<usize>) -> Self {
        let untrimmed = &text[span.clone()];
        let start = span.start + (untrimmed.len() - untrimmed.trim_start().len());
        let text = untrimmed.trim();
        Self {
            text,
            span: start..start + text.len(),
        }
    }

    /// Pieces between separators; `around` is the text that it is a piece of.
    pub fn split(&self, around: &'a str, is_separator: fn(char) -> bool) -> Vec<Self> {
        let mut start = self.span.start;
        let pieces = self.text.split(is_separator);
        pieces
            .map(|piece| {
                let span = start..start + piece.len();
                start = span.end + 1;
                Self::trimmed(around, span)
            })
            .collect()
    }
}

/// A number and where it stands.
pub type Placed = (u32, Range<usize>);

/// The arguments of a notation.
pub struct Arguments<'a> {
    pub text: &'a str,
    pub pieces: Vec<Piece<'a>>,
    /// How to write the notation.
    pub form: &'static str,
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

    /// The number of argument `at`, which is `field` in the network of a file.
    pub fn field(
        &self,
        at: usize,
        name: &str,
        field: &str,
        findings: &mut Findings,
    ) -> Option<u32> {
        let (value, span) = self.number(at, name, findings)?;
        findings.locate(format!("network.{field}"), span);
        Some(value)
    }

    /// M, which may be missing, as argument `at`.
    pub fn hosts(&self, at: usize, findings: &mut Findings) -> Option<u32> {
        match self.count() > at {
            true => self.field(at, "M", "vms_per_node", findings),
            false => Some(1),
        }
    }

    /// The numbers of argument `at`, which are the list `field` in the network of a file.
    pub fn list_field(
        &self,
        at: usize,
        name: &str,
        field: &str,
        findings: &mut Findings,
    ) -> Option<Vec<u32>> {
        let values = self.list(at, name, findings)?;
        for (at, (_, span)) in values.iter().enumerate() {
            findings.locate(format!("network.{field}[{at}]"), span.clone());
        }
        let (first, last) = (values[0].1.start, values[values.len() - 1].1.end);
        findings.locate(format!("network.{field}"), first..last);
        Some(values.into_iter().map(|(value, _)| value).collect())
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
