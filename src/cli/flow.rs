//! What the verbs of the FPGA flows share: progress on a terminal, failures with their exit codes.

use std::time::Duration;

use indicatif::ProgressBar;

use super::{CommandError, Context, progress};
use mkns_fpga::{FlowError, Watcher};

/// The step and the last line of a tool, on a terminal; nothing elsewhere.
pub struct Spinner {
    bar: ProgressBar,
}

impl Spinner {
    pub fn new(context: &Context) -> Self {
        let bar = progress::styled(context, None, "{spinner} {elapsed} {prefix}: {wide_msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }
}

impl Watcher for Spinner {
    fn begins(&self, step: &str) {
        self.bar.set_prefix(step.to_owned());
        self.bar.set_message("");
    }

    fn line(&self, line: &str) {
        self.bar.set_message(line.to_owned());
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl From<FlowError> for CommandError {
    fn from(error: FlowError) -> Self {
        error.diagnostic().into()
    }
}
