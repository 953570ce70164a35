//! `mkns verify-nonblocking`: drives permutations through a distributed switch and looks for waiting.

use clap::{Args, ValueEnum};
use serde::Serialize;

#[cfg(feature = "cosim")]
use super::simulator_error::simulator_error;
use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context};
#[cfg(feature = "cosim")]
use mkns_cosim::{Models, SessionError, Silent, lockstep_network};
use mkns_design::Plan;
use mkns_design::RouteSource;
use mkns_diag::{Code, Diagnostic, Place};
use mkns_golden::{Network as Reference, PermutationBench};
use mkns_routing as routing;
use mkns_routing::nonblocking::{
    Claim, Effort, LinkMap, LoadResult, PacketTimes, SwitchModel, run,
};
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology as topology;
use mkns_topology::Faults;
use mkns_topology::distributed_switch::switch_of;

/// Drive permutations through a distributed switch; no packet may wait
#[derive(Debug, Args)]
pub struct VerifyNonblocking {
    #[command(flatten)]
    spec: SpecArguments,
    /// How many random loads of each kind are driven, where there are too many to drive all
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// What the loads are driven through
    #[arg(long, value_enum, default_value_t = Driven::Graph)]
    level: Driven,
    /// Seed of the random loads
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// What loads are driven through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Driven {
    /// The wired graph: no link may carry two packets of a load
    Graph,
    /// The golden model: every packet must take as many cycles as a packet that is alone in the network
    Golden,
    /// The verilated RTL of the whole network: as `golden`, and every output is compared with the golden model
    #[cfg(feature = "cosim")]
    Rtl,
}

/// What was driven and seen.
#[derive(Debug, Serialize)]
struct NonblockingReport {
    network: String,
    notation: String,
    level: Driven,
    #[serde(flatten)]
    effort: Effort,
    /// Cycles of the RTL in which every output of every block was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared_cycles: Option<u64>,
    passed: bool,
    loads: Vec<LoadResult>,
}

impl Command for VerifyNonblocking {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let report = self.drive(&spec, context)?;
        context.checked(report.passed, report.to_text(), &report)
    }
}

impl VerifyNonblocking {
    fn drive(
        &self,
        spec: &NetworkSpec,
        context: &Context,
    ) -> Result<NonblockingReport, CommandError> {
        let NetworkKind::DistributedSwitch(kind) = &spec.kind else {
            let fact = format!("{} is not a distributed switch", spec.notation());
            let remedy = "give a multi_ring, hypercube or block_design";
            let place = Place::field("network.kind");
            let diagnostic = Diagnostic::new(Code::NotDistributedSwitch, fact, remedy).at(place);
            return Err(diagnostic.into());
        };
        let network = topology::build(spec);
        let effort = Effort::new(self.samples, self.seed);
        let progress = |load: &str| context.detail(format_args!("driving {load}"));
        let switch = switch_of(kind);
        let drive =
            |model: &mut dyn SwitchModel| run(&switch, model, kind.trunks(), effort, &progress);
        let plan = || -> Result<Plan, CommandError> {
            let routing = routing::build(spec, &network, &Faults::none())?;
            Ok(Plan::new(spec, network.clone(), routing))
        };
        let bits = kind.local_address_bits();
        let (loads, compared_cycles) = match self.level {
            Driven::Graph => (drive(&mut LinkMap::new(&network, kind.trunks())), None),
            Driven::Golden => {
                let plan = plan()?;
                let mut model = Reference::new(&plan, RouteSource::Tables);
                let loads = drive(&mut PermutationBench::new(&mut model, &plan, bits));
                (loads, None)
            }
            #[cfg(feature = "cosim")]
            Driven::Rtl => {
                let plan = plan()?;
                let models = Models::new(&plan).map_err(|error| simulator_error(&error))?;
                let mut rtl =
                    lockstep_network(&plan, &models, self.seed, &Silent).map_err(diverged)?;
                let loads = drive(&mut PermutationBench::new(&mut rtl, &plan, bits));
                let cycles = rtl.finish().map_err(SessionError::Failed);
                (loads, Some(cycles.map_err(diverged)?))
            }
        };
        Ok(NonblockingReport {
            network: network.name.clone(),
            notation: spec.notation(),
            level: self.level,
            effort,
            compared_cycles,
            passed: loads.iter().all(|load| load.passed),
            loads,
        })
    }
}

/// RTL that differs from the golden model, or that could not be built.
#[cfg(feature = "cosim")]
fn diverged(error: SessionError) -> CommandError {
    match error {
        SessionError::Simulator(error) => simulator_error(&error),
        SessionError::Failed(failure) => {
            let remedy =
                "find it with `mkns cosim`, which replays and traces; then drive the loads again";
            let diagnostic = Diagnostic::new(Code::DrivenLoadsDiffer, failure.to_string(), remedy);
            diagnostic.into()
        }
    }
}

impl NonblockingReport {
    fn to_text(&self) -> String {
        let level = match self.level {
            Driven::Graph => {
                "driven on the wired graph: a load crosses without waiting when no link carries two packets"
            }
            Driven::Golden => {
                "driven through the golden model, a load every 8 cycles: no packet takes longer than a lone packet"
            }
            #[cfg(feature = "cosim")]
            Driven::Rtl => {
                "driven through the verilated RTL, a load every 8 cycles: no packet takes longer than a lone packet"
            }
        };
        let mut out = format!("{}  {}\n{level}\n", self.network, self.notation);
        for load in &self.loads {
            out += &load_text(load, self.effort);
        }
        if let Some(cycles) = self.compared_cycles {
            out += &format!(
                "every output of every block equals the golden model in {cycles} cycles\n"
            );
        }
        out + if self.passed {
            "all claims hold\n"
        } else {
            "a claim does not hold\n"
        }
    }
}

fn load_text(load: &LoadResult, effort: Effort) -> String {
    let how = if load.exhaustive {
        "all there are".to_owned()
    } else {
        format!("random, seed {}", effort.seed)
    };
    let word = match (load.claim, load.passed) {
        (Claim::NonBlocking, true) => "ok      no packet meets another",
        (Claim::NonBlocking, false) => "FAILED  packets meet",
        (Claim::NotSelfRouting, true) => "ok      shown: not self-routing",
        (Claim::NotSelfRouting, false) => "FAILED  no collision was found",
        (Claim::Serialises, true) => "ok      shown: packets wait for each other",
        (Claim::Serialises, false) => "FAILED  packets do not wait",
    };
    let (name, driven, failed) = (load.load, load.driven, load.failed);
    let mut out =
        format!("  {name}\n      {word}; {driven} driven ({how}), {failed} with a conflict\n");
    out += &format!("      packet times {}\n", load.packet_times);
    if let Some(PacketTimes { least, most }) = load.measured {
        out += &format!("      measured {least} to {most}\n");
    }
    if let Some(first) = &load.first_failure {
        out += &format!("      first: {first}\n");
    }
    out
}
