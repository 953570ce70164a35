//! `mkns sim`: latency and throughput of a whole network under traffic, on the golden model.

mod expected;
mod live;
mod ranked;
mod ranks;
mod refusals;
mod values;
mod words;

use std::path::PathBuf;

use clap::Args;

use super::live_faults::LiveFaults;
use super::network_arguments::NetworkArguments;
use super::{Command, CommandError, Context, Format, format, output_path, progress};
use mkns_design::{Plan, Purpose};
use mkns_diag::Code;
use mkns_report::simulation::{Simulation, flows_csv, links_csv};
use mkns_report::write_whole;
use mkns_simulation::measure::{Point, Run, Summary, Sweep, WarmUp};
use mkns_simulation::ranks::Ranks;
use mkns_simulation::traffic::{
    Addresses, Injection, Lengths, PatternKind, PlannedTraffic, Traffic, parse_trace,
};
use values::{InjectionName, TrafficName, lengths};
pub use values::{Loads, loads, warm_up};
use words::name;
pub use words::{NO_SWEEP, span, unexpected};

/// Simulate the whole network: latency and throughput under traffic
#[derive(Debug, Args)]
pub struct Sim {
    #[command(flatten)]
    network: NetworkArguments,
    #[command(flatten)]
    live: LiveFaults,
    /// Where packets go
    #[arg(long, value_enum, default_value_t = TrafficName::Uniform)]
    traffic: TrafficName,
    /// Flits that each host creates per cycle: one number, a list 0.1,0.3 or a sweep 0.05..1.0
    /// [default: 0.1]
    #[arg(long, value_name = "LOADS", value_parser = loads)]
    load: Option<Loads>,
    /// Distance of the loads of a sweep [default: 0.05]
    #[arg(long, value_name = "LOAD")]
    step: Option<f64>,
    /// When packets are created; with a window the load has no meaning [default: random]
    #[arg(long, value_enum)]
    injection: Option<InjectionName>,
    /// Mean packets of a burst [default: 4]
    #[arg(long, value_name = "PACKETS")]
    burst: Option<f64>,
    /// Packets of a host under way at a time [default: 4]
    #[arg(long, value_name = "PACKETS")]
    window: Option<u32>,
    /// Flits of a packet with its header, one number or a range 2..33 [default: 9]
    #[arg(long, value_name = "FLITS", value_parser = lengths)]
    packet_flits: Option<Lengths>,
    /// Measured cycles
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    cycles: u64,
    /// Cycles before the measurement: auto waits until latencies settle [default: auto, 0 for a trace]
    #[arg(long, value_name = "auto|N", value_parser = warm_up)]
    warmup: Option<WarmUp>,
    /// Independent runs of each load, for confidence intervals [default: 1]
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Seed of the first run [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Threads: several runs are spread over them, a single run is split; results are the same
    /// [default: the cores for several runs, 1 for a single run]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// Simulate the network on all processes that mpirun or srun has started, in pieces; results are the same
    #[arg(long)]
    mpi: bool,
    /// Host that hotspot traffic goes to [default: 0]
    #[arg(long, value_name = "VM")]
    hot_vm: Option<u32>,
    /// Share of the packets that goes there, 0 to 1 [default: 0.1]
    #[arg(long, value_name = "SHARE")]
    hot_share: Option<f64>,
    /// Host that broadcasts [default: 0]
    #[arg(long, value_name = "VM")]
    root: Option<u32>,
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
    fn formats() -> &'static [Format] {
        format::LINES
    }

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if !self.mpi {
            return self.simulate(None, context);
        }
        let ranks = ranks::start()?;
        let ended = self.simulate(Some(&ranks), context);
        ended.map_err(|error| match ranks.rank() {
            0 => error,
            // Rank 0 says it.
            _ => CommandError {
                diagnostics: Vec::new(),
                ..error
            },
        })
    }
}

impl Sim {
    fn simulate(&self, ranks: Option<&dyn Ranks>, context: &Context) -> Result<(), CommandError> {
        let plan = self.network.plan(Purpose::Simulation)?;
        self.ensure_feasible(&plan)?;
        let planned = self.planned(&plan)?;
        let details = [("--flows", &self.flows), ("--links", &self.links)];
        output_path::files(details.map(|(option, path)| (option, path.as_ref())))?;
        let loads = self.loads();
        if !self.live.is_none() {
            if ranks.is_some() {
                return Err(CommandError::no_effect("--mpi", "with `--fail`"));
            }
            return self.run_live(&plan, &loads, context);
        }
        let runs = match ranks {
            Some(ranks) => self.sweep_on(ranks, &plan, &loads, &planned, context)?,
            None => self.sweep(&plan, &loads, &planned, context)?,
        };
        if ranks.is_some_and(|ranks| ranks.rank() > 0) {
            return Ok(());
        }
        let points: Vec<Summary> = runs.iter().map(|(_, points)| Summary::of(points)).collect();
        self.measured(&points)?;
        let report = Simulation {
            spec: self.network.title(),
            traffic: name(self.traffic),
            injection: match self.traffic {
                TrafficName::Trace => "planned".to_owned(),
                _ => name(self.injection()),
            },
            packet_flits: self.lengths_sent(&planned),
            blocks: plan.instances.len(),
            hosts: plan.network.terminals.len(),
            seed: self.seed(),
            single: (points.len() == 1).then(|| points[0].clone()),
            points,
        };
        // The result first: it stands also where the details cannot be written.
        let told = match context.format() {
            Format::Csv => context.document(report.csv()),
            _ if context.is_quiet() => context.result(report.table(), &report),
            _ => context.result(report.text(), &report),
        };
        told.and(self.write_details(&plan, &runs))
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
            CommandError::new(
                Code::TraceDoesNotFit,
                fact,
                "correct the line; see docs/reference/simulation.md",
            )
        })
    }

    /// Ascending.
    fn loads(&self) -> Vec<f64> {
        let is_free = self.injection() == InjectionName::Window;
        match &self.load {
            Some(loads) if !is_free => loads.values(self.step.unwrap_or(0.05)),
            None if !is_free => vec![0.1],
            _ => vec![1.0],
        }
    }

    fn seeds(&self) -> u32 {
        self.seeds.unwrap_or(1)
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn injection(&self) -> InjectionName {
        self.injection.unwrap_or(InjectionName::Random)
    }

    fn packet_flits(&self) -> Lengths {
        self.packet_flits.unwrap_or(Lengths::Fixed(9))
    }

    /// Flits of the shortest and the longest packet.
    fn lengths_sent(&self, planned: &PlannedTraffic) -> (u32, u32) {
        let flits = || planned.iter().flatten().map(|packet| packet.flits);
        let lengths = self.packet_flits();
        let drawn = (lengths.shortest(), lengths.longest());
        (
            flits().min().unwrap_or(drawn.0),
            flits().max().unwrap_or(drawn.1),
        )
    }

    /// A trace is measured from its beginning.
    fn warm_up(&self) -> WarmUp {
        let usual = match self.traffic {
            TrafficName::Trace => WarmUp::Cycles(0),
            _ => WarmUp::Automatic,
        };
        self.warmup.unwrap_or(usual)
    }

    fn pattern(&self) -> PatternKind {
        match self.traffic {
            TrafficName::Uniform | TrafficName::Trace => PatternKind::Uniform,
            TrafficName::Permutation => PatternKind::Permutation,
            TrafficName::Transpose => PatternKind::Transpose,
            TrafficName::BitReversal => PatternKind::BitReversal,
            TrafficName::BitComplement => PatternKind::BitComplement,
            TrafficName::Neighbour => PatternKind::Neighbour,
            TrafficName::Tornado => PatternKind::Tornado,
            TrafficName::Hotspot => PatternKind::HotSpot {
                vm: self.hot_vm.unwrap_or(0),
                fraction: self.hot_share.unwrap_or(0.1),
            },
            TrafficName::AllToAll => PatternKind::AllToAll,
            TrafficName::Broadcast => PatternKind::Broadcast {
                root: self.root.unwrap_or(0),
            },
        }
    }

    fn traffic_at(&self, load: f64, seed: u64, plan: &PlannedTraffic) -> Traffic {
        let injection = match (self.traffic, self.injection()) {
            (TrafficName::Trace, _) => Injection::Planned,
            (_, InjectionName::Random) => Injection::Random,
            (_, InjectionName::Bursts) => Injection::Bursts {
                packets: self.burst.unwrap_or(4.0),
            },
            (_, InjectionName::Window) => Injection::Window {
                packets: self.window.unwrap_or(4),
            },
        };
        Traffic {
            pattern: self.pattern(),
            injection,
            lengths: self.packet_flits(),
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
            seeds: self.seeds(),
            threads: self.threads,
        };
        let jobs = loads.len() as u64 * u64::from(self.seeds());
        let bar = progress::bar(context, "measuring", "cycles", jobs * self.cycles);
        let measure = |run: Run| {
            let experiment = self.experiment(plan, run, planned);
            experiment.run_watched(&|cycles| bar.inc(cycles))
        };
        let runs = sweep.run(measure);
        bar.finish_and_clear();
        runs.map_err(|error| unexpected("start threads", &error))
    }

    fn write_details(&self, plan: &Plan, runs: &[(f64, Vec<Point>)]) -> Result<(), CommandError> {
        let write = |path: &PathBuf, text: String| {
            write_whole(path, text)
                .map_err(|error| CommandError::io(&format!("write {}", path.display()), &error))
        };
        let records = || {
            let of_load = |(load, points): &(f64, Vec<Point>)| {
                let load = *load;
                (self.seed()..)
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
