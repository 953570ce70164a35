//! Whether a distributed switch is non-blocking: loads, and what they do to the links of the graph.
//!
//! A load is a set of simultaneous packets, each with the train that its source puts into the header.
//! It crosses without waiting when no link carries two of them. Trains are followed through the wired
//! graph, so a wrong cable shows as a conflict or a packet that goes astray. The same loads can be driven
//! through a model of the hardware: anything that is a [`Level`].

mod allocator;
mod campaign;
mod links;
mod loads;

pub use allocator::edge_colouring;
pub use campaign::{Claim, Effort, LoadResult, run};
pub use links::LinkMap;
pub use loads::{Random, homogeneous_load, packets_of, permutations, random_permutation};

use super::train::Train;

/// One packet of a load: terminals by number, and the train in its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    pub from: u32,
    pub to: u32,
    pub train: Train,
}

/// What a load did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Crossing {
    /// Every packet crossed without waiting.
    Free,
    /// Two packets met, given as indices into the load, at a place.
    Conflict {
        first: usize,
        second: usize,
        at: String,
    },
    /// A packet did not arrive where it should.
    Astray { packet: usize, why: String },
    /// A packet, perhaps of an earlier load, waited or got lost.
    Waited { why: String },
}

/// What loads are driven through.
pub trait Level {
    /// Sends all packets at once.
    fn cross(&mut self, packets: &[Packet]) -> Crossing;

    /// Waits for what is still on its way.
    fn finish(&mut self) -> Crossing {
        Crossing::Free
    }

    /// Whether a terminal can start several packets at once on a serial РОК; only the graph can, which
    /// does not look at the terminals' trunks.
    fn ignores_trunks(&self) -> bool {
        false
    }
}
