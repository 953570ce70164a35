//! `mkns workload`: how long collectives and traces take on networks, and which chain of messages holds them up.

mod job;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::clock::ClockArguments;
use super::network_arguments::{FailureArguments, NetworkArguments};
use super::spec_arguments::Settings;
use super::traffic::name;
use super::{Command, CommandError, Context, Format, format, output_path, progress};
use job::{Job, job};
use mkns_cabling::{FloorLayout, FloorPlan};
use mkns_design::{Plan, Purpose};
use mkns_diag::Code;
use mkns_report::completion::{Completions, JobEnd, NetworkCompletion, chain_csv};
use mkns_simulation::work::{Work, WorkError};
use mkns_workload::{Placement, Schedule, host_order};

/// Run collectives and traces to completion; report time and critical path
#[derive(Debug, Args)]
pub struct Workload {
    /// Networks to compare, as TOML files or notations
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
    /// A collective (all-reduce-ring, all-reduce-doubling, all-to-all, broadcast or halo-exchange) with the size of a
    /// rank's vector or message (64KiB, 1MB) and the number of ranks (default: all remaining hosts), or a trace in a
    /// GOAL file, whose name ends in .goal. Can be repeated: jobs run at the same time, each on its own hosts
    #[arg(long = "job", value_name = "NAME:SIZE[@RANKS]|FILE.goal", value_parser = job, required = true)]
    jobs: Vec<Job>,
    /// How ranks are placed on hosts
    #[arg(long, value_enum, default_value_t = PlacementName::Block)]
    placement: PlacementName,
    /// Seed of a random placement [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Flits per packet, header included, into which messages are divided [default: max_packet_flits of the spec]
    #[arg(long, value_name = "FLITS")]
    packet_flits: Option<u32>,
    /// How many threads are used; the results do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Write the critical path on each network, one message or computation per line
    #[arg(long, value_name = "FILE.csv", alias = "chain")]
    critical_path: Option<PathBuf>,
    #[command(flatten)]
    clock: ClockArguments,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    failures: FailureArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PlacementName {
    /// In the order of host numbers
    Block,
    /// On hosts drawn at random
    Random,
    /// Rack by rack, with the racks in random order
    Rack,
}

impl Command for Workload {
    const FORMATS: &[Format] = format::LINES;

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if self.seed.is_some() && self.placement == PlacementName::Block {
            let beside = "with `--placement block`";
            return Err(CommandError::no_effect("--seed", beside));
        }
        output_path::files([("--critical-path", self.critical_path.as_ref())])?;
        let network = |spec| NetworkArguments::new(self.settings.of(spec), self.failures.clone());
        let networks: Vec<_> = self.specs.iter().map(|spec| network(spec)).collect();
        // A wrong one is not found out only after the others have run.
        for network in &networks {
            network.spec.parse()?;
        }
        let rows = networks
            .iter()
            .map(|network| self.network(network, context));
        let completions = Completions {
            jobs: self.jobs.iter().map(|job| job.text.clone()).collect(),
            placement: name(self.placement),
            seed: self.seed.unwrap_or(1),
            clock_mhz: self.clock.mhz,
            networks: rows.collect::<Result<_, _>>()?,
        };
        let told = context.table(completions.to_text(), || completions.to_csv(), &completions);
        let Some(path) = &self.critical_path else {
            return told;
        };
        told.and(output_path::write(path, chain_csv(&completions.networks)))
    }
}

impl Workload {
    fn network(
        &self,
        network: &NetworkArguments,
        context: &Context,
    ) -> Result<NetworkCompletion, CommandError> {
        let plan = network.plan(Purpose::Simulation)?;
        let packet_flits = self.packet_flits(&plan, network)?;
        let order = self.hosts(&plan)?;
        let mut schedule = Schedule::default();
        let mut ranks = Vec::new();
        for job in &self.jobs {
            let left = order.len() as u32 - schedule.ranks;
            schedule.append(&job.schedule(left)?);
            ranks.push(schedule.ranks as usize);
        }
        let hosts = &order[..schedule.ranks as usize];
        let work = Work {
            plan: &plan,
            schedule: &schedule,
            hosts,
            packet_flits,
            clock_mhz: self.clock.mhz,
            parts: self.threads.into(),
        };
        let messages = schedule.operations.len() as u64 / 2;
        let bar = progress::bar(context, "delivering", "messages", messages);
        let completion = work.run(&|messages| bar.inc(messages));
        bar.finish_and_clear();
        let completion = completion.map_err(|error| refusal(&error, network, &plan))?;
        let starts = [0].into_iter().chain(ranks.iter().copied());
        let ends = self.jobs.iter().zip(starts.zip(&ranks));
        let ends = ends.map(|(job, (start, &end))| {
            let cycles = completion.rank_ends[start..end].iter().max();
            let cycles = cycles.copied().unwrap_or(0);
            JobEnd::new(&job.text, end - start, cycles, self.clock.mhz)
        });
        let nanoseconds = |mhz| completion.cycles as f64 * 1e3 / mhz;
        Ok(NetworkCompletion {
            network: network.title(),
            hosts: plan.network.hosts.len(),
            packet_flits,
            jobs: ends.collect(),
            nanoseconds: self.clock.mhz.map(nanoseconds),
            host_of_rank: hosts.to_vec(),
            completion,
        })
    }

    fn packet_flits(&self, plan: &Plan, network: &NetworkArguments) -> Result<u32, CommandError> {
        let longest = plan.spec.block.max_packet_flits;
        let flits = self.packet_flits.unwrap_or(longest);
        if (2..=longest).contains(&flits) {
            return Ok(flits);
        }
        let fact = format!(
            "`--packet-flits {flits}` is out of range for {}",
            network.title()
        );
        let remedy = format!("give 2 to {longest} (`max_packet_flits` of the spec)");
        Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
    }

    /// Hosts that work, in the order in which ranks get them.
    fn hosts(&self, plan: &Plan) -> Result<Vec<u32>, CommandError> {
        let network = &plan.network;
        let floor_layout = FloorLayout::new(&plan.spec, network, FloorPlan::default())?;
        let mut racks = vec![Vec::new(); floor_layout.racks().len()];
        for host in &network.hosts {
            let works = plan.served.as_ref().is_none_or(|served| {
                let mut others = 0..network.hosts.len() as u32;
                others.any(|other| other != host.host && served.has(host.host, other))
            });
            if works {
                racks[floor_layout.place(host.block).rack as usize].push(host.host);
            }
        }
        let placement = match self.placement {
            PlacementName::Block => Placement::Block,
            PlacementName::Random => Placement::Random,
            PlacementName::Rack => Placement::Rack,
        };
        Ok(host_order(placement, &racks, self.seed.unwrap_or(1)))
    }
}

/// What to do about hosts without a path between them, in this kind of network.
fn without_path(plan: &Plan) -> &'static str {
    match plan.spec.kind.has_trains() {
        true => "use serial POK, or leave out the parts that cut the hosts off",
        false => {
            "give fewer failed parts, or an engine that finds other routes, such as `--set routing=up_down`"
        }
    }
}

fn refusal(error: &WorkError, network: &NetworkArguments, plan: &Plan) -> CommandError {
    let (code, remedy) = match error {
        WorkError::NoPath { .. } => (Code::TrafficWithoutPath, without_path(plan)),
        WorkError::TooManyPackets { .. } => (
            Code::JobUnusable,
            "give smaller messages, or longer packets with `--packet-flits`",
        ),
        WorkError::NoClock => (Code::JobUnusable, "give `--clock-mhz`"),
        WorkError::Messages(_) => (
            Code::JobUnusable,
            "correct the trace: every message needs its receive",
        ),
        WorkError::Standstill { .. } => (
            Code::Standstill,
            "look for a deadlock with `mkns check`, with the same options",
        ),
        WorkError::Circle { .. } => (
            Code::JobUnusable,
            "correct the trace: look for what the operation requires",
        ),
    };
    CommandError::new(code, format!("{}: {error}", network.title()), remedy)
}
