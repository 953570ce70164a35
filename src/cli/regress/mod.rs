//! `mkns regress`: the runs of a suite, each in a process of its own, and their report.

mod bar;
mod earlier;
mod journal;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;

use super::cluster::{RemoteRun, this_program};
use super::processors::processors;
use super::{Command, CommandError, Context, interrupt, output_path};
use bar::Bar;
use earlier::{Selection, text_file};
use journal::Journal;
use mkns_campaign::regress::{Inputs, Limits, Planned, Runner, Suites, job, read_suites, row};
use mkns_diag::{Code, Diagnostic, TextKind, nearest};
use mkns_jobs::{Batch, Job};
use mkns_report as report;
use mkns_report::{Regression, Run};
pub use text::{text_of, verdict};

/// File of the page of `--html`.
const PAGE: &str = "index.html";

/// Run a suite of co-simulations, each in its own process, and report the results
#[derive(Debug, Args)]
pub struct Regress {
    /// Regression file (docs/reference/verification.md)
    file: PathBuf,
    /// The suite to run [default: smoke, or the only one]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// Run only the runs whose name, as printed by --list, contains this text
    #[arg(long, value_name = "TEXT", conflicts_with = "rerun_failed")]
    only: Option<String>,
    /// Print the names of the runs and run nothing
    #[arg(long, conflicts_with_all = ["rerun_failed", "minutes", "junit", "json", "html"])]
    list: bool,
    /// How many runs are made at the same time [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N")]
    workers: Option<usize>,
    /// First seed, where the file says only how many seeds
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        alias = "first-seed",
        conflicts_with = "rerun_failed"
    )]
    seed: u64,
    /// Repeat the suite with new seeds until this many minutes have passed
    #[arg(long, value_name = "MINUTES", conflicts_with = "rerun_failed")]
    minutes: Option<u64>,
    #[command(flatten)]
    remote: RemoteRun,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write one self-contained page, DIR/index.html
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Repeat only the runs of `--json FILE` that did not pass, or that passed with different settings, specs, cases,
    /// RTL or another build of mkns, and update the file
    #[arg(long, requires = "json")]
    rerun_failed: bool,
}

impl Command for Regress {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let source = self.file.display().to_string();
        let text = text_file(&self.file, TextKind::Toml).read()?;
        let suites = read_suites(&source, &text)?;
        let earlier = self.earlier()?;
        let suite = self.suite_of(&suites, earlier.as_ref())?;
        let begun = earlier.clone().unwrap_or_else(|| self.no_rows(suite));
        let planned = self.planned(&suites, &begun)?;
        if self.list {
            let cases: Vec<_> = planned.into_iter().map(|planned| planned.case).collect();
            let names: Vec<String> = cases.iter().map(|case| case.name()).collect();
            return context.result(names.join("\n"), &cases);
        }
        let page = self.html.as_ref().map(|folder| folder.join(PAGE));
        output_path::files([
            ("--junit", self.junit.as_ref()),
            ("--json", self.json.as_ref()),
            ("--html", page.as_ref()),
        ])?;
        let selection = Selection::of(planned, earlier);
        if let Some(again) = &selection.again {
            context.detail(again);
        }
        let regression = Regression {
            runs: selection.kept.clone(),
            again: selection.again.clone(),
            ..begun
        };
        let journal = Journal::new(self.json.as_deref(), regression.clone());
        let ended = match self.run_remotely(&suites, &selection.wanted, context)? {
            Some(ended) => Ended {
                rounds: regression.rounds,
                ..ended
            },
            None => self.run_all(
                &suites,
                &regression,
                selection.wanted,
                &Bar::new(context, journal),
            )?,
        };
        let regression = ended.beside(regression, &selection.order);
        self.tell(&regression, context)
    }
}

/// What was run, and how.
struct Ended {
    runs: Vec<Run>,
    rounds: u64,
    workers: usize,
    seconds: f64,
}

impl Ended {
    /// All rows in the order of the suite.
    fn beside(self, earlier: Regression, order: &[Planned]) -> Regression {
        let mut regression = Regression {
            version: mkns_jobs::version(),
            program: mkns_jobs::program_identity().to_owned(),
            rounds: self.rounds,
            workers: self.workers,
            seconds: earlier.seconds + self.seconds,
            ..earlier
        };
        regression.runs.extend(self.runs);
        let names = order.iter().map(|planned| planned.case.name());
        let places: BTreeMap<String, usize> = names.zip(0..).collect();
        let place = |run: &Run| places.get(&run.case.name()).copied();
        let runs = &mut regression.runs;
        runs.sort_by_cached_key(|run| place(run).unwrap_or(usize::MAX));
        regression
    }
}

impl Regress {
    /// The rows to be updated, if any.
    fn earlier(&self) -> Result<Option<Regression>, CommandError> {
        let path = self.json.as_ref().filter(|_| self.rerun_failed);
        path.map(|path| earlier::read(path, &self.file, self.suite.as_deref()))
            .transpose()
    }

    /// The name of the suite: as asked for, as in the rows, or the one that is meant.
    fn suite_of<'a>(
        &'a self,
        suites: &'a Suites,
        earlier: Option<&'a Regression>,
    ) -> Result<&'a str, CommandError> {
        let asked = self.suite.as_deref();
        let asked = asked.or(earlier.map(|earlier| earlier.suite.as_str()));
        let names: Vec<&str> = suites.names().collect();
        let (fact, near) = match asked.or(suites.default_name()) {
            Some(name) if names.contains(&name) => return Ok(name),
            Some(name) => (
                format!("{} has no suite `{name}`", self.file.display()),
                nearest(name, names.iter().copied()),
            ),
            None => (format!("{} has several suites", self.file.display()), None),
        };
        let remedy = match near {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("name one with `--suite`: {}", names.join(", ")),
        };
        Err(CommandError::new(Code::NoSuchSuite, fact, remedy))
    }

    /// All runs that rows are expected of: of as many rounds of the suite as there are.
    fn planned(&self, suites: &Suites, rows: &Regression) -> Result<Vec<Planned>, CommandError> {
        let mut inputs = Inputs::default();
        let step = suites.seeds_a_round(&rows.suite);
        let mut planned = Vec::new();
        let mut names = BTreeSet::new();
        for round in 0..rows.rounds {
            let first_seed = rows.first_seed.wrapping_add(round.wrapping_mul(step));
            let cases = suites.cases(&rows.suite, first_seed).unwrap_or_default();
            let is_wanted =
                |text: &String| self.only.as_ref().is_none_or(|only| text.contains(only));
            let cases = cases.into_iter().filter(|case| {
                let name = case.name();
                is_wanted(&name) && names.insert(name)
            });
            planned.extend(inputs.planned(cases.collect()));
        }
        if !planned.is_empty() {
            return Ok(planned);
        }
        let (source, suite) = (self.file.display(), &rows.suite);
        let (fact, remedy) = match &self.only {
            Some(only) => (
                format!("no run of suite `{suite}` of {source} has `{only}` in its name"),
                "`--list` prints the names",
            ),
            None => (
                format!("suite `{suite}` of {source} has no runs"),
                "give it a matrix, `[[suite.NAME]]`, or choose another suite",
            ),
        };
        Err(CommandError::new(Code::NoSuchSuite, fact, remedy))
    }

    /// What came of the runs in tasks of Slurm; none where they are to run here.
    fn run_remotely(
        &self,
        suites: &Suites,
        wanted: &[Planned],
        context: &Context,
    ) -> Result<Option<Ended>, CommandError> {
        if self.remote.cluster.is_slurm() && self.minutes.is_some() {
            return Err(CommandError::no_effect("--minutes", "with `--on slurm`"));
        }
        let start = Instant::now();
        let runs = run_cases(&self.remote, wanted, suites.limits, &[], context)?;
        Ok(runs.map(|runs| Ended {
            runs,
            rounds: 1,
            workers: 0,
            seconds: start.elapsed().as_secs_f64(),
        }))
    }

    /// Runs what is wanted, and with `--minutes` further rounds with further seeds.
    fn run_all(
        &self,
        suites: &Suites,
        rows: &Regression,
        mut wanted: Vec<Planned>,
        bar: &Bar,
    ) -> Result<Ended, CommandError> {
        let runner = Runner {
            program: this_program()?,
            limits: suites.limits,
            workers: self.workers.unwrap_or_else(processors).max(1),
            stop: interrupt::stop(),
        };
        let time = Duration::from_secs(60 * self.minutes.unwrap_or(0));
        let start = Instant::now();
        let mut runs = Vec::new();
        let mut rounds = rows.rounds;
        loop {
            bar.expects(&wanted);
            runs.extend(runner.run(&wanted, bar));
            let step = suites.seeds_a_round(&rows.suite);
            let interrupted = runner.stop.load(Ordering::Relaxed);
            if interrupted || start.elapsed() >= time || step == 0 {
                break;
            }
            let further = Regression {
                first_seed: rows.first_seed.wrapping_add(rounds.wrapping_mul(step)),
                rounds: 1,
                ..rows.clone()
            };
            wanted = self.planned(suites, &further)?;
            rounds += 1;
        }
        bar.finish();
        Ok(Ended {
            runs,
            rounds,
            workers: runner.workers,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// A regression that has not begun.
    fn no_rows(&self, suite: &str) -> Regression {
        Regression {
            file: self.file.display().to_string(),
            suite: suite.to_owned(),
            version: mkns_jobs::version(),
            program: mkns_jobs::program_identity().to_owned(),
            first_seed: self.seed,
            rounds: 1,
            ..Regression::default()
        }
    }

    /// Writes the reports, says what they say, and gives the verdict.
    fn tell(&self, regression: &Regression, context: &Context) -> Result<(), CommandError> {
        let lost = self.write(regression);
        let text = text_of(regression);
        let Some(exit) = verdict(regression) else {
            context.result(text, regression)?;
            return match lost.is_empty() {
                true => Ok(()),
                false => Err(lost.into()),
            };
        };
        let mut verdict = context.verdict(exit, text, regression);
        verdict.diagnostics.extend(lost);
        Err(verdict)
    }

    /// Writes all reports that can be written; returns what is wrong with the others.
    fn write(&self, regression: &Regression) -> Vec<Diagnostic> {
        let mut lost = Vec::new();
        let mut write = |path: &Path, text: String| {
            if let Err(error) = report::write_whole(path, &text) {
                let unwritten = CommandError::io(format!("write the report {}", path.display()));
                lost.extend(unwritten(error).diagnostics);
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
    remote: &RemoteRun,
    planned: &[Planned],
    limits: Limits,
    words: &[String],
    context: &Context,
) -> Result<Option<Vec<Run>>, CommandError> {
    let job = |planned: &Planned| Job {
        seconds: SECONDS,
        ..job(&planned.case, words, std::slice::from_ref(&planned.key))
    };
    let batch = || Batch {
        limits,
        jobs: planned.iter().map(job).collect(),
    };
    let Some(found) = remote.run(batch, context)? else {
        return Ok(None);
    };
    let run = |planned: &Planned| Run {
        key: planned.key.clone(),
        ..match found.get(&job(planned).key) {
            Some(outcome) => row(&planned.case, outcome),
            None => Run::not_run(&planned.case, "its task has not ended"),
        }
    };
    Ok(Some(planned.iter().map(run).collect()))
}
