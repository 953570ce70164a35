//! The CSV form of a simulation: one line for each load.

use mkns_simulation::measure::{Confidence, Summary};

use super::units::{ByClock, PointByClock};

/// A column of the CSV form.
type Column = (&'static str, fn(&Summary) -> String);

const COLUMNS: [Column; 23] = [
    ("offered_load", |point| format!("{:.6}", point.offered_load)),
    ("accepted_load", |point| {
        format!("{:.6}", point.accepted_load)
    }),
    ("accepted_load_95", |point| half(point, |c| c.accepted_load)),
    ("latency_mean", |point| format!("{:.4}", point.latency_mean)),
    ("latency_mean_95", |point| half(point, |c| c.latency_mean)),
    ("latency_p50", |point| cycles(point.latency_p50)),
    ("latency_p99", |point| cycles(point.latency_p99)),
    ("latency_max", |point| point.latency_max.to_string()),
    ("hops_mean", |point| format!("{:.4}", point.hops_mean)),
    ("hops_mean_95", |point| half(point, |c| c.hops_mean)),
    ("packets", |point| point.packets.to_string()),
    ("warm_up_cycles", |point| point.warm_up_cycles.to_string()),
    ("cycles", |point| point.cycles.to_string()),
    ("seeds", |point| point.seeds.to_string()),
    ("saturated", |point| point.saturated.to_string()),
    ("router_cycles_per_second", |point| {
        format!("{:.0}", point.router_cycles_per_second)
    }),
    ("load_without_route", |point| {
        format!("{:.6}", point.load_without_route)
    }),
    ("load_to_self", |point| format!("{:.6}", point.load_to_self)),
    ("accepted_load_least", |point| {
        format!("{:.6}", point.accepted_load_least)
    }),
    ("accepted_load_most", |point| {
        format!("{:.6}", point.accepted_load_most)
    }),
    ("settled", |point| point.settled.to_string()),
    ("short", |point| point.short.to_string()),
    ("packets_lost", |point| point.packets_lost.to_string()),
];

/// Half width of an interval; empty for a single seed.
fn half(point: &Summary, of: fn(&Confidence) -> f64) -> String {
    let confidence = point.confidence.as_ref();
    confidence.map_or_else(String::new, |confidence| format!("{:.6}", of(confidence)))
}

/// A column of the CSV form that only a clock gives.
type ClockColumn = (&'static str, fn(&PointByClock) -> f64);

const CLOCK_COLUMNS: [ClockColumn; 6] = [
    ("offered_gbps", |point| point.offered_gbps),
    ("accepted_gbps", |point| point.accepted_gbps),
    ("latency_mean_ns", |point| point.latency_mean_ns),
    ("latency_p50_ns", |point| point.latency_p50_ns),
    ("latency_p99_ns", |point| point.latency_p99_ns),
    ("latency_max_ns", |point| point.latency_max_ns),
];

/// A percentile, which over several seeds is a mean: with one digit behind the point if it needs one.
pub fn cycles(percentile: f64) -> String {
    let rounded = (percentile * 10.0).round() / 10.0;
    rounded.to_string()
}

/// One line for each load, with a head.
pub fn csv(points: &[Summary], clock: Option<&ByClock>, pairs_without_route: u64) -> String {
    let names = COLUMNS.iter().map(|(name, _)| *name);
    let by_clock = clock.map_or(&[][..], |clock| &clock.points);
    let clock_names = CLOCK_COLUMNS.iter().map(|(name, _)| *name);
    let clock_names = clock_names.filter(|_| clock.is_some());
    let names = names.chain(["pairs_without_route"]);
    let names: Vec<&str> = names.chain(clock_names).collect();
    let mut text = names.join(",") + "\n";
    for (at, point) in points.iter().enumerate() {
        let values = COLUMNS.iter().map(|(_, value)| value(point));
        let clocked = by_clock.get(at).into_iter();
        let clocked = clocked.flat_map(|point| {
            CLOCK_COLUMNS
                .iter()
                .map(|(_, value)| format!("{:.4}", value(point)))
        });
        let values = values.chain([pairs_without_route.to_string()]);
        let values: Vec<String> = values.chain(clocked).collect();
        text += &(values.join(",") + "\n");
    }
    text
}
