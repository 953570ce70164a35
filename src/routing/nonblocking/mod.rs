//! Whether a distributed switch is non-blocking: loads, and what they do to the links of the graph.
//!
//! A load is a set of simultaneous packets, each with the train that its source puts into the header.
//! It crosses without waiting when no link carries two of them. Trains are followed through the wired
//! graph, so a wrong cable shows as a conflict or a packet that goes astray. The same loads can be driven
//! through a model of the hardware: anything that is a [`SwitchModel`].

mod allocator;
mod campaign;
mod links;
mod loads;
mod result;
mod switch_model;
mod turns;

pub use allocator::edge_colouring;
pub use campaign::{Effort, run};
pub use links::LinkMap;
pub use loads::{homogeneous_load, packets_of, permutations, random_permutation};
pub use result::{Claim, LoadResult, PacketTimes};
pub use switch_model::{Crossing, LoadOutcome, Packet, SwitchModel};
