//! Latency and throughput over load: one curve a network.
//!
//! The upper chart ends a little above the greatest latency that a network has before it is saturated;
//! lines that leave it there go on. The lower chart shows what arrives of what hosts create.

use serde::{Deserialize, Deserializer};

use super::axes::{Axes, Plane, Scale};
use super::canvas::{
    self, Area, BELOW_TITLE, Drawn, FAINT, Fill, LINE, MARGIN, PixelPosition, UNIT, colour, legend,
    legend_places, line, marker, sheet,
};
use crate::simulation::{Simulation, Units};

const WIDTH: i32 = 720 * UNIT;
const CHART: i32 = 330 * UNIT;
const MARKER: i32 = 5 * UNIT;
/// The latency chart reaches at most this many times the least latency.
const STEEPEST: f64 = 6.0;

/// What a sweep of one network found; the JSON of `mkns sim` has it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Curve {
    /// The network.
    #[serde(rename = "spec")]
    pub name: String,
    /// What hosts send; empty where it is not known.
    #[serde(default)]
    pub traffic: String,
    /// Pairs of hosts that failed parts leave without a route.
    #[serde(default)]
    pub pairs_without_route: u64,
    /// By ascending load.
    pub points: Vec<CurvePoint>,
}

/// One load. Loads in flits per host and cycle, latencies in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct CurvePoint {
    pub offered_load: f64,
    pub accepted_load: f64,
    pub latency_mean: f64,
    pub latency_p99: f64,
    /// Half width of the 95 % confidence interval of the mean latency, where there are several seeds.
    #[serde(rename = "confidence", default, deserialize_with = "half_of")]
    pub latency_mean_95: Option<f64>,
    /// Hosts create more than the network delivers.
    #[serde(default)]
    pub saturated: bool,
}

/// The half width of the mean latency, of all half widths of a point.
fn half_of<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    #[derive(Deserialize)]
    struct Confidence {
        latency_mean: f64,
    }
    let confidence = Option::<Confidence>::deserialize(deserializer)?;
    Ok(confidence.map(|half| half.latency_mean))
}

impl Curve {
    /// The curve in Gb/s per host and ns.
    pub fn by_clock(self, units: Units) -> Self {
        let convert = |point: CurvePoint| CurvePoint {
            offered_load: units.gbps(point.offered_load),
            accepted_load: units.gbps(point.accepted_load),
            latency_mean: units.nanoseconds(point.latency_mean),
            latency_p99: units.nanoseconds(point.latency_p99),
            latency_mean_95: point.latency_mean_95.map(|half| units.nanoseconds(half)),
            saturated: point.saturated,
        };
        Self {
            points: self.points.into_iter().map(convert).collect(),
            ..self
        }
    }
}

/// What the axes of a picture of latencies say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scales {
    /// Flits per host and cycle, cycles.
    Cycles,
    /// Gb/s per host, ns.
    Clock,
}

impl Scales {
    fn latency(self) -> &'static str {
        match self {
            Self::Cycles => "Latency, cycles from creation to the last beat at the host",
            Self::Clock => "Latency, ns from creation to the last beat at the host",
        }
    }

    /// Accepted and offered.
    fn loads(self) -> [String; 2] {
        let unit = match self {
            Self::Cycles => "flits per host and cycle",
            Self::Clock => "Gb/s per host",
        };
        ["Accepted", "Offered"].map(|which| format!("{which} load, {unit}"))
    }
}

impl From<&Simulation> for Curve {
    fn from(simulation: &Simulation) -> Self {
        let points = simulation.points.iter().map(|point| CurvePoint {
            offered_load: point.offered_load,
            accepted_load: point.accepted_load,
            latency_mean: point.latency_mean,
            latency_p99: point.latency_p99,
            latency_mean_95: point.confidence.as_ref().map(|half| half.latency_mean),
            saturated: point.saturated,
        });
        Self {
            name: simulation.spec.clone(),
            traffic: simulation.traffic.clone(),
            pairs_without_route: simulation.pairs_without_route,
            points: points.collect(),
        }
    }
}

/// The picture; every curve has at least one point.
pub fn latency(curves: &[Curve], scales: Scales) -> String {
    let (title, names) = title_and_names(curves);
    let (places, below_legend) = legend_places(&names, WIDTH, BELOW_TITLE);
    let notes = notes(curves);
    let charts = below_legend + LINE * notes.len() as i32 + LINE / 2;
    let height = charts + 2 * CHART + LINE / 2 + MARGIN;
    let loads = curves.iter().flat_map(|curve| &curve.points);
    let most = loads.fold(0.0_f64, |most, point| most.max(point.offered_load));
    let axes = Axes {
        top: charts,
        height: CHART,
        heading: scales.latency(),
        below: "",
        x: (0.0, most * 1.03),
        y: (0.0, top_latency(curves)),
        scale: Scale::Linear,
        names: &[],
    };
    sheet(&title, (WIDTH, height), |area| {
        legend(area, &names, &places, |series, at| {
            marker(area, series, at, MARKER, Fill::Full)
        })?;
        canvas::notes(area, &notes, below_legend)?;
        let plane = axes.draw(area)?;
        for (series, curve) in curves.iter().enumerate() {
            draw_latency(area, &plane, series, curve, axes.y.1, curves.len() == 1)?;
        }
        draw_throughput(area, curves, &axes, scales.loads())
    })
}

/// The traffic stands in the title where it is the same for all curves, else in their names.
fn title_and_names(curves: &[Curve]) -> (String, Vec<String>) {
    let title = "Latency and throughput".to_owned();
    let first = &curves[0].traffic;
    if curves.iter().all(|curve| curve.traffic == *first) {
        let names = curves.iter().map(|curve| curve.name.clone()).collect();
        let title = match first.as_str() {
            "" => title,
            traffic => format!("{title}, {traffic} traffic"),
        };
        return (title, names);
    }
    let name = |curve: &Curve| match curve.traffic.as_str() {
        "" => curve.name.clone(),
        traffic => format!("{}, {traffic}", curve.name),
    };
    (title, curves.iter().map(name).collect())
}

/// What the legend has to explain.
fn notes(curves: &[Curve]) -> Vec<String> {
    let mut notes = vec!["grey line: everything arrives".to_owned()];
    if curves.len() == 1 {
        notes.push("thick: mean; thin: 99 % of the packets are faster".to_owned());
    }
    for curve in curves.iter().filter(|curve| curve.pairs_without_route > 0) {
        notes.push(format!(
            "{}: {} pairs of hosts have no route, offered and never accepted",
            curve.name, curve.pairs_without_route
        ));
    }
    let points = || curves.iter().flat_map(|curve| &curve.points);
    if points().any(|point| point.saturated) {
        notes.push("hollow: saturated, hosts create more than arrives".to_owned());
    }
    if points().any(|point| point.latency_mean_95.is_some()) {
        notes.push("bars: 95 % confidence interval of the mean over seeds".to_owned());
    }
    notes
}

/// Where the latency axis ends.
fn top_latency(curves: &[Curve]) -> f64 {
    let of_curve = |curve: &Curve| {
        let least = curve.points.iter().map(|point| point.latency_mean);
        let least = least.fold(f64::INFINITY, f64::min);
        let open = curve.points.iter().filter(|point| !point.saturated);
        let greatest = open.fold(least, |most, point| most.max(point.latency_mean));
        greatest.max(2.0 * least).min(STEEPEST * least)
    };
    let most = curves.iter().map(of_curve).fold(1.0, f64::max);
    1.15 * most
}

fn draw_latency(
    area: &Area<'_>,
    plane: &Plane,
    series: usize,
    curve: &Curve,
    top: f64,
    with_p99: bool,
) -> Drawn {
    let path = |latency: fn(&CurvePoint) -> f64| -> Vec<PixelPosition> {
        let points = curve.points.iter();
        let points = points.map(|point| (point.offered_load, latency(point)));
        let inside = cut(&points.collect::<Vec<_>>(), top);
        inside.iter().map(|&(x, y)| plane.place(x, y)).collect()
    };
    if with_p99 {
        line(area, path(|point| point.latency_p99), colour(series), UNIT)?;
    }
    let means = path(|point| point.latency_mean);
    line(area, means, colour(series), 5 * UNIT / 2)?;
    let inside = |point: &&CurvePoint| point.latency_mean <= top;
    for point in curve.points.iter().filter(inside) {
        let mean = point.latency_mean;
        if let Some(half) = point.latency_mean_95 {
            let end = |latency: f64| plane.place(point.offered_load, latency.clamp(0.0, top));
            let ends = vec![end(mean - half), end(mean + half)];
            line(area, ends, colour(series), UNIT)?;
        }
        let at = plane.place(point.offered_load, mean);
        marker(area, series, at, MARKER, fill(point))?;
    }
    Ok(())
}

fn fill(point: &CurvePoint) -> Fill {
    match point.saturated {
        true => Fill::Hollow,
        false => Fill::Full,
    }
}

/// A path up to where it first rises above `top`.
fn cut(path: &[(f64, f64)], top: f64) -> Vec<(f64, f64)> {
    let Some(first) = path.iter().position(|point| point.1 > top) else {
        return path.to_vec();
    };
    let mut inside = path[..first].to_vec();
    if let Some(&(x, y)) = inside.last() {
        let (over_x, over_y) = path[first];
        inside.push((x + (over_x - x) * (top - y) / (over_y - y), top));
    }
    inside
}

fn draw_throughput(
    area: &Area<'_>,
    curves: &[Curve],
    above: &Axes<'_>,
    [heading, below]: [String; 2],
) -> Drawn {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let most = points().fold(0.0_f64, |most, point| most.max(point.accepted_load)) * 1.1;
    let axes = Axes {
        top: above.top + CHART + LINE / 2,
        heading: &heading,
        below: &below,
        y: (0.0, most),
        ..above.clone()
    };
    let plane = axes.draw(area)?;
    let end = most.min(axes.x.1);
    let all_arrives = vec![plane.place(0.0, 0.0), plane.place(end, end)];
    line(area, all_arrives, FAINT, 2 * UNIT)?;
    for (series, curve) in curves.iter().enumerate() {
        let place = |point: &CurvePoint| plane.place(point.offered_load, point.accepted_load);
        let path = curve.points.iter().map(place).collect();
        line(area, path, colour(series), 5 * UNIT / 2)?;
        for point in &curve.points {
            marker(area, series, place(point), MARKER, fill(point))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_leave_the_chart() {
        let path = [(0.0, 10.0), (0.5, 20.0), (1.0, 60.0), (1.5, 5.0)];
        assert_eq!(cut(&path, 40.0), [(0.0, 10.0), (0.5, 20.0), (0.75, 40.0)]);
        assert_eq!(cut(&path, 60.0), path);
        assert_eq!(cut(&path, 5.0), []);
    }
}
