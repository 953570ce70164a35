//! Why cells of the paper's tables differ from its formulas or from the graph.
//!
//! An entry holds only for exactly these numbers of formula and graph, so that a change of either shows
//! as an unexplained difference. Source: verification notes 1.1 to 1.4.

use super::Column::{self, FatTree, Mkns, Torus, Torus4d, Torus6d};

const DIRECT_MESH: &str = "dimension 2 is a direct mesh here, which the formula does not know";
const TREE_OF_THREE: &str = "a tree of diameter 3 is a double star and reaches at most 20 of the 32 adapter blocks; \
     a misprint";
const NO_SWITCH_BLOCKS: &str =
    "N/2 counts one cable per node; without switch blocks a mesh has far more across any cut";
const CORNER_CUT: &str = "with two or more dimensions of switch blocks a corner cube is cut off by fewer cables \
     than N/2";
const DEEPER_TREE: &str = "the formula adds one path per dimension, but branches hang on both halves of it: every \
     tree is deeper";
const RING_OF_TWO: &str = "a ring of two is one cable in the graph, two in the formula";
const RING_COUNTED_ONCE: &str =
    "printed as in the graph: a ring of two is one cable; the formula counts two";
const RING_COUNTED_TWICE: &str =
    "printed by the formula, which counts two cables for a ring of two; the graph has one";
const CUT_RING_OF_TWO: &str = "the formula counts two cables for a ring of two; the graph has one";
const ODD_RING: &str = "the longest ring has an odd number, so no equal halves lie across it; rings of two are \
     one cable";
const NO_SINGLE_TORUS: &str = "no single torus has the printed cells of this row: they mix sizes (verification notes \
     1.3)";
const CABLES_OF_96: &str = "neither: 336 is the number of cables of 2x2x2x3x4 (96 nodes)";
const CABLES_OF_729: &str = "neither: 4374 = 6·3^6, the cables of 729 nodes";
const TREE_OF_OTHER_TORUS: &str = "neither: 19 belongs to 4x4x4x4x5; on even rings every tree is deeper than the formula \
     says";
const NODES_1680: &str = "printed for N = 1600 nodes, the torus has 1680";
const NODES_15972: &str = "printed for N = 16000 nodes, the torus has 15972";
const NODES_8192: &str = "printed for N = 8000 nodes, the torus has 8192";
const THREE_LEVELS: &str = "16000 end points need three levels of 40-port switches (40·20² = 16000); the rounded \
     logarithm gives four";
const LEAF_PORTS_IN_USE: &str =
    "neither: 16 is the number of ports of a leaf in use; each end point hangs on one cable";
const ONE_CABLE_EACH: &str =
    "the formula counts the cables of a leaf upward; each end point hangs on one cable";
const CABLES_OF_TWO_LEVELS: &str = "neither: printed N·2, but three levels have N·3";
const CABLES_OF_THREE_LEVELS: &str =
    "the true tree has three levels, as printed; the rounded logarithm gives four";
const END_POINT_PORTS: &str =
    "neither: 40 ports of each switch and one of each end point (40·1 + 16, 40·5 + 64)";
const PORTS_OF_THREE_LEVELS: &str =
    "the rounded logarithm gives four levels; the true tree has three";
const EVEN_RINGS: &str = "on even rings every tree is deeper than one path per dimension";
const ONE_CABLE_SUFFICES: &str =
    "between end points one cable suffices; the formula counts those of a leaf upward";

/// Table, column, hosts; formula, graph; word. Table 1 has the formula's value for modules.
type Entry = (u32, Column, u32, Option<u64>, Option<u64>, &'static str);

#[rustfmt::skip] // one line per entry
const ENTRIES: &[Entry] = &[
    (1, Torus, 6, Some(6), Some(7), EVEN_RINGS),
    (1, FatTree, 4, Some(4), Some(1), ONE_CABLE_SUFFICES),
    (2, Mkns, 64, Some(3), Some(2), DIRECT_MESH),
    (2, Torus6d, 1600, None, None, NO_SINGLE_TORUS),
    (2, FatTree, 16000, Some(8), Some(6), THREE_LEVELS),
    (3, Torus4d, 16, Some(4), Some(7), DEEPER_TREE),
    (3, Torus6d, 16, Some(3), Some(5), DEEPER_TREE),
    (3, Mkns, 64, Some(4), Some(4), TREE_OF_THREE),
    (3, Torus4d, 64, Some(8), Some(11), DEEPER_TREE),
    (3, Torus6d, 64, Some(5), Some(9), DEEPER_TREE),
    (3, Torus4d, 160, Some(11), Some(13), DEEPER_TREE),
    (3, Torus6d, 160, Some(8), Some(11), DEEPER_TREE),
    (3, Torus4d, 1600, Some(22), Some(23), DEEPER_TREE),
    (3, Torus6d, 1600, None, None, NO_SINGLE_TORUS),
    (3, Torus6d, 16000, Some(22), Some(27), TREE_OF_OTHER_TORUS),
    (3, FatTree, 16000, Some(8), Some(6), THREE_LEVELS),
    (4, Torus4d, 16, Some(8), Some(4), RING_OF_TWO),
    (4, Torus6d, 16, Some(6), Some(3), RING_OF_TWO),
    (4, FatTree, 16, Some(20), Some(1), LEAF_PORTS_IN_USE),
    (4, Mkns, 64, Some(8), Some(10), DIRECT_MESH),
    (4, Torus4d, 64, Some(8), Some(6), RING_OF_TWO),
    (4, Torus6d, 64, Some(10), Some(5), RING_OF_TWO),
    (4, FatTree, 64, Some(20), Some(1), LEAF_PORTS_IN_USE),
    (4, Torus4d, 160, Some(8), Some(7), RING_OF_TWO),
    (4, Torus6d, 160, Some(10), Some(6), RING_OF_TWO),
    (4, FatTree, 160, Some(20), Some(1), ONE_CABLE_EACH),
    (4, FatTree, 1600, Some(20), Some(1), ONE_CABLE_EACH),
    (4, FatTree, 16000, Some(20), Some(1), ONE_CABLE_EACH),
    (5, Mkns, 16, Some(4), Some(16), NO_SWITCH_BLOCKS),
    (5, Torus4d, 16, Some(16), Some(8), CUT_RING_OF_TWO),
    (5, Torus6d, 16, Some(8), Some(4), CUT_RING_OF_TWO),
    (5, Mkns, 64, Some(16), Some(32), NO_SWITCH_BLOCKS),
    (5, Torus6d, 64, Some(32), Some(16), CUT_RING_OF_TWO),
    (5, Torus4d, 160, Some(64), Some(80), ODD_RING),
    (5, Torus6d, 160, Some(32), Some(40), ODD_RING),
    (5, Mkns, 1600, Some(400), Some(336), CORNER_CUT),
    (5, Mkns, 16000, Some(4000), Some(3264), CORNER_CUT),
    (5, Torus6d, 16000, Some(2048), Some(2048), NODES_8192),
    (6, Torus4d, 16, Some(64), Some(32), RING_COUNTED_ONCE),
    (6, Torus6d, 16, Some(24), Some(12), RING_COUNTED_ONCE),
    (6, Mkns, 64, Some(144), Some(160), DIRECT_MESH),
    (6, Torus4d, 64, Some(256), Some(192), RING_COUNTED_ONCE),
    (6, Torus6d, 64, Some(160), Some(80), RING_COUNTED_ONCE),
    (6, Torus4d, 160, Some(640), Some(560), RING_COUNTED_TWICE),
    (6, Torus6d, 160, Some(400), Some(240), CABLES_OF_96),
    (6, Torus6d, 1600, Some(4800), None, CABLES_OF_729),
    (6, FatTree, 1600, Some(4800), Some(4800), CABLES_OF_TWO_LEVELS),
    (6, FatTree, 16000, Some(64000), Some(48000), CABLES_OF_THREE_LEVELS),
    (7, FatTree, 16, Some(32), Some(32), END_POINT_PORTS),
    (7, Mkns, 64, Some(400), Some(320), DIRECT_MESH),
    (7, FatTree, 64, Some(256), Some(256), END_POINT_PORTS),
    (7, Torus4d, 1600, Some(13440), Some(13440), NODES_1680),
    (7, Torus4d, 16000, Some(127776), Some(127776), NODES_15972),
    (7, Torus6d, 16000, Some(98304), Some(98304), NODES_8192),
    (7, FatTree, 16000, Some(128000), Some(96000), PORTS_OF_THREE_LEVELS),
];

/// The word for a cell with these numbers.
pub fn find(
    (table, column, hosts): (u32, Column, u32),
    formula: Option<u64>,
    measured: Option<u64>,
) -> Option<&'static str> {
    let place = (table, column, hosts, formula, measured);
    let fits = |entry: &&Entry| (entry.0, entry.1, entry.2, entry.3, entry.4) == place;
    ENTRIES.iter().find(fits).map(|entry| entry.5)
}
