//! What cannot be simulated, options without an effect, and simulations in which nothing happened.

use super::Sim;
use super::values::{InjectionName, Loads, TrafficName};
use super::words::{NO_SWEEP, name, span};
use crate::CommandError;
use mkns_design::Plan;
use mkns_diag::Code;
use mkns_simulation::measure::{Summary, WarmUp};

impl Sim {
    /// Refuses what cannot be simulated.
    pub(super) fn ensure_feasible(&self, plan: &Plan) -> Result<(), CommandError> {
        self.has_effect()?;
        self.has_paths(plan)?;
        Loads::check(&self.loads())?;
        let hosts = plan.network.terminals.len() as u32;
        let longest = plan.spec.block.max_packet_flits;
        let vm = |vm: Option<u32>| vm.is_none_or(|vm| vm < hosts);
        let a_vm = || format!("give a VM from 0 to {}", hosts - 1);
        let at_least_one = || "give at least 1".to_owned();
        let flits = self.packet_flits().longest();
        let rules = [
            (
                self.traffic == TrafficName::Trace || flits <= longest,
                "--packet-flits",
                flits.to_string(),
                { format!("give at most {longest} (`max_packet_flits` of the spec)") },
            ),
            (
                self.cycles > 0,
                "--cycles",
                self.cycles.to_string(),
                at_least_one(),
            ),
            (
                self.seeds() > 0,
                "--seeds",
                self.seeds().to_string(),
                at_least_one(),
            ),
            (
                self.threads != Some(0),
                "--threads",
                "0".to_owned(),
                at_least_one(),
            ),
            (vm(self.hot_vm), "--hot-vm", written(self.hot_vm), a_vm()),
            (vm(self.root), "--root", written(self.root), a_vm()),
            (
                self.hot_share
                    .is_none_or(|share| (0.0..=1.0).contains(&share)),
                "--hot-share",
                written(self.hot_share),
                "give a share from 0 to 1".to_owned(),
            ),
            (
                self.burst.is_none_or(|packets| packets >= 1.0),
                "--burst",
                written(self.burst),
                at_least_one(),
            ),
            (
                self.window != Some(0),
                "--window",
                "0".to_owned(),
                at_least_one(),
            ),
        ];
        let broken = rules.into_iter().find(|(holds, ..)| !holds);
        broken.map_or(Ok(()), |(_, option, value, remedy)| {
            let fact = format!(
                "`{option} {value}` is out of range for {}",
                self.network.title()
            );
            Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
        })
    }

    /// Refuses options that say nothing beside the others.
    fn has_effect(&self) -> Result<(), CommandError> {
        let is_trace = self.traffic == TrafficName::Trace;
        let is_window = self.injection() == InjectionName::Window;
        let hotspot = (
            self.traffic != TrafficName::Hotspot,
            "without `--traffic hotspot`",
        );
        let planned = (is_trace, "with `--traffic trace`");
        let loaded = match is_trace {
            true => planned,
            false => (is_window, "with `--injection window`"),
        };
        let swept = match &self.load {
            Some(Loads::Sweep(..)) => loaded,
            _ => (true, NO_SWEEP),
        };
        let broadcast = self.traffic == TrafficName::Broadcast;
        let bursts = self.injection() == InjectionName::Bursts;
        let options = [
            (
                "--trace",
                self.trace.is_some(),
                (!is_trace, "without `--traffic trace`"),
            ),
            ("--hot-vm", self.hot_vm.is_some(), hotspot),
            ("--hot-share", self.hot_share.is_some(), hotspot),
            (
                "--root",
                self.root.is_some(),
                (!broadcast, "without `--traffic broadcast`"),
            ),
            ("--injection", self.injection.is_some(), planned),
            ("--packet-flits", self.packet_flits.is_some(), planned),
            ("--seeds", self.seeds.is_some(), planned),
            ("--seed", self.seed.is_some(), planned),
            (
                "--burst",
                self.burst.is_some(),
                (!bursts, "without `--injection bursts`"),
            ),
            (
                "--window",
                self.window.is_some(),
                (!is_window, "without `--injection window`"),
            ),
            ("--load", self.load.is_some(), loaded),
            ("--step", self.step.is_some(), swept),
        ];
        let idle = options
            .iter()
            .find(|(_, given, (is_idle, _))| *given && *is_idle);
        idle.map_or(Ok(()), |(option, _, (_, beside))| {
            Err(CommandError::no_effect(option, beside))
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
            self.network.title()
        );
        let remedy = "use `--traffic uniform` or `all-to-all`, which leave those out, a trace, or serial РОК";
        Err(CommandError::new(Code::TrafficWithoutPath, fact, remedy))
    }

    /// A simulation that measured no packet says nothing, however well it ended.
    pub(super) fn measured(&self, points: &[Summary]) -> Result<(), CommandError> {
        let Some(empty) = points.iter().find(|point| point.packets == 0) else {
            return Ok(());
        };
        let remedy = match (self.traffic, self.warm_up()) {
            (TrafficName::Trace, WarmUp::Cycles(0)) => {
                "raise `--cycles` beyond the trace's first packets"
            }
            (TrafficName::Trace, _) => {
                "leave `--warmup` out: a trace is measured from its beginning"
            }
            _ => "raise `--cycles` or `--load`",
        };
        Err(CommandError::no_packet(
            span(empty.cycles, empty.warm_up_cycles),
            remedy,
        ))
    }
}

fn written<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
