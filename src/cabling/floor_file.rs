//! A floor plan as a person writes it: TOML, lengths in metres. What is not said has the default of [`FloorPlan`].

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::{FloorPlan, Millimetres};
use mkns_diag::{Code, Diagnostic, Place};

/// The file's own form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    rows: Option<Spanned<i64>>,
    racks_per_row: Option<Spanned<i64>>,
    blocks_per_rack: Option<Spanned<i64>>,
    row_pitch: Option<Spanned<f64>>,
    rack_pitch: Option<Spanned<f64>>,
    rack_height: Option<Spanned<f64>>,
    block_height: Option<Spanned<f64>>,
    slack: Option<Spanned<f64>>,
    lengths: Option<Spanned<Vec<f64>>>,
}

/// Most racks in a row, rows, blocks in a rack.
const MOST: i64 = 10_000;
/// Longest distance, metres.
const FARTHEST: f64 = 1000.0;

/// Reads a floor plan; `source` is its path for diagnostics.
pub fn read_floor_plan(source: &str, text: &str) -> Result<FloorPlan, Vec<Diagnostic>> {
    let document: Document = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let place = Place::in_text(source, text, span, "");
        let remedy = "see docs/reference/cabling.md for the keys of a floor plan";
        let message = error.message().replace("expected f64", "expected a number");
        let message = message.replace("expected i64", "expected a whole number");
        vec![Diagnostic::new(Code::NotFloorPlan, message, remedy).at(place)]
    })?;
    let mut reader = Reader {
        source,
        text,
        found: Vec::new(),
    };
    let standard = FloorPlan::default();
    let rows = reader.count("rows", document.rows);
    let racks_per_row = reader.count("racks_per_row", document.racks_per_row);
    let blocks_per_rack = reader.count("blocks_per_rack", document.blocks_per_rack);
    let row_pitch = reader.length("row_pitch", document.row_pitch, 0.001);
    let rack_pitch = reader.length("rack_pitch", document.rack_pitch, 0.001);
    let rack_height = reader.length("rack_height", document.rack_height, 0.001);
    let block_height = reader.length("block_height", document.block_height, 0.001);
    let slack = reader.length("slack", document.slack, 0.0);
    let lengths = reader.lengths(document.lengths);
    if !reader.found.is_empty() {
        return Err(reader.found);
    }
    Ok(FloorPlan {
        source: source.to_owned(),
        rows,
        racks_per_row: racks_per_row.unwrap_or(standard.racks_per_row),
        blocks_per_rack,
        row_pitch: row_pitch.unwrap_or(standard.row_pitch),
        rack_pitch: rack_pitch.unwrap_or(standard.rack_pitch),
        rack_height,
        block_height: block_height.unwrap_or(standard.block_height),
        slack: slack.unwrap_or(standard.slack),
        lengths: lengths.unwrap_or(standard.lengths),
    })
}

/// Values of the file, and what is wrong with them.
struct Reader<'a> {
    source: &'a str,
    text: &'a str,
    found: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn complain(&mut self, span: Range<usize>, field: &str, fact: String, remedy: &str) {
        let place = Place::in_text(self.source, self.text, span, field);
        let diagnostic = Diagnostic::new(Code::NotFloorPlan, fact, remedy);
        self.found.push(diagnostic.at(place));
    }

    fn count(&mut self, field: &str, value: Option<Spanned<i64>>) -> Option<u32> {
        let value = value?;
        let (span, number) = (value.span(), value.into_inner());
        if !(1..=MOST).contains(&number) {
            let fact = format!("`{field}` is {number}, but it must be 1 to {MOST}");
            self.complain(span, field, fact, "give a number in this range");
            return None;
        }
        Some(number as u32)
    }

    fn length(
        &mut self,
        field: &str,
        value: Option<Spanned<f64>>,
        least: f64,
    ) -> Option<Millimetres> {
        let value = value?;
        let (span, metres) = (value.span(), value.into_inner());
        if !(least..=FARTHEST).contains(&metres) {
            let fact =
                format!("`{field}` is {metres}, but it must be {least} to {FARTHEST} metres");
            self.complain(span, field, fact, "give metres in this range");
            return None;
        }
        Some(Millimetres::of_metres(metres))
    }

    fn lengths(&mut self, value: Option<Spanned<Vec<f64>>>) -> Option<Vec<Millimetres>> {
        let value = value?;
        let (span, list) = (value.span(), value.into_inner());
        let outside = list
            .iter()
            .find(|metres| !(0.001..=FARTHEST).contains(*metres));
        let lengths: Vec<_> = list.iter().copied().map(Millimetres::of_metres).collect();
        let fact = if let Some(metres) = outside {
            format!("`lengths` holds {metres}, but a length must be 0.001 to {FARTHEST} metres")
        } else if lengths.is_empty() {
            "`lengths` is empty: no cable could be bought".to_owned()
        } else if !lengths.is_sorted_by(|a, b| a < b) {
            "`lengths` do not rise".to_owned()
        } else {
            return Some(lengths);
        };
        let remedy = "list the lengths that cables are bought in, such as `[1, 2, 5]`";
        self.complain(span, "lengths", fact, remedy);
        None
    }
}
