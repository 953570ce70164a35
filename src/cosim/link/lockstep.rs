//! Two link ports of RTL beside two references, the same cable and the same blocks for both: every output in every cycle.

use mkns_cable::{ClockEdges, EndInputs, EndOutputs, Ends};
use mkns_golden::link_port::LinkPortPair;

use super::top::{INPUT_WORDS, OUTPUT_WORDS, output_name, pack, pack_outputs, unpack};
use mkns_design::Device;

/// Cycles without comparison at the start: power-up state is unknown until the first reset edge.
const UNKNOWN: u64 = 2;

/// Both sides. What the RTL shows goes on.
pub struct Lockstep {
    rtl: Box<dyn Device>,
    references: Option<LinkPortPair>,
    cycle: u64,
    /// The first cycle in which an output differs, and how.
    pub difference: Option<(u64, String)>,
}

impl Lockstep {
    /// Without references nothing is compared.
    pub fn new(rtl: Box<dyn Device>, references: Option<LinkPortPair>) -> Self {
        Self {
            rtl,
            references,
            cycle: 0,
            difference: None,
        }
    }
}

impl Ends for Lockstep {
    fn step(&mut self, inputs: &[EndInputs; 2], edges: &[ClockEdges; 2]) -> [EndOutputs; 2] {
        let mut words = [0; 2 * INPUT_WORDS];
        for (side, words) in words.chunks_exact_mut(INPUT_WORDS).enumerate() {
            words.copy_from_slice(&pack(&inputs[side], &edges[side]));
        }
        let mut outputs = [0; 2 * OUTPUT_WORDS];
        self.rtl.step_all(&words, &mut outputs);
        let sides = [&outputs[..OUTPUT_WORDS], &outputs[OUTPUT_WORDS..]];
        if let Some(references) = &mut self.references {
            let expected = references.step(inputs, edges);
            for (end, (actual, expected)) in sides.iter().zip(&expected).enumerate() {
                let expected = pack_outputs(expected);
                let word = (0..OUTPUT_WORDS).find(|&word| actual[word] != expected[word]);
                if let (Some(word), None, true) = (word, &self.difference, self.cycle >= UNKNOWN) {
                    let name = output_name(word);
                    let (is, should) = (actual[word], expected[word]);
                    let fact =
                        format!("end {end}: {name} is {is:#x}, the reference says {should:#x}");
                    self.difference = Some((self.cycle, fact));
                }
            }
        }
        self.cycle += 1;
        sides.map(unpack)
    }
}
