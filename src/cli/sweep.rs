//! A load sweep under uniform traffic, as the verbs run it that draw and compare networks; whatever
//! else is to be simulated, `mkns sim` does and writes into a file.

use clap::Args;
use indicatif::ProgressBar;

use super::network_arguments::NetworkArguments;
use super::sim::{Loads, NO_SWEEP, loads, span, unexpected, warm_up};
use super::{CommandError, Context, progress};
use mkns_design::RouteSource;
use mkns_design::{Plan, Purpose};
use mkns_diag::Code;
use mkns_report::plot::LinkLoads;
use mkns_report::simulation::Simulation;
use mkns_simulation::measure::{Experiment, Run, Summary, Sweep, WarmUp};
use mkns_simulation::traffic::Traffic;

/// Flits of a packet with its header.
const PACKET_FLITS: u32 = 9;

/// Options of a sweep.
#[derive(Debug, Args)]
#[command(next_help_heading = "Simulation (uniform traffic, packets of 9 flits)")]
pub struct SweepOptions {
    /// Flits that each host creates per cycle: a list 0.1,0.3 or a sweep, which ends at saturation
    /// [default: 0.05..1.0]
    #[arg(long, value_name = "LOADS", value_parser = loads)]
    load: Option<Loads>,
    /// Distance of the loads of a sweep [default: 0.05]
    #[arg(long, value_name = "LOAD")]
    step: Option<f64>,
    /// Measured cycles [default: 3000]
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Cycles before the measurement: auto waits until latencies settle [default: auto]
    #[arg(long, value_name = "auto|N", value_parser = warm_up)]
    warmup: Option<WarmUp>,
    /// Independent runs of each load, for confidence intervals [default: 1]
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Seed of the first run [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Threads [default: the cores]; results are the same
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
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
        let given = [
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

    fn seeds(&self) -> u32 {
        self.seeds.unwrap_or(1)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn cycles(&self) -> u64 {
        self.cycles.unwrap_or(3000)
    }

    /// Simulates the networks of these specs one after the other.
    pub fn run(
        &self,
        specs: &[NetworkArguments],
        context: &Context,
    ) -> Result<Vec<Simulation>, CommandError> {
        let loads = self.loads(&Loads::Sweep(0.05, 1.0))?;
        let plans = specs
            .iter()
            .map(|spec| Ok((spec.title(), spec.plan(Purpose::Simulation)?)));
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

    fn loads(&self, default: &Loads) -> Result<Vec<f64>, CommandError> {
        let loads = self
            .load
            .as_ref()
            .unwrap_or(default)
            .values(self.step.unwrap_or(0.05));
        Loads::check(&loads)?;
        let least = [
            ("--cycles", self.cycles() > 0),
            ("--seeds", self.seeds() > 0),
            ("--threads", self.threads != Some(0)),
        ];
        match least.iter().find(|(_, holds)| !holds) {
            None => Ok(loads),
            Some((option, _)) => {
                let fact = format!("`{option} 0` is out of range");
                Err(CommandError::new(
                    Code::TrafficOutOfRange,
                    fact,
                    "give at least 1",
                ))
            }
        }
    }

    fn simulate(
        &self,
        text: &str,
        plan: &Plan,
        loads: &[f64],
        bar: &ProgressBar,
    ) -> Result<Simulation, CommandError> {
        let sweep = Sweep {
            loads,
            seeds: self.seeds(),
            threads: self.threads,
        };
        let measure = |run: Run| {
            let point = self.experiment(plan, run).run();
            bar.inc(1);
            point
        };
        let runs = sweep.run(measure);
        let runs = runs.map_err(|error| unexpected("start threads", &error))?;
        let points: Vec<Summary> = runs.iter().map(|(_, points)| Summary::of(points)).collect();
        match points.iter().find(|point| point.packets == 0) {
            Some(empty) => Err(nothing(empty.cycles, empty.warm_up_cycles)),
            None => Ok(self.result(text, plan, points)),
        }
    }

    fn experiment<'a>(&self, plan: &'a Plan, run: Run) -> Experiment<'a> {
        let seed = self.seed() + u64::from(run.seed);
        Experiment {
            plan,
            routes: RouteSource::Tables,
            traffic: Traffic::uniform(run.load, packet_flits(plan), seed),
            warm_up: self.warmup.unwrap_or(WarmUp::Automatic),
            cycles: self.cycles(),
            parts: run.parts,
            flows: false,
            links: false,
        }
    }

    /// The one load asked for, or a default.
    pub fn one_load(&self, default: f64) -> Result<f64, CommandError> {
        let loads = self.loads(&Loads::List(vec![default]))?;
        match loads[..] {
            [load] => Ok(load),
            _ => {
                let fact = "links under several loads".to_owned();
                Err(CommandError::new(
                    Code::NothingToDraw,
                    fact,
                    "give one load, such as `--load 0.3`",
                ))
            }
        }
    }

    /// The network of a spec and what its links carry at a load.
    pub fn links(
        &self,
        spec: &NetworkArguments,
        load: f64,
    ) -> Result<(Plan, LinkLoads), CommandError> {
        let plan = spec.plan(Purpose::Simulation)?;
        let run = Run {
            load,
            seed: 0,
            parts: 1,
        };
        let experiment = Experiment {
            links: true,
            ..self.experiment(&plan, run)
        };
        let point = experiment.run();
        if point.packets == 0 {
            return Err(nothing(point.cycles, point.warm_up_cycles));
        }
        let title = format!(
            "{}: load of links, uniform traffic, load {load}",
            spec.title()
        );
        Ok((plan, LinkLoads::of(title, &point.links)))
    }

    fn result(&self, text: &str, plan: &Plan, points: Vec<Summary>) -> Simulation {
        let flits = packet_flits(plan);
        Simulation {
            spec: text.to_owned(),
            traffic: "uniform".to_owned(),
            injection: "random".to_owned(),
            packet_flits: (flits, flits),
            blocks: plan.instances.len(),
            hosts: plan.network.terminals.len(),
            seed: self.seed(),
            single: (points.len() == 1).then(|| points[0].clone()),
            points,
        }
    }
}

/// Nine, unless the network's packets are shorter.
fn packet_flits(plan: &Plan) -> u32 {
    PACKET_FLITS.min(plan.spec.block.max_packet_flits)
}

/// A measurement that nothing arrived in.
fn nothing(cycles: u64, warm_up: u64) -> CommandError {
    CommandError::no_packet(span(cycles, warm_up), "raise `--cycles` or `--load`")
}
