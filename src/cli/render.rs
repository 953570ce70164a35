//! Diagnostics as text (in the manner of rustc) and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::CommandError;
use mkns_diag::{Diagnostic, Excerpt, Place};

/// All diagnostics, an empty line after each.
pub fn diagnostics(list: &[Diagnostic]) -> String {
    list.iter()
        .map(|diagnostic| one(diagnostic) + "\n")
        .collect()
}

fn one(diagnostic: &Diagnostic) -> String {
    let mut text = format!("{diagnostic}\n");
    let margin = place(&mut text, &diagnostic.place);
    if !diagnostic.remedy.is_empty() {
        append(
            &mut text,
            format_args!("{margin}= help: {}\n", diagnostic.remedy),
        );
    }
    append(
        &mut text,
        format_args!("{margin}= more: mkns explain {}\n", diagnostic.code),
    );
    text
}

/// Writes where it is; returns the margin for the lines that follow.
fn place(text: &mut String, place: &Place) -> String {
    let Some(excerpt) = &place.excerpt else {
        match (place.source.as_str(), place.field.as_str()) {
            ("", "") => {}
            ("", place) | (place, "") => append(text, format_args!(" --> {place}\n")),
            (source, field) => append(text, format_args!(" --> {source}, {field}\n")),
        }
        return "  ".to_owned();
    };
    let Excerpt {
        line,
        column,
        width,
        text: source_line,
    } = excerpt;
    let margin = " ".repeat(line.to_string().len() + 1);
    let arrow = &margin[1..];
    // A notation is its own only line: its place is a column, not a file.
    if place.source.trim_end() == source_line {
        append(text, format_args!("{arrow}--> column {column}\n"));
    } else {
        append(
            text,
            format_args!("{arrow}--> {}:{line}:{column}\n", place.source),
        );
    }
    let indent: String = source_line
        .chars()
        .take(column - 1)
        .map(|letter| if letter == '\t' { '\t' } else { ' ' })
        .collect();
    let underline = "^".repeat(*width);
    let label = if place.field.is_empty() {
        String::new()
    } else {
        format!(" {}", place.field)
    };
    append(text, format_args!("{margin}|\n{line} | {source_line}\n"));
    append(
        text,
        format_args!("{margin}| {indent}{underline}{label}\n{margin}|\n"),
    );
    margin
}

fn append(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments)
        .expect("writing to a string cannot fail");
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
