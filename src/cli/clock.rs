//! `--clock-mhz`: what makes cycles nanoseconds, and flits Gb/s.

use clap::Args;

/// The clock of all blocks.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ClockArguments {
    /// Clock frequency of the blocks in MHz; results are then also given in ns and Gb/s
    #[arg(long = "clock-mhz", value_name = "MHZ", value_parser = megahertz)]
    pub mhz: Option<f64>,
}

/// A rate above 0.
fn megahertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(rate),
        _ => Err("use a number of MHz above 0, such as 250".to_owned()),
    }
}
