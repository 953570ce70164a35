//! A diagnostic: code, place, fact, remedy. The one module that every other may import.
//!
//! Library modules return typed errors that hold or convert to [`Diagnostic`]; only `cli` renders
//! them. What a code means and brings is in [`Code`].

pub mod cache;
mod code;
mod exit;
mod shell;
mod text;
pub mod tools;

use std::fmt;
use std::ops::Range;

pub use code::Code;
pub use exit::Exit;
pub use shell::shell_word;
pub use text::{TextFile, TextKind};

use serde::Serialize;

/// Where in the user's input a diagnostic points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Place {
    /// File path as the user wrote it, or the notation string itself; empty when there is none.
    pub source: String,
    /// Byte range in the source text.
    pub span: Option<Range<usize>>,
    /// Field path such as `network.dimensions[1].size`; empty when no field is concerned.
    pub field: String,
    /// The line that holds the span, kept so that rendering never reads a file again.
    pub excerpt: Option<Excerpt>,
}

/// One line of a source text and the stretch of it that a diagnostic concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// 1-based line number.
    pub line: usize,
    /// 1-based column of the first character concerned.
    pub column: usize,
    /// Characters to underline, at least 1, never beyond the line.
    pub width: usize,
    /// The line without its end.
    pub text: String,
}

impl Excerpt {
    /// Cuts the line that holds the start of `span` out of `text`.
    fn cut(text: &str, span: &Range<usize>) -> Self {
        let boundary = |at: usize| {
            (0..=at.min(text.len()))
                .rev()
                .find(|at| text.is_char_boundary(*at))
        };
        let start = boundary(span.start).unwrap_or(0);
        let end = boundary(span.end).unwrap_or(0).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        Self {
            line: text[..line_start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            width: text[start..end.min(line_end).max(start)]
                .chars()
                .count()
                .max(1),
            text: text[line_start..line_end].trim_end().to_owned(),
        }
    }
}

impl Place {
    /// A stretch of a source text; `field` may be empty.
    pub fn in_text(source: &str, text: &str, span: Range<usize>, field: &str) -> Self {
        Self {
            source: source.to_owned(),
            excerpt: Some(Excerpt::cut(text, &span)),
            span: Some(span),
            field: field.to_owned(),
        }
    }

    /// A file as a whole.
    pub fn file(path: &str) -> Self {
        Self {
            source: path.to_owned(),
            ..Self::default()
        }
    }

    /// A field of a value that was not read from text.
    pub fn field(path: &str) -> Self {
        Self {
            field: path.to_owned(),
            ..Self::default()
        }
    }
}

/// One clear message: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub code: Code,
    pub place: Place,
    /// What is wrong: field, value and allowed range; lower case, no trailing period.
    pub fact: String,
    /// What to do; lower case, no trailing period.
    pub remedy: String,
}

impl Diagnostic {
    /// A diagnostic without a place; see [`Diagnostic::at`].
    pub fn new(code: Code, fact: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            code,
            place: Place::default(),
            fact: fact.into(),
            remedy: remedy.into(),
        }
    }

    /// Puts the diagnostic at `place`.
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.fact)
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate that `name` was probably meant to be: fewest edits, at most a third of its letters
/// (one edit is always allowed); the first of equals.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let allowed = (letters / 3).max(1);
    candidates
        .into_iter()
        // A long name is compared with none that cannot be it.
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= allowed)
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that make `a` of `b`, letter case
/// ignored (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    // distance[i][j] is that of the first i letters of a and the first j of b.
    let mut distance = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            distance[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = distance[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced
                    .min(distance[i - 1][j] + 1)
                    .min(distance[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                distance[i][j] = distance[i][j].min(distance[i - 2][j - 2] + 1);
            }
        }
    }
    distance[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_counts_lines_and_characters() {
        let text = "a = 1\nσμ = 22 # x\n";
        let place = Place::in_text("f.toml", text, 13..15, "");
        let excerpt = place.excerpt.expect("a span has an excerpt");
        assert_eq!((excerpt.line, excerpt.column, excerpt.width), (2, 6, 2));
        assert_eq!(excerpt.text, "σμ = 22 # x");
    }

    #[test]
    fn excerpt_survives_spans_beyond_the_text() {
        let excerpt = Excerpt::cut("ab", &(7..9));
        assert_eq!((excerpt.line, excerpt.column, excerpt.width), (1, 3, 1));
    }

    #[test]
    fn nearest_refuses_far_names() {
        let names = ["flit_bits", "queue_flits", "banks"];
        assert_eq!(nearest("flit_bit", names), Some("flit_bits"));
        assert_eq!(nearest("Bank", names), Some("banks"));
        assert_eq!(nearest("MNKS", ["MKNS"]), Some("MKNS"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("b", names), None);
    }
}
