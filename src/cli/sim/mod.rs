//! `mkns sim`: latency and throughput of a whole network under traffic, on the golden model.

mod values;

use std::fmt::Display;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, progress};
use mkns_design as design;
use mkns_design::Plan;
use mkns_golden::RouteSource;
use mkns_golden::measure::{Experiment, Point, Run, Summary, Sweep, WarmUp};
use mkns_golden::traffic::{
    Addresses, Injection, Lengths, PatternKind, PlannedTraffic, Traffic, parse_trace,
};
use mkns_report::simulation::{Simulation, flows_csv, links_csv};
use values::{InjectionName, TrafficName, lengths};
pub use values::{Loads, loads, warm_up};

/// Simulate the whole network: latency and throughput under traffic
#[derive(Debug, Args)]
pub struct Sim {
    #[command(flatten)]
    spec: SpecArguments,
    /// Where packets go
    #[arg(long, value_enum, default_value_t = TrafficName::Uniform)]
    traffic: TrafficName,
    /// Flits that each host creates per cycle: one number, a list 0.1,0.3 or a sweep 0.05..1.0
    #[arg(long, value_name = "LOADS", default_value = "0.1", value_parser = loads)]
    load: Loads,
    /// Distance of the loads of a sweep
    #[arg(long, value_name = "LOAD", default_value_t = 0.05)]
    step: f64,
    /// When packets are created; with a window the load has no meaning
    #[arg(long, value_enum, default_value_t = InjectionName::Random)]
    injection: InjectionName,
    /// Mean packets of a burst
    #[arg(long, value_name = "PACKETS", default_value_t = 4.0)]
    burst: f64,
    /// Packets of a host under way at a time
    #[arg(long, value_name = "PACKETS", default_value_t = 4)]
    window: u32,
    /// Flits of a packet with its header, one number or a range 2..33
    #[arg(long, value_name = "FLITS", default_value = "9", value_parser = lengths)]
    packet_flits: Lengths,
    /// Measured cycles
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    cycles: u64,
    /// Cycles before the measurement: auto waits until latencies settle
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = warm_up)]
    warmup: WarmUp,
    /// Independent runs of each load, for confidence intervals
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u32,
    /// Seed of the first run
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads: several runs are spread over them, a single run is split; results are the same
    /// [default: the cores for several runs, 1 for a single run]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Host that hot-spot traffic goes to
    #[arg(long, value_name = "VM", default_value_t = 0)]
    hot_vm: u32,
    /// Share of the packets that goes there, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    hot_share: f64,
    /// Host that broadcasts
    #[arg(long, value_name = "VM", default_value_t = 0)]
    root: u32,
    /// Packets of trace traffic: cycle,source,destination,flits
    #[arg(long, value_name = "FILE.csv", required_if_eq("traffic", "trace"))]
    trace: Option<PathBuf>,
    /// Write what every flow saw
    #[arg(long, value_name = "FILE.csv")]
    flows: Option<PathBuf>,
    /// Write the load of every link
    #[arg(long, value_name = "FILE.csv")]
    links: Option<PathBuf>,
}

impl Command for Sim {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let plan = design::build(&spec)?;
        self.possible(&plan)?;
        let planned = self.planned(&plan)?;
        let loads = self.loads();
        let runs = self.sweep(&plan, &loads, &planned, context)?;
        self.write_details(&plan, &runs)?;
        let points: Vec<Summary> = runs.iter().map(|(_, points)| Summary::of(points)).collect();
        let report = Simulation {
            spec: self.spec.title(),
            traffic: name(self.traffic),
            injection: name(self.injection),
            packet_flits: (self.packet_flits.shortest(), self.packet_flits.longest()),
            blocks: plan.instances.len(),
            hosts: plan.network.terminals.len(),
            seed: self.seed,
            single: (points.len() == 1).then(|| points[0].clone()),
            points,
        };
        match context.format() {
            Format::Csv => context.document(report.csv()),
            _ => context.result(report.text(), &report),
        }
    }
}

impl Sim {
    /// Refuses what cannot be simulated.
    fn possible(&self, plan: &Plan) -> Result<(), CommandError> {
        self.has_paths(plan)?;
        let hosts = plan.network.terminals.len() as u32;
        let longest = plan.spec.block.max_packet_flits;
        let rules = [
            (
                Loads::are_possible(&self.loads()),
                "`--load`",
                "give loads above 0 and up to 1, such as 0.3 or 0.05..0.6".to_owned(),
            ),
            (
                self.packet_flits.longest() <= longest,
                "`--packet-flits`",
                format!("give at most {longest} (`max_packet_flits` of the spec)"),
            ),
            (
                self.cycles > 0 && self.seeds > 0 && self.threads != Some(0),
                "`--cycles`, `--seeds` or `--threads`",
                "give at least 1".to_owned(),
            ),
            (
                self.hot_vm < hosts && self.root < hosts,
                "`--hot-vm` or `--root`",
                format!("give a VM from 0 to {}", hosts - 1),
            ),
            (
                (0.0..=1.0).contains(&self.hot_share),
                "`--hot-share`",
                "give a share from 0 to 1".to_owned(),
            ),
            (
                self.burst >= 1.0 && self.window >= 1,
                "`--burst` or `--window`",
                "give at least 1 packet".to_owned(),
            ),
        ];
        let broken = rules.into_iter().find(|(holds, ..)| !holds);
        broken.map_or(Ok(()), |(_, what, remedy)| {
            let fact = format!("{what} is out of range for {}", self.spec.title());
            Err(CommandError::usage("E0901", fact, remedy))
        })
    }

    /// Refuses traffic to hosts that the sender has no path to.
    fn has_paths(&self, plan: &Plan) -> Result<(), CommandError> {
        if self.pattern().suits(plan) {
            return Ok(());
        }
        let fact = format!(
            "{} traffic asks for hosts that the parallel ports of {} have no path to",
            name(self.traffic),
            self.spec.title()
        );
        let remedy = "use `--traffic uniform` or `all-to-all`, which leave those out, a trace, or serial РОК";
        Err(CommandError::usage("E0904", fact, remedy))
    }

    /// The packets of the trace file, if there is one.
    fn planned(&self, plan: &Plan) -> Result<PlannedTraffic, CommandError> {
        let (TrafficName::Trace, Some(path)) = (self.traffic, &self.trace) else {
            return Ok(PlannedTraffic::default());
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| CommandError::io(&format!("read {}", path.display()), &error))?;
        let addresses = Addresses::new(plan);
        parse_trace(&text, &addresses, plan.spec.block.max_packet_flits).map_err(|error| {
            let fact = format!("{}: {error}", path.display());
            CommandError::usage("E0902", fact, "correct the line; see docs/simulation.md")
        })
    }

    /// Ascending.
    fn loads(&self) -> Vec<f64> {
        if self.injection == InjectionName::Window {
            return vec![1.0];
        }
        self.load.values(self.step)
    }

    fn pattern(&self) -> PatternKind {
        match self.traffic {
            TrafficName::Uniform | TrafficName::Trace => PatternKind::Uniform,
            TrafficName::Permutation => PatternKind::Permutation,
            TrafficName::Transpose => PatternKind::Transpose,
            TrafficName::BitReversal => PatternKind::BitReversal,
            TrafficName::BitComplement => PatternKind::BitComplement,
            TrafficName::Neighbour => PatternKind::Neighbour,
            TrafficName::HotSpot => PatternKind::HotSpot {
                vm: self.hot_vm,
                fraction: self.hot_share,
            },
            TrafficName::AllToAll => PatternKind::AllToAll,
            TrafficName::Broadcast => PatternKind::Broadcast { root: self.root },
        }
    }

    fn traffic_at(&self, load: f64, seed: u64, plan: &PlannedTraffic) -> Traffic {
        let injection = match (self.traffic, self.injection) {
            (TrafficName::Trace, _) => Injection::Planned,
            (_, InjectionName::Random) => Injection::Random,
            (_, InjectionName::Bursts) => Injection::Bursts {
                packets: self.burst,
            },
            (_, InjectionName::Window) => Injection::Window {
                packets: self.window,
            },
        };
        Traffic {
            pattern: self.pattern(),
            injection,
            lengths: self.packet_flits,
            load,
            seed,
            plan: plan.clone(),
        }
    }

    /// All seeds of each load, up to the saturated loads that end a sweep.
    fn sweep(
        &self,
        plan: &Plan,
        loads: &[f64],
        planned: &PlannedTraffic,
        context: &Context,
    ) -> Result<Vec<(f64, Vec<Point>)>, CommandError> {
        let sweep = Sweep {
            loads,
            seeds: self.seeds,
            threads: self.threads,
        };
        let jobs = loads.len() as u64 * u64::from(self.seeds);
        let bar = progress::bar(context, "measuring", "cycles", jobs * self.cycles);
        let measure = |run: Run| {
            let experiment = Experiment {
                plan,
                routes: RouteSource::Tables,
                traffic: self.traffic_at(run.load, self.seed + u64::from(run.seed), planned),
                warm_up: self.warmup,
                cycles: self.cycles,
                parts: run.parts,
                flows: self.flows.is_some(),
                links: self.links.is_some(),
            };
            experiment.run_watched(&|cycles| bar.inc(cycles))
        };
        let runs = sweep.run(measure);
        bar.finish_and_clear();
        runs.map_err(|error| unexpected("start threads", &error))
    }

    fn write_details(&self, plan: &Plan, runs: &[(f64, Vec<Point>)]) -> Result<(), CommandError> {
        let write = |path: &PathBuf, text: String| {
            std::fs::write(path, text)
                .map_err(|error| CommandError::io(&format!("write {}", path.display()), &error))
        };
        let records = || {
            let of_load = |(load, points): &(f64, Vec<Point>)| {
                let load = *load;
                (self.seed..)
                    .zip(points.clone())
                    .map(move |(seed, point)| (load, seed, point))
            };
            runs.iter().flat_map(of_load)
        };
        if let Some(path) = &self.flows {
            write(path, flows_csv(records()))?;
        }
        if let Some(path) = &self.links {
            write(path, links_csv(&plan.network, records()))?;
        }
        Ok(())
    }
}

fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

pub fn unexpected(what: &str, error: &impl Display) -> CommandError {
    CommandError::io(what, &std::io::Error::other(error.to_string()))
}
