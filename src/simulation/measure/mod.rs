//! Measurements on a simulated network: latency and throughput at one load, warm-up, confidence.

mod batches;
mod clock;
mod experiment;
mod interval;
mod latencies;
mod point;
mod steps;
mod sweep;
mod warm_up;
mod window;

pub use super::choices::Choices;
pub use super::fabric::{Arrived, Partitioning, RankReport, RankShare, Stepping};
pub use clock::processor_time;
pub use experiment::{Experiment, TO_THE_END};
pub use interval::{Confidence, Interval, Summary};
pub(crate) use latencies::Latencies;
pub use point::{FlowRecord, LinkRecord, Point};
pub use steps::deliveries;
#[cfg(test)]
pub(crate) use steps::step_on;
pub(crate) use steps::{warm_up_on, with_keys};
pub use sweep::{Run, Sweep};
pub use warm_up::WarmUp;
