//! Processor time, so that other work on the machine disturbs a measurement of speed less.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds that this thread has run; wall-clock time where the system does not tell.
pub fn processor_time() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(
            || start.elapsed().as_secs_f64(),
            |nanoseconds| nanoseconds / 1e9,
        )
}

/// Processor time of this thread, or wall-clock time when several threads work.
pub struct Stopwatch {
    wall: Instant,
    processor: Option<f64>,
}

impl Stopwatch {
    /// For work in so many parts.
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
