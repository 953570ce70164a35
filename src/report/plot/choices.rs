//! Networks to choose from: what each can carry over what it costs, one marker a network, a colour a kind; those that no
//! other beats are full and named.

use super::axes::{Axes, Scale};
use super::canvas::{
    Anchor, BELOW_TITLE, Fill, LINE, MARGIN, TEXT, UNIT, legend, legend_places, marker, sheet,
    text_width, write,
};

const WIDTH: i32 = 900 * UNIT;
const CHART: i32 = 520 * UNIT;
const MARKER: i32 = 4 * UNIT;

/// A network.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub kind: &'static str,
    pub name: String,
    /// In the unit of the price list, a host.
    pub cost: f64,
    /// Flits per host and cycle.
    pub throughput: f64,
    /// No other network is as good in everything.
    pub is_unbeaten: bool,
}

/// The picture of at least one network.
pub fn choices(title: &str, networks: &[Choice]) -> String {
    let mut kinds: Vec<&str> = networks.iter().map(|network| network.kind).collect();
    kinds.dedup();
    let names: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
    let (places, below_legend) = legend_places(&names, WIDTH, BELOW_TITLE);
    let top = below_legend + LINE / 2;
    let costs = || networks.iter().map(|network| network.cost);
    let (least, most) = (
        costs().fold(f64::MAX, f64::min),
        costs().fold(0.0, f64::max),
    );
    let room = (most - least).max(1.0) * 0.05;
    let axes = Axes {
        top,
        height: CHART,
        heading: "Bound on uniform throughput, flits per host and cycle (full: no other is as good in everything)",
        below: "Cost of a host by the price list",
        x: (least - room, most + room),
        y: (0.0, 1.1),
        scale: Scale::Linear,
        names: &[],
    };
    sheet(title, (WIDTH, top + CHART + MARGIN), |area| {
        legend(area, &names, &places, |kind, at| {
            marker(area, kind, at, MARKER, Fill::Full)
        })?;
        let plane = axes.draw(area)?;
        // Full markers last, so that none is hidden.
        for drawn in [false, true] {
            for network in networks
                .iter()
                .filter(|network| network.is_unbeaten == drawn)
            {
                let kind = kinds.iter().position(|kind| *kind == network.kind);
                let at = plane.place(network.cost, network.throughput);
                let fill = if drawn { Fill::Full } else { Fill::Hollow };
                marker(area, kind.unwrap_or(0), at, MARKER, fill)?;
            }
        }
        let mut written: Vec<(i32, i32, i32)> = Vec::new();
        for network in networks.iter().filter(|network| network.is_unbeaten) {
            let (x, y) = plane.place(network.cost, network.throughput);
            let width = text_width(&network.name, TEXT);
            let fits_right = x + 2 * MARKER + width < WIDTH - MARGIN;
            let (left, anchor, at) = match fits_right {
                true => (x, Anchor::Left, x + 2 * MARKER),
                false => (x - width, Anchor::Right, x - 2 * MARKER),
            };
            let hides = |&(other, end, height): &(i32, i32, i32)| {
                left < end && other < left + width && (height - y).abs() < LINE * 3 / 4
            };
            if !written.iter().any(hides) {
                write(area, &network.name, (at, y - LINE / 3), TEXT, anchor)?;
                written.push((left, left + width, y));
            }
        }
        Ok(())
    })
}
