//! A picture of the racks: rows from above to below, each rack from the front with its blocks, cables within a rack as
//! arcs at its side, and the number of cables that leave it below.

use std::fmt::Write as _;

use super::{FloorLayout, Plan};
use mkns_topology::{BlockId, BlockRole, Network};

/// Sizes of the picture, in its own units.
const SLOT: u32 = 16;
const BLOCK_WIDTH: u32 = 110;
const ARCS_WIDTH: u32 = 46;
const RACK_WIDTH: u32 = BLOCK_WIDTH + ARCS_WIDTH + 14;
const TITLE: u32 = 20;
const FOOT: u32 = 34;
const MARGIN: u32 = 12;

/// The racks of a plan as SVG.
pub fn racks(network: &Network, floor_layout: &FloorLayout, plan: &Plan) -> String {
    let fullest = floor_layout.racks().iter().map(Vec::len).max().unwrap_or(0) as u32;
    let rack_height = TITLE + fullest * SLOT + FOOT;
    let columns = floor_layout
        .floor
        .racks_per_row
        .min(plan.totals.racks as u32);
    let width = 2 * MARGIN + columns * RACK_WIDTH;
    let height = 2 * MARGIN + TITLE + plan.totals.rows * rack_height;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let totals = &plan.totals;
    let title = format!(
        "{}: {} blocks, {} cables, {} of them between racks",
        plan.network, totals.blocks, totals.cables, totals.cables_between_racks
    );
    text(&mut out, MARGIN, MARGIN + 10, &title);
    for (rack, blocks) in plan.racks.iter().zip(floor_layout.racks()) {
        let x = MARGIN + rack.column * RACK_WIDTH;
        let y = MARGIN + TITLE + rack.row * rack_height;
        text(&mut out, x, y + 12, &format!("rack {}", rack.rack));
        let frame = Frame {
            x,
            y: y + TITLE,
            slots: fullest,
        };
        frame.draw(&mut out, network, blocks);
        let inside = plan
            .cables
            .iter()
            .filter(|cable| cable.racks() == [rack.rack; 2]);
        for cable in inside {
            frame.arc(&mut out, cable.slot_a, cable.slot_b);
        }
        let foot = y + TITLE + fullest * SLOT;
        let within = format!("{} cables within", rack.cables_within);
        let leaving = format!("{} to other racks", rack.cables_leaving);
        text(&mut out, x, foot + 14, &within);
        text(&mut out, x, foot + 26, &leaving);
    }
    out + "</svg>\n"
}

/// One rack in the picture.
struct Frame {
    x: u32,
    /// Top.
    y: u32,
    slots: u32,
}

impl Frame {
    fn draw(&self, out: &mut String, network: &Network, blocks: &[BlockId]) {
        let Self { x, y, slots } = self;
        let height = slots * SLOT;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{BLOCK_WIDTH}\" height=\"{height}\" \
                 fill=\"#f4f4f4\" stroke=\"#555555\"/>"
        );
        for (slot, id) in (0..).zip(blocks) {
            let block = network.block(*id);
            let colour = match block.role {
                BlockRole::Adapter | BlockRole::Terminal => "#cfe2f3",
                _ => "#fce5cd",
            };
            let (left, top) = (x + 2, self.middle(slot) - SLOT / 2 + 1);
            let (width, high) = (BLOCK_WIDTH - 4, SLOT - 2);
            let _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{high}\" fill=\"{colour}\"/>"
            );
            text(
                out,
                left + 3,
                top + 11,
                &format!("{slot}  {}", block.label()),
            );
        }
    }

    /// Middle of a slot; slot 0 is at the bottom.
    fn middle(&self, slot: u32) -> u32 {
        self.y + (self.slots - slot) * SLOT - SLOT / 2
    }

    fn arc(&self, out: &mut String, a: u32, b: u32) {
        let x = self.x + BLOCK_WIDTH;
        let [from, to] = [a, b].map(|slot| self.middle(slot));
        // A quadratic curve goes half as far as its middle point.
        let bulge = x + 2 * (6 + (ARCS_WIDTH - 6) * a.abs_diff(b) / self.slots.max(1));
        let middle = from.midpoint(to);
        let _ = writeln!(
            out,
            "<path d=\"M{x} {from} Q{bulge} {middle} {x} {to}\" fill=\"none\" \
                 stroke=\"#3d6a96\" stroke-width=\"0.7\"/>"
        );
    }
}

fn text(out: &mut String, x: u32, y: u32, words: &str) {
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{words}</text>");
}
