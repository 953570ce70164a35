//! `mkns bench --block`: area, clock rate, latency and throughput of one block, out of context.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::bench_board_part::BoardPart;
use super::bench_rtl_outcome::{Outcome, PartOutcome};
use super::bench_rtl_throughput::{CYCLES, Throughput};
use super::block_choice::{module_of, one_of};
use super::flow::Spinner;
use super::simulator_error::simulator_error;
use super::{CommandError, Context, output_path};
use mkns_cosim::SessionError;
use mkns_design::Plan;
use mkns_diag::{Code, Exit};
use mkns_fpga as fpga;
use mkns_fpga::{Device, ECP5_DEVICES, FlowListener, ToolRunner};
use mkns_report::TestedPart;
use mkns_rtl as rtl;
use mkns_scratch::Scratch;

/// What can be measured.
const BLOCKS: &[TestedPart] = &[
    TestedPart::Switch,
    TestedPart::Adapter,
    TestedPart::Link,
    TestedPart::Management,
];
const LINK: &str = "A port of a serial link, with one clock on both clock pins";

/// Options of `--block`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --block")]
pub struct RtlOptions {
    /// Measure the area, clock rate, latency and throughput of the first block of this kind instead
    #[arg(long, value_name = "BLOCK", conflicts_with_all = ["load", "cycles", "rounds"],
          value_parser = one_of(BLOCKS, LINK))]
    pub block: Option<TestedPart>,
    /// How many placements of the block are measured; the median clock rate is reported. 0: only area and throughput
    #[arg(long, value_name = "N", default_value_t = 3, requires = "block")]
    placements: u64,
    /// ECP5 device: ecp5-25f, ecp5-45f, ecp5-85f, ecp5-45um5g, ecp5-85um5g
    #[arg(long, default_value = "ecp5-85f", requires = "block")]
    device: String,
    /// Speed grade of the device
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(6..=8), requires = "block")]
    speed_grade: u32,
    /// Clock rate in MHz that placement and routing aim for
    #[arg(long, value_name = "MHZ", default_value_t = 110.0, requires = "block")]
    mhz: f64,
    /// Skip the estimate for Xilinx devices
    #[arg(long, requires = "block")]
    no_xilinx: bool,
    /// Skip measuring how fast Verilator runs the RTL
    #[arg(long, requires = "block")]
    no_verilated: bool,
    /// Stop a tool that runs longer than this
    #[arg(long, value_name = "MINUTES", requires = "block")]
    time_limit: Option<u64>,
    /// Keep the sources, netlists, logs and reports of the tools in this folder
    #[arg(long, value_name = "DIR", requires = "block")]
    keep: Option<PathBuf>,
}

impl RtlOptions {
    /// Measures the chosen block of `plan`.
    pub fn run(
        &self,
        block: TestedPart,
        text: &str,
        plan: &Plan,
        context: &Context,
    ) -> Result<(), CommandError> {
        let device = Device::named(&self.device).ok_or_else(|| unknown_device(&self.device))?;
        let Some(kind) = block.kind() else {
            let part = match block {
                TestedPart::Management => BoardPart::management_unit(plan)?,
                _ => BoardPart::link_port(plan),
            };
            return self.run_part(part, text, device, context);
        };
        let module = module_of(kind, plan)?;
        let first = plan
            .instances
            .iter()
            .find(|instance| plan.modules[instance.module].kind == module.kind)
            .expect("a module has instances");
        let folder = Folder::new(self.keep.as_deref())?;
        let spinner = Spinner::new(context);
        let runner = self.runner(&folder, &spinner);
        let bench = fpga::Bench {
            pins: &module.port_table(),
            name: rtl::module_name(module.kind),
            parameters: &rtl::instance_parameters(plan, first),
            sources: &rtl::render_sources(plan),
            device,
            speed: self.speed_grade,
            mhz: self.mhz,
            seeds: self.placements,
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
        let figures = bench.run(&runner)?;
        drop(spinner);
        let outcome = Outcome::new(text, module, figures, throughput);
        context.result(outcome.text(), &outcome)
    }

    /// Measures what a board has around its block: the port of a serial link, or the management unit.
    fn run_part(
        &self,
        part: BoardPart,
        text: &str,
        device: Device,
        context: &Context,
    ) -> Result<(), CommandError> {
        let folder = Folder::new(self.keep.as_deref())?;
        let spinner = Spinner::new(context);
        let bench = fpga::Bench {
            pins: &part.pins,
            name: part.top,
            parameters: &part.parameters,
            sources: &part.sources,
            device,
            speed: self.speed_grade,
            mhz: self.mhz,
            seeds: self.placements,
            xilinx: !self.no_xilinx,
        };
        let figures = bench.run(&self.runner(&folder, &spinner))?;
        drop(spinner);
        let outcome = PartOutcome::new(text, part.name, part.virtual_channels, figures);
        context.result(outcome.text(), &outcome)
    }

    fn runner<'a>(&self, folder: &'a Folder, spinner: &'a Spinner) -> ToolRunner<'a> {
        let limit = self.time_limit;
        ToolRunner {
            folder: folder.path(),
            limit: limit.map(|minutes| Duration::from_secs(60 * minutes)),
            listener: spinner,
        }
    }
}

/// Where the tools work.
enum Folder {
    Kept(PathBuf),
    Temporary(Scratch),
}

impl Folder {
    fn new(keep: Option<&Path>) -> Result<Self, CommandError> {
        if let Some(folder) = keep {
            output_path::folder("--keep", folder)?;
            return Ok(Self::Kept(folder.to_owned()));
        }
        let temporary = Scratch::new("bench").map_err(CommandError::io("make a temporary folder"));
        temporary.map(Self::Temporary)
    }

    fn path(&self) -> &Path {
        match self {
            Self::Kept(folder) => folder,
            Self::Temporary(folder) => folder.path(),
        }
    }
}

fn unknown_device(name: &str) -> CommandError {
    let known = ECP5_DEVICES.map(|device| device.name).join(", ");
    let fact = format!("no device `{name}`");
    let remedy = format!("give one of {known}");
    CommandError::new(Code::UnknownDevice, fact, remedy)
}
