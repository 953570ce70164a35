//! What reading a spec found: where each field stands, and everything that is wrong.
//!
//! Readers and validation share one `Findings`, so that several violations come out together and a
//! field that could not be read is not blamed a second time for a relation it takes part in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{BlockParameters, NetworkKind, NetworkSpec, validate, validate_block};
use mkns_diag::{Diagnostic, Place};

/// Spans and problems of one spec text.
#[derive(Debug)]
pub struct Findings<'a> {
    source: &'a str,
    text: &'a str,
    spans: BTreeMap<String, Range<usize>>,
    faulty: BTreeSet<String>,
    problems: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    pub fn new(source: &'a str, text: &'a str) -> Self {
        Self {
            source,
            text,
            spans: BTreeMap::new(),
            faulty: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// Remembers where `field` stands in the text.
    pub fn locate(&mut self, field: impl Into<String>, span: Range<usize>) {
        self.spans.insert(field.into(), span);
    }

    /// Notes a problem of `field`, placed at the field or at the nearest enclosing one.
    pub fn report(&mut self, field: &str, code: &'static str, fact: String, remedy: String) {
        let place = match self.span_of(field) {
            Some(span) => Place::in_text(self.source, self.text, span, field),
            None => Place {
                source: self.source.to_owned(),
                ..Place::field(field)
            },
        };
        self.faulty.insert(field.to_owned());
        self.problems
            .push(Diagnostic::new(code, fact, remedy).at(place));
    }

    /// Notes a problem of a stretch of text that is not a field.
    pub fn report_at(&mut self, at: Range<usize>, code: &'static str, fact: String, remedy: &str) {
        let place = Place::in_text(self.source, self.text, at, "");
        self.problems
            .push(Diagnostic::new(code, fact, remedy).at(place));
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

    /// Validates what was read. Either a valid spec, or every problem in the order of the text.
    pub fn conclude(
        mut self,
        name: Option<String>,
        network: Option<NetworkKind>,
        block: BlockParameters,
    ) -> Result<NetworkSpec, Vec<Diagnostic>> {
        let kind = network.as_ref().map(NetworkKind::kind);
        validate_block::block(&block, kind.map(|kind| kind.smallest_core()), &mut self);
        if let Some(kind) = kind {
            kind.validate(&mut self);
            validate_block::virtual_channels(&block, kind.virtual_channels(), &mut self);
            validate_block::table_entries(&block, &kind.node_fields(), &mut self);
        }
        if let Some(name) = &name {
            validate::name(name, &mut self);
        }
        match network {
            Some(network) if self.problems.is_empty() => Ok(NetworkSpec {
                name: name.unwrap_or_else(|| network.kind().default_name()),
                kind: network,
                block,
            }),
            _ => Err(self.into_problems()),
        }
    }

    /// Whether `field` was written.
    pub fn has(&self, field: &str) -> bool {
        self.spans.contains_key(field)
    }

    /// Every problem in the order of the text, those without a place last.
    pub fn into_problems(mut self) -> Vec<Diagnostic> {
        let start = |diagnostic: &Diagnostic| {
            diagnostic
                .place
                .span
                .as_ref()
                .map_or(usize::MAX, |span| span.start)
        };
        self.problems.sort_by_key(start);
        self.problems
    }
}
