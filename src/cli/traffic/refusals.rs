//! Traffic that cannot be simulated, and options without an effect.

use super::TrafficArguments;
use super::values::InjectionName;
use crate::CommandError;
use mkns_design::Plan;
use mkns_diag::Code;
use mkns_traffic::Pattern;

impl TrafficArguments {
    /// Refuses options that say nothing beside the others.
    pub fn has_effect(&self) -> Result<(), CommandError> {
        let pattern = self.pattern();
        let is_trace = pattern == Pattern::Trace;
        let is_hotspot = matches!(pattern, Pattern::HotSpot { .. });
        let is_broadcast = matches!(pattern, Pattern::Broadcast { .. });
        let planned = is_trace.then_some("with `--traffic trace`");
        let hotspot = (!is_hotspot).then_some("without `--traffic hotspot`");
        let broadcast = (!is_broadcast).then_some("without `--traffic broadcast`");
        let trace = (!is_trace).then_some("without `--traffic trace`");
        let without = |injection, beside| (self.injection() != injection).then_some(beside);
        let bursts = without(InjectionName::Bursts, "without `--injection bursts`");
        let window = without(InjectionName::Window, "without `--injection window`");
        CommandError::refuse_idle([
            ("--packets", self.packets.is_some(), trace),
            ("--hot-host", self.hot_host.is_some(), hotspot),
            ("--hot-share", self.hot_share.is_some(), hotspot),
            ("--root", self.root.is_some(), broadcast),
            ("--injection", self.injection.is_some(), planned),
            ("--packet-flits", self.packet_flits.is_some(), planned),
            ("--burst", self.burst.is_some(), bursts),
            ("--window", self.window.is_some(), window),
        ])
    }

    /// Beside what options of loads have no effect; none where they have one.
    pub fn without_load(&self) -> Option<&'static str> {
        match (self.is_trace(), self.injects_by_load()) {
            (true, _) => Some("with `--traffic trace`"),
            (_, false) => Some("with `--injection window`"),
            (_, true) => None,
        }
    }

    /// Refuses what the network of a plan has no hosts, paths or packets for.
    pub fn fits(&self, plan: &Plan, title: &str) -> Result<(), CommandError> {
        self.has_paths(plan, title)?;
        self.uses_the_network(plan, title)?;
        let hosts = plan.hosts();
        let longest = plan.spec.block.max_packet_flits;
        let exists = |host: Option<u32>| host.is_none_or(|host| host < hosts);
        let a_host = || format!("give a host from 0 to {}", hosts - 1);
        let at_least_one = || "give at least 1".to_owned();
        let flits = self.packet_flits(plan).longest();
        let rules = [
            (
                self.is_trace() || flits <= longest,
                "--packet-flits",
                flits.to_string(),
                { format!("give at most {longest} (`max_packet_flits` of the spec)") },
            ),
            (
                exists(self.hot_host),
                "--hot-host",
                written(self.hot_host),
                a_host(),
            ),
            (exists(self.root), "--root", written(self.root), a_host()),
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
            let fact = format!("`{option} {value}` is out of range for {title}");
            Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
        })
    }

    /// Refuses a pattern by which all hosts of this network send to themselves.
    fn uses_the_network(&self, plan: &Plan, title: &str) -> Result<(), CommandError> {
        if !self.pattern().prepare(plan, 1).is_identity() {
            return Ok(());
        }
        let (pattern, hosts) = (self.pattern().name(), plan.hosts());
        let fact = format!(
            "`--traffic {pattern}` sends nothing through {title}: each of its {hosts} hosts is its own partner"
        );
        let remedy = "use another pattern, such as `--traffic permutation` or `bit-complement`, or another number of hosts";
        Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
    }

    /// Refuses traffic to hosts that the sender has no path to.
    fn has_paths(&self, plan: &Plan, title: &str) -> Result<(), CommandError> {
        if self.pattern().suits(plan) {
            return Ok(());
        }
        let fact = format!(
            "{} traffic asks for hosts that the parallel ports of {title} have no path to",
            self.pattern().name(),
        );
        let remedy = "use `--traffic uniform` or `all-to-all`, which leave those out, a trace, or serial POK";
        Err(CommandError::new(Code::TrafficWithoutPath, fact, remedy))
    }
}

fn written<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
