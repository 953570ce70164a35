//! `mkns faults`: what becomes of the pairs of a network when parts of it fail.

use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;

use super::cluster::RemoteRun;
use super::network_arguments::distributed_switch_stays;
use super::spec_arguments::{Settings, SpecArguments};
use super::{Command, CommandError, Context, Format, format, picture, progress};
use mkns_diag::{Code, TextFile, TextKind, nearest};
use mkns_jobs::{Batch, Job, Limits};
use mkns_report::plot::{self, MOST_SERIES, ServedShares};
use mkns_report::survival::{SurvivalReport, SurvivalRow};
use mkns_routing::fault_sets::FaultSets;
use mkns_routing::survey::{Survey, survey};
use mkns_routing::survival::Survival;
use mkns_spec::{NetworkKind, NetworkSpec, is_file};
use mkns_topology::{self as topology, Network, Part, PartClass};

/// Seconds of a row, about, and what one may take.
const SECONDS: f64 = 60.0;
const LIMITS: Limits = Limits {
    seconds: 24 * 3600,
    cpu_seconds: None,
    memory_bytes: 64 << 30,
};

/// More sets of one size are not looked at one by one.
const MOST_SETS: u64 = 10_000_000;

/// Fail every combination of N parts, or a sample, and count the pairs cut off
#[derive(Debug, Args)]
pub struct Faults {
    /// The network: a TOML file, - for TOML on standard input, or a notation such as "MKNS(2,4,2,1)"
    spec: String,
    #[command(flatten)]
    settings: Settings,
    /// How many parts fail at once: a number, or a range such as 1..3
    #[arg(long, value_name = "N|A..B", alias = "count", value_parser = counts, default_value = "1")]
    failed_parts: RangeInclusive<usize>,
    /// What fails: adapter (blocks), switch (all other blocks), mesh (cables between adapter blocks) or cable (all other
    /// cables); separate several with commas [default: all]
    #[arg(long = "class", value_name = "CLASS", value_delimiter = ',', value_parser = class)]
    classes: Vec<PartClass>,
    /// How many combinations of each size are drawn at random; without it, all are examined
    #[arg(long, value_name = "N", alias = "sample", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Seed of the random combinations
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Routing engines to compare, separated by commas, instead of the spec's own
    #[arg(long, value_name = "ENGINE", value_delimiter = ',')]
    engines: Vec<String>,
    /// How many threads are used; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    remote: RemoteRun,
    /// Write a picture: the fraction of pairs with a route over the number of failed parts
    #[arg(short, long, value_name = "FILE.svg|png", alias = "svg")]
    output: Option<PathBuf>,
}

impl Command for Faults {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let specs = self.specs()?;
        picture::ensure_writable("--output", self.output.as_ref())?;
        let network = topology::build(&specs[0]);
        let parts = self.parts(&network);
        self.check(&parts)?;
        let mut rows = Vec::new();
        match self.look_away(&specs, context)? {
            Some(found) => rows = found,
            None => {
                for spec in &specs {
                    rows.extend(self.look(spec, &network, &parts, context)?);
                }
            }
        }
        let report = SurvivalReport {
            network: self.settings.title(&self.spec),
            classes: self.classes().iter().map(|class| class.name()).collect(),
            parts: parts.len(),
            seed: self.seed,
            single: (rows.len() == 1).then(|| rows[0].clone()),
            rows,
        };
        // The result first: it stands also where the picture cannot be written.
        let told = context.table(report.text(), || report.csv(), &report);
        told.and(self.draw(&report, context))
    }
}

impl Faults {
    /// The spec with each engine.
    fn specs(&self) -> Result<Vec<NetworkSpec>, CommandError> {
        let with = |engine: &String| {
            let mut settings = self.settings.clone();
            settings.set.push(format!("routing={engine}"));
            settings.of(&self.spec).parse()
        };
        if self.engines.len() > MOST_SERIES {
            let fact = format!("`--engines` names {} engines", self.engines.len());
            let remedy = format!("name at most {MOST_SERIES}; further colours would look alike");
            return Err(CommandError::new(Code::NothingToDraw, fact, remedy));
        }
        let own: SpecArguments = self.settings.of(&self.spec);
        let specs = match self.engines.is_empty() {
            true => vec![own.parse()?],
            false => self.engines.iter().map(with).collect::<Result<_, _>>()?,
        };
        if let NetworkKind::DistributedSwitch(_) = &specs[0].kind {
            return Err(distributed_switch_stays());
        }
        Ok(specs)
    }

    fn classes(&self) -> Vec<PartClass> {
        let named = |class: &PartClass| self.classes.is_empty() || self.classes.contains(class);
        PartClass::ALL.into_iter().filter(named).collect()
    }

    fn parts(&self, network: &Network) -> Vec<Part> {
        let classes = self.classes().into_iter();
        classes.flat_map(|class| class.parts(network)).collect()
    }

    fn sets(&self, parts: &[Part], count: usize) -> FaultSets {
        match self.samples {
            Some(number) => FaultSets::sample(parts, count, number, self.seed),
            None => FaultSets::all(parts, count),
        }
    }

    /// Refuses numbers of parts that there are not, and more sets than can be looked at.
    fn check(&self, parts: &[Part]) -> Result<(), CommandError> {
        if *self.failed_parts.end() > parts.len() {
            let fact = format!(
                "`--failed-parts` {}, but there are {} such parts",
                self.failed_parts.end(),
                parts.len()
            );
            let remedy = format!("give at most {}, or other classes", parts.len());
            return Err(CommandError::new(Code::FaultSetsUnusable, fact, remedy));
        }
        for count in self.failed_parts.clone() {
            let sets = self.sets(parts, count).number();
            if sets > MOST_SETS {
                let number = match sets {
                    u64::MAX => "more than 2^64".to_owned(),
                    sets => sets.to_string(),
                };
                let fact = format!(
                    "{count} of {} parts can be chosen in {number} ways",
                    parts.len()
                );
                let remedy = format!(
                    "draw some of them with `--samples N`, up to {MOST_SETS}, or give fewer classes"
                );
                return Err(CommandError::new(Code::FaultSetsUnusable, fact, remedy));
            }
        }
        Ok(())
    }

    /// The rows of one engine.
    fn look(
        &self,
        spec: &NetworkSpec,
        network: &Network,
        parts: &[Part],
        context: &Context,
    ) -> Result<Vec<SurvivalRow>, CommandError> {
        let survival = Survival::new(spec, network)?;
        let row = |count: usize| {
            let sets = self.sets(parts, count);
            let what = format!("{}, {count} failed:", spec.routing);
            let bar = progress::bar(context, &what, "sets", sets.number());
            let survey = survey(&survival, network, &sets, count, self.threads, || {
                bar.inc(1)
            });
            bar.finish_and_clear();
            Ok(SurvivalRow {
                engine: spec.routing.clone(),
                survey: survey.map_err(CommandError::io("start threads"))?,
            })
        };
        self.failed_parts.clone().map(row).collect()
    }

    /// The rows from tasks of Slurm, a job for each engine and number of parts; none where they are found here.
    fn look_away(
        &self,
        specs: &[NetworkSpec],
        context: &Context,
    ) -> Result<Option<Vec<SurvivalRow>>, CommandError> {
        let counts = || self.failed_parts.clone();
        let cells = specs
            .iter()
            .flat_map(|spec| counts().map(move |count| (&spec.routing, count)));
        let cells: Vec<(&String, usize)> = cells.collect();
        let inputs = self.inputs()?;
        let jobs: Vec<Job> = cells
            .iter()
            .map(|(engine, count)| Job {
                seconds: SECONDS,
                ..Job::new(self.words(engine, *count), Vec::new(), &inputs)
            })
            .collect();
        let batch = || Batch {
            limits: LIMITS,
            jobs: jobs.clone(),
        };
        let Some(found) = self.remote.run(batch, context)? else {
            return Ok(None);
        };
        let row = |((engine, count), job): (&(&String, usize), &Job)| {
            let outcome = found.get(&job.key);
            let row = outcome.and_then(|outcome| outcome.result.pointer("/rows/0"));
            let survey = row.and_then(|row| Survey::deserialize(row).ok());
            let lost = || {
                let said = outcome.map_or("its task has not ended", |outcome| &outcome.detail);
                let fact = format!("no row of {engine} with {count} failed parts: {said}");
                let remedy = "the same command runs what is missing";
                CommandError::new(Code::ClusterFailed, fact, remedy)
            };
            Ok(SurvivalRow {
                engine: (*engine).clone(),
                survey: survey.ok_or_else(lost)?,
            })
        };
        let rows = cells.iter().zip(&jobs).map(row);
        rows.collect::<Result<_, _>>().map(Some)
    }

    /// Contents of the files that the rows are made from.
    fn inputs(&self) -> Result<Vec<String>, CommandError> {
        if !is_file(&self.spec, Path::new("")) {
            return Ok(Vec::new());
        }
        let text = TextFile::new(Path::new(&self.spec), TextKind::Toml).read()?;
        Ok(vec![text])
    }

    /// The command line of one row.
    fn words(&self, engine: &str, count: usize) -> Vec<String> {
        let mut words = vec!["faults".to_owned(), self.spec.clone()];
        let mut add = |option: &str, value: String| words.extend([format!("--{option}"), value]);
        for setting in &self.settings.set {
            add("set", setting.clone());
        }
        add("failed-parts", count.to_string());
        let classes: Vec<&str> = self.classes.iter().map(|class| class.name()).collect();
        if !classes.is_empty() {
            add("class", classes.join(","));
        }
        if let Some(samples) = self.samples {
            add("samples", samples.to_string());
        }
        add("seed", self.seed.to_string());
        add("engines", engine.to_owned());
        add("threads", "1".to_owned());
        words
    }

    fn draw(&self, report: &SurvivalReport, context: &Context) -> Result<(), CommandError> {
        let Some(path) = &self.output else {
            return Ok(());
        };
        let mut engines: Vec<ServedShares> = Vec::new();
        for row in &report.rows {
            let point = (row.survey.count, row.survey.served_share());
            match engines.last_mut() {
                Some(last) if last.engine == row.engine => last.points.push(point),
                _ => engines.push(ServedShares {
                    engine: row.engine.clone(),
                    points: vec![point],
                }),
            }
        }
        let picture = plot::served_shares(&report.network, &engines);
        picture::write(path, picture, context)
    }
}

/// `2` or `1..3`, both ends included.
fn counts(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let ends = match text.split_once("..") {
        Some((first, last)) => number(first).zip(number(last.trim_start_matches('='))),
        None => number(text).map(|count| (count, count)),
    };
    let ends = ends.filter(|(first, last)| first <= last);
    ends.map(|(first, last)| first..=last)
        .ok_or_else(|| "not a number or a range such as 1..3".to_owned())
}

fn class(name: &str) -> Result<PartClass, String> {
    let names = PartClass::ALL.map(PartClass::name);
    let mut classes = PartClass::ALL.into_iter();
    let found = classes.find(|class| class.name() == name);
    found.ok_or_else(|| match nearest(name, names) {
        Some(known) => format!("did you mean {known}?"),
        None => format!("the classes are {}", names.join(", ")),
    })
}
