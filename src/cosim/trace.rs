//! Waveforms of a failure: the failing block again, alone, with the inputs that it had, RTL signals
//! and golden outputs side by side in one FST file.
//!
//! The inputs come from a second run in which golden models stand in for the RTL: up to the first
//! difference both give the same outputs.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;

use mkns_sim::PortDecl;

use crate::design::BlockModule;
use crate::rtl;

use super::device::Device;
use super::models::{Models, declarations};
use super::pins::Pins;

/// Name of the module that holds the block and the golden outputs.
const VIEW: &str = "lockstep_view";

/// Inputs and golden outputs of one block, cycle by cycle.
#[derive(Debug, Default)]
pub struct Tape {
    inputs: Vec<u64>,
    golden: Vec<u64>,
    cycles: u64,
    limit: u64,
}

/// A golden device that writes down what one of its instances sees and says.
pub struct Recorder {
    inner: Box<dyn Device>,
    instance: usize,
    input_words: usize,
    output_words: usize,
    tape: Rc<RefCell<Tape>>,
}

impl Recorder {
    /// Records `instance` up to and including cycle `last`.
    pub fn new(
        inner: Box<dyn Device>,
        module: &BlockModule,
        instance: usize,
        last: u64,
    ) -> (Self, Rc<RefCell<Tape>>) {
        let pins = Pins::new(module);
        let tape = Rc::new(RefCell::new(Tape {
            limit: last + 1,
            ..Tape::default()
        }));
        let recorder = Self {
            inner,
            instance,
            input_words: pins.input_words,
            output_words: pins.output_words,
            tape: Rc::clone(&tape),
        };
        (recorder, tape)
    }
}

impl Device for Recorder {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.inner.step_all(inputs, outputs);
        let mut tape = self.tape.borrow_mut();
        if tape.cycles == tape.limit {
            return;
        }
        tape.cycles += 1;
        let start = self.instance * self.input_words;
        tape.inputs
            .extend_from_slice(&inputs[start..start + self.input_words]);
        let start = self.instance * self.output_words;
        tape.golden
            .extend_from_slice(&outputs[start..start + self.output_words]);
    }

    fn describe(&self, instance: usize) -> String {
        self.inner.describe(instance)
    }
}

/// Plays a tape to the RTL of a module and records all signals.
pub fn write_trace(
    models: &Models,
    module: &BlockModule,
    tape: &Tape,
    power_up_seed: u64,
    path: &Path,
) -> mkns_sim::Result<()> {
    let table = module.port_table();
    let golden = table
        .outputs
        .iter()
        .map(|port| PortDecl::new(format!("golden_{}", port.name), port.bits));
    let mut inputs = declarations(&table.inputs);
    inputs.extend(golden);
    let outputs = declarations(&table.outputs);
    let library = models.traced(VIEW, &view(module), inputs, outputs)?;
    let mut model = library.instance(power_up_seed)?;
    model.open_trace(path, "1ns")?;
    let pins = Pins::new(module);
    let mut words = vec![0; pins.input_words + pins.output_words];
    let mut seen = vec![0; pins.output_words];
    let inputs = tape.inputs.chunks_exact(pins.input_words);
    for (inputs, golden) in inputs.zip(tape.golden.chunks_exact(pins.output_words)) {
        words[..pins.input_words].copy_from_slice(inputs);
        words[pins.input_words..].copy_from_slice(golden);
        model.step(&words, &mut seen);
    }
    model.close_trace();
    Ok(())
}

/// A module around the block whose extra inputs are the golden outputs.
fn view(module: &BlockModule) -> String {
    let table = module.port_table();
    let range = |bits: u32| format!("[{}:0]", bits - 1);
    let mut ports = vec!["input wire clk".to_owned()];
    let mut connections = vec![".clk(clk)".to_owned()];
    for port in &table.inputs {
        ports.push(format!("input wire {} {}", range(port.bits), port.name));
        connections.push(format!(".{0}({0})", port.name));
    }
    for port in &table.outputs {
        ports.push(format!("output wire {} {}", range(port.bits), port.name));
        ports.push(format!(
            "input wire {} golden_{}",
            range(port.bits),
            port.name
        ));
        connections.push(format!(".{0}({0})", port.name));
    }
    let parameters: Vec<String> = rtl::block_parameters(module)
        .iter()
        .map(|(name, value)| format!(".{name}({value})"))
        .collect();
    let mut text = String::new();
    let _ = write!(
        text,
        "module {VIEW} (\n  {}\n);\n  {} #(\n    {}\n  ) rtl (\n    {}\n  );\nendmodule\n",
        ports.join(",\n  "),
        rtl::module_name(module.kind),
        parameters.join(",\n    "),
        connections.join(",\n    ")
    );
    text
}
