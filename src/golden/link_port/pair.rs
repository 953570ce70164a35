//! Two references for the ends of a cable.

use mkns_cable::{Edges, EndInputs, EndOutputs, Ends};

use super::state::LinkPort;

/// Two link ports.
#[derive(Debug, Clone)]
pub struct References(pub [LinkPort; 2]);

impl Ends for References {
    /// Of equal clocks only: page 7.3 says no more than that.
    fn step(&mut self, inputs: &[EndInputs; 2], edges: &[Edges; 2]) -> [EndOutputs; 2] {
        assert_eq!(*edges, [Edges::BOTH; 2], "the reference has one clock");
        let outputs = [self.0[0].outputs(), self.0[1].outputs()];
        for (port, inputs) in self.0.iter_mut().zip(inputs) {
            port.clock(inputs);
        }
        outputs
    }
}
