//! A network with the load of its cables as colours, dimension by dimension.
//!
//! Drawn whole, the cables of even a small machine cover each other. So each dimension has a drawing of
//! its own, and in it each line, ring or tree that its cables form. Every cable has two halves: the one
//! at a block shows what that block sends.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use plotters::prelude::*;

use super::canvas::{
    Anchor, Area, BELOW_TITLE, Drawn, FAINT, INK, LINE, MARGIN, PixelPosition, TEXT, UNIT, line,
    sheet, text_width, write,
};
use super::groups::{Group, groups};
use mkns_simulation::measure::LinkRecord;
use mkns_topology::{BlockId, Cable, CableKind, End, Network};

const WIDTH: i32 = 960 * UNIT;
/// Least and greatest width of a group.
const NARROW: i32 = 64 * UNIT;
const BROAD: i32 = 300 * UNIT;
/// Least distance of blocks beside each other.
const PITCH: i32 = 9 * UNIT;
const BAR: (i32, i32) = (300 * UNIT, 14 * UNIT);
/// Distance of parallel cables.
const BESIDE: i32 = 4 * UNIT;
const SMALL: i32 = 12 * UNIT;

/// No load to greatest load: lighter is less, for any colour vision and in grey.
const SCALE: [(u8, u8, u8); 5] = [
    (0xf6, 0xe3, 0xa1),
    (0xf9, 0xa2, 0x42),
    (0xd1, 0x4e, 0x51),
    (0x7a, 0x1d, 0x6d),
    (0x14, 0x0b, 0x35),
];

/// What flows through the links of a network, flits per cycle by sending end.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkLoads {
    /// The network and its traffic.
    pub title: String,
    pub loads: BTreeMap<End, f64>,
}

impl LinkLoads {
    /// What was measured.
    pub fn of(title: String, links: &[LinkRecord]) -> Self {
        let loads = links.iter().map(|link| (link.from, link.load)).collect();
        Self { title, loads }
    }

    fn greatest(&self) -> f64 {
        self.loads.values().copied().fold(0.0, f64::max)
    }
}

/// The drawing of one dimension.
struct DimensionPanel {
    heading: String,
    groups: Vec<Group>,
    columns: i32,
    /// Width and height of a group.
    cell: PixelPosition,
    top: i32,
}

impl DimensionPanel {
    fn height(&self) -> i32 {
        let rows = (self.groups.len() as i32 + self.columns - 1) / self.columns;
        2 * LINE + rows * self.cell.1
    }
}

/// The picture; links without a load are left out.
pub fn link_loads(network: &Network, loads: &LinkLoads) -> String {
    let mut parts = Vec::new();
    let mut top = BELOW_TITLE + 3 * LINE;
    for dimension in 1..=network.dimensions() {
        let part = part(network, loads, dimension, top);
        top += part.height();
        parts.push(part);
    }
    let greatest = loads.greatest();
    sheet(&loads.title, (WIDTH, top + MARGIN), |area| {
        colour_bar(area, greatest)?;
        for part in &parts {
            let at = (MARGIN, part.top + LINE);
            write(area, &part.heading, at, TEXT, Anchor::Left)?;
            for (at, group) in (0..).zip(&part.groups) {
                let column = MARGIN + at % part.columns * part.cell.0;
                let row = part.top + 2 * LINE + at / part.columns * part.cell.1;
                draw_group(area, group, (loads, greatest), (column, row), part.cell)?;
            }
        }
        Ok(())
    })
}

fn part(network: &Network, loads: &LinkLoads, dimension: u8, top: i32) -> DimensionPanel {
    let groups = groups(network, dimension);
    let room = WIDTH - 2 * MARGIN;
    let breadth = groups.iter().map(Group::breadth).max().unwrap_or(1) as i32;
    let is_round = groups.iter().any(|group| group.rows.len() == 1);
    // The circumference of a circle is some three times its width.
    let needed = if is_round {
        breadth * PITCH / 2
    } else {
        breadth * PITCH
    };
    let needed = (needed + 2 * PITCH).clamp(NARROW, room);
    let broad = needed.max(BROAD.min(room / (groups.len() as i32).clamp(1, 8)));
    let columns = (room / broad).max(1);
    let width = room / columns;
    let shape = if is_round { width } else { width * 3 / 4 };
    DimensionPanel {
        heading: heading(&groups, loads, dimension),
        cell: (width, shape.clamp(NARROW, BROAD) + LINE),
        groups,
        columns,
        top,
    }
}

fn heading(groups: &[Group], loads: &LinkLoads, dimension: u8) -> String {
    let cables = groups.iter().flat_map(|group| &group.cables);
    let directions = cables.flat_map(|cable| cable.directions());
    let of_dimension = directions.filter_map(|(from, _)| loads.loads.get(&from));
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0);
    for &load in of_dimension {
        (sum, most, count) = (sum + load, most.max(load), count + 1);
    }
    let mean = sum / f64::from(count.max(1));
    format!(
        "Dimension {dimension}: {count} directions of cables, mean load {mean:.3}, most {most:.3}"
    )
}

/// The scale of the colours, with what they mean.
fn colour_bar(area: &Area<'_>, greatest: f64) -> Drawn {
    let (left, top) = (MARGIN, BELOW_TITLE);
    for x in 0..BAR.0 {
        let colour = colour_of(f64::from(x) / f64::from(BAR.0));
        let corners = [(left + x, top), (left + x + 1, top + BAR.1)];
        if x % UNIT == 0 {
            let corners = [corners[0], (corners[1].0 + UNIT - 1, corners[1].1)];
            area.draw(&Rectangle::new(corners, colour.filled()))?;
        }
    }
    for (part, anchor) in [(0, Anchor::Left), (1, Anchor::Middle), (2, Anchor::Right)] {
        let text = format!("{:.3}", greatest * f64::from(part) / 2.0);
        let at = (left + BAR.0 * part / 2, top + BAR.1 + LINE / 2);
        write(area, &text, at, TEXT, anchor)?;
    }
    let words = [
        "load of each direction of a cable, flits per cycle;",
        "the half at a block shows what the block sends",
    ];
    for (at, words) in (0..).zip(words) {
        let place = (left + BAR.0 + LINE, top + LINE / 2 + at * LINE);
        write(area, words, place, TEXT, Anchor::Left)?;
    }
    Ok(())
}

/// Colour of a share of the greatest load.
fn colour_of(share: f64) -> RGBColor {
    let along = share.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let from = (along as usize).min(SCALE.len() - 2);
    let (a, b) = (SCALE[from], SCALE[from + 1]);
    let part = along - from as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

fn draw_group(
    area: &Area<'_>,
    group: &Group,
    (loads, greatest): (&LinkLoads, f64),
    corner: PixelPosition,
    cell: PixelPosition,
) -> Drawn {
    let places = places(group, corner, (cell.0, cell.1 - LINE));
    let scale = greatest.max(f64::MIN_POSITIVE);
    for (cable, aside) in group.cables.iter().zip(lanes(&group.cables)) {
        let (first, second) = pair(cable);
        let (right, down) = shift([places[&first.0], places[&second.0]], aside);
        let place_of = |end: End| {
            let place = places[&end.block.0];
            (place.0 + right, place.1 + down)
        };
        if cable.kind == CableKind::Simplex {
            // The half in which nobody sends.
            let whole = vec![place_of(cable.a), place_of(cable.b)];
            line(area, whole, FAINT, UNIT)?;
        }
        for (from, to) in cable.directions() {
            let Some(load) = loads.loads.get(&from) else {
                continue;
            };
            let [start, end] = [from, to].map(place_of);
            let middle = ((start.0 + end.0) / 2, (start.1 + end.1) / 2);
            line(
                area,
                vec![start, middle],
                colour_of(load / scale),
                5 * UNIT / 2,
            )?;
        }
    }
    for &place in places.values() {
        area.draw(&Circle::new(place, 3 * UNIT, WHITE.filled()))?;
        area.draw(&Circle::new(place, 3 * UNIT, INK.stroke_width(UNIT as u32)))?;
    }
    if text_width(&group.name, SMALL) <= cell.0 {
        let at = (corner.0 + cell.0 / 2, corner.1 + cell.1 - LINE / 2);
        write(area, &group.name, at, SMALL, Anchor::Middle)?;
    }
    Ok(())
}

/// The blocks that a cable joins, the same for both directions.
fn pair(cable: &Cable) -> (BlockId, BlockId) {
    let (a, b) = (cable.a.block, cable.b.block);
    (a.min(b), a.max(b))
}

/// How far each cable lies beside the straight line between its blocks, in half distances of parallel
/// cables: 0 for a lone one, −1 and 1 for two.
fn lanes(cables: &[Cable]) -> Vec<i32> {
    let mut counts: BTreeMap<_, i32> = BTreeMap::new();
    for cable in cables {
        *counts.entry(pair(cable)).or_default() += 1;
    }
    let mut drawn: BTreeMap<_, i32> = BTreeMap::new();
    let lane = |cable: &Cable| {
        let before = drawn.entry(pair(cable)).or_default();
        *before += 1;
        2 * (*before - 1) - (counts[&pair(cable)] - 1)
    };
    cables.iter().map(lane).collect()
}

/// A step to the side of the line between two places.
fn shift([start, end]: [PixelPosition; 2], lanes: i32) -> PixelPosition {
    let (x, y) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
    let step = f64::from(lanes * BESIDE / 2) / x.hypot(y).max(1.0);
    ((-y * step).round() as i32, (x * step).round() as i32)
}

/// Where the blocks of a group stand: around a circle, or in rows from the bottom up.
fn places(
    group: &Group,
    corner: PixelPosition,
    (width, height): PixelPosition,
) -> BTreeMap<u32, PixelPosition> {
    let mut places = BTreeMap::new();
    let rows = group.rows.len() as i32;
    for (level, row) in (0..).zip(&group.rows) {
        for (at, &block) in row.iter().enumerate() {
            let place = if rows == 1 {
                let turn = TAU * at as f64 / row.len() as f64;
                let radius = f64::from(width.min(height)) * 0.42;
                let away = |share: f64| (radius * share).round() as i32;
                (width / 2 + away(turn.sin()), height / 2 - away(turn.cos()))
            } else {
                let step = f64::from(width) / row.len() as f64;
                let inside = height - 2 * PITCH;
                let up = inside * level / (rows - 1);
                ((step * (at as f64 + 0.5)) as i32, height - PITCH - up)
            };
            places.insert(block, (corner.0 + place.0, corner.1 + place.1));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_darken_with_the_load() {
        let brightness = |share: f64| {
            let RGBColor(r, g, b) = colour_of(share);
            2 * u32::from(r) + 5 * u32::from(g) + u32::from(b)
        };
        let steps: Vec<u32> = (0..=20)
            .map(|step| brightness(f64::from(step) / 20.0))
            .collect();
        assert!(steps.windows(2).all(|pair| pair[0] > pair[1]), "{steps:?}");
        assert_eq!(colour_of(7.0), colour_of(1.0));
    }
}
