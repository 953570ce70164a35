//! `mkns regress`: the runs of a suite, each in a process of its own, and their report.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::cluster::Away;
use super::processors::processors;
use super::regress_journal::Journal;
use super::{Command, CommandError, Context, interrupt, output_path, progress};
use mkns_cosim::regress::{Limits, Program, Runner, Suites, Watch, job, read_suites, row};
use mkns_diag::{Code, Diagnostic, Exit, Place, nearest};
use mkns_jobs::{Batch, Job};
use mkns_report as report;
use mkns_report::{Case, Regression, Run, Verdict};

/// File of the page of `--html`.
const PAGE: &str = "index.html";

/// Run a suite of co-simulations, each in its own process, and report on them
#[derive(Debug, Args)]
pub struct Regress {
    /// Regression file (docs/reference/verification.md)
    file: PathBuf,
    /// Which of its suites
    #[arg(
        long,
        value_name = "NAME",
        default_value = "smoke",
        conflicts_with = "rerun_failed"
    )]
    suite: String,
    /// Runs at the same time [default: one a processor]
    #[arg(short = 'j', long = "jobs", value_name = "N")]
    workers: Option<usize>,
    /// First seed where the file gives only how many
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        conflicts_with = "rerun_failed"
    )]
    first_seed: u64,
    /// Repeat the suite with further seeds until so many minutes have passed
    #[arg(long, value_name = "MINUTES", conflicts_with = "rerun_failed")]
    minutes: Option<u64>,
    #[command(flatten)]
    away: Away,
    /// Write the rows as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the rows as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one self-contained page, DIR/index.html
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Run again only what did not pass in the rows of `--json FILE`, and update them
    #[arg(long, requires = "json")]
    rerun_failed: bool,
}

impl Command for Regress {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let source = self.file.display().to_string();
        let text = fs::read_to_string(&self.file).map_err(|error| unreadable(&source, &error))?;
        let suites = read_suites(&source, &text)?;
        let earlier = self.earlier()?;
        let cases = match &earlier {
            Some(earlier) => earlier.failures().map(|run| run.case.clone()).collect(),
            None => self.cases(&suites, self.first_seed)?,
        };
        if cases.is_empty() && earlier.is_none() {
            let fact = format!("suite `{}` of {source} has no runs", self.suite);
            let remedy = "give it a matrix, `[[suite.NAME]]`, or choose another suite";
            return Err(CommandError::new(Code::NoSuchSuite, fact, remedy));
        }
        let all_passed = cases.is_empty();
        let page = self.html.as_ref().map(|folder| folder.join(PAGE));
        output_path::files([
            ("--junit", self.junit.as_ref()),
            ("--json", self.json.as_ref()),
            ("--html", page.as_ref()),
        ])?;
        let journal = Journal::new(
            self.json.as_deref(),
            earlier.clone().unwrap_or_else(|| self.no_rows()),
        );
        let mut regression = match self.run_away(&suites, &cases, context)? {
            Some(regression) => regression,
            None => self.run_all(&suites, cases, &Bar::new(context, journal))?,
        };
        if let Some(mut earlier) = earlier {
            earlier.update(regression);
            regression = earlier;
        }
        let lost = self.write(&regression);
        let text = match all_passed {
            true => format!(
                "nothing to run again: all {} rows passed",
                regression.runs.len()
            ),
            false => text_of(&regression),
        };
        let Some(exit) = verdict(&regression) else {
            context.result(text, &regression)?;
            return match lost.is_empty() {
                true => Ok(()),
                false => Err(lost.into()),
            };
        };
        let mut verdict = context.verdict(exit, text, &regression);
        verdict.diagnostics.extend(lost);
        Err(verdict)
    }
}

impl Regress {
    /// The rows to be updated, if any.
    fn earlier(&self) -> Result<Option<Regression>, CommandError> {
        let Some(path) = self.json.as_ref().filter(|_| self.rerun_failed) else {
            return Ok(None);
        };
        let source = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| unreadable(&source, &error))?;
        let refused = |fact: String| {
            let remedy = "run once without `--rerun-failed`, which writes the rows";
            Diagnostic::new(Code::NoRowsToRepeat, fact, remedy)
                .at(Place::file(&source))
                .into()
        };
        let rows: Regression = serde_json::from_str(&text)
            .map_err(|error| refused(format!("these are no rows of a regression: {error}")))?;
        if rows.runs.is_empty() {
            return Err(refused("the regression has no rows".to_owned()));
        }
        if !is_same(Path::new(&rows.file), &self.file) {
            let fact = format!("the rows are of {}, another regression file", rows.file);
            return Err(refused(fact));
        }
        Ok(Some(rows))
    }

    fn cases(&self, suites: &Suites, first_seed: u64) -> Result<Vec<Case>, CommandError> {
        suites.cases(&self.suite, first_seed).ok_or_else(|| {
            let names: Vec<&str> = suites.names().collect();
            let fact = format!("{} has no suite `{}`", self.file.display(), self.suite);
            let remedy = match nearest(&self.suite, names.iter().copied()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("its suites are {}", names.join(", ")),
            };
            CommandError::new(Code::NoSuchSuite, fact, remedy)
        })
    }

    /// The rows of the cases from tasks of Slurm; none where they are to run here.
    fn run_away(
        &self,
        suites: &Suites,
        cases: &[Case],
        context: &Context,
    ) -> Result<Option<Regression>, CommandError> {
        if self.away.cluster.is_slurm() && self.minutes.is_some() {
            return Err(CommandError::no_effect("--minutes", "with `--on slurm`"));
        }
        let start = Instant::now();
        let runs = run_cases(&self.away, cases, suites.limits, &[], context)?;
        Ok(runs.map(|runs| Regression {
            seconds: start.elapsed().as_secs_f64(),
            runs,
            ..self.no_rows()
        }))
    }

    /// Runs the cases, and with `--minutes` further rounds with further seeds.
    fn run_all(
        &self,
        suites: &Suites,
        mut cases: Vec<Case>,
        bar: &Bar,
    ) -> Result<Regression, CommandError> {
        let path = env::current_exe().map_err(|error| CommandError::io("find mkns", &error))?;
        let runner = Runner {
            program: Program { path },
            limits: suites.limits,
            workers: self.workers.unwrap_or_else(processors).max(1),
            stop: interrupt::stop(),
        };
        let time = Duration::from_secs(60 * self.minutes.unwrap_or(0));
        let start = Instant::now();
        let mut runs = Vec::new();
        let mut first_seed = self.first_seed;
        loop {
            bar.bar.inc_length(cases.len() as u64);
            bar.journal.expects(&cases);
            runs.extend(runner.run(&cases, bar));
            let step = suites.seeds_a_round(&self.suite);
            let interrupted = runner.stop.load(Ordering::Relaxed);
            if interrupted || start.elapsed() >= time || step == 0 {
                break;
            }
            first_seed = first_seed.wrapping_add(step);
            cases = self.cases(suites, first_seed)?;
        }
        bar.bar.finish_and_clear();
        Ok(Regression {
            workers: runner.workers,
            seconds: start.elapsed().as_secs_f64(),
            runs,
            ..self.no_rows()
        })
    }

    /// A regression that has not begun.
    fn no_rows(&self) -> Regression {
        Regression {
            file: self.file.display().to_string(),
            suite: self.suite.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workers: 0,
            seconds: 0.0,
            runs: Vec::new(),
        }
    }

    /// Writes all reports that can be written; returns what is wrong with the others.
    fn write(&self, regression: &Regression) -> Vec<Diagnostic> {
        let mut lost = Vec::new();
        let mut write = |path: &Path, text: String| {
            if let Err(error) = report::write_whole(path, &text) {
                let what = format!("write the report {}", path.display());
                lost.extend(CommandError::io(&what, &error).diagnostics);
            }
        };
        if let Some(path) = &self.junit {
            write(path, report::junit(regression));
        }
        if let Some(path) = &self.json {
            write(path, super::render::to_json(regression) + "\n");
        }
        if let Some(folder) = &self.html {
            write(&folder.join(PAGE), report::html(regression));
        }
        lost
    }
}

/// Seconds of a run, about: building its model takes most.
const SECONDS: f64 = 30.0;

/// The rows of cases from tasks of Slurm, each with some further words; none where they are to run here.
pub fn run_cases(
    away: &Away,
    cases: &[Case],
    limits: Limits,
    words: &[String],
    context: &Context,
) -> Result<Option<Vec<Run>>, CommandError> {
    let job = |case: &Case| Job {
        seconds: SECONDS,
        ..job(case, words)
    };
    let batch = || Batch {
        limits,
        jobs: cases.iter().map(job).collect(),
    };
    let Some(found) = away.run(batch, context)? else {
        return Ok(None);
    };
    let run = |case: &Case| match found.get(&job(case).key) {
        Some(outcome) => row(case, outcome),
        None => Run::not_run(case, "its task has not ended"),
    };
    Ok(Some(cases.iter().map(run).collect()))
}

/// Whether two paths name one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let ends = (one.canonicalize(), other.canonicalize());
    one == other || matches!(ends, (Ok(one), Ok(other)) if one == other)
}

fn unreadable(source: &str, error: &std::io::Error) -> CommandError {
    let fact = format!("cannot read the file: {error}");
    let remedy = "give the path of a regression file; see docs/reference/verification.md";
    let place = Place::file(source);
    Diagnostic::new(Code::NotRegressionFile, fact, remedy)
        .at(place)
        .into()
}

/// What did not pass, and one line about all.
pub fn text_of(regression: &Regression) -> String {
    let mut text = String::new();
    for run in regression.failures() {
        text += &format!("{}: {}\n", run.verdict.name(), run.case.name());
        for line in run.detail.lines() {
            text += &format!("    {line}\n");
        }
        text += &format!("    replay: {}\n", run.replay);
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

/// Progress on a terminal; silent elsewhere. And rows on disk.
struct Bar {
    bar: ProgressBar,
    journal: Journal,
}

impl Bar {
    fn new(context: &Context, journal: Journal) -> Self {
        // No time left: the first runs build the models of those after them.
        let template = "{bar:30} {pos}/{len} runs {elapsed} {msg}";
        let bar = progress::styled(context, Some(0), template);
        Self { bar, journal }
    }
}

impl Watch for Bar {
    fn begins(&self, case: &Case) {
        self.bar.set_message(case.name());
    }

    fn ended(&self, run: &Run) {
        if run.verdict != Verdict::Passed {
            let line = format!("{}: {}", run.verdict.name(), run.case.name());
            self.bar.println(line);
        }
        self.bar.inc(1);
        self.journal.ended(run);
    }
}
