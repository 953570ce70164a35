//! Measurements on a simulated network: latency and throughput at one load, warm-up, confidence.

mod clock;
mod experiment;
mod interval;
mod latencies;
mod sweep;
mod warm_up;

pub use super::fabric::Arrived;
pub use clock::processor_time;
pub use experiment::{Experiment, FlowRecord, LinkRecord, Point, deliveries};
pub use interval::{Confidence, Interval, Summary};
pub use sweep::{Run, Sweep};
pub use warm_up::WarmUp;
