//! What becomes of pairs of adapter blocks when parts fail, for people and for programs: a row for each engine and
//! number of parts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use mkns_routing::survey::Survey;

/// The result of `mkns faults`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SurvivalReport {
    /// The SPEC as it was given.
    pub network: String,
    /// Names of the classes of parts that fail.
    pub classes: Vec<&'static str>,
    /// Parts of these classes.
    pub parts: usize,
    /// Seed of drawn sets.
    pub seed: u64,
    /// The row, where there is only one.
    #[serde(flatten)]
    pub single: Option<SurvivalRow>,
    pub rows: Vec<SurvivalRow>,
}

/// One engine and one number of failed parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SurvivalRow {
    pub engine: String,
    #[serde(flatten)]
    pub survey: Survey,
}

impl SurvivalReport {
    /// A table, and below it the first set of each row that is served worse than its cables allow.
    pub fn text(&self) -> String {
        let mut out = format!(
            "{}: {} of class {}\n",
            self.network,
            plural(self.parts as u64, "part"),
            self.classes.join(", ")
        );
        let heads = [
            "engine",
            "parts",
            "sets",
            "surviving",
            "lost",
            "unroutable",
            "cut",
            "cyclic",
            "moved",
        ];
        let cells = self.rows.iter().map(|row| {
            let survey = &row.survey;
            let drawn = if survey.drawn { " drawn" } else { "" };
            let mut cells = vec![row.engine.clone(), survey.count.to_string()];
            cells.push(format!("{}{drawn}", survey.sets));
            let pairs = [
                survey.surviving_pairs,
                survey.lost_pairs,
                survey.unroutable_pairs,
                survey.cut_pairs,
                survey.cyclic_sets,
                survey.moved_pairs,
            ];
            cells.extend(pairs.map(|pairs| pairs.to_string()));
            (cells, rerouted(survey))
        });
        let cells: Vec<(Vec<String>, String)> = cells.collect();
        let width = |column: usize| {
            let cells = cells.iter().map(|(cells, _)| cells[column].len());
            cells.chain([heads[column].len()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>, last: &str| {
            let mut line = String::from(" ");
            for (column, cell) in cells.enumerate() {
                let width = widths[column];
                let _ = match column {
                    0 => write!(line, " {cell:<width$}"),
                    _ => write!(line, "  {cell:>width$}"),
                };
            }
            format!("{line}  {last}\n")
        };
        out += &line(&mut heads.into_iter(), "rerouted (extra hops)");
        for (cells, rerouted) in &cells {
            out += &line(&mut cells.iter().map(String::as_str), rerouted);
        }
        for row in &self.rows {
            out += &row.remarks();
        }
        out
    }

    /// A line for each row; a column for each number of extra hops that occurs.
    pub fn csv(&self) -> String {
        let hops = self
            .rows
            .iter()
            .flat_map(|row| row.survey.rerouted_pairs.keys());
        let hops: BTreeSet<i64> = hops.copied().collect();
        let mut out = String::from(
            "engine,count,sets,drawn,surviving_pairs,lost_pairs,unroutable_pairs,cut_pairs,unserved_sets,\
             cyclic_sets,refused_sets,moved_pairs,rerouted_pairs",
        );
        for hops in &hops {
            let _ = write!(out, ",rerouted_{hops}");
        }
        out.push('\n');
        for SurvivalRow { engine, survey } in &self.rows {
            let _ = write!(
                out,
                "{engine},{},{},{},{},{},{},{},{},{},{},{},{}",
                survey.count,
                survey.sets,
                u8::from(survey.drawn),
                survey.surviving_pairs,
                survey.lost_pairs,
                survey.unroutable_pairs,
                survey.cut_pairs,
                survey.unserved_sets,
                survey.cyclic_sets,
                survey.refused_sets,
                survey.moved_pairs,
                survey.rerouted_pairs.values().sum::<u64>()
            );
            for hops in &hops {
                let pairs = survey.rerouted_pairs.get(hops).copied().unwrap_or(0);
                let _ = write!(out, ",{pairs}");
            }
            out.push('\n');
        }
        out
    }
}

impl SurvivalRow {
    /// What the numbers alone do not say.
    fn remarks(&self) -> String {
        let Self { engine, survey } = self;
        let mut out = String::new();
        if survey.refused_sets > 0 {
            let sets = plural(survey.refused_sets, "set");
            out += &format!(
                "{engine}: no routes at all for {sets} with the channels and layers of the spec\n"
            );
        }
        if let Some(parts) = &survey.example {
            let sets = plural(survey.unserved_sets, "set");
            let parts = parts.join(", ");
            out += &format!("{engine}: {sets} with unroutable pairs, such as {parts}\n");
        }
        out
    }
}

/// `144 (+0), 48 (+2)`.
fn rerouted(survey: &Survey) -> String {
    let each = survey.rerouted_pairs.iter();
    let each: Vec<String> = each
        .map(|(hops, pairs)| format!("{pairs} ({hops:+})"))
        .collect();
    match each.is_empty() {
        true => "none".to_owned(),
        false => each.join(", "),
    }
}

fn plural(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
