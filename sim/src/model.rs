//! Loaded models: make instances, clock them, record them.
#![expect(unsafe_code, reason = "C++ is given pointers to words")]

use std::fmt;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use cxx::UniquePtr;

use crate::bridge::ffi;
use crate::calls::counted;
use crate::error::{Error, Result};
use crate::source::ModelSource;

/// A model that instances can be made of. Cheap to clone.
#[derive(Clone)]
pub struct ModelLibrary {
    shared: Arc<Shared>,
}

struct Shared {
    library: UniquePtr<ffi::Library>,
    top: String,
    key: String,
    input_words: usize,
    output_words: usize,
}

/// How one instance starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceOptions {
    /// Power-up values of registers and memories that RTL does not initialise.
    pub seed: u64,
    /// For `$value$plusargs` and `$test$plusargs`, with the leading plus: `+TABLES=x.mem`.
    pub plusargs: Vec<String>,
}

/// An instance stopped itself: assertion, `$stop`, `$finish` or a fatal error at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Index of the cycle, from 0, counted from the making of the instance.
    pub cycle: u64,
    /// What the RTL printed, and where it stopped.
    pub message: String,
}

impl ModelLibrary {
    pub(crate) fn new(library: UniquePtr<ffi::Library>, source: &ModelSource, key: String) -> Self {
        let shared = Shared {
            library,
            top: source.top.clone(),
            key,
            input_words: source.input_words(),
            output_words: source.output_words(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Name of the top module.
    pub fn top(&self) -> &str {
        &self.shared.top
    }

    /// Content key: equal for equal RTL, parameters, options and tools.
    pub fn key(&self) -> &str {
        &self.shared.key
    }

    /// 64-bit words of all inputs of one instance.
    pub fn input_words(&self) -> usize {
        self.shared.input_words
    }

    /// 64-bit words of all outputs of one instance.
    pub fn output_words(&self) -> usize {
        self.shared.output_words
    }

    /// One instance, powered up with values drawn from `seed`.
    pub fn instance(&self, seed: u64) -> Result<Model> {
        self.instance_with(InstanceOptions {
            seed,
            plusargs: Vec::new(),
        })
    }

    pub fn instance_with(&self, options: InstanceOptions) -> Result<Model> {
        Ok(Model {
            bank: self.bank(&[options])?,
        })
    }

    /// Instances that one call clocks together.
    pub fn bank(&self, instances: &[InstanceOptions]) -> Result<Bank> {
        let starts: Vec<ffi::StartRequest> = instances
            .iter()
            .map(|options| ffi::StartRequest {
                seed: verilator_seed(options.seed),
                arguments: options.plusargs.clone(),
            })
            .collect();
        let inner = counted(|| self.shared.library.make_bank(&starts));
        let inner = inner.map_err(|error| Error::PowerUp {
            top: self.shared.top.clone(),
            fact: error.what().to_owned(),
        })?;
        Ok(Bank {
            inner,
            library: self.clone(),
            instances: instances.len(),
            stopped: 0,
        })
    }
}

/// Verilator takes 31 bits and gives zero a meaning of its own; neighbouring seeds are spread.
fn verilator_seed(seed: u64) -> i32 {
    let folded = mkns_random::mix(seed) & 0x7fff_ffff;
    i32::try_from(folded.max(1)).unwrap_or(1)
}

impl fmt::Debug for ModelLibrary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ModelLibrary")
            .field("top", &self.shared.top)
            .field("key", &self.shared.key)
            .finish()
    }
}

/// Many instances of one model, clocked by one call. Words are instance-major: all words of
/// instance 0, then of instance 1, and so on.
pub struct Bank {
    inner: UniquePtr<ffi::Bank>,
    library: ModelLibrary,
    instances: usize,
    stopped: u32,
}

impl Bank {
    /// Number of instances.
    pub fn len(&self) -> usize {
        self.instances
    }

    pub fn is_empty(&self) -> bool {
        self.instances == 0
    }

    pub fn library(&self) -> &ModelLibrary {
        &self.library
    }

    /// One cycle of every instance: inputs are applied, logic settles, outputs are sampled, then
    /// the clock edge happens: with registered outputs, within the next call.
    ///
    /// # Panics
    /// If a slice does not hold exactly the words of all instances.
    pub fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.check_lengths(Some(inputs), outputs);
        // SAFETY: lengths checked.
        self.stopped =
            counted(|| unsafe { self.pin().step(inputs.as_ptr(), outputs.as_mut_ptr()) });
    }

    /// One cycle, but `outputs` are read after the edge, with the inputs unchanged: what the
    /// next cycle will sample where outputs are registered. For networks, in which the outputs of a
    /// cycle are wanted before its inputs are known. Costs two evaluations.
    ///
    /// # Panics
    /// As for [`Bank::step_all`].
    pub fn advance_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.check_lengths(Some(inputs), outputs);
        // SAFETY: lengths checked.
        self.stopped =
            counted(|| unsafe { self.pin().advance(inputs.as_ptr(), outputs.as_mut_ptr()) });
    }

    /// Outputs as they stand after the edge of the last cycle, with its inputs (zero before the
    /// first). With registered outputs this completes that edge: [`Bank::stopped`] then tells of
    /// all edges, and the next cycle costs two evaluations.
    ///
    /// # Panics
    /// As for [`Bank::step_all`].
    pub fn outputs(&mut self, outputs: &mut [u64]) {
        self.check_lengths(None, outputs);
        // SAFETY: length checked.
        self.stopped = counted(|| unsafe { self.pin().outputs(outputs.as_mut_ptr()) });
    }

    /// How many instances the last call found stopped. No call across the language border.
    pub fn stopped(&self) -> u32 {
        self.stopped
    }

    /// Why an instance is stopped, if it is. A stopped instance keeps its outputs.
    pub fn stop(&self, instance: usize) -> Option<Stop> {
        self.check_instance(instance);
        let report = ffi::stop_report(&self.inner, instance);
        (!report.message.is_empty()).then_some(Stop {
            cycle: report.cycle,
            message: report.message,
        })
    }

    /// Records all signals of one instance as FST until [`Bank::close_trace`]. Needs
    /// `ModelSource::trace`. `timescale` is the unit of the file, such as `1ns`; cycle c takes units
    /// 2c (inputs and outputs settled) and 2c+1. With registered outputs, the clock rises at 2c and
    /// falls at 2c+1; otherwise it falls at 2c and rises at 2c+1, where the effect of the edge shows.
    pub fn open_trace(&mut self, instance: usize, path: &Path, timescale: &str) -> Result<()> {
        self.check_instance(instance);
        ffi::open_trace(self.pin(), instance, &path.to_string_lossy(), timescale)
            .map_err(record_error(path))
    }

    /// Goes on recording.
    pub fn trace_on(&mut self) {
        self.pin().trace_enable(true);
    }

    /// Leaves a gap in the recording.
    pub fn trace_off(&mut self) {
        self.pin().trace_enable(false);
    }

    /// Completes the file.
    pub fn close_trace(&mut self) {
        self.pin().close_trace();
    }

    /// Writes the counts of one instance in Verilator's format. Needs `ModelSource::coverage`.
    pub fn write_coverage(&mut self, instance: usize, path: &Path) -> Result<()> {
        self.check_instance(instance);
        ffi::write_coverage(self.pin(), instance, &path.to_string_lossy())
            .map_err(record_error(path))
    }

    fn pin(&mut self) -> Pin<&mut ffi::Bank> {
        self.inner.pin_mut()
    }

    fn check_instance(&self, instance: usize) {
        let all = self.instances;
        assert!(instance < all, "instance {instance} of {all}");
    }

    fn check_lengths(&self, inputs: Option<&[u64]>, outputs: &[u64]) {
        if let Some(inputs) = inputs {
            assert_eq!(
                inputs.len(),
                self.instances * self.library.input_words(),
                "input words"
            );
        }
        assert_eq!(
            outputs.len(),
            self.instances * self.library.output_words(),
            "output words"
        );
    }
}

fn record_error(path: &Path) -> impl FnOnce(cxx::Exception) -> Error {
    let path = path.to_owned();
    move |error| Error::Record {
        path,
        fact: error.what().to_owned(),
    }
}

/// One instance of a model. See [`Bank`] for what the methods mean.
pub struct Model {
    bank: Bank,
}

impl Model {
    pub fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.bank.step_all(inputs, outputs);
    }

    pub fn advance(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.bank.advance_all(inputs, outputs);
    }

    pub fn outputs(&mut self, outputs: &mut [u64]) {
        self.bank.outputs(outputs);
    }

    /// No call across the language border while the instance runs.
    pub fn stop(&self) -> Option<Stop> {
        if self.bank.stopped == 0 {
            None
        } else {
            self.bank.stop(0)
        }
    }

    pub fn open_trace(&mut self, path: &Path, timescale: &str) -> Result<()> {
        self.bank.open_trace(0, path, timescale)
    }

    pub fn trace_on(&mut self) {
        self.bank.trace_on();
    }

    pub fn trace_off(&mut self) {
        self.bank.trace_off();
    }

    pub fn close_trace(&mut self) {
        self.bank.close_trace();
    }

    pub fn write_coverage(&mut self, path: &Path) -> Result<()> {
        self.bank.write_coverage(0, path)
    }
}
