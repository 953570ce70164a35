//! What the verbs of the FPGA flows share: progress on a terminal, failures with their exit codes.

use std::time::Duration;

use super::progress::{self, Progress};
use super::{CommandError, Context};
use mkns_fpga::{FlowError, FlowListener};

/// The step and the last line of a tool on a terminal; the steps elsewhere, with `-v`.
pub struct Spinner {
    bar: Progress,
}

impl Spinner {
    pub fn new(context: &Context) -> Self {
        let bar = progress::styled(context, None, "{spinner} {elapsed} {prefix}: {wide_msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }
}

impl FlowListener for Spinner {
    fn begins(&self, step: &str) {
        self.bar.begin(step);
        self.bar.set_prefix(step.to_owned());
        self.bar.set_message("");
    }

    fn line(&self, line: &str) {
        self.bar.set_message(line.to_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish();
    }
}

impl From<FlowError> for CommandError {
    fn from(error: FlowError) -> Self {
        error.diagnostic().into()
    }
}
