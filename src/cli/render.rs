//! Diagnostics as text (in the manner of rustc) and as JSON.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use serde::Serialize;

use super::CommandError;
use mkns_diag::{Diagnostic, Excerpt, Place};

/// All diagnostics, an empty line after each.
pub fn diagnostics(list: &[Diagnostic]) -> String {
    let one = |one: &Diagnostic| Renderer::plain().render(&[group(one)]) + "\n\n";
    list.iter().map(one).collect()
}

/// Fact, place, remedy, and where there is more to read.
fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let title = Level::ERROR.primary_title(&diagnostic.fact);
    let mut group = Group::with_title(title.id(diagnostic.code.text()));
    let place = &diagnostic.place;
    group = match (&place.excerpt, words(place)) {
        (Some(excerpt), _) => group.element(snippet(place, excerpt)),
        (None, words) if words.is_empty() => group,
        (None, words) => group.element(Origin::path(words)),
    };
    if !diagnostic.remedy.is_empty() {
        group = group.element(Level::HELP.message(&diagnostic.remedy));
    }
    let more = format!("mkns explain {}", diagnostic.code);
    group.element(Level::NOTE.with_name("more").message(more))
}

/// A place without a line of its own.
fn words(place: &Place) -> String {
    let words = [place.source.as_str(), place.field.as_str()];
    let words = words.into_iter().filter(|words| !words.is_empty());
    words.collect::<Vec<_>>().join(", ")
}

/// The line, what it is about underlined. A notation is its own only line and no file.
fn snippet<'a>(
    place: &'a Place,
    excerpt: &'a Excerpt,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let byte = |letter| {
        let mut letters = excerpt.text.char_indices();
        letters.nth(letter).map_or(excerpt.text.len(), |(at, _)| at)
    };
    let first = excerpt.column - 1;
    let label = Some(place.field.as_str()).filter(|field| !field.is_empty());
    let is_file = place.source.trim_end() != excerpt.text;
    Snippet::source(&excerpt.text)
        .line_start(excerpt.line)
        .path(Some(place.source.as_str()).filter(|_| is_file))
        .annotation(
            AnnotationKind::Primary
                .span(byte(first)..byte(first + excerpt.width))
                .label(label),
        )
}

/// What a failure looks like with `--format json`.
#[derive(Serialize)]
struct Failure<'a> {
    exit_code: u8,
    diagnostics: &'a [Diagnostic],
}

/// The failure as one JSON document.
pub fn error_json(error: &CommandError) -> String {
    to_json(&Failure {
        exit_code: error.exit.number(),
        diagnostics: &error.diagnostics,
    })
}

/// Indented JSON without a final newline.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("results have string keys and no failing serializer")
}
