//! Whether a distributed switch is non-blocking: loads, and what they do to the links of the graph.
//!
//! A load is a set of simultaneous packets, each with the train that its source puts into the header.
//! It crosses without waiting when no link carries two of them. Trains are followed through the wired
//! graph, so a wrong cable shows as a conflict or a packet that goes astray.

mod allocator;
mod campaign;
mod links;
mod loads;

pub use allocator::edge_colouring;
pub use campaign::{Claim, Effort, LoadResult, run};
pub use links::{Crossing, LinkMap};
pub use loads::{Random, homogeneous_load, packets_of, permutations, random_permutation};

use super::train::Train;

/// One packet of a load: terminals by number, and the train in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    pub from: u32,
    pub to: u32,
    pub train: Train,
}
