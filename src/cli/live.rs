//! `mkns live`: a network that runs, and whose hosts other programs are.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::in_band::manageable_block;
use super::live_error::live_error;
use super::live_faults::LiveFaults;
use super::live_folder::refused;
use super::network_arguments::FailureArguments;
use super::spec_arguments::Settings;
use super::{Command, CommandError, Context, interrupt};
use mkns_design::{Plan, Purpose};
use mkns_live::{LiveServer, SocketTotals, ask};
use mkns_manage::{History, InBandReport};
use mkns_routing::Routing;
use mkns_simulation::live::{OutsideReport, OutsideRun};
use mkns_topology::BlockId;
use mkns_traffic::OutsideTotals;

/// Run the network with its hosts as Unix sockets, for other programs
#[derive(Debug, Args)]
pub struct Live {
    /// The network: a TOML file, - for TOML on standard input, or a notation such as "MKNS(2,4,2,1)"
    #[arg(required_unless_present = "ask")]
    spec: Option<String>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    failures: FailureArguments,
    #[command(flatten)]
    live: LiveFaults,
    /// Folder of the sockets: host_0, host_1 and so on, and control. It is made, for its owner alone, if it is not there
    #[arg(long, value_name = "FOLDER")]
    sockets: PathBuf,
    /// A manager uses the registers of this block's board, and reaches all others over their cables. Blocks power up
    /// empty, until `mkns manage SPEC --through live:FOLDER --bring-up` brings them up. Needs --model rtl and
    /// management = "in_band" in the section [link]
    #[arg(long, value_name = "BLOCK", conflicts_with = "manager")]
    in_band: Option<String>,
    /// What the packets go through
    #[arg(long, value_enum, default_value_t = Model::DEFAULT)]
    model: Model,
    /// Ask the network that runs with these sockets: "fail PART" makes a part fail, "counters HOST" gives the numbers
    /// of mkns-host, "status" says how it goes, "read ADDRESS" and "write ADDRESS VALUE" use the control port of
    /// --in-band, "stop" ends it
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["spec", "fail", "manager", "in_band"])]
    ask: Option<String>,
    /// Seed of the power-up values of the RTL
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads are used; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// What a network is run as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Model {
    /// The RTL and the golden model in lockstep: every output is compared in every cycle
    #[cfg(feature = "cosim")]
    Rtl,
    /// The fast model, some ten times as fast
    Fast,
}

impl Model {
    #[cfg(feature = "cosim")]
    const DEFAULT: Self = Self::Rtl;
    #[cfg(not(feature = "cosim"))]
    const DEFAULT: Self = Self::Fast;
}

/// What a run saw.
#[derive(Debug, Serialize)]
struct Outcome {
    spec: String,
    model: Model,
    hosts: u32,
    cycles: u64,
    seconds: f64,
    packets: OutsideTotals,
    sockets: SocketTotals,
    #[serde(flatten)]
    history: History,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_band: Option<InBandReport>,
}

impl Command for Live {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if let Some(command) = &self.ask {
            let answer = ask(&self.sockets, command).map_err(refused)?;
            return context.document(answer);
        }
        let spec = self.settings.parse(self.spec())?;
        let purpose = match self.model {
            Model::Fast => Purpose::Simulation,
            #[cfg(feature = "cosim")]
            Model::Rtl => Purpose::Rtl,
        };
        let plan = self.failures.plan(&spec, purpose)?;
        self.ensure_possible(&plan)?;
        let window = self.in_band.as_deref();
        let window = window.map(|name| manageable_block("--in-band", name, &plan));
        let window = window.transpose()?;
        let managed = match self.live.has_manager() {
            true => Some(self.failures.build(spec)?.routing),
            false => None,
        };
        let outcome = self.serve(&plan, (window, managed), context)?;
        context.result(outcome.text(), &outcome)
    }
}

impl Live {
    fn spec(&self) -> &str {
        self.spec.as_deref().unwrap_or_default()
    }

    fn title(&self) -> String {
        self.settings.title(self.spec()) + &self.failures.as_words() + &self.live.as_words()
    }

    /// A manager makes tables, which a distributed switch has not; messages are only in the RTL.
    fn ensure_possible(&self, plan: &Plan) -> Result<(), CommandError> {
        if self.model == Model::Fast {
            self.live.ensure_control_ports("without `--model rtl`")?;
            CommandError::refuse_idle([(
                "--in-band",
                self.in_band.is_some(),
                Some("without `--model rtl`"),
            )])?;
        }
        match plan.spec.kind.has_trains() && !self.live.is_none() {
            true => Err(super::network_arguments::distributed_switch_stays()),
            false => Ok(()),
        }
    }

    /// Makes the sockets and says so.
    fn open(
        &self,
        plan: &Plan,
        window: Option<BlockId>,
        context: &Context,
    ) -> Result<LiveServer, CommandError> {
        let server = LiveServer::start(&self.sockets, plan, window, interrupt::stop());
        let server = server.map_err(refused)?;
        context.summary(format!(
            "{}: {} hosts at {}/host_0 to host_{}; Ctrl-C ends the run",
            self.title(),
            plan.hosts(),
            self.sockets.display(),
            plan.hosts() - 1
        ));
        Ok(server)
    }

    fn serve(
        &self,
        plan: &Plan,
        (window, managed): (Option<BlockId>, Option<Routing>),
        context: &Context,
    ) -> Result<Outcome, CommandError> {
        let failures = self.live.open_ended(&plan.network)?;
        let (report, server, seconds): (OutsideReport, LiveServer, Duration) = match self.model {
            Model::Fast => {
                let mut server = self.open(plan, window, context)?;
                let start = Instant::now();
                let run = OutsideRun {
                    plan,
                    failures: &failures,
                    managed: managed.as_ref(),
                };
                let report = run.run(&mut server);
                let report = report.map_err(|error| live_error(&self.title(), error))?;
                (report, server, start.elapsed())
            }
            #[cfg(feature = "cosim")]
            Model::Rtl => self.lockstep(plan, (&failures, window, managed), context)?,
        };
        Ok(Outcome {
            spec: self.title(),
            model: self.model,
            hosts: plan.hosts(),
            cycles: report.cycles,
            seconds: seconds.as_secs_f64(),
            packets: report.totals,
            sockets: server.finish(),
            history: report.history,
            in_band: report.in_band,
        })
    }

    #[cfg(feature = "cosim")]
    fn lockstep(
        &self,
        plan: &Plan,
        (failures, window, managed): (
            &[(mkns_topology::Part, u64)],
            Option<BlockId>,
            Option<Routing>,
        ),
        context: &Context,
    ) -> Result<(OutsideReport, LiveServer, Duration), CommandError> {
        use super::processors::processors;
        use super::simulator_error::simulator_error;
        use mkns_cosim::{LiveFaults, Models, OutsideLockstep, PlannedFailure};

        let failed = |error| simulator_error(&error);
        // It runs for long: the models are worth optimising.
        let models = Models::new(plan)
            .map_err(failed)?
            .for_block_cycles(u64::MAX);
        let failures = failures.iter();
        let failures = failures.map(|&(part, cycle)| PlannedFailure { part, cycle });
        let live = LiveFaults {
            failures: failures.collect(),
            managed,
            in_band: match self.live.is_in_band() {
                true => Some(super::in_band::first_host(plan)?),
                false => None,
            },
        };
        let threads = self
            .threads
            .map_or_else(processors, |threads| threads as usize);
        let bar = super::cosim::Bar::new(context);
        let lockstep = OutsideLockstep::new(plan, &models, (self.seed, threads), &bar);
        let lockstep = lockstep.map_err(failed)?;
        bar.finish();
        // Whoever finds a socket finds a network that runs.
        let mut server = self.open(plan, window, context)?;
        let start = Instant::now();
        match lockstep.run(&live, &mut server).map_err(failed)? {
            Ok(report) => Ok((report, server, start.elapsed())),
            Err(failure) => {
                Err(context.verdict(mkns_diag::Exit::Diverged, failure.to_string(), &failure))
            }
        }
    }
}

impl Outcome {
    fn text(&self) -> String {
        let compared = match self.model {
            Model::Fast => "",
            #[cfg(feature = "cosim")]
            Model::Rtl => "; RTL and golden model showed no difference",
        };
        let (packets, sockets) = (&self.packets, &self.sockets);
        let in_band = self.in_band.as_ref();
        let in_band = in_band.map_or_else(String::new, InBandReport::to_string);
        format!(
            "{}: {} cycles in {:.1} s{compared}\n\
             {in_band}{}  packets: {} sent, {} arrived, {} marked bad, {} lost, {} never begun\n  \
             at the sockets: {} refused, {} with no program there, {} not read in time",
            self.spec,
            self.cycles,
            self.seconds,
            self.history,
            packets.sent,
            packets.received,
            packets.bad,
            packets.lost,
            packets.withdrawn,
            sockets.refused,
            sockets.nobody_there,
            sockets.not_read,
        )
    }
}
