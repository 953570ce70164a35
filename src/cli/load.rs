//! Loads on the command line: flits that each host creates per cycle, a fraction of its port's capacity.

use super::CommandError;
use mkns_diag::Code;

/// Least load of a co-simulation, whose hosts count flits in a thousand cycles.
#[cfg(feature = "cosim")]
const LEAST: f64 = 0.001;

/// Refuses a load that no host can create.
pub fn check(load: f64) -> Result<(), CommandError> {
    if load > 0.0 && load <= 1.0 {
        return Ok(());
    }
    let fact = format!(
        "`--load {load}` is out of range: loads are above 0 and at most 1, the port's capacity"
    );
    let remedy = if load > 1.0 && load <= 100.0 {
        format!("write `--load {}` for {load} %", load / 100.0)
    } else {
        "give a load such as 0.3".to_owned()
    };
    Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
}

/// The load of a co-simulation, flits of a host in a thousand cycles.
#[cfg(feature = "cosim")]
pub fn in_thousand_cycles(load: f64) -> Result<u32, CommandError> {
    check(load)?;
    if load < LEAST {
        let fact = format!("`--load {load}` is out of range: a co-simulation takes {LEAST} to 1");
        let remedy = format!("give at least {LEAST}");
        return Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy));
    }
    Ok((load * 1000.0).round() as u32)
}
