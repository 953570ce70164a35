//! A submission: its folder, its tasks, its array.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mkns_scratch::write_whole;
use serde::{Deserialize, Serialize};

use super::command::{SlurmError, run};
use super::settings::Settings;
use super::states::{JobNumber, TaskState, ask, find};
use crate::job::{Batch, Job, Limits, is_key};
use crate::pack::pack;
use crate::process::Program;
use crate::text::text_of;

/// What the tasks of an array run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Submission {
    /// Its name in Slurm, its own.
    pub name: String,
    pub limits: Limits,
    /// Jobs of every task.
    pub tasks: Vec<Vec<Job>>,
    #[serde(skip)]
    folder: PathBuf,
    #[serde(skip)]
    asked: OnceLock<BTreeMap<usize, TaskState>>,
}

/// Files of a submission.
const TASKS: &str = "tasks.json";
const JOB: &str = "job";
const STATES: &str = "states";
/// How the name of a submission begins; a key follows.
const NAME: &str = "mkns-";

/// Packs jobs into tasks and gives them to Slurm.
///
/// # Errors
/// When Slurm refuses, or files cannot be written.
pub fn submit(
    folder: &Path,
    batch: &Batch,
    settings: &Settings,
    program: &Program,
) -> Result<Submission, SlurmError> {
    let packed = pack(
        &batch.jobs,
        settings.task_minutes * 60.0,
        settings.most_tasks,
    );
    let length = |task: &Vec<usize>| task.iter().map(|&at| batch.jobs[at].seconds).sum::<f64>();
    let longest = packed.iter().map(length).fold(0.0, f64::max);
    let own = new_folder(folder)?;
    let jobs_of = |task: &Vec<usize>| task.iter().map(|&at| batch.jobs[at].clone()).collect();
    let key = Job::new(vec![own.display().to_string()], Vec::new(), &[]).key;
    let submission = Submission {
        name: format!("{NAME}{key}"),
        limits: batch.limits,
        tasks: packed.iter().map(jobs_of).collect(),
        folder: own.clone(),
        asked: OnceLock::new(),
    };
    let text = serde_json::to_string_pretty(&submission).map_err(io::Error::from)?;
    write_whole(&own.join(TASKS), text + "\n")?;
    let script = format!(
        "#!/bin/sh\nexec {} task {} \"$SLURM_ARRAY_TASK_ID\"\n",
        quoted(&program.path),
        quoted(&own)
    );
    write_whole(&own.join("task.sh"), script)?;
    let mut arguments = settings.arguments(submission.tasks.len(), longest);
    arguments.extend([
        "--parsable".to_owned(),
        format!("--job-name={}", submission.name),
        format!("--output={}/%a.log", in_pattern(&own)),
        "--open-mode=append".to_owned(),
        own.join("task.sh").display().to_string(),
    ]);
    let said = run("sbatch", &arguments).inspect_err(|_| {
        // Nothing was submitted.
        let _ = fs::remove_dir_all(&own);
    })?;
    let job = said.split(';').next().and_then(JobNumber::of);
    let job = job.ok_or_else(|| {
        let said = said.trim();
        SlurmError::Refused(format!("sbatch says `{said}` and not a number of a job"))
    })?;
    submission.belongs_to(job)?;
    Ok(submission)
}

/// A folder as sbatch expands names of files: `%` begins what it replaces.
fn in_pattern(folder: &Path) -> String {
    folder.display().to_string().replace('%', "%%")
}

/// The next number that nobody has taken.
fn new_folder(folder: &Path) -> Result<PathBuf, SlurmError> {
    fs::create_dir_all(folder.join("slurm"))?;
    let all = folder.canonicalize()?.join("slurm");
    let mut number = 1;
    loop {
        let own = all.join(number.to_string());
        match fs::create_dir(&own) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => {
                made?;
                return Ok(own);
            }
        }
    }
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// All submissions of a folder of results, in their order.
///
/// # Errors
/// When a folder cannot be read.
pub fn submissions(folder: &Path) -> Result<Vec<Submission>, SlurmError> {
    let entries = match fs::read_dir(folder.join("slurm")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        numbers.extend(entry?.file_name().to_string_lossy().parse::<u64>());
    }
    numbers.sort_unstable();
    let own = |number: u64| Submission::read(&folder.join("slurm").join(number.to_string()));
    let all = numbers.into_iter().map(own);
    let all: Vec<Option<Submission>> = all.collect::<Result<_, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

impl Submission {
    /// None where the program that submits was killed before it had written what the tasks run.
    ///
    /// # Errors
    /// When a key or the name is none: what a file says becomes no other file's name and no word of Slurm.
    pub fn read(folder: &Path) -> Result<Option<Submission>, SlurmError> {
        let file = folder.join(TASKS);
        let text = text_of(&file).ok();
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        let Some(read): Option<Submission> = read else {
            return Ok(None);
        };
        let keys = read.tasks.iter().flatten().map(|job| job.key.as_str());
        let name = read.name.strip_prefix(NAME).unwrap_or(&read.name);
        if let Some(key) = keys.chain([name]).find(|key| !is_key(key)) {
            let file = file.display();
            let what = format!("{file}: `{key}` is no key of a run: 32 hexadecimal digits");
            return Err(SlurmError::Foreign(what));
        }
        Ok(Some(Submission {
            folder: folder.to_owned(),
            ..read
        }))
    }

    /// Number of the array, where it is known.
    ///
    /// # Errors
    /// When the file says something else.
    pub fn job(&self) -> Result<Option<JobNumber>, SlurmError> {
        let file = self.folder.join(JOB);
        let text = text_of(&file).unwrap_or_default();
        match text.trim() {
            "" => Ok(None),
            text => JobNumber::of(text).map(Some).ok_or_else(|| {
                let file = file.display();
                SlurmError::Foreign(format!(
                    "{file}: `{text}` is no number of a job: digits only"
                ))
            }),
        }
    }

    /// Keeps the number of the array; tasks do so, too, because the program that submitted them may be killed before.
    pub fn belongs_to(&self, job: JobNumber) -> io::Result<()> {
        write_whole(&self.folder.join(JOB), job.to_string())
    }

    /// States of all tasks. Slurm forgets what has ended; the folder does not.
    ///
    /// # Errors
    /// When Slurm does not answer.
    pub fn states(&self) -> Result<Vec<TaskState>, SlurmError> {
        let states = match self.asked.get() {
            Some(states) => states,
            None => {
                let states = self.ask()?;
                self.asked.get_or_init(|| states)
            }
        };
        let of_task = |task| states.get(&task).cloned().unwrap_or(TaskState::Unknown);
        Ok((0..self.tasks.len()).map(of_task).collect())
    }

    fn ask(&self) -> Result<BTreeMap<usize, TaskState>, SlurmError> {
        let file = self.folder.join(STATES);
        let remembered = text_of(&file).unwrap_or_default();
        let mut states: BTreeMap<usize, TaskState> = remembered
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter_map(|(task, word)| Some((task.parse().ok()?, TaskState::of(word))))
            .collect();
        if states.len() == self.tasks.len() {
            return Ok(states);
        }
        let job = match self.job()? {
            Some(job) => Some(job),
            None => find(&self.name)?,
        };
        let Some(job) = job else {
            return Ok(states);
        };
        self.belongs_to(job)?;
        let known = states.len();
        states.extend(ask(job)?);
        let ended = states.iter().filter_map(|(task, state)| match state {
            TaskState::Ended(word) => Some(format!("{task} {word}\n")),
            _ => None,
        });
        let ended: Vec<String> = ended.collect();
        if ended.len() > known {
            write_whole(&file, ended.concat())?;
        }
        Ok(states)
    }

    /// File in which a task says what it has begun.
    pub fn begun_file(&self, task: usize) -> PathBuf {
        self.folder.join(format!("{task}.begun"))
    }

    /// Keys of the jobs that a task has begun.
    pub fn begun(&self, task: usize) -> BTreeSet<String> {
        let text = text_of(&self.begun_file(task)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A task and how it ended, in words.
    pub fn describe(&self, task: usize, state: &TaskState) -> String {
        let job = self.job().ok().flatten();
        let job = job.map_or_else(|| "of no number".to_owned(), |job| job.to_string());
        match state {
            TaskState::Ended(word) => format!("task {task} of array {job}: {word}"),
            _ => format!("task {task} of array {job} is gone"),
        }
    }
}
