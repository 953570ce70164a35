//! The speed of models and of RTL, and what one switch block does under load.

mod measure;
mod queue_waits;
mod saturated;
mod switch_bench;

pub use measure::{Speeds, measure};
pub use saturated::SaturatedCore;
pub use switch_bench::{Offered, SwitchBench};
