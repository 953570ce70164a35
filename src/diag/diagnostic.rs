//! One clear message and the place in the user's input that it concerns.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use crate::code::Code;

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
    pub(crate) fn cut(text: &str, span: &Range<usize>) -> Self {
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
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self {
            source: path.as_ref().display().to_string(),
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
