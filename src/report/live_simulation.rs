//! Results of `mkns sim --fail` as text, JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use super::simulation::{Units, packet_length};
use mkns_simulation::live::{FailurePeriod, LiveReport, State};

/// A network in which parts failed, at one or several loads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveSimulation {
    pub spec: String,
    pub traffic: String,
    pub injection: String,
    /// Shortest and longest packet.
    pub packet_flits: (u32, u32),
    pub blocks: usize,
    pub hosts: usize,
    pub seed: u64,
    pub manager: bool,
    /// Where a clock is given.
    #[serde(flatten)]
    pub units: Option<Units>,
    pub runs: Vec<LiveRun>,
}

/// What was seen at one load with one seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveRun {
    /// Flits that each host creates per cycle.
    pub load: f64,
    pub seed: u64,
    #[serde(flatten)]
    pub report: LiveReport,
    /// Of each period, where a clock is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub periods_by_clock: Vec<PeriodByClock>,
}

/// A period in Gb/s and ns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PeriodByClock {
    pub accepted_gbps: f64,
    pub latency_mean_ns: f64,
    pub latency_p99_ns: f64,
}

impl LiveRun {
    pub fn new(load: f64, seed: u64, report: LiveReport, units: Option<&Units>) -> Self {
        let by_clock = |units: &Units| -> Vec<PeriodByClock> {
            let periods = report.periods.iter();
            let periods = periods.map(|period| PeriodByClock {
                accepted_gbps: units.gbps(period.accepted_load),
                latency_mean_ns: units.nanoseconds(period.latency_mean),
                latency_p99_ns: units.nanoseconds(period.latency_p99 as f64),
            });
            periods.collect()
        };
        Self {
            load,
            seed,
            periods_by_clock: units.map(by_clock).unwrap_or_default(),
            report,
        }
    }
}

impl LiveSimulation {
    /// What happened, and a line for each period.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} blocks, {} hosts; {} traffic, {} injection, packets of {} flits, seed {}\n\
             loads in flits per working host and cycle, latencies in cycles\n",
            self.spec,
            self.blocks,
            self.hosts,
            self.traffic,
            self.injection,
            packet_length(self.packet_flits),
            self.seed,
        );
        for run in &self.runs {
            let in_band = run.report.in_band.as_ref();
            let in_band = in_band.map_or_else(String::new, ToString::to_string);
            let _ = write!(
                text,
                "load {}, seed {}:\n{in_band}{}",
                run.load, run.seed, run.report.history
            );
            text += &account(&run.report);
            text += "  cycles            routes         hosts  offered  accepted   latency mean     p99   hops  packets     lost";
            text += match run.periods_by_clock.is_empty() {
                true => "\n",
                false => "     Gb/s  mean ns   p99 ns\n",
            };
            for (number, period) in run.report.periods.iter().enumerate() {
                let _ = write!(
                    text,
                    "  {:<17} {:<14} {:>5}  {:7.4}  {:8.4}       {:>8.2} {:>7} {:>6.3} {:>8} {:>8}",
                    format!("{} to {}", period.from, period.to),
                    words(period.state),
                    period.hosts,
                    period.offered_load,
                    period.accepted_load,
                    period.latency_mean,
                    period.latency_p99,
                    period.hops_mean,
                    period.packets,
                    period.lost,
                );
                if let Some(clocked) = run.periods_by_clock.get(number) {
                    let _ = write!(
                        text,
                        " {:>8.3} {:>8.1} {:>8.1}",
                        clocked.accepted_gbps, clocked.latency_mean_ns, clocked.latency_p99_ns
                    );
                }
                text.push('\n');
            }
        }
        text
    }

    /// One line for each period of each run, with a head.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "load,from,to,state,hosts,accepted_load,latency_mean,latency_p99,hops_mean,packets,sent,lost,seed,\
             offered_load,load_without_route,pairs_without_route",
        );
        text += match self.units {
            Some(_) => ",accepted_gbps,latency_mean_ns,latency_p99_ns\n",
            None => "\n",
        };
        for run in &self.runs {
            for (number, period) in run.report.periods.iter().enumerate() {
                let FailurePeriod {
                    from,
                    to,
                    state,
                    hosts,
                    pairs_without_route,
                    offered_load,
                    load_without_route,
                    accepted_load,
                    latency_mean,
                    latency_p99,
                    hops_mean,
                    packets,
                    sent,
                    lost,
                } = period;
                let state = words(*state).replace(' ', "_");
                let _ = write!(
                    text,
                    "{:.4},{from},{to},{state},{hosts},{accepted_load:.6},{latency_mean:.4},{latency_p99},\
                     {hops_mean:.4},{packets},{sent},{lost},{},{offered_load:.6},{load_without_route:.6},{}",
                    run.load,
                    run.seed,
                    pairs_without_route.map_or_else(String::new, |pairs| pairs.to_string())
                );
                if let Some(clocked) = run.periods_by_clock.get(number) {
                    let _ = write!(
                        text,
                        ",{:.4},{:.2},{:.2}",
                        clocked.accepted_gbps, clocked.latency_mean_ns, clocked.latency_p99_ns
                    );
                }
                text.push('\n');
            }
        }
        text
    }
}

/// What became of all packets.
fn account(report: &LiveReport) -> String {
    let totals = &report.totals;
    let last = report.periods.last();
    let since = last.filter(|period| matches!(period.state, State::LedRound | State::PairsCut));
    let since = since.map_or_else(String::new, |period| {
        format!(
            ", {} of those sent since cycle {}",
            period.lost, period.from
        )
    });
    format!(
        "  {} packets sent: {} arrived, {} arrived marked bad, {} are lost{since}; {} were created but not sent\n",
        totals.sent, totals.received, totals.bad, totals.lost, totals.withdrawn
    )
}

fn words(state: State) -> &'static str {
    match state {
        State::Whole => "whole",
        State::Failed => "failed",
        State::LedRound => "rerouted",
        State::PairsCut => "pairs cut",
    }
}
