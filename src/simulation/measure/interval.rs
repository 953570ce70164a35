//! Results over several seeds: means with 95 % confidence intervals (Student's t).

use serde::Serialize;

use super::Point;
use crate::choices::Choices;

/// A mean and the half width of its 95 % confidence interval; none for a single seed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub mean: f64,
    pub half_width: Option<f64>,
}

/// 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom.
const T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];
/// 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.960;

impl Interval {
    /// Of independent values; there is at least one.
    pub fn of(values: &[f64]) -> Interval {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        if values.len() < 2 {
            return Interval {
                mean,
                half_width: None,
            };
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        let quantile = T.get(values.len() - 2).copied().unwrap_or(NORMAL);
        Interval {
            mean,
            half_width: Some(quantile * deviation / count.sqrt()),
        }
    }

    /// Whether a value lies in it; `least` is taken for the half width where that is smaller or
    /// none.
    pub fn holds(&self, value: f64, least: f64) -> bool {
        (value - self.mean).abs() <= self.half_width.unwrap_or(0.0).max(least)
    }
}

/// One load over all seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Flits created per host and cycle.
    pub offered_load: f64,
    /// Flits delivered per host and cycle.
    pub accepted_load: f64,
    /// The parts of the offered load that had no route, and that went back to the host that created it.
    pub load_without_route: f64,
    pub load_to_self: f64,
    /// The least and the greatest accepted load of a host, of those that created packets.
    pub accepted_load_least: f64,
    pub accepted_load_most: f64,
    /// Cycles from the creation of a packet to its last beat at the host.
    pub latency_mean: f64,
    pub latency_p50: f64,
    pub latency_p99: f64,
    pub latency_max: u64,
    /// Blocks on the way of a packet.
    pub hops_mean: f64,
    pub packets: u64,
    /// Packets that had not arrived at the end of the runs.
    pub packets_under_way: u64,
    /// Packets that blocks dropped on the way.
    pub packets_lost: u64,
    /// What headers took in adaptive blocks; none where there is no such block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Choices>,
    /// Of the slowest seed.
    pub router_cycles_per_second: f64,
    /// Cycles before the measurement, of the seed that needed most.
    pub warm_up_cycles: u64,
    pub cycles: u64,
    pub seeds: usize,
    /// Hosts create more than the network delivers.
    pub saturated: bool,
    /// Latencies had settled before the measured cycles.
    pub settled: bool,
    /// So few cycles were measured that the packets under way at their end count.
    pub short: bool,
    /// Seconds to build the model.
    pub set_up_seconds: f64,
    /// Bytes for each router at the end.
    pub state_bytes_per_router: f64,
    pub buffer_bytes_per_router: f64,
    /// Half widths of 95 % confidence intervals; none for a single seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
}

/// Half widths of 95 % confidence intervals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Confidence {
    pub accepted_load: f64,
    pub latency_mean: f64,
    pub latency_p99: f64,
    pub hops_mean: f64,
}

impl Summary {
    /// Of the points of one load; there is at least one.
    pub fn of(points: &[Point]) -> Summary {
        let over =
            |value: fn(&Point) -> f64| Interval::of(&points.iter().map(value).collect::<Vec<_>>());
        let most = |value: fn(&Point) -> u64| points.iter().map(value).max().unwrap_or(0);
        let accepted = over(|point| point.accepted_load);
        let latency = over(|point| point.latency_mean);
        let p99 = over(|point| point.latency_p99 as f64);
        let hops = over(|point| point.hops_mean);
        let half = |interval: Interval| interval.half_width.unwrap_or(0.0);
        Summary {
            offered_load: over(|point| point.offered_load).mean,
            accepted_load: accepted.mean,
            load_without_route: over(|point| point.load_without_route).mean,
            load_to_self: over(|point| point.load_to_self).mean,
            accepted_load_least: (points.iter().map(|point| point.accepted_load_least))
                .fold(f64::INFINITY, f64::min),
            accepted_load_most: (points.iter().map(|point| point.accepted_load_most))
                .fold(0.0, f64::max),
            latency_mean: latency.mean,
            latency_p50: over(|point| point.latency_p50 as f64).mean,
            latency_p99: p99.mean,
            latency_max: most(|point| point.latency_max),
            hops_mean: hops.mean,
            packets: points.iter().map(|point| point.packets).sum(),
            packets_under_way: points.iter().map(|point| point.packets_under_way).sum(),
            packets_lost: points.iter().map(|point| point.packets_lost).sum(),
            choices: points
                .iter()
                .filter_map(|point| point.choices)
                .sum::<Choices>()
                .if_any(),
            router_cycles_per_second: points
                .iter()
                .map(|point| point.router_cycles_per_second)
                .fold(f64::INFINITY, f64::min),
            warm_up_cycles: most(|point| point.warm_up_cycles),
            cycles: points[0].cycles,
            seeds: points.len(),
            saturated: points.iter().any(|point| point.saturated),
            settled: points.iter().all(|point| point.settled),
            short: points.iter().any(|point| point.short),
            set_up_seconds: over(|point| point.set_up_seconds).mean,
            state_bytes_per_router: over(|point| point.state_bytes_per_router).mean,
            buffer_bytes_per_router: over(|point| point.buffer_bytes_per_router).mean,
            confidence: (points.len() > 1).then(|| Confidence {
                accepted_load: half(accepted),
                latency_mean: half(latency),
                latency_p99: half(p99),
                hops_mean: half(hops),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_students() {
        // Mean 3, s = √2.5, t = 2.776: 2.776 · 1.5811 / √5 = 1.963.
        let interval = Interval::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(interval.mean, 3.0);
        let half = interval.half_width.expect("five values");
        assert!((half - 1.963).abs() < 1e-3, "{half}");
        assert!(interval.holds(4.9, 0.0) && !interval.holds(5.0, 0.0) && interval.holds(5.0, 2.0));
        assert_eq!(Interval::of(&[7.0]).half_width, None);
    }
}
