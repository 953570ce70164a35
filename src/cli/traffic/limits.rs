//! How long, how often and on how many threads networks are simulated.

use crate::CommandError;
use mkns_diag::Code;
use mkns_simulation::measure::WarmUp;

/// Most cycles: counters of links have 32 bits.
pub const MOST_CYCLES: u64 = u32::MAX as u64;
const MOST_THREADS: u64 = 1024;

/// Refuses what would end in nothing, never, or for want of memory.
pub fn check(
    cycles: Option<u64>,
    warm_up: Option<WarmUp>,
    seeds: Option<u32>,
    threads: Option<usize>,
) -> Result<(), CommandError> {
    let warm_up = match warm_up {
        Some(WarmUp::Cycles(cycles)) => Some(cycles),
        _ => None,
    };
    let threads = threads.map(|threads| threads as u64);
    let rules = [
        ("--cycles", cycles, 1..=MOST_CYCLES),
        ("--warmup", warm_up, 0..=MOST_CYCLES),
        ("--seeds", seeds.map(u64::from), 1..=u64::from(u32::MAX)),
        ("--threads", threads, 1..=MOST_THREADS),
    ];
    let broken = rules.into_iter().find_map(|(option, value, allowed)| {
        let value = value.filter(|value| !allowed.contains(value))?;
        Some((option, value, allowed))
    });
    broken.map_or(Ok(()), |(option, value, allowed)| {
        let fact = format!("`{option} {value}` is out of range");
        let remedy = format!("give {} to {}", allowed.start(), allowed.end());
        Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
    })
}
