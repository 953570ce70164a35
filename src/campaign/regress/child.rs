//! One run in a process of its own, with limits on wall time and memory, so that whatever happens
//! to it is a row in a report.

use std::sync::atomic::Ordering;

use serde::Deserialize;

use mkns_cosim::Failure;
use mkns_jobs::{Job, Limits, Outcome, Program, Status, Stop};
use mkns_report::{Case, INTERRUPTED, Run, TestedPart, Verdict};

/// What `mkns cosim --format json` says.
#[derive(Debug, Deserialize)]
struct Comparison {
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    blocks: Vec<Compared>,
    #[serde(default)]
    networks: Vec<Compared>,
    failure: Option<Box<Failure>>,
}

/// One comparison without a difference.
#[derive(Debug, Deserialize)]
struct Compared {
    cycles: u64,
    /// Blocks of a network; a lone block's entry holds its name.
    #[serde(default)]
    blocks: u64,
}

/// The job of a case, with further words of its command line; `inputs` stand for the contents of its files.
pub fn job(case: &Case, further: &[String], inputs: &[String]) -> Job {
    let mut words = case.arguments();
    words.extend_from_slice(further);
    if case.part == TestedPart::Network && case.case.is_none() {
        // The runs beside it are the threads.
        words.extend(["--threads", "1"].map(str::to_owned));
    }
    Job::new(words, vec![("case".to_owned(), case.name())], inputs)
}

/// Runs a case to whatever end it comes.
pub fn run_case(program: &Program, case: &Case, limits: Limits, stop: &Stop) -> Run {
    if stop.load(Ordering::Relaxed) {
        return Run::not_run(case, INTERRUPTED);
    }
    match program.run(&job(case, &[], &[]), limits, stop) {
        Some(outcome) => row(case, &outcome),
        None => Run::not_run(case, INTERRUPTED),
    }
}

/// The row of a case from what became of its job.
pub fn row(case: &Case, outcome: &Outcome) -> Run {
    let mut run = Run::not_run(case, outcome.detail.clone());
    run.seconds = outcome.seconds;
    run.exit_code = outcome.exit_code;
    let comparison: Option<Comparison> = serde_json::from_value(outcome.result.clone()).ok();
    match (outcome.status, outcome.exit_code, comparison) {
        (Status::Finished, _, Some(comparison)) if comparison.failure.is_none() => {
            passed(&mut run, &comparison);
        }
        // A difference stays one, whatever else went wrong.
        (_, Some(5), comparison) => failed(&mut run, comparison, &outcome.detail),
        (Status::TimedOut, ..) => run.verdict = Verdict::Hung,
        (Status::OutOfMemory, ..) => run.verdict = Verdict::OutOfMemory,
        (Status::NotRun, ..) | (_, Some(1 | 2 | 6 | 7), _) => {}
        (_, Some(code), _) => {
            run.verdict = Verdict::Crashed;
            run.detail = format!("exit code {code} without a result\n{}", outcome.detail);
        }
        _ => run.verdict = Verdict::Crashed,
    }
    run
}

/// The row of a difference; the command that shows it again stands beside the text, not in it.
fn failed(run: &mut Run, comparison: Option<Comparison>, detail: &str) {
    run.verdict = Verdict::Failed;
    match comparison.and_then(|comparison| comparison.failure) {
        Some(mut failure) => {
            run.replay = std::mem::take(&mut failure.replay);
            run.detail = failure.to_string();
        }
        None => run.detail = format!("a difference without a report\n{detail}"),
    }
}

fn passed(run: &mut Run, comparison: &Comparison) {
    let compared = || comparison.blocks.iter().chain(&comparison.networks);
    let cycles = compared().map(|part| part.cycles).sum();
    if cycles == 0 {
        run.detail = "nothing was compared".to_owned();
        return;
    }
    run.verdict = Verdict::Passed;
    run.detail.clear();
    run.cycles = Some(cycles);
    let work: u64 = compared()
        .map(|part| part.cycles * part.blocks.max(1))
        .sum();
    run.speed = (comparison.seconds > 0.0).then(|| work as f64 / comparison.seconds);
}
