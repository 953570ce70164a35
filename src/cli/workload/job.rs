//! `--job`: a collective with its size, or a trace.

use std::path::PathBuf;

use crate::CommandError;
use mkns_diag::{Code, TextFile, TextKind};
use mkns_workload::{Collective, Schedule, parse_goal, parse_size};

/// A job of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// As it was given.
    pub text: String,
    work: Work,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Work {
    Collective {
        collective: Collective,
        bytes: u64,
        /// All hosts that are left without it.
        ranks: Option<u32>,
    },
    Trace(PathBuf),
}

/// `NAME:SIZE`, `NAME:SIZE@RANKS` or the path of a GOAL file.
pub fn job(text: &str) -> Result<Job, String> {
    let is_path = |text: &str| text.to_ascii_lowercase().ends_with(".goal");
    let work = match text.split_once(':') {
        _ if is_path(text) => Work::Trace(text.into()),
        Some((name, rest)) => collective(name, rest)?,
        None => {
            return Err(format!(
                "use NAME:SIZE, such as all-to-all:64KiB, or a file that ends in .goal; names: {}",
                names()
            ));
        }
    };
    Ok(Job {
        text: text.to_owned(),
        work,
    })
}

fn collective(name: &str, rest: &str) -> Result<Work, String> {
    let known = Collective::ALL.iter().find(|(known, _)| *known == name);
    let (_, collective) = known.ok_or_else(|| format!("no job `{name}`; names: {}", names()))?;
    let (size, ranks) = match rest.split_once('@') {
        None => (rest, None),
        Some((size, ranks)) => {
            let ranks = ranks.parse().ok().filter(|ranks| *ranks > 0);
            (
                size,
                Some(ranks.ok_or("after @ comes the number of ranks, at least 1")?),
            )
        }
    };
    let bytes = parse_size(size);
    Ok(Work::Collective {
        collective: *collective,
        bytes: bytes.ok_or_else(|| format!("`{size}` is no size; use 8, 64KiB or 1MB"))?,
        ranks,
    })
}

fn names() -> String {
    let names: Vec<&str> = Collective::ALL.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

impl Job {
    /// What has to be done; `hosts`: those that no job before it took.
    pub fn schedule(&self, hosts: u32) -> Result<Schedule, CommandError> {
        let schedule = match &self.work {
            Work::Collective {
                collective,
                bytes,
                ranks,
            } => {
                let ranks = ranks.unwrap_or(hosts);
                self.fits(ranks, hosts)?;
                collective.schedule(ranks, *bytes)
            }
            Work::Trace(path) => {
                let text = TextFile::new(path, TextKind::Goal).read()?;
                parse_goal(&text).map_err(|error| self.unusable(error, "correct the line"))?
            }
        };
        self.fits(schedule.ranks, hosts)?;
        Ok(schedule)
    }

    fn fits(&self, ranks: u32, hosts: u32) -> Result<(), CommandError> {
        if (1..=hosts).contains(&ranks) {
            return Ok(());
        }
        let fact = format!("{ranks} ranks on {hosts} hosts that are left");
        Err(self.unusable(
            fact,
            "give a larger network, or fewer ranks: `--job NAME:SIZE@RANKS`",
        ))
    }

    fn unusable(&self, fact: impl std::fmt::Display, remedy: &str) -> CommandError {
        let fact = format!("`--job {}`: {fact}", self.text);
        CommandError::new(Code::JobUnusable, fact, remedy)
    }
}
