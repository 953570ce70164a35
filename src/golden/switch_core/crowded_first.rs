//! Crowded queues first: whom an output passes over behind a running packet (section 1.8).
//!
//! A queue with F flits withholds the credits of its whole (input, channel), so serving it first
//! lets the other queues of that input go on. What follows every fourth packet is anybody's.

/// Packets in turn behind which urgent inputs alone are asked.
const MOST_PREFERRED: u8 = 3;

/// What outputs remember of crowded queues, by output.
#[derive(Debug, Clone)]
pub(super) struct CrowdedFirst {
    /// Inputs with a queue to the output that holds F flits or more, at the start of this cycle.
    pub crowded: Box<[u32]>,
    /// `urgent[o]`: those of the last cycle.
    urgent: Box<[u32]>,
    /// `preferred[o]`.
    preferred: Box<[u8]>,
}

impl CrowdedFirst {
    /// After reset.
    pub fn new(outputs: usize) -> CrowdedFirst {
        CrowdedFirst {
            crowded: vec![0; outputs].into(),
            urgent: vec![0; outputs].into(),
            preferred: vec![0; outputs].into(),
        }
    }

    /// The only inputs that an output with a flow grants; none when all are equal.
    pub fn preferred_inputs(&self, output: usize) -> Option<u32> {
        let urgent = self.urgent[output];
        (urgent != 0 && self.preferred[output] < MOST_PREFERRED).then_some(urgent)
    }

    /// The flow of an output ends. `is_preferring`: only urgent inputs were asked in this cycle.
    pub fn end_flow(&mut self, output: usize, is_preferring: bool) {
        let count = &mut self.preferred[output];
        *count = if is_preferring { *count + 1 } else { 0 };
    }

    pub fn end_cycle(&mut self) {
        std::mem::swap(&mut self.urgent, &mut self.crowded);
    }
}
