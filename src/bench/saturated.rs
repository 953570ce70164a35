//! A switch core at saturation as RTL. What [`SwitchBench`] sends through the reference goes through the verilated
//! block as well: every output is compared with the golden model in every cycle, and the block is timed by itself.

use mkns_design::{BlockModule, Device, Pins};
use mkns_sim::ModelLibrary;

use mkns_routing::BlockTables;
use mkns_rtl as rtl;
use mkns_simulation::measure::processor_time;
use mkns_spec::BlockParameters;
use mkns_topology::BlockId;

use super::switch_bench::{Offered, SwitchBench};
use mkns_cosim::{Failure, Group, Models, SessionError, golden_device_with_tables, rtl_device};

/// Cycles from the end of the reset on.
const CYCLES: usize = 20_000;

/// The best of this many times counts: other work on the machine only ever slows down.
const ROUNDS: usize = 10;

/// A verilated switch block whose table leads destination n to port n.
pub struct SaturatedCore {
    module: BlockModule,
    tables: BlockTables,
    library: ModelLibrary,
}

impl SaturatedCore {
    /// Verilates the block, or takes it from the cache. `models` are those of its sources.
    pub fn new(
        models: &Models,
        ports: u32,
        parameters: &BlockParameters,
    ) -> mkns_sim::Result<Self> {
        let (module, tables) = SwitchBench::block(ports, parameters);
        let library = models.library_with_tables(&module, &tables)?;
        Ok(Self {
            module,
            tables,
            library,
        })
    }

    /// Cycles per second of processor time under this traffic.
    ///
    /// # Errors
    /// When an output of the RTL differs from the golden model's, or an instance cannot be made.
    pub fn cycles_per_second(&self, offered: Offered) -> Result<f64, SessionError> {
        let recorded = self.record(offered);
        let mut outputs = vec![0; Pins::new(&self.module).output_words];
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut rtl = self.after_reset()?;
            let start = processor_time();
            for inputs in &recorded {
                rtl.step_all(inputs, &mut outputs);
            }
            best = best.min(processor_time() - start);
        }
        self.compare(&recorded)?;
        Ok(CYCLES as f64 / best)
    }

    /// Packed inputs, cycle after cycle.
    fn record(&self, offered: Offered) -> Vec<Vec<u64>> {
        let mut bench =
            SwitchBench::new(self.module.network_ports, &self.module.parameters, offered);
        let cycles = (0..CYCLES).map(|_| {
            bench.cycle(1.0);
            bench.inputs.clone()
        });
        cycles.collect()
    }

    /// An instance in the state of a golden model that has not done anything yet.
    fn after_reset(&self) -> mkns_sim::Result<Box<dyn Device>> {
        let mut rtl = rtl_device(&self.library, &[BlockId(0)], 1)?;
        let pins = Pins::new(&self.module);
        let mut inputs = vec![0; pins.input_words];
        inputs[pins.rst] = 1;
        // A golden model begins after a cycle with all links up.
        inputs[pins.link_up] = (1 << self.module.network_ports) - 1;
        rtl.step_all(&inputs, &mut vec![0; pins.output_words]);
        Ok(rtl)
    }

    /// Runs it once more beside a golden model and compares every output.
    fn compare(&self, recorded: &[Vec<u64>]) -> Result<(), SessionError> {
        let golden = golden_device_with_tables(&self.module, Some(&self.tables));
        let mut group = Group::new(&self.module, 1, self.after_reset()?, Some(golden));
        for (cycle, inputs) in (0..).zip(recorded) {
            group.inputs.copy_from_slice(inputs);
            group.step(cycle, true);
            if let Some(difference) = group.difference {
                let block = rtl::module_name(self.module.kind);
                let failure = Failure::divergence(&group, difference, cycle, block);
                return Err(SessionError::Failed(failure));
            }
        }
        Ok(())
    }
}
