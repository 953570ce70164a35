//! What a regression says as text, and its exit code.

use mkns_diag::Exit;
use mkns_report::{Regression, Verdict};

/// What did not pass, and one line about all.
pub fn text_of(regression: &Regression) -> String {
    let mut text = String::new();
    let (interrupted, failures): (Vec<_>, Vec<_>) =
        regression.failures().partition(|run| run.was_interrupted());
    for run in failures {
        text += &format!("{}: {}\n", run.verdict.name(), run.case.name());
        for line in run.detail.lines() {
            text += &format!("    {line}\n");
        }
        text += &format!("    replay: {}\n", run.replay);
    }
    if !interrupted.is_empty() {
        text += &format!("interrupted: {} runs did not end\n", interrupted.len());
    }
    if let Some(again) = &regression.again {
        text += &format!("{again}\n");
    }
    let cycles: u64 = regression.runs.iter().filter_map(|run| run.cycles).sum();
    text + &format!(
        "{} of {} runs passed, {cycles} cycles compared, {:.0} s with {} workers",
        regression.count(Verdict::Passed),
        regression.runs.len(),
        regression.seconds,
        regression.workers
    )
}

/// What is wrong: a difference weighs most; then whatever kept runs from their verdict.
pub fn verdict(regression: &Regression) -> Option<Exit> {
    let all_passed = regression.count(Verdict::Passed) == regression.runs.len();
    if regression.count(Verdict::Failed) > 0 {
        Some(Exit::Diverged)
    } else {
        (!all_passed).then_some(Exit::ToolFailed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_report::{Case, INTERRUPTED, NOT_REACHED, Run, TestedPart};

    #[test]
    fn users_12_an_interrupted_suite_says_in_one_line_what_did_not_end() {
        let case = |seed| Case::new("MKNS(2,4,2,1)", TestedPart::Switch, "uniform", seed, 100);
        let runs = (0..28).map(|seed| match seed {
            0 => Run {
                verdict: Verdict::Hung,
                ..Run::not_run(&case(seed), "no end")
            },
            1..5 => Run::not_run(&case(seed), INTERRUPTED),
            _ => Run::not_run(&case(seed), NOT_REACHED),
        });
        let regression = Regression {
            runs: runs.collect(),
            ..Regression::default()
        };
        let text = text_of(&regression);
        assert_eq!(text.lines().count(), 5, "{text}");
        assert!(
            text.contains("\ninterrupted: 27 runs did not end\n"),
            "{text}"
        );
    }
}
