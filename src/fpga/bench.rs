//! Area and clock rate of one block out of context: synthesis, several placements, an estimate for
//! Xilinx devices.
//!
//! The block stands in a harness of shift registers; the harness is measured by itself (its own
//! cells in the hierarchy, before flattening) and taken off the block's area. Clock rates are those
//! of block and harness together, in which every path lies inside the block or is one register
//! behind it.

use serde::Serialize;

use super::area::{Area, ModuleArea};
use super::harness::{HARNESS, harness};
use super::nextpnr::{CriticalPath, Placing, Utilisation, ecp5_options, place_and_route};
use super::tool_runner::ToolRunner;
use super::yosys::{ecp5_script, estimate_xilinx, own_area, synthesise_ecp5};
use super::{Device, FlowError, Program};
use mkns_design::PortTable;

/// What is measured, and how.
pub struct Bench<'a> {
    /// Pins besides the clock `clk`.
    pub pins: &'a PortTable,
    /// Verilog name of the module and its parameters.
    pub name: &'a str,
    pub parameters: &'a [(String, String)],
    /// File names and texts.
    pub sources: &'a [(String, String)],
    pub device: Device,
    /// Speed grade: 6, 7 or 8.
    pub speed: u32,
    /// Clock rate that placement and routing aim at, MHz.
    pub mhz: f64,
    /// Placements with seeds 1 to this; 0: none.
    pub seeds: u64,
    /// Estimate LUTs of Xilinx UltraScale+ too.
    pub xilinx: bool,
}

/// One placement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placement {
    pub seed: u64,
    /// Reached clock rate, MHz.
    pub mhz: f64,
    pub critical_path: Option<CriticalPath>,
    /// Wall clock, seconds.
    pub seconds: u64,
}

/// What Yosys counts for UltraScale+.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct XilinxEstimate {
    pub luts: u64,
    pub ffs: u64,
    /// In units of 36 kbit.
    pub brams: f64,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    pub device: Device,
    pub speed: u32,
    /// The block without its harness.
    pub area: Area,
    /// What the harness costs by itself.
    pub harness: Area,
    /// Units of the chip in use with the harness, by nextpnr.
    pub used_with_harness: std::collections::BTreeMap<String, Utilisation>,
    pub parts: Vec<ModuleArea>,
    pub placements: Vec<Placement>,
    /// Median of the placements.
    pub fmax_mhz: Option<f64>,
    pub xilinx: Option<XilinxEstimate>,
}

const NETLIST: &str = "bench.json";

impl Bench<'_> {
    /// Runs all tools in the tool runner's folder.
    pub fn run(&self, runner: &ToolRunner) -> Result<Figures, FlowError> {
        let mut figures = self.synthesise(runner)?;
        if self.xilinx {
            runner.listener.begins("synthesis for UltraScale+");
            figures.xilinx = Some(self.xilinx(runner, &self.files())?);
        }
        for seed in 1..=self.seeds {
            runner
                .listener
                .begins(&format!("placement, seed {seed} of {}", self.seeds));
            self.place(runner, seed, &mut figures)?;
        }
        figures.fmax_mhz = median(figures.placements.iter().map(|one| one.mhz).collect());
        Ok(figures)
    }

    /// Synthesis for ECP5 alone; leaves sources and netlist in the tool runner's folder.
    pub fn synthesise(&self, runner: &ToolRunner) -> Result<Figures, FlowError> {
        for (name, text) in self.sources {
            runner.write(name, text)?;
        }
        runner.write(&format!("{HARNESS}.v"), &self.harness_text())?;
        runner.listener.begins("synthesis for ECP5");
        let synthesis = synthesise_ecp5(runner, &self.files(), HARNESS, NETLIST)?;
        let harness = own_area(&synthesis.parts, HARNESS);
        let mut figures = Figures {
            device: self.device,
            speed: self.speed,
            area: synthesis.cells.area().without(&harness),
            harness,
            used_with_harness: Default::default(),
            parts: synthesis.parts,
            placements: Vec::new(),
            fmax_mhz: None,
            xilinx: None,
        };
        figures.parts.retain(|part| part.module != HARNESS);
        Ok(figures)
    }

    /// Verilog of the harness.
    pub fn harness_text(&self) -> String {
        let banner = "// Written by mkns bench.";
        harness(self.pins, self.name, self.parameters, banner)
    }

    /// What [`Self::synthesise`] asks of Yosys.
    pub(super) fn script(&self) -> String {
        ecp5_script(&self.files(), HARNESS, NETLIST)
    }

    /// What the tools read, the harness last.
    fn files(&self) -> Vec<String> {
        let sources = self.sources.iter().map(|(name, _)| name.clone());
        sources.chain([format!("{HARNESS}.v")]).collect()
    }

    fn place(
        &self,
        runner: &ToolRunner,
        seed: u64,
        figures: &mut Figures,
    ) -> Result<(), FlowError> {
        let (device, comb) = (self.device, figures.area.comb);
        let placing = Placing {
            program: Program::NextpnrEcp5,
            options: ecp5_options(device, device.package, self.speed, comb),
            mhz: self.mhz,
            seed,
            netlist: NETLIST,
        };
        let start = std::time::Instant::now();
        let timing = place_and_route(runner, &placing)?;
        figures.placements.push(Placement {
            seed,
            mhz: timing.fmax(),
            critical_path: timing.critical_path,
            seconds: start.elapsed().as_secs(),
        });
        figures.used_with_harness = timing.utilisation;
        Ok(())
    }

    /// Harness included, because without it nothing fixes the parameters; its cells are few and
    /// known: an input bit one register, an output bit one register and one LUT.
    fn xilinx(&self, runner: &ToolRunner, files: &[String]) -> Result<XilinxEstimate, FlowError> {
        let cells = estimate_xilinx(runner, files, HARNESS)?;
        let bits = |ports: &[mkns_design::Port]| -> u64 {
            ports.iter().map(|port| u64::from(port.bits)).sum()
        };
        let (inputs, outputs) = (bits(&self.pins.inputs), bits(&self.pins.outputs));
        Ok(XilinxEstimate {
            luts: cells.xilinx_luts().saturating_sub(outputs),
            ffs: cells.xilinx_ffs().saturating_sub(inputs + outputs),
            brams: cells.xilinx_brams(),
        })
    }
}

/// The middle value, the lower one of two.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_or_the_lower_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.0));
        assert_eq!(median(vec![]), None);
    }
}
