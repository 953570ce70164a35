//! Results of `mkns sim --fail` as text, JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use super::simulation::packet_length;
use mkns_simulation::live::{LiveReport, Period, State};

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
    pub runs: Vec<LiveRun>,
}

/// What was seen at one load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveRun {
    /// Flits that each host creates per cycle.
    pub load: f64,
    #[serde(flatten)]
    pub report: LiveReport,
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
            let _ = write!(text, "load {}:\n{}", run.load, run.report.history);
            text += &account(&run.report);
            text += "  cycles            routes         hosts  accepted   latency mean     p99   hops  packets     lost\n";
            for period in &run.report.periods {
                let _ = writeln!(
                    text,
                    "  {:<17} {:<14} {:>5}  {:8.4}       {:>8.2} {:>7} {:>6.3} {:>8} {:>8}",
                    format!("{} to {}", period.from, period.to),
                    words(period.state),
                    period.hosts,
                    period.accepted_load,
                    period.latency_mean,
                    period.latency_p99,
                    period.hops_mean,
                    period.packets,
                    period.lost,
                );
            }
        }
        text
    }

    /// One line for each period of each load, with a head.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "load,from,to,state,hosts,accepted_load,latency_mean,latency_p99,hops_mean,packets,sent,lost\n",
        );
        for (load, period) in self
            .runs
            .iter()
            .flat_map(|run| run.report.periods.iter().map(|period| (run.load, period)))
        {
            let Period {
                from,
                to,
                state,
                hosts,
                accepted_load,
                latency_mean,
                latency_p99,
                hops_mean,
                packets,
                sent,
                lost,
            } = period;
            let state = words(*state).replace(' ', "_");
            let _ = writeln!(
                text,
                "{load:.4},{from},{to},{state},{hosts},{accepted_load:.6},{latency_mean:.4},{latency_p99},\
                 {hops_mean:.4},{packets},{sent},{lost}"
            );
        }
        text
    }
}

/// What became of all packets.
fn account(report: &LiveReport) -> String {
    let totals = &report.totals;
    let last = report.periods.last();
    let since = last.filter(|period| period.state == State::LedRound);
    let since = since.map_or_else(String::new, |period| {
        format!(
            ", {} of those sent since cycle {}",
            period.lost, period.from
        )
    });
    format!(
        "  {} packets sent: {} arrived, {} arrived marked bad, {} are lost{since}; {} were created and not sent\n",
        totals.sent, totals.received, totals.bad, totals.lost, totals.withdrawn
    )
}

fn words(state: State) -> &'static str {
    match state {
        State::Whole => "whole",
        State::Failed => "failed",
        State::LedRound => "led round",
    }
}
