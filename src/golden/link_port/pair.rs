//! Two references for the ends of a cable.

use mkns_cable::{EndInputs, EndOutputs, Ends};

use super::state::LinkPort;

/// Two link ports.
#[derive(Debug, Clone)]
pub struct References(pub [LinkPort; 2]);

impl Ends for References {
    fn step(&mut self, inputs: &[EndInputs; 2]) -> [EndOutputs; 2] {
        let outputs = [self.0[0].outputs(), self.0[1].outputs()];
        for (port, inputs) in self.0.iter_mut().zip(inputs) {
            port.clock(inputs);
        }
        outputs
    }
}
