//! Waveforms of a failure: the failing block again, alone, with the inputs that it had, RTL signals
//! and golden outputs side by side in one FST file.
//!
//! The inputs come from a second run in which golden models stand in for the RTL: up to the first
//! difference both give the same outputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use mkns_sim::PortDecl;

use mkns_design::{BlockModule, Device, packed_words};

use super::mismatch::Failure;
use super::models::{Models, declarations};
use super::watched::Watched;
use super::waveform_top::{NEXT, WAVEFORM_TOP, save_file, waveform_top};

/// Where the waveform of a failure goes, and how much of the run it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The FST file; a GTKWave save file of the same name goes beside it.
    pub path: PathBuf,
    /// Cycles before the failing one.
    pub before: u64,
    /// Cycles after it, with the inputs that a faultless block would have had.
    pub after: u64,
}

impl Recording {
    /// Cycles before and after the failing one when nobody says.
    pub const WINDOW: (u64, u64) = (200, 50);

    /// The usual window around the failure.
    pub fn to(path: impl Into<PathBuf>) -> Self {
        let (before, after) = Self::WINDOW;
        Self {
            path: path.into(),
            before,
            after,
        }
    }

    /// The first cycle of the window around a failure in `cycle`.
    pub fn first(&self, cycle: u64) -> u64 {
        cycle.saturating_sub(self.before)
    }

    /// The last one.
    pub fn last(&self, cycle: u64) -> u64 {
        cycle.saturating_add(self.after)
    }
}

/// Inputs and golden outputs of one block, cycle by cycle.
#[derive(Debug)]
pub struct InputLog {
    inputs: Vec<u64>,
    golden: Vec<u64>,
    /// Instance of the device, and words of each.
    instance: usize,
    words: (usize, usize),
    /// Cycles to come.
    left: u64,
}

impl InputLog {
    /// A golden device whose `instance` is recorded up to and including cycle `last`, with the golden outputs of one
    /// more.
    pub fn of(
        device: Box<dyn Device>,
        module: &BlockModule,
        instance: usize,
        last: u64,
    ) -> (Box<dyn Device>, Arc<Mutex<InputLog>>) {
        let table = module.board_table();
        let log = Arc::new(Mutex::new(InputLog {
            inputs: Vec::new(),
            golden: Vec::new(),
            instance,
            words: (packed_words(&table.inputs), packed_words(&table.outputs)),
            left: last + 2,
        }));
        let own = Arc::clone(&log);
        let watch = move |inputs: &[u64], outputs: &[u64]| {
            own.lock().expect("no holder panics").note(inputs, outputs);
        };
        (Box::new(Watched { device, watch }), log)
    }

    fn note(&mut self, inputs: &[u64], outputs: &[u64]) {
        if self.left > 0 {
            self.left -= 1;
            let (of_input, of_output) = self.words;
            let own = &inputs[self.instance * of_input..][..of_input];
            self.inputs.extend_from_slice(own);
            let own = &outputs[self.instance * of_output..][..of_output];
            self.golden.extend_from_slice(own);
        }
    }
}

/// Plays a log of inputs to the RTL of a module and records all signals of the window around the failure.
pub fn write_trace(
    models: &Models,
    module: &BlockModule,
    log: &Mutex<InputLog>,
    power_up_seed: u64,
    failure: &Failure,
    recording: &Recording,
) -> mkns_sim::Result<()> {
    let log = log.lock().expect("no holder panics");
    let table = module.board_table();
    let golden = table
        .outputs
        .iter()
        .map(|port| PortDecl::new(format!("{NEXT}{}", port.name), port.bits));
    let mut inputs = declarations(&table.inputs);
    inputs.extend(golden);
    let outputs = declarations(&table.outputs);
    let library = models.traced(
        WAVEFORM_TOP,
        &waveform_top(module, models.top(module), failure.block_port),
        inputs,
        outputs,
    )?;
    let mut model = library.instance(power_up_seed)?;
    model.open_trace(&recording.path, "1ns")?;
    model.trace_off();
    let (input_words, output_words) = (packed_words(&table.inputs), packed_words(&table.outputs));
    let mut words = vec![0; input_words + output_words];
    let mut seen = vec![0; output_words];
    let first = recording.first(failure.cycle);
    let next = log.golden.chunks_exact(output_words).skip(1);
    for (cycle, (inputs, next)) in (0..).zip(log.inputs.chunks_exact(input_words).zip(next)) {
        if cycle == first {
            model.trace_on();
        }
        words[..input_words].copy_from_slice(inputs);
        words[input_words..].copy_from_slice(next);
        model.step(&words, &mut seen);
    }
    model.close_trace();
    write_save_file(module, failure, &recording.path)
}

fn write_save_file(module: &BlockModule, failure: &Failure, fst: &Path) -> mkns_sim::Result<()> {
    let name = fst.file_name().unwrap_or_default().to_string_lossy();
    let path = fst.with_extension("gtkw");
    fs::write(&path, save_file(module, failure, &name)).map_err(mkns_sim::Error::io("write", &path))
}
