//! Pictures of networks and of what was measured on them, as SVG documents.
//!
//! Equal numbers give equal bytes: no font of the machine, no date, no order of a hash. Text is
//! left to the viewer's sans-serif font; layouts have room for a wide one.

pub mod axes;
pub mod canvas;
mod choices;
mod csv;
mod figures;
mod groups;
mod latency;
mod link_file;
mod link_loads;
mod paths;
mod png;
mod survival;
mod sweep_file;

pub use choices::{Choice, choices};
pub use figures::figures;
pub use latency::{Curve, CurvePoint, Scales, latency};
pub use link_file::read_links;
pub use link_loads::{LinkLoads, link_loads};
pub use paths::{PathLengths, path_lengths};
pub use png::png;
pub use survival::{ServedShares, served_shares};
pub use sweep_file::read_curve;

/// Networks that one picture shows at most: more colours could not be told apart.
pub const MOST_SERIES: usize = 7;
