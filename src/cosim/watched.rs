//! A device that others look at.

use mkns_design::Device;

/// A device, and who is told the inputs and outputs of each of its cycles.
pub struct Watched<W> {
    pub device: Box<dyn Device>,
    pub watch: W,
}

impl<W: FnMut(&[u64], &[u64]) + Send> Device for Watched<W> {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.device.step_all(inputs, outputs);
        (self.watch)(inputs, outputs);
    }

    fn describe(&self, instance: usize) -> String {
        self.device.describe(instance)
    }

    fn stopped(&self) -> Option<(usize, String)> {
        self.device.stopped()
    }
}
