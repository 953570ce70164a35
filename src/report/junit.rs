//! A regression as JUnit XML, which continuous-integration servers show.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::regression::{Regression, Run, Verdict};

/// The XML document. A difference is a `failure`; whatever kept a run from its verdict is an
/// `error`, as JUnit has it.
pub fn junit(regression: &Regression) -> String {
    let mut suite = TestSuite::new(&*regression.suite);
    suite.set_time(duration(regression.seconds));
    for run in &regression.runs {
        suite.add_test_case(test_case(run));
    }
    let mut report = Report::new("mkns regress");
    report.set_time(duration(regression.seconds));
    report.add_test_suite(suite);
    report
        .to_string()
        .expect("a report of plain strings can be written")
}

fn test_case(run: &Run) -> TestCase {
    let status = match run.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        verdict => {
            let kind = match verdict {
                Verdict::Failed => NonSuccessKind::Failure,
                _ => NonSuccessKind::Error,
            };
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(verdict.name());
            status.set_message(message(run));
            status.set_description(format!("{}\nreplay: {}", run.detail, run.replay));
            status
        }
    };
    let mut case = TestCase::new(run.case.name(), status);
    case.set_classname(run.case.spec.as_str());
    case.set_time(duration(run.seconds));
    case
}

/// What went wrong in one line: of a diagnostic its fact.
fn message(run: &Run) -> &str {
    let first = run.detail.lines().next().unwrap_or(run.verdict.name());
    let fact = first
        .strip_prefix("error[")
        .and_then(|code| code.split_once("]: "));
    fact.map_or(first, |(_, fact)| fact)
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
