//! What can be clocked in lockstep: RTL, golden model, or a stand-in of a test.
//!
//! One call per cycle for all instances of a block module, over packed words.

/// Instances of one block module that are clocked together. A thread other than the one that made them may do it.
pub trait Device: Send {
    /// One cycle of every instance: outputs are sampled before the clock edge. Words are
    /// instance-major.
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]);

    /// A few lines on an instance's state, for reports; empty when the device cannot say.
    fn describe(&self, _instance: usize) -> String {
        String::new()
    }

    /// An instance that stopped itself (an assertion in the RTL), and what it said.
    fn stopped(&self) -> Option<(usize, String)> {
        None
    }
}
