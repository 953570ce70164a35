//! Cables between blocks that stand in racks: which cable goes where and how long it is, whether a machine is cabled as
//! planned, and the least set of moves that mends it (`docs/reference/cabling.md`).
//!
//! A [`Hall`] gives every block its place, a [`Plan`] lists the cables of a network in it, a [`Check`] compares a
//! [`ReadBack`] with the network. Knows nothing of routes and RTL.

mod assignment;
mod check;
mod check_text;
mod floor;
mod floor_file;
mod graph;
mod hall;
mod image;
mod isomorphism;
mod length;
mod mend;
mod plan;
mod plan_text;
mod read_back;
mod read_back_file;
mod renaming;
mod socket;
mod svg;

pub use assignment::{Assignment, assign};
pub use check::{Check, check};
pub use floor::FloorPlan;
pub use floor_file::read_floor_plan;
pub use graph::Graph;
pub use hall::{Hall, RackPosition};
pub use image::Image;
pub use isomorphism::{Answer, isomorphism, isomorphism_within};
pub use length::Millimetres;
pub use mend::{Mend, Move, Step, mend};
pub use plan::{Bill, Plan, PlannedCable};
pub use read_back::{DeadCable, ReadBack};
pub use read_back_file::read_back;
pub use socket::{Socket, Way, planned_pairs};
pub use svg::racks as racks_svg;
