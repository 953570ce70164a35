//! A run of the RTL of a unit beside the golden model.

use mkns_design::{Device, PortTable};
use mkns_golden::management_unit::ManagementUnit;
use mkns_random::Random;
use mkns_sim::ModelLibrary;
use mkns_topology::BlockId;

use super::report::ManagementReport;
use super::surroundings::Surroundings;
use super::top::{
    INPUT_WORDS, LINKS, OUTPUT_WORDS, PORTS, TOP, module, pack, ports, table, unpack, with_meaning,
};
use crate::models::{Models, rtl_device};
use crate::session::RunListener;

/// Cycles of reset at the start, which nobody compares: the power-up state is unknown.
const START: u64 = 3;

/// Mean number of cycles between resets.
const RESETS: u64 = 20_000;

/// The module around a unit: its name, its Verilog, its pins.
pub fn management_top() -> (&'static str, String, PortTable) {
    (TOP, module(), table())
}

/// What a run is made of.
#[derive(Debug, Clone)]
pub struct ManagementRun {
    /// Messages that links bring.
    pub messages: u64,
    /// Chance per cycle, of 1000, that an empty link brings a message, and that the host begins an access.
    pub rates: (u32, u32),
    pub seed: u64,
}

/// The RTL of a unit, from sources that hold `management_unit`.
pub fn management_model(
    sources: &[(String, String)],
    cycles: u64,
    listener: &dyn RunListener,
) -> mkns_sim::Result<ModelLibrary> {
    let mut sources = sources.to_vec();
    sources.push((format!("{TOP}.v"), module()));
    let models = Models::from_sources(&sources)?.for_block_cycles(cycles);
    models.library_of_gated_top(TOP, ports(), &|progress| listener.building(progress))
}

impl ManagementRun {
    /// Runs the RTL until an output differs or the messages have come.
    pub fn run(&self, library: &ModelLibrary) -> mkns_sim::Result<ManagementReport> {
        Ok(self.run_device(rtl_device(library, &[BlockId(0)], self.seed)?))
    }

    /// Runs a device with the pins of [`management_top`] until an output differs or the messages have come.
    pub fn run_device(&self, mut rtl: Box<dyn Device>) -> ManagementReport {
        let mut golden = ManagementUnit::new(PORTS, LINKS);
        let mut around = Surroundings::new(self.seed, self.rates);
        let mut random = Random::branch(self.seed, 25);
        let mut outputs = [0; OUTPUT_WORDS];
        let mut cycle = 0;
        while around.report.released < self.messages {
            let rst = cycle < START || random.below(RESETS) == 0;
            let inputs = around.inputs(rst);
            let words: [u64; INPUT_WORDS] = pack(&inputs);
            rtl.step_all(&words, &mut outputs);
            let shown = unpack(&outputs);
            let expected = with_meaning(golden.outputs(&inputs));
            if cycle >= START && shown.as_ref() != Some(&expected) {
                let fact = format!("the RTL shows {shown:?}, the golden model {expected:?}");
                around.report.difference = Some((cycle, fact));
                break;
            }
            golden.clock(&inputs);
            match rst {
                true => {
                    around.reset();
                    around.report.resets += 1;
                }
                false => around.clock(&expected),
            }
            cycle += 1;
        }
        around.report.cycles = cycle;
        around.report
    }
}
