//! What can be clocked on pins: RTL, the reference, or a stand-in of a test.

/// Instances of one block module that are clocked together: verilated RTL or the reference.
///
/// **Words.** An instance's inputs and outputs are the packed words of its port table
/// ([`BlockModule::board_table`](crate::BlockModule::board_table), [`Pins`](crate::Pins)): ports in the table's order,
/// each from a word of its own on. Instance n has the n-th chunk of both slices; both hold a whole number of chunks, and
/// bits above a port's width are 0 in outputs and not looked at in inputs. `clk` is not among them.
///
/// **A cycle.** [`Self::step_all`] is called once per cycle. It first writes the outputs of this cycle, all of which
/// follow from the state before the edge and never from `inputs`; then it carries out the clock edge with `inputs`,
/// which hold `rst` as well. Outputs of RTL mean nothing before the first edge with `rst` = 1; models start in their
/// reset state, as after a cycle with `rst` = 1 and all links up.
///
/// **Threads.** A thread other than the one that made the device may clock it.
pub trait Device: Send {
    /// One cycle of every instance.
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]);

    /// A few lines on an instance's state, for reports; empty when the device cannot say. Called between two cycles.
    fn describe(&self, _instance: usize) -> String {
        String::new()
    }

    /// An instance that stopped itself (an assertion in the RTL), and what it said. Asked after each cycle; from then on
    /// outputs mean nothing and the device is not clocked any more.
    fn stopped(&self) -> Option<(usize, String)> {
        None
    }
}
