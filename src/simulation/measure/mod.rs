//! Measurements on a simulated network: latency and throughput at one load, warm-up, confidence.

mod clock;
mod experiment;
mod interval;
mod latencies;
mod point;
mod sweep;
mod warm_up;
mod window;

pub use super::fabric::{Arrived, Cut, Piece, Share, Stepping};
pub use clock::processor_time;
#[cfg(test)]
pub(crate) use experiment::step;
pub use experiment::{Experiment, deliveries};
pub(crate) use experiment::{warm_up, with_keys};
pub use interval::{Confidence, Interval, Summary};
pub(crate) use latencies::Latencies;
pub use point::{FlowRecord, LinkRecord, Point};
pub use sweep::{Run, Sweep};
pub use warm_up::WarmUp;
