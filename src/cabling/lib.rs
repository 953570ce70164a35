//! Cables between blocks that stand in racks: which cable goes where and how long it is, whether a machine is cabled as
//! planned, and the least set of moves that repairs it (`docs/reference/cabling.md`).
//!
//! A [`FloorLayout`] gives every block its place, a [`Plan`] lists the cables of a network in it, a [`Check`] compares a
//! [`ReadBack`] with the network. Knows nothing of routes and RTL.

mod assignment;
mod check;
mod check_text;
mod floor;
mod floor_file;
mod floor_layout;
mod graph;
mod image;
mod isomorphism;
mod length;
mod plan;
mod plan_text;
mod read_back;
mod read_back_file;
mod renaming;
mod repair;
mod socket;
mod svg;

pub use assignment::{Assignment, assign};
pub use check::{Check, check};
pub use floor::FloorPlan;
pub use floor_file::read_floor_plan;
pub use floor_layout::{FloorLayout, RackPosition};
pub use graph::Graph;
pub use image::Image;
pub use isomorphism::{IsomorphismResult, isomorphism, isomorphism_within};
pub use length::Millimetres;
pub use plan::{CableOrder, Plan, PlannedCable};
pub use read_back::{DeadCable, ReadBack};
pub use read_back_file::read_back;
pub use repair::{CablingRepair, Move, Step, repair};
pub use socket::{Socket, Way, planned_pairs};
pub use svg::racks as racks_svg;
