//! `--rerun-failed`: which rows of an earlier regression stand, and which runs are made again.

use std::collections::BTreeMap;
use std::path::Path;

use crate::CommandError;
use mkns_campaign::regress::Planned;
use mkns_diag::{Code, Diagnostic, Place, TextFile, TextKind};
use mkns_jobs::program_identity;
use mkns_report::{Regression, Reruns, Run, Verdict};

/// A file that `mkns regress` is given, and what is said when it is missing.
pub fn text_file(path: &Path, kind: TextKind) -> TextFile<'_> {
    let remedy = "give the path of a regression file; see docs/reference/verification.md";
    TextFile::new(path, kind).missing(Code::NotRegressionFile, remedy)
}

/// The rows of a file, which must be of this regression file, and of this suite where one is named.
pub fn read(path: &Path, file: &Path, suite: Option<&str>) -> Result<Regression, CommandError> {
    // It is written anew.
    let text = text_file(path, TextKind::Table).read_own()?;
    let refused = |fact: String| {
        let remedy = "run once without `--rerun-failed`, which writes the rows";
        Diagnostic::new(Code::NoRowsToRepeat, fact, remedy)
            .at(Place::file(path))
            .into()
    };
    let rows: Regression = serde_json::from_str(&text)
        .map_err(|error| refused(format!("these are not the rows of a regression: {error}")))?;
    if rows.runs.is_empty() {
        return Err(refused("the regression has no rows".to_owned()));
    }
    if !is_same(Path::new(&rows.file), file) {
        let fact = format!("the rows are of {}, another regression file", rows.file);
        return Err(refused(fact));
    }
    match suite.filter(|suite| *suite != rows.suite) {
        Some(suite) => Err(refused(format!(
            "the rows are of suite `{}`, not `{suite}`",
            rows.suite
        ))),
        None => Ok(rows),
    }
}

/// Whether two paths name one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let ends = (one.canonicalize(), other.canonicalize());
    one == other || matches!(ends, (Ok(one), Ok(other)) if one == other)
}

/// What is run, and what stands.
pub struct Selection {
    /// All rows of the suite, in its order.
    pub order: Vec<Planned>,
    pub wanted: Vec<Planned>,
    /// Rows that passed with the same inputs and the same program.
    pub kept: Vec<Run>,
    /// Why runs are made again; none without earlier rows.
    pub again: Option<Reruns>,
}

impl Selection {
    /// Everything, but for rows of an earlier regression that stand.
    pub fn of(order: Vec<Planned>, earlier: Option<Regression>) -> Self {
        let Some(earlier) = earlier else {
            return Self {
                wanted: order.clone(),
                order,
                kept: Vec::new(),
                again: None,
            };
        };
        let of_this_program = earlier.program == program_identity();
        let rows = earlier.runs.into_iter();
        let mut rows: BTreeMap<String, Run> = rows.map(|run| (run.case.name(), run)).collect();
        let mut again = Reruns::default();
        let mut kept = Vec::new();
        let mut wanted = Vec::new();
        for planned in &order {
            let reason = match rows.remove(&planned.case.name()) {
                None => &mut again.new,
                Some(run) if run.verdict != Verdict::Passed => &mut again.failed,
                Some(run) if run.key == planned.key => {
                    again.kept += 1;
                    kept.push(run);
                    continue;
                }
                Some(_) if of_this_program => &mut again.other_inputs,
                Some(_) => &mut again.other_program,
            };
            *reason += 1;
            wanted.push(planned.clone());
        }
        again.left_out = rows.len();
        Self {
            order,
            wanted,
            kept,
            again: Some(again),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_report::{Case, TestedPart};

    fn planned(seed: u64, key: &str) -> Planned {
        Planned {
            case: Case::new("MKNS(2,4,2,1)", TestedPart::Switch, "uniform", seed, 100),
            key: key.to_owned(),
        }
    }

    fn row(seed: u64, verdict: Verdict, key: &str) -> Run {
        Run {
            verdict,
            key: key.to_owned(),
            ..Run::not_run(&planned(seed, key).case, "")
        }
    }

    #[test]
    fn abuse_6_a_row_stands_only_for_its_own_inputs_and_program() {
        let mut earlier = Regression {
            suite: "smoke".to_owned(),
            program: program_identity().to_owned(),
            runs: vec![
                row(1, Verdict::Passed, "same"),
                row(2, Verdict::Passed, "before"),
                row(3, Verdict::Hung, "same"),
                row(9, Verdict::Passed, "same"),
                // As versions wrote it that knew no keys.
                row(4, Verdict::Passed, ""),
            ],
            ..Regression::default()
        };
        let order: Vec<Planned> = (1..=5).map(|seed| planned(seed, "same")).collect();
        let selection = Selection::of(order.clone(), Some(earlier.clone()));
        let seeds: Vec<u64> = selection
            .wanted
            .iter()
            .map(|planned| planned.case.seed)
            .collect();
        assert_eq!(seeds, [2, 3, 4, 5]);
        assert_eq!(selection.kept.len(), 1);
        let wanted = Reruns {
            failed: 1,
            other_inputs: 2,
            other_program: 0,
            new: 1,
            left_out: 1,
            kept: 1,
        };
        assert_eq!(selection.again, Some(wanted));
        earlier.program = "another".to_owned();
        let order = order.into_iter().map(|planned| Planned {
            key: "of this program".to_owned(),
            ..planned
        });
        let again = Selection::of(order.collect(), Some(earlier)).again;
        let again = again.expect("earlier rows");
        assert_eq!((again.other_program, again.kept), (3, 0));
    }
}
