//! What `mkns bench --rtl` tells: the figures of the FPGA tools, latency and throughput of the golden model, speed of the
//! verilated RTL; and how they are printed.

use std::fmt::Write;

use serde::Serialize;

use mkns_cosim::{Models, SaturatedCore, SessionError};
use mkns_design::BlockModule;
use mkns_fpga::{Area, Figures};
use mkns_golden::{Offered, Pattern, SwitchBench};
use mkns_rtl as rtl;

/// Cycles of each throughput run.
const CYCLES: u64 = 1_000_000;

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
pub struct Outcome {
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

impl Outcome {
    /// Adds latency and throughput, which the golden model of the block's core gives.
    pub fn new(text: &str, module: &BlockModule, figures: Figures) -> Outcome {
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
                    let gbit =
                        |mhz: f64| result.accepted * mhz * f64::from(parameters.flit_bits) / 1e3;
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

    /// Uniform traffic on all channels through the RTL of a switch block with as many ports.
    pub fn run_verilated(&mut self, module: &BlockModule) -> Result<(), SessionError> {
        let (block, _) = SwitchBench::block(self.ports, &module.parameters);
        let models = Models::from_sources(&rtl::render_block(&block))?;
        let core = SaturatedCore::new(&models, self.ports, &module.parameters)?;
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

    pub fn text(&self) -> String {
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
