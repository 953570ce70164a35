//! The share of pairs that are served over the number of failed parts: one curve an engine.
//!
//! Pairs that lost an end with the parts are left out: no engine serves them.

use super::axes::{Axes, Scale};
use super::canvas::{
    BELOW_TITLE, Fill, LINE, MARGIN, PixelPosition, UNIT, colour, legend, legend_places, line,
    marker, sheet,
};

const WIDTH: i32 = 720 * UNIT;
const CHART: i32 = 380 * UNIT;
const MARKER: i32 = 5 * UNIT;
/// The chart shows at least so much below 100 percent.
const LEAST_RANGE: f64 = 2.0;
/// Between the curves of two engines, in failed parts.
const SIDE_STEP: f64 = 0.08;

/// What an engine makes of failed parts.
#[derive(Debug, Clone, PartialEq)]
pub struct ServedShares {
    pub engine: String,
    /// Number of failed parts, and the share of the pairs whose ends work that are served, 0 to 1.
    pub points: Vec<(usize, f64)>,
}

/// The picture; every engine has at least one point.
pub fn served_shares(network: &str, engines: &[ServedShares]) -> String {
    let names: Vec<String> = engines.iter().map(|engine| engine.engine.clone()).collect();
    let (places, below_legend) = legend_places(&names, WIDTH, BELOW_TITLE);
    let top = below_legend + LINE / 2;
    let points = || engines.iter().flat_map(|engine| &engine.points);
    let least = points().fold(1.0_f64, |least, &(_, share)| least.min(share)) * 100.0;
    let counts = || points().map(|(count, _)| *count);
    let (first, last) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let ticks: Vec<String> = (0..=last).map(|count| count.to_string()).collect();
    let range = (100.0 - least).max(LEAST_RANGE);
    let axes = Axes {
        top,
        height: CHART,
        heading: "Pairs served, percent of those whose two blocks work",
        below: "Failed parts",
        x: (first as f64 - 0.5, last as f64 + 0.5),
        y: (100.0 - 1.1 * range, 100.0 + 0.1 * range),
        scale: Scale::Linear,
        // Names make the ticks whole numbers; many would not fit.
        names: if last <= 20 { &ticks } else { &[] },
    };
    // Engines that serve all alike stand side by side.
    let middle = (engines.len() as f64 - 1.0) / 2.0;
    let beside = |series: usize| SIDE_STEP * (series as f64 - middle);
    let title = format!("{network}: pairs served");
    sheet(&title, (WIDTH, top + CHART + MARGIN), |area| {
        legend(area, &names, &places, |series, at| {
            marker(area, series, at, MARKER, Fill::Full)
        })?;
        let plane = axes.draw(area)?;
        for (series, engine) in engines.iter().enumerate() {
            let place = |&(count, share): &(usize, f64)| {
                plane.place(count as f64 + beside(series), share * 100.0)
            };
            let path: Vec<PixelPosition> = engine.points.iter().map(place).collect();
            line(area, path.clone(), colour(series), 5 * UNIT / 2)?;
            for at in path {
                marker(area, series, at, MARKER, Fill::Full)?;
            }
        }
        Ok(())
    })
}
