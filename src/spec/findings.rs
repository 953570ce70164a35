//! What reading a spec found: where each field stands, and everything that is wrong.
//!
//! Readers and validation share one `Findings`, so that several violations come out together and a
//! field that could not be read is not blamed a second time for a relation it takes part in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::data::Limits;
use mkns_diag::{Code, Diagnostic, Place};

/// A text that spans from a number on are in.
#[derive(Debug)]
pub struct Piece {
    start: usize,
    source: String,
    text: String,
    /// What all its spans mean.
    all_at: Option<Range<usize>>,
}

impl Piece {
    pub fn new(start: usize, source: &str, text: &str) -> Self {
        Self {
            start,
            source: source.to_owned(),
            text: text.to_owned(),
            all_at: None,
        }
    }

    /// A piece whose values do not stand in `text` one by one: the spans of all mean this stretch of it.
    pub fn all_at(self, at: Range<usize>) -> Self {
        let all_at = Some(at);
        Self { all_at, ..self }
    }

    fn at(&self, span: &Range<usize>) -> Range<usize> {
        let own = || span.start - self.start..span.end - self.start;
        self.all_at.clone().unwrap_or_else(own)
    }
}

/// Spans and problems of the texts of one spec.
#[derive(Debug)]
pub struct Findings {
    /// In the order of their starts.
    pieces: Vec<Piece>,
    spans: BTreeMap<String, Range<usize>>,
    faulty: BTreeSet<String>,
    /// With their places in the order of the texts; those without one last.
    problems: Vec<(usize, Diagnostic)>,
    /// Problems beyond [`MOST_PROBLEMS`], by the code of the first.
    left_out: Option<(Code, usize)>,
}

/// As many are listed: each holds a piece of the text.
const MOST_PROBLEMS: usize = 20;

impl Findings {
    pub fn of(pieces: Vec<Piece>) -> Self {
        Self {
            pieces,
            spans: BTreeMap::new(),
            faulty: BTreeSet::new(),
            problems: Vec::new(),
            left_out: None,
        }
    }

    /// A text behind the others.
    pub fn add(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// Source and text that a span is in, and where in it.
    pub fn written_at(&self, span: &Range<usize>) -> (String, String, Range<usize>) {
        let piece = self
            .pieces
            .iter()
            .rev()
            .find(|piece| piece.start <= span.start);
        piece.map_or_else(Default::default, |piece| {
            (piece.source.clone(), piece.text.clone(), piece.at(span))
        })
    }

    fn place(&self, span: &Range<usize>, field: &str) -> Place {
        let (source, text, span) = self.written_at(span);
        Place::in_text(&source, &text, span, field)
    }

    /// Remembers where `field` stands in the text.
    pub fn locate(&mut self, field: impl Into<String>, span: Range<usize>) {
        self.spans.insert(field.into(), span);
    }

    /// Notes a problem of `field`, placed at the field or at the nearest enclosing one.
    pub fn report(&mut self, field: &str, code: Code, fact: String, remedy: String) {
        if self.leave_out(code) {
            self.faulty.insert(field.to_owned());
            return;
        }
        let span = self.span_of(field);
        let place = match &span {
            Some(span) => self.place(span, field),
            None => Place {
                source: self.written_at(&(0..0)).0,
                ..Place::field(field)
            },
        };
        self.faulty.insert(field.to_owned());
        let order = span.map_or(usize::MAX, |span| span.start);
        self.problems
            .push((order, Diagnostic::new(code, fact, remedy).at(place)));
    }

    /// Notes that the number of `field` is outside its limits.
    pub fn out_of_range(&mut self, field: &str, value: &str, limits: Limits) {
        let fact = format!("{field} = {value}, but it must be {limits}");
        self.report(field, Code::OutOfRange, fact, format!("use {limits}"));
    }

    /// Notes a problem of a stretch of text that is not a field.
    pub fn report_at(&mut self, at: Range<usize>, code: Code, fact: String, remedy: &str) {
        if self.leave_out(code) {
            return;
        }
        let place = self.place(&at, "");
        self.problems
            .push((at.start, Diagnostic::new(code, fact, remedy).at(place)));
    }

    /// Counts a problem that is one too many to be listed.
    fn leave_out(&mut self, code: Code) -> bool {
        let is_full = self.problems.len() >= MOST_PROBLEMS;
        if is_full {
            self.left_out.get_or_insert((code, 0)).1 += 1;
        }
        is_full
    }

    /// Whether none of `fields` has a problem yet, so that their relation may be judged.
    pub fn sound(&self, fields: &[&str]) -> bool {
        fields.iter().all(|field| !self.faulty.contains(*field))
    }

    /// The span of `field`, or of the nearest field around it.
    fn span_of(&self, field: &str) -> Option<Range<usize>> {
        let mut path = field;
        loop {
            if let Some(span) = self.spans.get(path) {
                return Some(span.clone());
            }
            path = &path[..path.rfind(['.', '['])?];
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether `field` was written.
    pub fn has(&self, field: &str) -> bool {
        self.spans.contains_key(field)
    }

    /// The problems in the order of the text, those without a place last, and how many are not among them.
    pub fn into_problems(mut self) -> Vec<Diagnostic> {
        self.problems.sort_by_key(|(order, _)| *order);
        if let Some((code, count)) = self.left_out {
            let fact = format!("{count} more problems, which are not listed");
            let rest = Diagnostic::new(code, fact, "correct those above first");
            self.problems.push((usize::MAX, rest));
        }
        self.problems
            .into_iter()
            .map(|(_, problem)| problem)
            .collect()
    }
}
