//! `mkns bench --rtl`: area, clock rate, latency and throughput of one block, out of context.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::flow::Spinner;
use super::network_block::NetworkBlock;
use super::simulator_error::simulator_error;
use super::{CommandError, Context, Exit};
use crate::cosim::{Models, SaturatedCore, SessionError, Silent};
use crate::design::{BlockModule, Plan};
use crate::fpga::{self, Area, Device, ECP5_DEVICES, Figures, Mapping, Workshop};
use crate::golden::{Offered, Pattern, SwitchBench};
use crate::rtl;

/// Cycles of each throughput run.
const CYCLES: u64 = 1_000_000;

/// Options of `--rtl`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --rtl")]
pub struct RtlOptions {
    /// Which block of the network
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
    /// What the mapping to LUTs aims at: few of them, or short paths
    #[arg(long, value_name = "GOAL", value_enum, default_value_t = MappingGoal::Area, requires = "rtl")]
    map_for: MappingGoal,
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

/// [`Mapping`] on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MappingGoal {
    Area,
    Speed,
}

impl From<MappingGoal> for Mapping {
    fn from(goal: MappingGoal) -> Mapping {
        match goal {
            MappingGoal::Area => Mapping::Area,
            MappingGoal::Speed => Mapping::Speed,
        }
    }
}

/// Throughput of one kind of traffic at saturation.
#[derive(Debug, Clone, Copy, Serialize)]
struct Throughput {
    pattern: &'static str,
    packet_flits: usize,
    channels: usize,
    /// Flits per port and cycle.
    accepted: f64,
    /// Least over most served input.
    fairness: f64,
    /// At the median clock rate.
    gbit_per_s: Option<f64>,
    /// Of the verilated RTL, whose outputs were compared with the golden model's; not measured for all traffic.
    verilated_cycles_per_second: Option<f64>,
}

/// Everything that the bench tells.
#[derive(Debug, Serialize)]
struct Outcome {
    spec: String,
    block: &'static str,
    ports: u32,
    flit_bits: u32,
    virtual_channels: u32,
    #[serde(flatten)]
    figures: Figures,
    zero_load_cycles: u32,
    zero_load_ns: Option<f64>,
    saturation: Vec<Throughput>,
}

impl RtlOptions {
    /// Measures the chosen block of `plan`.
    pub fn run(&self, text: &str, plan: &Plan, context: &Context) -> Result<(), CommandError> {
        let device = Device::named(&self.device).ok_or_else(|| unknown_device(&self.device))?;
        let module = self.block.module(plan)?;
        let temporary;
        let folder = match &self.keep {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|error| CommandError::io("make the folder of --keep", &error))?;
                folder.as_path()
            }
            None => {
                temporary = tempfile::Builder::new().prefix("mkns-bench-").tempdir();
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
            parameters: &rtl::block_parameters(module),
            sources: &rtl::render_sources(plan),
            device,
            speed: self.speed_grade,
            mapping: self.map_for.into(),
            mhz: self.mhz,
            seeds: self.seeds,
            xilinx: !self.no_xilinx,
        };
        let figures = bench.run(&shop)?;
        drop(spinner);
        let mut outcome = outcome(text, module, figures);
        if !self.no_verilated {
            match outcome.run_verilated(module) {
                Ok(()) => {}
                Err(SessionError::Simulator(error)) => return Err(simulator_error(&error)),
                Err(SessionError::Failed(failure)) => {
                    context.result(failure.to_string(), &failure)?;
                    return Err(CommandError::new(Exit::Diverged, []));
                }
            }
        }
        context.result(outcome.text(), &outcome)
    }
}

fn unknown_device(name: &str) -> CommandError {
    let known = ECP5_DEVICES.map(|device| device.name).join(", ");
    let fact = format!("no device `{name}`");
    let remedy = format!("give one of {known}");
    CommandError::usage("E0706", fact, remedy)
}

/// Adds latency and throughput, which the golden model of the block's core gives.
fn outcome(text: &str, module: &BlockModule, figures: Figures) -> Outcome {
    let parameters = &module.parameters;
    let ports = module.core_ports();
    let bench = |offered| SwitchBench::new(ports, parameters, offered);
    let mut saturation = Vec::new();
    let mut channel_counts = vec![1, parameters.virtual_channels as usize];
    channel_counts.dedup();
    for (pattern, name) in [
        (Pattern::Uniform, "uniform"),
        (Pattern::Permutation, "permutation"),
    ] {
        for packet_flits in [1, 9] {
            for &channels in &channel_counts {
                let offered = Offered {
                    pattern,
                    packet_flits,
                    channels,
                };
                let result = bench(offered).run(1.0, CYCLES);
                let gbit = |mhz: f64| result.accepted * mhz * f64::from(parameters.flit_bits) / 1e3;
                saturation.push(Throughput {
                    pattern: name,
                    packet_flits,
                    channels,
                    accepted: result.accepted,
                    fairness: result.fairness,
                    gbit_per_s: figures.median_mhz.map(gbit),
                    verilated_cycles_per_second: None,
                });
            }
        }
    }
    let offered = Offered {
        pattern: Pattern::Uniform,
        packet_flits: 1,
        channels: 1,
    };
    let latency = bench(offered).zero_load_latency();
    let zero_load_cycles = latency.expect("an idle switch forwards a flit");
    Outcome {
        spec: text.to_owned(),
        block: rtl::module_name(module.kind),
        ports,
        flit_bits: parameters.flit_bits,
        virtual_channels: parameters.virtual_channels,
        zero_load_ns: figures
            .median_mhz
            .map(|mhz| f64::from(zero_load_cycles) * 1e3 / mhz),
        zero_load_cycles,
        saturation,
        figures,
    }
}

impl Outcome {
    /// Uniform traffic on all channels through the RTL of a switch block with as many ports.
    fn run_verilated(&mut self, module: &BlockModule) -> Result<(), SessionError> {
        let (block, _) = SwitchBench::block(self.ports, &module.parameters);
        let models = Models::from_sources(&rtl::render_block(&block))?;
        let core = SaturatedCore::new(&models, self.ports, &module.parameters, &Silent)?;
        let channels = self.virtual_channels as usize;
        let runs = self.saturation.iter_mut();
        for run in runs.filter(|run| run.pattern == "uniform" && run.channels == channels) {
            let offered = Offered {
                pattern: Pattern::Uniform,
                packet_flits: run.packet_flits,
                channels,
            };
            run.verilated_cycles_per_second = Some(core.cycles_per_second(offered)?);
        }
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let figures = &self.figures;
        let mut line = |words: String| {
            let _ = writeln!(text, "{words}");
        };
        line(format!(
            "{}: {}, {} ports × {} bit, {} VCs, on {} grade {} out of context, mapped for {}",
            self.spec,
            self.block,
            self.ports,
            self.flit_bits,
            self.virtual_channels,
            figures.device.name,
            figures.speed,
            figures.mapping.name()
        ));
        line(format!("area        {}", area(&figures.area)));
        line(
            "            COMB = LUT4 + 2·CCU2C + 4·DPR16X4; without the harness, which itself"
                .into(),
        );
        line(format!("            takes {}", area(&figures.harness)));
        if let Some(xilinx) = figures.xilinx {
            line(format!(
                "UltraScale+ {} LUT, {} FF, {} BRAM36 (estimate of yosys synth_xilinx, not placed)",
                xilinx.luts, xilinx.ffs, xilinx.brams
            ));
        }
        for placement in &figures.placements {
            line(format!(
                "seed {:<6} {:.1} MHz ({} s){}",
                placement.seed,
                placement.mhz,
                placement.seconds,
                placement
                    .critical_path
                    .as_ref()
                    .map_or(String::new(), |path| format!(
                        ": {:.2} ns cells + {:.2} ns wires, {} → {}",
                        path.logic_ns, path.routing_ns, path.from, path.to
                    ))
            ));
        }
        if let Some(mhz) = figures.median_mhz {
            line(format!("median      {mhz:.1} MHz"));
        }
        let nanoseconds = self
            .zero_load_ns
            .map_or(String::new(), |ns| format!(", {ns:.1} ns"));
        line(format!(
            "zero load   {} cycles{nanoseconds}",
            self.zero_load_cycles
        ));
        line(format!(
            "saturation  golden model, {CYCLES} cycles; flits per port and cycle"
        ));
        for run in &self.saturation {
            let rate = run
                .gbit_per_s
                .map_or(String::new(), |rate| format!(", {rate:.1} Gbit/s a port"));
            let speed = run.verilated_cycles_per_second;
            let speed = speed.map_or(String::new(), |speed| {
                format!(", verilated {:.3} million cycles/s", speed / 1e6)
            });
            line(format!(
                "  {:11} {} flits, {} VC in use: {:.3}, fairness {:.3}{rate}{speed}",
                run.pattern, run.packet_flits, run.channels, run.accepted, run.fairness
            ));
        }
        line("modules (own cells, without the modules inside)".into());
        for part in &figures.parts {
            line(format!(
                "  {:>3} × {:20} {:>6} COMB {:>5} FF {:>3} EBR each",
                part.instances, part.module, part.each.comb, part.each.ff, part.each.ebr
            ));
        }
        text
    }
}

fn area(area: &Area) -> String {
    format!(
        "{} COMB ({} LUT4, {} CCU2C, {} DPR16X4), {} FF, {} EBR",
        area.comb, area.lut4, area.ccu2c, area.dpr16x4, area.ff, area.ebr
    )
}
