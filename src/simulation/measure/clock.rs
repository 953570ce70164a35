//! Processor time, so that other work on the machine disturbs a measurement of speed less.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// Seconds that this thread has run.
pub fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Processor time of this thread, or wall-clock time when several threads work.
pub struct Stopwatch {
    wall: Instant,
    processor: Option<f64>,
}

impl Stopwatch {
    /// For work in this many parts.
    pub fn start(parts: usize) -> Stopwatch {
        Stopwatch {
            wall: Instant::now(),
            processor: (parts == 1).then(processor_time),
        }
    }

    pub fn seconds(&self) -> f64 {
        let seconds = match self.processor {
            Some(start) => processor_time() - start,
            None => self.wall.elapsed().as_secs_f64(),
        };
        seconds.max(1e-9)
    }
}
