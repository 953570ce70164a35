//! `mkns sim`: latency and throughput of a whole network under traffic, on the fast model.

mod expected;
mod idle;
mod live;
mod ranked;
mod ranks;
mod refusals;

use std::path::PathBuf;

use clap::Args;

use super::clock::ClockArguments;
use super::live_faults::LiveFaults;
use super::network_arguments::NetworkArguments;
use super::traffic::{Loads, TrafficArguments, loads, warm_up};
use super::{Command, CommandError, Context, Format, format, output_path, progress};
use mkns_design::{Plan, Purpose};
use mkns_report::simulation::{Simulation, flows_csv, links_csv};
use mkns_simulation::measure::{Point, Run, Summary, Sweep, WarmUp};
use mkns_simulation::ranks::RankCommunicator;
use mkns_traffic::PlannedTraffic;

/// Simulate the whole network: latency and throughput under traffic
#[derive(Debug, Args)]
pub struct Sim {
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    live: LiveFaults,
    #[command(flatten)]
    traffic: TrafficArguments,
    /// Flits that each host offers per cycle: a number, a list 0.1,0.3 or a sweep 0.05..1.0 [default: 0.1]
    #[arg(long, value_name = "LOADS", value_parser = loads)]
    load: Option<Loads>,
    /// Step between the loads of a sweep [default: 0.05]
    #[arg(long, value_name = "LOAD")]
    step: Option<f64>,
    /// How many cycles are measured [default: 10000, or until every packet of a trace has arrived]
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Warm-up cycles before the measurement: `auto` waits until the latency settles [default: auto, 0 for a trace]
    #[arg(long, value_name = "auto|N", value_parser = warm_up)]
    warmup: Option<WarmUp>,
    /// How many runs are made per load, each with its own seed, for confidence intervals [default: 1]
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Seed of the first run; the next runs count up from it [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// How many threads are used; the results do not depend on it. Several runs are spread over the threads, a single
    /// run is divided among them [default: all cores for several runs, 1 for a single run]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Lead every packet over a random block (Valiant routing): a reference that spreads any traffic and that RTL cannot
    /// follow. Blocks get twice the virtual channels that their routes need
    #[arg(long, conflicts_with_all = ["mpi", "fail", "manager"])]
    valiant: bool,
    /// Divide the network among all processes that mpirun or srun has started; the results do not depend on it
    #[arg(long)]
    mpi: bool,
    /// Write the latency and throughput of every flow
    #[arg(long, value_name = "FILE.csv")]
    flows: Option<PathBuf>,
    /// Write the load of every link
    #[arg(long, value_name = "FILE.csv")]
    links: Option<PathBuf>,
    #[command(flatten)]
    clock: ClockArguments,
}

impl Command for Sim {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if !self.mpi {
            return self.simulate(context);
        }
        let ranks = ranks::start()?;
        self.simulate_on(&ranks, context).map_err(|error| {
            if ranks.rank() == 0 {
                // Said before MPI ends: mpirun kills all when the first process ends so.
                context.fail(&error);
            }
            CommandError {
                diagnostics: Vec::new(),
                ..error
            }
        })
    }
}

/// Points of every load.
type Runs = Vec<(f64, Vec<Point>)>;

impl Sim {
    fn simulate(&self, context: &Context) -> Result<(), CommandError> {
        let plan = self.plan()?;
        let planned = self.checked(&plan)?;
        let loads = self.loads();
        if !self.live.is_none() {
            return self.run_live(&plan, &loads, context);
        }
        let runs = self.sweep(&plan, &loads, &planned, context)?;
        self.tell(&plan, plan.instances.len(), &planned, &runs, context)
    }

    fn plan(&self) -> Result<Plan, CommandError> {
        let plan = self.network.plan(Purpose::Simulation)?;
        match self.valiant {
            true => Ok(plan.over_random_blocks()?),
            false => Ok(plan),
        }
    }

    /// What a trace plans, when the plan can be simulated and files be written.
    fn checked(&self, plan: &Plan) -> Result<PlannedTraffic, CommandError> {
        self.ensure_feasible(plan)?;
        let planned = self.traffic.planned(plan)?;
        let (flows, links) = (self.flows.as_ref(), self.links.as_ref());
        output_path::files([("--flows", flows), ("--links", links)])?;
        Ok(planned)
    }

    /// The results, and the details of them that were asked for, of this many blocks.
    fn tell(
        &self,
        plan: &Plan,
        blocks: usize,
        planned: &PlannedTraffic,
        runs: &Runs,
        context: &Context,
    ) -> Result<(), CommandError> {
        let points: Vec<Summary> = runs.iter().map(|(_, points)| Summary::of(points)).collect();
        self.measured(&points)?;
        let trace = self.traffic.trace_use(planned, runs);
        let report = Simulation {
            blocks,
            trace,
            seed: self.seed(),
            ..self
                .traffic
                .simulation(self.network.title(), plan, planned, points, self.clock.mhz)
        };
        // The result first: it stands also where the details cannot be written.
        let text = match context.is_quiet() {
            true => report.table(),
            false => report.text(),
        };
        let told = context.table(text, || report.csv(), &report);
        told.and(self.write_details(plan, runs))?;
        self.traffic.ended(trace)
    }

    /// Ascending.
    fn loads(&self) -> Vec<f64> {
        self.asked_loads().values(self.step())
    }

    fn asked_loads(&self) -> Loads {
        let has_load = self.traffic.injects_by_load();
        match &self.load {
            Some(loads) if has_load => loads.clone(),
            None if has_load => Loads::List(vec![0.1]),
            _ => Loads::List(vec![1.0]),
        }
    }

    fn step(&self) -> f64 {
        self.step.unwrap_or(0.05)
    }

    fn cycles(&self) -> u64 {
        self.traffic.cycles(self.cycles, 10_000)
    }

    fn seeds(&self) -> u32 {
        self.seeds.unwrap_or(1)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn warm_up(&self) -> WarmUp {
        self.traffic.warm_up(self.warmup)
    }

    /// All seeds of each load, up to the saturated loads that end a sweep.
    fn sweep(
        &self,
        plan: &Plan,
        loads: &[f64],
        planned: &PlannedTraffic,
        context: &Context,
    ) -> Result<Runs, CommandError> {
        let sweep = Sweep {
            loads,
            seeds: self.seeds(),
            threads: self.threads,
        };
        let jobs = loads.len() as u64 * u64::from(self.seeds());
        let cycles = self.traffic.expected_cycles(self.cycles(), planned);
        let bar = progress::bar(context, "measuring", "cycles", jobs.saturating_mul(cycles));
        let measure = |run: Run| {
            let experiment = self.experiment(plan, run, planned);
            let point = experiment.run_watched(&|cycles| bar.inc(cycles));
            bar.step(&format!("load {}, run {}", run.load, run.seed + 1));
            point
        };
        let runs = sweep.run(measure);
        bar.finish_and_clear();
        runs.map_err(CommandError::io("start threads"))
    }

    fn write_details(&self, plan: &Plan, runs: &[(f64, Vec<Point>)]) -> Result<(), CommandError> {
        let records = || {
            let of_load = |(load, points): &(f64, Vec<Point>)| {
                let load = self.traffic.without_load().is_none().then_some(*load);
                (self.seed()..)
                    .zip(points.clone())
                    .map(move |(seed, point)| (load, seed, point))
            };
            runs.iter().flat_map(of_load)
        };
        if let Some(path) = &self.flows {
            output_path::write(path, flows_csv(records()))?;
        }
        if let Some(path) = &self.links {
            output_path::write(path, links_csv(&plan.network, records()))?;
        }
        Ok(())
    }
}
