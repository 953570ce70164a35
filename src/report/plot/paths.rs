//! How long the paths of a network are: the share of packets by the blocks on their way, when every
//! host sends to all alike.

use plotters::prelude::*;

use super::axes::{Axes, Scale};
use super::canvas::{
    Anchor, BELOW_TITLE, LINE, MARGIN, TEXT, UNIT, colour, legend, legend_places, sheet,
    text_width, write,
};
use mkns_topology::Network;
use mkns_topology::distances::{self, Adjacency};

const WIDTH: i32 = 720 * UNIT;
const CHART: i32 = 380 * UNIT;
/// Room between the groups of bars, as a share of their distance.
const GAP: f64 = 0.2;

/// Share of the packets by the number of blocks on their way, 0 blocks first.
#[derive(Debug, Clone, PartialEq)]
pub struct PathLengths {
    pub name: String,
    pub shares: Vec<f64>,
}

impl PathLengths {
    /// Of a network whose packets take shortest paths; it has adapter blocks.
    pub fn of(name: &str, network: &Network) -> Self {
        let adjacency = Adjacency::new(network, &network.index());
        let pairs = distances::histogram(network, &adjacency);
        let all: u64 = pairs.iter().sum();
        let shares = pairs.iter().map(|&pairs| pairs as f64 / all as f64);
        Self {
            name: name.to_owned(),
            shares: std::iter::once(0.0).chain(shares).collect(),
        }
    }

    /// Mean number of blocks on the way.
    pub fn mean(&self) -> f64 {
        let blocks = (0_u32..).zip(&self.shares);
        blocks
            .map(|(blocks, share)| f64::from(blocks) * share)
            .sum()
    }
}

/// The picture.
pub fn path_lengths(networks: &[PathLengths]) -> String {
    let name = |network: &PathLengths| format!("{}: mean {:.3}", network.name, network.mean());
    let names: Vec<String> = networks.iter().map(name).collect();
    let (places, below_legend) = legend_places(&names, WIDTH, BELOW_TITLE);
    let top = below_legend + LINE / 2;
    let shares = || networks.iter().flat_map(|network| &network.shares);
    let most = shares().fold(0.0_f64, |most, &share| most.max(share));
    let longest = networks.iter().map(|network| network.shares.len()).max();
    let longest = longest.unwrap_or(1);
    let blocks: Vec<String> = (0..longest).map(|blocks| blocks.to_string()).collect();
    let axes = Axes {
        top,
        height: CHART,
        heading: "Packets, percent (uniform traffic, own host included)",
        below: "Blocks on the way of a packet",
        x: (0.5, longest as f64 - 0.5),
        y: (0.0, most * 112.0),
        scale: Scale::Linear,
        names: &blocks,
    };
    sheet("Lengths of paths", (WIDTH, top + CHART + MARGIN), |area| {
        legend(area, &names, &places, |series, (x, y)| {
            let half = LINE / 3;
            let corners = [(x - half, y - half), (x + half, y + half)];
            area.draw(&Rectangle::new(corners, colour(series).filled()))
        })?;
        let plane = axes.draw(area)?;
        let bar = (1.0 - GAP) / networks.len() as f64;
        let room = plane.place(bar, 0.0).0 - plane.place(0.0, 0.0).0;
        for (series, network) in networks.iter().enumerate() {
            let bars = network.shares.iter().enumerate();
            for (blocks, share) in bars.filter(|(_, share)| **share > 0.0) {
                let left = blocks as f64 - 0.5 + GAP / 2.0 + bar * series as f64;
                let percent = share * 100.0;
                let corners = [plane.place(left, percent), plane.place(left + bar, 0.0)];
                area.draw(&Rectangle::new(corners, colour(series).filled()))?;
                let label = format!("{percent:.1}");
                if text_width(&label, TEXT) <= room {
                    let at = ((corners[0].0 + corners[1].0) / 2, corners[0].1 - LINE / 2);
                    write(area, &label, at, TEXT, Anchor::Middle)?;
                }
            }
        }
        Ok(())
    })
}
