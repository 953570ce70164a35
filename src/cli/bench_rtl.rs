//! `mkns bench --rtl`: area, clock rate, latency and throughput of one block, out of context.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::bench_rtl_outcome::Outcome;
use super::bench_rtl_throughput::{CYCLES, Throughput};
use super::flow::Spinner;
use super::network_block::NetworkBlock;
use super::simulator_error::simulator_error;
use super::{CommandError, Context, output_path};
use mkns_cosim::SessionError;
use mkns_design::Plan;
use mkns_diag::{Code, Exit};
use mkns_fpga as fpga;
use mkns_fpga::{Device, ECP5_DEVICES, Watcher, Workshop};
use mkns_rtl as rtl;

/// Options of `--rtl`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --rtl")]
pub struct RtlOptions {
    /// Which block of the network; the first of its kind is measured
    #[arg(long, value_enum, default_value_t = NetworkBlock::Switch, requires = "rtl")]
    block: NetworkBlock,
    /// Placements; the median clock rate counts. 0: synthesis only
    #[arg(long, value_name = "N", default_value_t = 3, requires = "rtl")]
    seeds: u64,
    /// ECP5 device: ecp5-25f, ecp5-45f, ecp5-85f, ecp5-45um5g, ecp5-85um5g
    #[arg(long, default_value = "ecp5-85f", requires = "rtl")]
    device: String,
    /// Speed grade of the device
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(6..=8), requires = "rtl")]
    speed_grade: u32,
    /// Clock rate that placement and routing aim at
    #[arg(long, value_name = "MHZ", default_value_t = 200.0, requires = "rtl")]
    mhz: f64,
    /// Leave the Xilinx estimate out
    #[arg(long, requires = "rtl")]
    no_xilinx: bool,
    /// Leave out how fast Verilator runs the RTL
    #[arg(long, requires = "rtl")]
    no_verilated: bool,
    /// Stop a tool that runs longer
    #[arg(long, value_name = "MINUTES", requires = "rtl")]
    time_limit: Option<u64>,
    /// Keep sources, netlists, logs and reports of the tools in this folder
    #[arg(long, value_name = "DIR", requires = "rtl")]
    keep: Option<PathBuf>,
}

impl RtlOptions {
    /// Measures the chosen block of `plan`.
    pub fn run(&self, text: &str, plan: &Plan, context: &Context) -> Result<(), CommandError> {
        let device = Device::named(&self.device).ok_or_else(|| unknown_device(&self.device))?;
        let module = self.block.module(plan)?;
        let first = plan
            .instances
            .iter()
            .find(|instance| plan.modules[instance.module].kind == module.kind)
            .expect("a module has instances");
        let temporary;
        let folder = match &self.keep {
            Some(folder) => {
                output_path::folder("--keep", folder)?;
                folder.as_path()
            }
            None => {
                temporary = mkns_scratch::Scratch::new("bench");
                temporary
                    .as_ref()
                    .map_err(|error| CommandError::io("make a temporary folder", error))?
                    .path()
            }
        };
        let spinner = Spinner::new(context);
        let shop = Workshop {
            folder,
            limit: self
                .time_limit
                .map(|minutes| Duration::from_secs(60 * minutes)),
            watcher: &spinner,
        };
        let bench = fpga::Bench {
            module,
            name: rtl::module_name(module.kind),
            parameters: &rtl::instance_parameters(plan, first),
            sources: &rtl::render_sources(plan),
            device,
            speed: self.speed_grade,
            mhz: self.mhz,
            seeds: self.seeds,
            xilinx: !self.no_xilinx,
        };
        // What takes least comes first: RTL that does not do what its model does has no figures.
        spinner.begins("saturation");
        let mut throughput = Throughput::new(module, CYCLES);
        if !self.no_verilated {
            spinner.begins("saturation of the verilated RTL");
            match throughput.run_verilated(module) {
                Ok(()) => {}
                Err(SessionError::Simulator(error)) => return Err(simulator_error(&error)),
                Err(SessionError::Failed(failure)) => {
                    drop(spinner);
                    return Err(context.verdict(Exit::Diverged, failure.to_string(), &failure));
                }
            }
        }
        let figures = bench.run(&shop)?;
        drop(spinner);
        let outcome = Outcome::new(text, module, figures, throughput);
        context.result(outcome.text(), &outcome)
    }
}

fn unknown_device(name: &str) -> CommandError {
    let known = ECP5_DEVICES.map(|device| device.name).join(", ");
    let fact = format!("no device `{name}`");
    let remedy = format!("give one of {known}");
    CommandError::new(Code::UnknownDevice, fact, remedy)
}
