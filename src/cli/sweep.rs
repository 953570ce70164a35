//! A load sweep, as the verbs run it that draw and compare networks.

use super::clock::ClockArguments;
use super::network_arguments::NetworkArguments;
use super::progress::{self, Progress};
use super::traffic::{Loads, NO_SWEEP, TrafficArguments, limits, loads, span, warm_up};
use super::{CommandError, Context};
use clap::Args;
use mkns_design::{Plan, Purpose};
use mkns_diag::Code;
use mkns_report::plot::LinkLoads;
use mkns_report::simulation::Simulation;
use mkns_simulation::measure::{Experiment, Run, Summary, Sweep, WarmUp};
use mkns_traffic::PlannedTraffic;

/// Distance of loads, and measured cycles, where many networks are simulated for a first look.
const COARSE_STEP: f64 = 0.15;
const COARSE_CYCLES: u64 = 1000;

/// Options of a sweep.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Simulation")]
pub struct SweepOptions {
    /// Flits that each host offers per cycle: a list 0.1,0.3 or a sweep, which ends at saturation [default: 0.05..1.0]
    #[arg(long, value_name = "LOADS", value_parser = loads)]
    load: Option<Loads>,
    /// Step between the loads of a sweep [default: 0.05]
    #[arg(long, value_name = "LOAD")]
    step: Option<f64>,
    /// How many cycles are measured [default: 3000]
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Warm-up cycles before the measurement: `auto` waits until the latency settles [default: auto]
    #[arg(long, value_name = "auto|N", value_parser = warm_up)]
    warmup: Option<WarmUp>,
    /// How many runs are made per load, each with its own seed, for confidence intervals [default: 1]
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Seed of the first run; the next runs count up from it [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How many threads are used; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    traffic: TrafficArguments,
    /// Take out this many cables of each network from the start, drawn at random by the seed
    #[arg(long, value_name = "N")]
    failed_cables: Option<u32>,
    #[command(flatten)]
    clock: ClockArguments,
}

/// What options of a sweep are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Loads up to saturation.
    Sweep,
    /// One run at one load.
    OneRun,
    /// Nothing is simulated.
    Nothing,
}

impl SweepOptions {
    /// Refuses options without an effect.
    pub fn check(&self, purpose: Use) -> Result<(), CommandError> {
        if let (Use::Sweep, Some(Loads::List(_)), Some(_)) = (purpose, &self.load, self.step) {
            return Err(CommandError::no_effect("--step", NO_SWEEP));
        }
        if purpose != Use::Nothing {
            self.traffic.has_effect()?;
        }
        let without_load = self.traffic.without_load();
        let without_load = without_load.filter(|_| self.load.is_some() || self.step.is_some());
        if let (true, Some(beside)) = (purpose != Use::Nothing, without_load) {
            return Err(CommandError::no_effect("--load", beside));
        }
        let given = [
            (
                self.traffic.given().unwrap_or_default(),
                self.traffic.given().is_some(),
                Use::OneRun,
            ),
            ("--failed-cables", self.failed_cables.is_some(), Use::OneRun),
            ("--clock-mhz", self.clock.mhz.is_some(), Use::Sweep),
            ("--load", self.load.is_some(), Use::OneRun),
            ("--cycles", self.cycles.is_some(), Use::OneRun),
            ("--warmup", self.warmup.is_some(), Use::OneRun),
            ("--seed", self.seed.is_some(), Use::OneRun),
            ("--step", self.step.is_some(), Use::Sweep),
            ("--seeds", self.seeds.is_some(), Use::Sweep),
            ("--threads", self.threads.is_some(), Use::Sweep),
        ];
        let has_effect = |least| purpose == Use::Sweep || purpose == least;
        let idle = given
            .iter()
            .find(|(_, is_given, least)| *is_given && !has_effect(*least));
        let Some((option, ..)) = idle else {
            return Ok(());
        };
        let why = match purpose {
            Use::Nothing => "nothing is simulated",
            _ => "there is one run at one load",
        };
        Err(CommandError::no_effect(option, &format!("here: {why}")))
    }

    /// These options with fewer and shorter runs where nothing else is asked for.
    pub fn coarse(&self) -> Self {
        let is_list = matches!(self.load, Some(Loads::List(_)));
        Self {
            step: self.step.or((!is_list).then_some(COARSE_STEP)),
            cycles: self.cycles.or(Some(COARSE_CYCLES)),
            ..self.clone()
        }
    }

    fn seeds(&self) -> u32 {
        self.seeds.unwrap_or(1)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn cycles(&self) -> u64 {
        self.traffic.cycles(self.cycles, 3000)
    }

    /// Simulates the networks of these specs one after the other.
    pub fn run(
        &self,
        specs: &[NetworkArguments],
        context: &Context,
    ) -> Result<Vec<Simulation>, CommandError> {
        let loads = self.loads(&Loads::Sweep(0.05, 1.0))?;
        let plans = specs.iter().map(|spec| self.plan(spec));
        let plans: Vec<(String, Plan)> = plans.collect::<Result<_, CommandError>>()?;
        let runs = plans.len() as u64 * loads.len() as u64 * u64::from(self.seeds());
        let bar = progress::bar(context, "simulating", "runs", runs);
        let simulations = plans.iter().enumerate().map(|(at, (text, plan))| {
            let simulation = self.simulate(text, plan, &loads, &bar);
            bar.set_position(runs * (at as u64 + 1) / plans.len() as u64);
            simulation
        });
        let simulations = simulations.collect();
        bar.finish_and_clear();
        simulations
    }

    /// A network with the cables that fail, and its name.
    fn plan(&self, spec: &NetworkArguments) -> Result<(String, Plan), CommandError> {
        let spec = match self.failed_cables {
            None => spec.clone(),
            Some(count) => spec.with_failed_cables(count, self.seed())?,
        };
        let title = spec.title();
        let plan = spec.plan(Purpose::Simulation)?;
        self.traffic.fits(&plan, &title)?;
        Ok((title, plan))
    }

    /// Ascending; one that says nothing where the traffic knows no loads.
    fn loads(&self, default: &Loads) -> Result<Vec<f64>, CommandError> {
        if self.traffic.without_load().is_some() {
            return Ok(vec![1.0]);
        }
        let step = self.step.unwrap_or(0.05);
        let asked = self.load.as_ref().unwrap_or(default);
        asked.check_runs(step, self.seeds())?;
        let loads = asked.values(step);
        Loads::check(&loads)?;
        limits::check(self.cycles, self.warmup, self.seeds, self.threads)?;
        Ok(loads)
    }

    fn simulate(
        &self,
        text: &str,
        plan: &Plan,
        loads: &[f64],
        bar: &Progress,
    ) -> Result<Simulation, CommandError> {
        let sweep = Sweep {
            loads,
            seeds: self.seeds(),
            threads: self.threads,
        };
        let planned = self.traffic.planned(plan)?;
        let measure = |run: Run| {
            let point = self.experiment(plan, &planned, run).run();
            bar.step(&format!("{text}: load {}, run {}", run.load, run.seed + 1));
            bar.inc(1);
            point
        };
        let runs = sweep.run(measure);
        let runs = runs.map_err(CommandError::io("start threads"))?;
        let points: Vec<Summary> = runs.iter().map(|(_, points)| Summary::of(points)).collect();
        match points.iter().find(|point| point.packets == 0) {
            Some(empty) => Err(nothing(empty.cycles, empty.warm_up_cycles)),
            None => {
                let trace = self.traffic.trace_use(&planned, &runs);
                self.traffic.ended(trace)?;
                let (spec, clock) = (text.to_owned(), self.clock.mhz);
                Ok(Simulation {
                    trace,
                    seed: self.seed(),
                    ..self.traffic.simulation(spec, plan, &planned, points, clock)
                })
            }
        }
    }

    fn experiment<'a>(&self, plan: &'a Plan, planned: &PlannedTraffic, run: Run) -> Experiment<'a> {
        let times = (self.seed(), self.warmup, self.cycles());
        self.traffic.experiment(plan, planned, run, times)
    }

    /// The one load asked for, or a default.
    pub fn one_load(&self, default: f64) -> Result<f64, CommandError> {
        let loads = self.loads(&Loads::List(vec![default]))?;
        match loads[..] {
            [load] => Ok(load),
            _ => {
                let fact = "links under several loads";
                let remedy = "give one load, such as `--load 0.3`";
                Err(CommandError::new(Code::NothingToDraw, fact, remedy))
            }
        }
    }

    /// The network of a spec and what its links carry at a load.
    pub fn links(
        &self,
        spec: &NetworkArguments,
        load: f64,
    ) -> Result<(Plan, LinkLoads), CommandError> {
        let (name, plan) = self.plan(spec)?;
        let planned = self.traffic.planned(&plan)?;
        let run = Run {
            load,
            seed: 0,
            parts: 1,
        };
        let experiment = Experiment {
            links: true,
            ..self.experiment(&plan, &planned, run)
        };
        let point = experiment.run();
        if point.packets == 0 {
            return Err(nothing(point.cycles, point.warm_up_cycles));
        }
        let runs = [(load, vec![point])];
        self.traffic
            .ended(self.traffic.trace_use(&planned, &runs))?;
        let [(_, points)] = &runs;
        let at_load = match self.traffic.without_load() {
            None => format!(", load {load}"),
            Some(_) => String::new(),
        };
        let cut = match plan.pairs_without_route() {
            0 => String::new(),
            pairs => format!(", {pairs} pairs of hosts without a route"),
        };
        let title = format!(
            "{name}: load of links, {} traffic{at_load}{cut}",
            self.traffic.name()
        );
        Ok((plan, LinkLoads::of(title, &points[0].links)))
    }

    /// Whether results are wanted in ns and Gb/s.
    pub fn has_clock(&self) -> bool {
        self.clock.mhz.is_some()
    }

    /// The options as words of a command line, as far as they say what is sent.
    pub fn traffic_words(&self) -> String {
        self.traffic.as_words()
    }
}

/// A measurement that nothing arrived in.
fn nothing(cycles: u64, warm_up: u64) -> CommandError {
    CommandError::no_packet(span(cycles, warm_up), "raise `--cycles` or `--load`")
}
