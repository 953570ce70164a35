//! All kinds of networks that can be read.

use super::reader::Reader;
use super::{distributed_switch, fat_tree, grid, mkns, shortcut, slim_fly};

/// All kinds; the first is that of a table without `kind`.
pub const READERS: [Reader; 11] = [
    mkns::READER,
    grid::TORUS,
    grid::KNS,
    grid::HYPERX,
    fat_tree::READER,
    distributed_switch::MULTI_RING,
    distributed_switch::HYPERCUBE,
    distributed_switch::BLOCK_DESIGN,
    slim_fly::READER,
    shortcut::RANDOM_SHORTCUT,
    shortcut::DLN,
];
