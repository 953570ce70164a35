//! `--on slurm`: jobs as tasks of a cluster, for the verbs that have many runs.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use super::{CommandError, Context, interrupt, output_path, progress};
use mkns_diag::Code;
use mkns_jobs::slurm::{self, Settings, SlurmError};
use mkns_jobs::{Batch, Job, Outcome, Program, Store};

/// How often Slurm is asked: at first, and at most.
const PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(20));
/// How long a controller may be away while somebody waits.
const PATIENCE: Duration = Duration::from_secs(600);

/// Where runs are made.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Where it runs")]
pub struct Cluster {
    /// Where the runs are made
    #[arg(long, value_enum, default_value_t)]
    pub on: RunOn,
    /// More options for sbatch, as one argument: "--partition=short --qos=low"; can be repeated
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub slurm_args: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum RunOn {
    /// On this machine
    #[default]
    Local,
    /// In a Slurm job array, on a shared file system
    Slurm,
}

impl Cluster {
    pub fn is_slurm(&self) -> bool {
        self.on == RunOn::Slurm
    }

    /// What a file says, and the command line besides.
    pub fn settings(&self, file: &Settings) -> Result<Settings, CommandError> {
        if !self.is_slurm() && !self.slurm_args.is_empty() {
            let beside = "without `--on slurm`";
            return Err(CommandError::no_effect("--slurm-args", beside));
        }
        let mut settings = file.clone();
        let arguments = self.slurm_args.iter();
        let words = arguments.flat_map(|words| words.split_whitespace());
        settings.args.extend(words.map(str::to_owned));
        match settings.complaint() {
            None => Ok(settings),
            Some(fact) => {
                let remedy = "correct [slurm] or `--slurm-args`";
                Err(CommandError::new(Code::CommandLine, fact, remedy))
            }
        }
    }
}

/// Where the runs of a verb are made that has one report of them all.
#[derive(Debug, Clone, Default, Args)]
pub struct RemoteRun {
    #[command(flatten)]
    pub cluster: Cluster,
    /// With --on slurm: the folder on a shared file system that keeps the results. The same command resumes from it; a
    /// finished run is repeated only if its input files or mkns itself have changed
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,
}

impl RemoteRun {
    /// What jobs found in tasks of Slurm, by their keys; none where they are to run here.
    pub fn run(
        &self,
        batch: impl FnOnce() -> Batch,
        context: &Context,
    ) -> Result<Option<BTreeMap<String, Outcome>>, CommandError> {
        let settings = self.cluster.settings(&Settings::default())?;
        let folder = match (&self.runs, self.cluster.is_slurm()) {
            (None, false) => return Ok(None),
            (Some(_), false) => {
                return Err(CommandError::no_effect("--runs", "without `--on slurm`"));
            }
            (None, true) => {
                let fact = "`--on slurm` needs a folder that all nodes see";
                let remedy = "give one with `--runs DIR`";
                return Err(CommandError::new(Code::CommandLine, fact, remedy));
            }
            (Some(folder), true) => folder,
        };
        output_path::folder("--runs", folder)?;
        let batch = batch();
        let under_way = slurm::collect(folder)?.under_way;
        let store = Store::new(folder);
        let is_open = |job: &&Job| !under_way.contains(&job.key) && !store.is_final(&job.key);
        let open = Batch {
            limits: batch.limits,
            jobs: batch.jobs.iter().filter(is_open).cloned().collect(),
        };
        submit(folder, &open, &settings, context)?;
        wait(folder, &batch.jobs, context)?;
        slurm::collect(folder)?;
        let unread = CommandError::io(format!("read {}", folder.display()));
        store.all().map(Some).map_err(unread)
    }
}

/// The program that runs jobs: this one.
pub fn this_program() -> Result<Program, CommandError> {
    let path = env::current_exe().map_err(CommandError::io("find mkns"))?;
    Ok(Program { path })
}

/// Gives jobs to Slurm that are neither done nor under way; says how many tasks they are.
pub fn submit(
    folder: &Path,
    batch: &Batch,
    settings: &Settings,
    context: &Context,
) -> Result<(), CommandError> {
    if batch.jobs.is_empty() {
        return Ok(());
    }
    let submission = slurm::submit(folder, batch, settings, &this_program()?)?;
    let array = submission.tasks.len();
    context.summary(format_args!(
        "submitted {} runs in {array} tasks as {}",
        batch.jobs.len(),
        submission.name
    ));
    Ok(())
}

/// Waits until no task of a folder is left, or a signal comes: the tasks then go on.
pub fn wait(folder: &Path, jobs: &[Job], context: &Context) -> Result<(), CommandError> {
    let store = Store::new(folder);
    let bar = progress::bar(context, "waiting", "runs", jobs.len() as u64);
    let stop = interrupt::stop();
    let mut pause = PAUSES.0;
    let mut answered = Instant::now();
    loop {
        let done = jobs.iter().filter(|job| store.is_final(&job.key));
        bar.set_position(done.count() as u64);
        match slurm::progress(folder) {
            Ok(progress) if progress.under_way.is_empty() => break,
            Ok(_) => answered = Instant::now(),
            // A controller may be restarted; what tasks find does not pass through it.
            Err(SlurmError::Refused(_)) if answered.elapsed() < PATIENCE => {}
            Err(error) => return Err(error.into()),
        }
        let asked = Instant::now();
        while asked.elapsed() < pause {
            if stop.load(Ordering::Relaxed) {
                bar.finish_and_clear();
                context.summary("the tasks keep running; `--collect` fetches their results");
                return Ok(());
            }
            thread::sleep(Duration::from_millis(100));
        }
        pause = (pause * 3 / 2).min(PAUSES.1);
    }
    bar.finish_and_clear();
    Ok(())
}

impl From<SlurmError> for CommandError {
    fn from(error: SlurmError) -> Self {
        let (code, remedy) = match &error {
            SlurmError::Missing(_) => (
                Code::ClusterMissing,
                "leave `--on slurm` out, or try Slurm on this machine with `tools/slurm_here.sh up`",
            ),
            SlurmError::Refused(_) => (
                Code::ClusterFailed,
                "correct [slurm] or `--slurm-args`, or ask again when the controller answers",
            ),
            SlurmError::Foreign(_) => (
                Code::NotResultsFolder,
                "name a folder that `mkns` has written, and whose files nobody has changed",
            ),
            SlurmError::Files(_) => (
                Code::InputOutput,
                "check that the folder can be read and written",
            ),
        };
        CommandError::new(code, error.to_string(), remedy)
    }
}
