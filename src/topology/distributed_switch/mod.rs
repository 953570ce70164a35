//! Distributed full switches: any R×R from m×m switches and POK units (Karavay & Podlazov;
//! `docs/reference/distributed-switch.md`).
//!
//! A [`DistributedSwitch`] is the mathematics of the wiring, stage by stage; it stands on a
//! multi-ring, a generalised hypercube or a block design, extended by cascades. Knows nothing of
//! blocks, ports of devices or cables; `network` turns it into those.

mod base;
mod complexity;
pub mod figures;
mod network;
mod placement;
mod stage;
mod switch;
#[cfg(test)]
mod tests;

pub use complexity::Complexity;
pub use network::{build, switch_of};
pub use placement::{Placement, place};
pub use stage::{Attachment, Stage};
pub use switch::{DistributedSwitch, Structure};
