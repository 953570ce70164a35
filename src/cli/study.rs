//! `mkns study`: a matrix of simulations, here or on Slurm, with a row for every run.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;

use super::cluster::{self, Cluster};
use super::processors::processors;
use super::progress::{self, Progress};
use super::study_line::{Lines, options};
use super::{Command, CommandError, Context, Format, format, interrupt, output_path};
use mkns_diag::{Code, Exit, TextFile, TextKind};
use mkns_jobs::slurm;
use mkns_jobs::{Batch, Job, JobListener, Outcome, SUPERSEDED, Status, Store, run_here};
use mkns_study::{Rows, read_study, write_sqlite};

/// Run a matrix of simulations, one result row each; finished runs are kept
#[derive(Debug, Args)]
pub struct Study {
    /// Study file (docs/how-to/study-on-a-cluster.md)
    #[arg(required_unless_present = "merge")]
    file: Option<PathBuf>,
    /// Folder for the results [default: the name of FILE without .toml]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// How many runs are made at the same time [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N")]
    workers: Option<usize>,
    #[command(flatten)]
    cluster: Cluster,
    /// With --on slurm: wait for the tasks and collect their results
    #[arg(long)]
    wait: bool,
    /// Repeat all runs except those finished, failed or refused
    #[arg(long)]
    resume: bool,
    /// Report progress and start no run
    #[arg(long, conflicts_with_all = ["wait", "resume", "collect", "cancel"])]
    status: bool,
    /// Write the tables of the results so far and start no run
    #[arg(long, conflicts_with_all = ["wait", "resume", "cancel"])]
    collect: bool,
    /// Cancel the tasks of the study
    #[arg(long, conflicts_with_all = ["wait", "resume"])]
    cancel: bool,
    /// Merge the results in these folders into --output; a run that occurs several times counts once
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "output",
          conflicts_with_all = ["file", "workers", "on", "slurm_args", "wait", "resume", "status", "collect", "cancel"])]
    merge: Vec<PathBuf>,
}

/// Tables in the folder of the results.
const CSV: &str = "runs.csv";
const SQLITE: &str = "runs.sqlite";

impl Command for Study {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let Some(file) = &self.file else {
            return self.merge_folders(context);
        };
        let source = file.display().to_string();
        let remedy = "give the path of a study file";
        let text = TextFile::new(file, TextKind::Toml).missing(Code::NotStudyFile, remedy);
        let text = text.read()?;
        let mut lines = Lines::default();
        let check = |job: &mut Job| {
            job.seconds = lines.seconds(&job.words)?;
            Ok(())
        };
        let study = read_study(&source, &text, &options(), check)?;
        let settings = self.cluster.settings(&study.slurm)?;
        if self.wait && !self.cluster.is_slurm() {
            return Err(CommandError::no_effect("--wait", "without `--on slurm`"));
        }
        let folder = self.folder(file);
        output_path::folder("--output", &folder)?;
        let batch = |jobs| Batch {
            limits: study.limits,
            jobs,
        };
        if self.cancel {
            let tasks = slurm::cancel(&folder)?;
            context.summary(format_args!("cancelled {tasks} tasks"));
            return Ok(());
        }
        // Tasks of an earlier call may be under way, wherever this one runs.
        let under_way = slurm::collect(&folder)?;
        if !self.status {
            self.set_aside(&folder, &study.jobs, context)?;
        }
        if !self.status && !self.collect {
            let wanted = batch(self.wanted(&folder, &study.jobs, &under_way));
            if self.cluster.is_slurm() {
                cluster::submit(&folder, &wanted, &settings, context)?;
            } else {
                self.run_here(&folder, &wanted, context)?;
            }
            if self.wait {
                cluster::wait(&folder, &study.jobs, context)?;
            }
        }
        let under_way = slurm::collect(&folder)?;
        self.tell(&folder, Some(&study.jobs), &under_way, context)
    }
}

impl Study {
    fn folder(&self, file: &Path) -> PathBuf {
        let named = || {
            file.file_stem()
                .map_or_else(|| "study".into(), PathBuf::from)
        };
        self.output.clone().unwrap_or_else(named)
    }

    /// Sets rows of other inputs and of other programs aside, and says how many.
    fn set_aside(
        &self,
        folder: &Path,
        jobs: &[Job],
        context: &Context,
    ) -> Result<(), CommandError> {
        let failed = CommandError::io(format!("set rows of {} aside", folder.display()));
        let old = Store::new(folder).set_aside(jobs).map_err(failed)?;
        if old > 0 {
            context.summary(format_args!(
                "rows of other inputs or another build of mkns: {old}, now in {}{}",
                folder.join(SUPERSEDED).display(),
                match self.collect {
                    true => "",
                    false => "; their runs are repeated",
                }
            ));
        }
        Ok(())
    }

    /// Jobs that are to run now.
    fn wanted(&self, folder: &Path, jobs: &[Job], under_way: &slurm::Progress) -> Vec<Job> {
        let store = Store::new(folder);
        let is_wanted = |job: &&Job| {
            let row = store.get(&job.key);
            let is_open = row.is_none_or(|row| self.resume && !row.status.is_final());
            is_open && !under_way.under_way.contains(&job.key)
        };
        jobs.iter().filter(is_wanted).cloned().collect()
    }

    fn run_here(
        &self,
        folder: &Path,
        batch: &Batch,
        context: &Context,
    ) -> Result<(), CommandError> {
        let workers = self.workers.unwrap_or_else(processors).max(1);
        let stop = interrupt::stop();
        let template = "{bar:30} {pos}/{len} runs {elapsed} {msg}";
        let runs = batch.jobs.len() as u64;
        let bar = Bar(progress::styled(context, Some(runs), template));
        let program = cluster::this_program()?;
        let ended = run_here(batch, &program, &Store::new(folder), workers, &stop, &bar);
        bar.0.finish_and_clear();
        if stop.load(Ordering::Relaxed) {
            context.summary("interrupted; the same command resumes");
        }
        ended.map_err(CommandError::io("keep a result"))
    }

    /// Writes the tables and says what they hold.
    fn tell(
        &self,
        folder: &Path,
        jobs: Option<&[Job]>,
        under_way: &slurm::Progress,
        context: &Context,
    ) -> Result<(), CommandError> {
        let unread = CommandError::io(format!("read {}", folder.display()));
        let rows = Rows::of(folder, jobs).map_err(unread)?;
        if !self.status {
            output_path::write(&folder.join(CSV), rows.csv())?;
            write_sqlite(&rows, &folder.join(SQLITE)).map_err(|error| {
                let fact = format!("cannot write {}: {error}", folder.join(SQLITE).display());
                let remedy = "check that the disk has free space";
                CommandError::new(Code::InputOutput, fact, remedy)
            })?;
        }
        context.table(text(folder, &rows, under_way), || rows.csv(), &rows)?;
        let is_open =
            self.status || self.cluster.is_slurm() && !self.wait || !under_way.under_way.is_empty();
        if is_open || rows.count(Status::Finished) == rows.rows.len() {
            return Ok(());
        }
        Err(CommandError {
            exit: Exit::ToolFailed,
            diagnostics: Vec::new(),
        })
    }

    fn merge_folders(&self, context: &Context) -> Result<(), CommandError> {
        let target = self.output.as_deref().unwrap_or(Path::new("."));
        for folder in &self.merge {
            if !is_folder(folder) {
                let fact = format!("{} holds no results of `mkns study`", folder.display());
                let remedy = "name folders that `mkns study` has written";
                return Err(CommandError::new(Code::NotResultsFolder, fact, remedy));
            }
            ensure_own(folder)?;
        }
        output_path::folder("--output", target)?;
        let store = Store::new(target);
        for folder in &self.merge {
            let failed = CommandError::io(format!("merge {}", folder.display()));
            store.merge(&Store::new(folder)).map_err(failed)?;
        }
        self.tell(target, None, &slurm::Progress::default(), context)
    }
}

/// Refuses results whose file does not have the name that it says: mkns has not written them there.
fn ensure_own(folder: &Path) -> Result<(), CommandError> {
    let unread = CommandError::io(format!("read {}", folder.display()));
    let unknown_files = Store::new(folder).unknown_files().map_err(unread)?;
    let Some(one) = unknown_files.first() else {
        return Ok(());
    };
    let fact = format!(
        "{} holds the run `{}`, but a file has the name of its run: 32 hexadecimal digits",
        one.path.display(),
        one.key
    );
    let remedy = "remove the file, or name folders that `mkns study` has written";
    Err(CommandError::new(Code::NotResultsFolder, fact, remedy))
}

/// Whether a path is a folder of results.
pub fn is_folder(path: &Path) -> bool {
    path.join("runs").is_dir()
}

/// How many rows have which status, and what did not finish.
fn text(folder: &Path, rows: &Rows, under_way: &slurm::Progress) -> String {
    let mut text = rows.summary();
    if !under_way.under_way.is_empty() {
        text += &format!(
            "; {} tasks run, {} wait, with {} runs",
            under_way.running,
            under_way.pending,
            under_way.under_way.len()
        );
    }
    let again = [
        Status::Killed,
        Status::TimedOut,
        Status::OutOfMemory,
        Status::Crashed,
    ];
    let again: usize = again.into_iter().map(|status| rows.count(status)).sum();
    if again > 0 {
        text += &format!("\n`--resume` runs {again} of them again");
    }
    text + &format!("\nrows in {}", folder.join(CSV).display())
}

/// Progress of the runs.
struct Bar(Progress);

impl JobListener for Bar {
    fn begins(&self, _: &Job) {}

    fn ended(&self, outcome: &Outcome) {
        let words = outcome.job.words.join(" ");
        let line = format!("{}: mkns {words}", outcome.status.name());
        match outcome.status {
            Status::Finished => self.0.step(&format!("{line}, {:.1} s", outcome.seconds)),
            _ => self.0.report(&line),
        }
        self.0.inc(1);
    }
}
