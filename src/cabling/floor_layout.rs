//! Where every block of a network stands, and how far it is from one to another.
//!
//! Blocks are put into racks in order, a fixed number per rack. The order is that of their coordinates, the last one first,
//! adapter blocks before others at the same; in a Slim Fly it is that of (a, s, b), so that rack a holds the groups
//! (0, a, ·) and (1, a, ·). Cables run up and down in a rack, and in a tray above the racks along rows and across them.

use super::{FloorPlan, Millimetres};
use mkns_diag::{Code, Diagnostic, Place};
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology::{Block, BlockId, Network};
use serde::Serialize;

/// Blocks in a rack where neither the floor plan nor the kind of network says.
const BLOCKS_PER_RACK: u32 = 20;
/// Height of a rack where the floor plan does not say and its blocks need no more.
const RACK_HEIGHT: Millimetres = Millimetres(2000);

/// The place of a block: racks count from 0 along the rows, slots of a rack from 0 at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RackPosition {
    pub rack: u32,
    pub slot: u32,
}

/// Racks with blocks in them.
#[derive(Debug, Clone)]
pub struct FloorLayout {
    pub floor: FloorPlan,
    /// From the floor to the tray.
    pub rack_height: Millimetres,
    pub blocks_per_rack: u32,
    /// By block.
    places: Vec<RackPosition>,
    /// By rack, then slot.
    racks: Vec<Vec<BlockId>>,
}

impl FloorLayout {
    /// Puts the blocks of a network into racks.
    pub fn new(
        spec: &NetworkSpec,
        network: &Network,
        floor: FloorPlan,
    ) -> Result<Self, Vec<Diagnostic>> {
        let (order, usual) = match &spec.kind {
            NetworkKind::SlimFly(fly) => (slim_fly_order(network), 2 * fly.order),
            _ => (order_of_coordinates(network), BLOCKS_PER_RACK),
        };
        let blocks_per_rack = floor.blocks_per_rack.unwrap_or(usual);
        let racks: Vec<Vec<BlockId>> = order
            .chunks(blocks_per_rack as usize)
            .map(<[BlockId]>::to_vec)
            .collect();
        let fullest = racks.first().map_or(0, Vec::len) as u64;
        let needed = Millimetres(fullest * floor.block_height.0);
        let problems: Vec<_> = [too_low(&floor, needed), too_few_rows(&floor, racks.len())]
            .into_iter()
            .flatten()
            .collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut places = vec![RackPosition { rack: 0, slot: 0 }; order.len()];
        for (rack, blocks) in (0..).zip(&racks) {
            for (slot, block) in (0..).zip(blocks) {
                places[block.0 as usize] = RackPosition { rack, slot };
            }
        }
        Ok(Self {
            rack_height: floor.rack_height.unwrap_or(RACK_HEIGHT.max(needed)),
            floor,
            blocks_per_rack,
            places,
            racks,
        })
    }

    pub fn place(&self, block: BlockId) -> RackPosition {
        self.places[block.0 as usize]
    }

    /// The blocks of every rack, from the bottom.
    pub fn racks(&self) -> &[Vec<BlockId>] {
        &self.racks
    }

    /// Row of a rack and its place in the row, from 0.
    pub fn row_and_column(&self, rack: u32) -> (u32, u32) {
        let per_row = self.floor.racks_per_row;
        (rack / per_row, rack % per_row)
    }

    /// Length of the cable that is bought to join two blocks; its own length where all in the floor plan are too short.
    pub fn bought(&self, a: BlockId, b: BlockId) -> Millimetres {
        let length = self.length(a, b);
        self.floor.class_of(length).unwrap_or(length)
    }

    /// Length of a cable between two blocks, slack included.
    pub fn length(&self, a: BlockId, b: BlockId) -> Millimetres {
        let [a, b] = [a, b].map(|block| self.place(block));
        let pitch = self.floor.block_height.0;
        let way = if a.rack == b.rack {
            u64::from(a.slot.abs_diff(b.slot)) * pitch
        } else {
            // From the middle of the block to the tray.
            let rise = |place: RackPosition| {
                self.rack_height.0 - (pitch * u64::from(place.slot) + pitch / 2)
            };
            let [(row_a, column_a), (row_b, column_b)] =
                [a, b].map(|place| self.row_and_column(place.rack));
            let along = u64::from(column_a.abs_diff(column_b)) * self.floor.rack_pitch.0;
            let across = u64::from(row_a.abs_diff(row_b)) * self.floor.row_pitch.0;
            rise(a) + along + across + rise(b)
        };
        Millimetres(way + self.floor.slack.0)
    }
}

fn sorted<K: Ord>(network: &Network, key: impl Fn(&Block) -> K) -> Vec<BlockId> {
    let mut order: Vec<BlockId> = network.block_ids().collect();
    // Adapter blocks come first in a network, and the sort is stable.
    order.sort_by_key(|id| key(network.block(*id)));
    order
}

fn order_of_coordinates(network: &Network) -> Vec<BlockId> {
    sorted(network, |block| {
        let last_first: Vec<u32> = block.coordinates.iter().rev().copied().collect();
        last_first
    })
}

fn slim_fly_order(network: &Network) -> Vec<BlockId> {
    sorted(network, |block| match block.coordinates[..] {
        [s, a, b] => [a, s, b],
        _ => unreachable!("blocks of a Slim Fly have labels (s, a, b)"),
    })
}

fn complaint(floor: &FloorPlan, field: &str, fact: String, remedy: String) -> Diagnostic {
    let place = Place {
        source: floor.source.clone(),
        ..Place::field(field)
    };
    Diagnostic::new(Code::NotFloorPlan, fact, remedy).at(place)
}

fn too_low(floor: &FloorPlan, needed: Millimetres) -> Option<Diagnostic> {
    let height = floor.rack_height.filter(|height| *height < needed)?;
    let fact = format!("`rack_height` is {height}, but the blocks of a rack need {needed}");
    let remedy = "give higher racks, a smaller `block_height` or fewer `blocks_per_rack`";
    Some(complaint(floor, "rack_height", fact, remedy.to_owned()))
}

fn too_few_rows(floor: &FloorPlan, racks: usize) -> Option<Diagnostic> {
    let per_row = floor.racks_per_row;
    let needed = (racks as u32).div_ceil(per_row);
    let rows = floor.rows.filter(|rows| *rows < needed)?;
    let fact =
        format!("`rows` is {rows} with {per_row} racks each, but the network needs {racks} racks");
    let remedy = format!("give {needed} rows, more `racks_per_row` or more `blocks_per_rack`");
    Some(complaint(floor, "rows", fact, remedy))
}
