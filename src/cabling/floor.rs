//! The floor plan: how racks stand, how blocks stand in them, which cables can be bought.

use super::Millimetres;

/// Where racks stand and what runs between them. What is `None` follows from the network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FloorPlan {
    /// File that it comes from, for diagnostics; empty for the default.
    pub source: String,
    /// Rows of racks; as many as are needed without it.
    pub rows: Option<u32>,
    /// Racks side by side in a row.
    pub racks_per_row: u32,
    /// Blocks in a rack, in the order of their coordinates. Without it 20, in a Slim Fly 2q.
    pub blocks_per_rack: Option<u32>,
    /// From the front of one row to the front of the next.
    pub row_pitch: Millimetres,
    /// From the middle of a rack to the middle of the next in its row.
    pub rack_pitch: Millimetres,
    /// From the floor to the tray above the racks in which cables run from rack to rack. Without it 2 m, or what the
    /// blocks of a rack need if that is more.
    pub rack_height: Option<Millimetres>,
    /// From the middle of a block to the middle of the one above it.
    pub block_height: Millimetres,
    /// What each cable is longer than its way, for both ends together.
    pub slack: Millimetres,
    /// Lengths that cables are bought in, rising.
    pub lengths: Vec<Millimetres>,
}

impl Default for FloorPlan {
    fn default() -> Self {
        let lengths = [500, 1000, 1500, 2000, 3000, 5000, 7000];
        let long = [10_000, 15_000, 20_000, 30_000, 50_000];
        Self {
            source: String::new(),
            rows: None,
            racks_per_row: 10,
            blocks_per_rack: None,
            row_pitch: Millimetres(1800),
            rack_pitch: Millimetres(600),
            rack_height: None,
            block_height: Millimetres(45),
            slack: Millimetres(400),
            lengths: lengths.into_iter().chain(long).map(Millimetres).collect(),
        }
    }
}

impl FloorPlan {
    /// The shortest cable that can be bought for a length; none when all are too short.
    pub fn class_of(&self, length: Millimetres) -> Option<Millimetres> {
        self.lengths.iter().copied().find(|class| *class >= length)
    }
}
