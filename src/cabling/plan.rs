//! The cables of a network in a hall: from which port to which, how long, and what has to be bought.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{FloorLayout, Millimetres, RackPosition};
use mkns_topology::{Block, BlockId, Cable, CableKind, Network};

/// All cables of a network, rack by rack.
#[derive(Debug, Clone, Serialize)]
pub struct Plan {
    pub network: String,
    pub totals: Totals,
    /// Rising lengths; cables that none suffices for come last.
    pub bill: Vec<CableOrder>,
    pub racks: Vec<Rack>,
    /// Pairs of racks with cables between them.
    pub rack_pairs: Vec<RackPair>,
    /// Cables within a rack come before those from it to later racks.
    pub cables: Vec<PlannedCable>,
}

/// Sums over the network.
#[derive(Debug, Clone, Serialize)]
pub struct Totals {
    pub blocks: usize,
    pub racks: usize,
    pub rows: u32,
    pub cables: usize,
    pub cables_within_racks: usize,
    pub cables_between_racks: usize,
    /// Of all cables, slack included, mm.
    pub length_mm: Millimetres,
    /// Of the cables that are bought for them, mm; those that are too long for all count with their own length.
    pub bought_mm: Millimetres,
}

/// Cables of one length that are to be bought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CableOrder {
    /// Length of each; none: longer than all lengths of the floor plan.
    pub class_mm: Option<Millimetres>,
    pub cables: u32,
    /// The longest that one of them has to be.
    pub longest_mm: Millimetres,
}

/// One rack.
#[derive(Debug, Clone, Serialize)]
pub struct Rack {
    pub rack: u32,
    pub row: u32,
    /// Place in the row.
    pub column: u32,
    /// Labels of the blocks, from the bottom.
    pub blocks: Vec<String>,
    pub cables_within: u32,
    /// To other racks.
    pub cables_leaving: u32,
}

/// Two racks with cables between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RackPair {
    pub racks: [u32; 2],
    pub cables: u32,
}

/// One cable. A duplex cable has its lower place first, a simplex cable the sender.
#[derive(Debug, Clone, Serialize)]
pub struct PlannedCable {
    pub a: String,
    pub port_a: u8,
    pub b: String,
    pub port_b: u8,
    pub rack_a: u32,
    pub slot_a: u32,
    pub rack_b: u32,
    pub slot_b: u32,
    /// Way and slack, mm.
    pub length_mm: Millimetres,
    /// Length of the cable that is bought, mm; none: longer than all of the floor plan.
    pub class_mm: Option<Millimetres>,
    /// Goes from `a` to `b` only.
    pub simplex: bool,
}

impl PlannedCable {
    fn new(network: &Network, floor_layout: &FloorLayout, cable: &Cable) -> Self {
        let simplex = cable.kind == CableKind::Simplex;
        let [mut a, mut b] = [cable.a, cable.b];
        if !simplex && floor_layout.place(b.block) < floor_layout.place(a.block) {
            (a, b) = (b, a);
        }
        let label = |block: BlockId| network.block(block).label();
        let [at, to] = [a, b].map(|end| floor_layout.place(end.block));
        let length = floor_layout.length(a.block, b.block);
        Self {
            a: label(a.block),
            port_a: a.port.0,
            b: label(b.block),
            port_b: b.port.0,
            rack_a: at.rack,
            slot_a: at.slot,
            rack_b: to.rack,
            slot_b: to.slot,
            length_mm: length,
            class_mm: floor_layout.floor.class_of(length),
            simplex,
        }
    }

    /// The two racks, the lower one first.
    pub fn racks(&self) -> [u32; 2] {
        let (a, b) = (self.rack_a, self.rack_b);
        [a.min(b), a.max(b)]
    }

    pub fn is_within_rack(&self) -> bool {
        self.rack_a == self.rack_b
    }

    /// Rack by rack, cables within it first.
    fn key(&self) -> impl Ord + use<> {
        let [a, b] = [(self.rack_a, self.slot_a), (self.rack_b, self.slot_b)];
        let places = [a, b].map(|(rack, slot)| RackPosition { rack, slot });
        (self.racks(), places, self.port_a, self.port_b)
    }
}

impl Plan {
    /// The plan of a network in a hall.
    pub fn new(network: &Network, floor_layout: &FloorLayout) -> Self {
        let cables = network.cables.iter();
        let mut cables: Vec<_> = cables
            .map(|cable| PlannedCable::new(network, floor_layout, cable))
            .collect();
        cables.sort_by_key(PlannedCable::key);
        let mut between: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for cable in &cables {
            *between.entry(cable.racks()).or_default() += 1;
        }
        let racks = (0..).zip(floor_layout.racks()).map(|(rack, blocks)| {
            let blocks = blocks.iter().map(|id| network.block(*id));
            let of_rack = between.iter().filter(|(racks, _)| racks.contains(&rack));
            let (within, leaving): (Vec<_>, Vec<_>) =
                of_rack.partition(|(racks, _)| racks[0] == racks[1]);
            let sum = |pairs: Vec<(_, &u32)>| pairs.into_iter().map(|(_, count)| *count).sum();
            let (row, column) = floor_layout.row_and_column(rack);
            Rack {
                rack,
                row,
                column,
                blocks: blocks.map(Block::label).collect(),
                cables_within: sum(within),
                cables_leaving: sum(leaving),
            }
        });
        Self {
            network: network.name.clone(),
            racks: racks.collect(),
            totals: totals(floor_layout, &cables),
            bill: bill(cables.iter().map(|cable| (cable.length_mm, cable.class_mm))),
            rack_pairs: between
                .into_iter()
                .filter(|(racks, _)| racks[0] != racks[1])
                .map(|(racks, cables)| RackPair { racks, cables })
                .collect(),
            cables,
        }
    }
}

fn totals(floor_layout: &FloorLayout, cables: &[PlannedCable]) -> Totals {
    let within = cables.iter().filter(|cable| cable.is_within_rack()).count();
    let sum = |length: fn(&PlannedCable) -> Millimetres| {
        Millimetres(cables.iter().map(|cable| length(cable).0).sum())
    };
    let racks = floor_layout.racks().len();
    Totals {
        blocks: floor_layout.racks().iter().map(Vec::len).sum(),
        racks,
        rows: (racks as u32).div_ceil(floor_layout.floor.racks_per_row),
        cables: cables.len(),
        cables_within_racks: within,
        cables_between_racks: cables.len() - within,
        length_mm: sum(|cable| cable.length_mm),
        bought_mm: sum(|cable| cable.class_mm.unwrap_or(cable.length_mm)),
    }
}

/// What has to be bought for cables of these lengths and classes.
pub(crate) fn bill(
    cables: impl Iterator<Item = (Millimetres, Option<Millimetres>)>,
) -> Vec<CableOrder> {
    let mut lines: BTreeMap<(bool, Option<Millimetres>), CableOrder> = BTreeMap::new();
    for (length, class) in cables {
        let line = lines.entry((class.is_none(), class)).or_insert(CableOrder {
            class_mm: class,
            cables: 0,
            longest_mm: length,
        });
        line.cables += 1;
        line.longest_mm = line.longest_mm.max(length);
    }
    lines.into_values().collect()
}
