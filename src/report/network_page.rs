//! One network as one HTML page that needs nothing else: no network, no other file. Its numbers beside
//! the paper's formulas, what was proved of its routing, what was simulated, and pictures.

use askama::Template;
use serde::Serialize;

use super::failed_parts::FailedParts;
use super::plot::{self, Curve, LinkLoads, PathLengths, Scales};
use super::simulation::{Simulation, packet_length};
use mkns_routing::verify::{Check, State, VerificationReport as Proof};
use mkns_simulation::measure::Summary;
use mkns_topology::Network;
use mkns_topology::metrics::{Metric, Metrics};

/// What the page tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkReport {
    pub spec: String,
    pub metrics: Metrics,
    /// What has failed; the metrics describe the network without these failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<FailedParts>,
    pub routing: Proof,
    /// None where the simulation does not know the network's blocks.
    pub simulation: Option<Simulation>,
    /// What is sent, as options of a command line.
    #[serde(skip)]
    pub traffic_options: String,
}

#[derive(Template)]
#[template(path = "network.html")]
struct Page<'a> {
    spec: &'a str,
    notation: &'a str,
    version: &'static str,
    has_formulas: bool,
    metrics: Vec<MetricRow>,
    failures: String,
    is_proved: bool,
    checks: Vec<CheckRow>,
    simulated: String,
    points: Vec<PointRow>,
    pictures: Vec<String>,
    commands: Vec<String>,
}

struct MetricRow {
    name: &'static str,
    formula: String,
    measured: String,
    how: String,
}

struct CheckRow {
    class: &'static str,
    name: &'static str,
    verdict: &'static str,
    examined: String,
    faults: Vec<String>,
}

struct PointRow {
    class: &'static str,
    offered: String,
    accepted: String,
    mean: String,
    p50: String,
    p99: String,
    hops: String,
    packets: u64,
    verdict: &'static str,
}

/// The page; `links` belongs to `network` and is drawn where it is given.
pub fn page(report: &NetworkReport, network: &Network, links: Option<&LinkLoads>) -> String {
    let metrics = &report.metrics.rows;
    let (damage, simulation) = (report.damage.as_ref(), report.simulation.as_ref());
    let page = Page {
        spec: &report.spec,
        notation: &report.metrics.notation,
        version: env!("CARGO_PKG_VERSION"),
        has_formulas: metrics.iter().any(|metric| metric.formula.is_some()),
        metrics: metrics.iter().map(metric_row).collect(),
        failures: damage.map_or_else(String::new, FailedParts::to_text),
        is_proved: report.routing.passed,
        checks: report.routing.checks.iter().map(check_row).collect(),
        simulated: simulation.map_or_else(String::new, conditions),
        points: simulation.map_or_else(Vec::new, point_rows),
        pictures: pictures(report, network, links),
        commands: commands(report),
    };
    page.render().expect("the template fails on nothing")
}

fn pictures(report: &NetworkReport, network: &Network, links: Option<&LinkLoads>) -> Vec<String> {
    let mut pictures = Vec::new();
    if let Some(simulation) = &report.simulation {
        pictures.push(plot::latency(&[Curve::from(simulation)], Scales::Cycles));
    }
    if !network.adapters().is_empty() {
        pictures.push(plot::path_lengths(&[PathLengths::of(
            &report.spec,
            network,
        )]));
    }
    pictures.extend(links.map(|links| plot::link_loads(network, links)));
    pictures
}

/// What gives such numbers; loads are those of a whole sweep.
fn commands(report: &NetworkReport) -> Vec<String> {
    let spec = &report.spec;
    let mut commands = vec![
        format!("mkns info \"{spec}\""),
        format!("mkns check \"{spec}\""),
    ];
    if let Some(simulation) = &report.simulation {
        let seeds = simulation.points.first().map_or(1, |point| point.seeds);
        let cycles = simulation.points.first().map_or(1, |point| point.cycles);
        commands.push(format!(
            "mkns sim \"{spec}\" --load 0.05..1.0 --cycles {cycles} --seeds {seeds} --seed {}{}",
            simulation.seed, report.traffic_options
        ));
    }
    commands
}

fn metric_row(metric: &Metric) -> MetricRow {
    let number = |value: Option<u64>| value.map_or("–".to_owned(), |value| value.to_string());
    let bound = metric.sign();
    let formula = match metric.formula_with_meshes {
        Some(value) => format!("{} ({value} with meshes)", number(metric.formula)),
        None => number(metric.formula),
    };
    MetricRow {
        name: metric.name,
        formula,
        measured: format!("{bound}{}", number(metric.measured)),
        how: metric.how.clone(),
    }
}

fn check_row(check: &Check) -> CheckRow {
    let (class, verdict) = match check.state {
        State::Passed => ("passed", "proved"),
        State::Failed => ("bad", "FAILED"),
        State::Skipped => ("", "skipped"),
    };
    CheckRow {
        class,
        name: check.name,
        verdict,
        examined: check.examined.clone(),
        faults: check.faults.clone(),
    }
}

/// Under which traffic points were measured.
fn conditions(simulation: &Simulation) -> String {
    let length = packet_length(simulation.packet_flits);
    let seeds = simulation.points.first().map_or(1, |point| point.seeds);
    let cycles = simulation.points.first().map_or(0, |point| point.cycles);
    let clock = simulation.clock.as_ref().map_or_else(String::new, |clock| {
        let units = clock.units;
        format!(
            "; at {} MHz, flits of {} bits",
            units.clock_mhz, units.flit_bits
        )
    });
    let remarks = [simulation.unrouted_text(), simulation.to_self_text()];
    let remarks = remarks.into_iter().flatten();
    let remarks: String = remarks
        .map(|text| format!("; {}", text.trim_end()))
        .collect();
    format!(
        "{} hosts, {} traffic, packets of {length} flits, {seeds} seed(s) from {}, {cycles} cycles measured \
         at each load; on the fast model, which tests hold to the golden one{clock}{remarks}",
        simulation.hosts, simulation.traffic, simulation.seed
    )
}

fn point_rows(simulation: &Simulation) -> Vec<PointRow> {
    let mut rows: Vec<PointRow> = simulation.points.iter().map(point_row).collect();
    if let Some(clock) = &simulation.clock {
        for (row, point) in rows.iter_mut().zip(&clock.points) {
            row.accepted += &format!(" ({:.2} Gb/s)", point.accepted_gbps);
            row.mean += &format!(" ({:.0} ns)", point.latency_mean_ns);
            row.p99 += &format!(" ({:.0} ns)", point.latency_p99_ns);
        }
    }
    rows
}

fn point_row(point: &Summary) -> PointRow {
    let half = point
        .confidence
        .map_or_else(String::new, |half| format!(" ± {:.2}", half.latency_mean));
    PointRow {
        class: if point.saturated { "bad" } else { "" },
        offered: format!("{:.3}", point.offered_load),
        accepted: format!("{:.3}", point.accepted_load),
        mean: format!("{:.2}{half}", point.latency_mean),
        p50: format!("{:.0}", point.latency_p50),
        p99: format!("{:.0}", point.latency_p99),
        hops: format!("{:.3}", point.hops_mean),
        packets: point.packets,
        verdict: if point.saturated { "saturated" } else { "" },
    }
}
