//! One block module's instances, RTL beside golden model, compared word for word in every cycle.
//!
//! Comparing is one slice comparison; only a difference is decoded (`mismatch`). Keeps the last
//! cycles of all outputs for the report: devices write into the oldest of several buffers. Knows
//! nothing of what drives the inputs. Where one model holds many blocks, both sides' outputs are given
//! from outside and only compared here.

use mkns_design::{BlockModule, BoardPins, Device, Pins, PortTable};

/// Cycles of output history kept for a report.
pub const HISTORY: usize = 8;

/// Where the two sides differ first: indices into the words of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    pub instance: usize,
    /// Word within the instance's outputs.
    pub word: usize,
}

/// Instances of one block module.
pub struct Group {
    pub pins: Pins,
    /// Where blocks stand on boards with link ports.
    pub board: Option<BoardPins>,
    pub table: PortTable,
    pub count: usize,
    pub inputs: Vec<u64>,
    /// Outputs of the device under test.
    pub actual: Vec<u64>,
    /// Outputs of the golden model.
    pub expected: Vec<u64>,
    sides: OutputSource,
    /// What the last cycle showed first.
    pub difference: Option<Difference>,
    /// The cycle of `actual`.
    cycle: u64,
    /// Outputs of earlier cycles, a cycle at its number modulo [`HISTORY`]; empty when nothing is
    /// compared.
    history: Vec<Vec<u64>>,
}

/// Where a group's outputs come from.
enum OutputSource {
    /// Devices of these instances.
    Devices {
        rtl: Box<dyn Device>,
        golden: Option<Box<dyn Device>>,
    },
    /// The owner writes both sides before each step.
    Given,
}

impl Group {
    /// Devices of `count` instances each; without a golden model nothing is compared.
    pub fn new(
        module: &BlockModule,
        count: usize,
        rtl: Box<dyn Device>,
        golden: Option<Box<dyn Device>>,
    ) -> Self {
        let compared = golden.is_some();
        Self::with_sides(
            module,
            count,
            OutputSource::Devices { rtl, golden },
            compared,
        )
    }

    /// A group whose owner writes `actual` and `expected` before each step.
    pub fn given(module: &BlockModule, count: usize) -> Self {
        Self::with_sides(module, count, OutputSource::Given, true)
    }

    fn with_sides(module: &BlockModule, count: usize, sides: OutputSource, compared: bool) -> Self {
        let (pins, board) = Pins::of_board(module);
        let outputs = count * pins.output_words;
        Self {
            table: module.board_table(),
            board,
            count,
            inputs: vec![0; count * pins.input_words],
            actual: vec![0; outputs],
            expected: vec![0; outputs],
            history: vec![vec![0; outputs]; if compared { HISTORY } else { 0 }],
            cycle: 0,
            difference: None,
            sides,
            pins,
        }
    }

    /// One cycle of both sides, with the same inputs; [`Self::difference`] tells what it showed.
    /// Power-up state is unknown until the first reset edge, so the caller says from when on to
    /// `compare`.
    pub fn step(&mut self, cycle: u64, compare: bool) {
        self.difference = self.compared_step(cycle, compare);
    }

    #[inline]
    fn compared_step(&mut self, cycle: u64, compare: bool) -> Option<Difference> {
        let past = self.cycle as usize % HISTORY;
        self.cycle = cycle;
        if let OutputSource::Devices { rtl, golden } = &mut self.sides {
            if let Some(past) = self.history.get_mut(past) {
                std::mem::swap(past, &mut self.actual);
            }
            rtl.step_all(&self.inputs, &mut self.actual);
            if rtl.stopped().is_some() {
                return None; // the stop is the finding: it cut the last edge short
            }
            let golden = golden.as_mut()?;
            golden.step_all(&self.inputs, &mut self.expected);
        } else {
            self.history[cycle as usize % HISTORY].copy_from_slice(&self.actual);
        }
        if !compare || self.actual == self.expected {
            return None;
        }
        let at = self
            .actual
            .iter()
            .zip(&self.expected)
            .position(|(actual, expected)| actual != expected)?;
        Some(Difference {
            instance: at / self.pins.output_words,
            word: at % self.pins.output_words,
        })
    }

    #[inline]
    pub fn inputs_of(&mut self, instance: usize) -> &mut [u64] {
        let words = self.pins.input_words;
        &mut self.inputs[instance * words..(instance + 1) * words]
    }

    /// The table of pins and the inputs of one instance.
    pub fn pins_and_inputs(&mut self, instance: usize) -> (&Pins, &mut [u64]) {
        let words = self.pins.input_words;
        let inputs = &mut self.inputs[instance * words..(instance + 1) * words];
        (&self.pins, inputs)
    }

    /// Outputs of one instance as the device under test gave them.
    #[inline]
    pub fn outputs_of(&self, instance: usize) -> &[u64] {
        let words = self.pins.output_words;
        &self.actual[instance * words..(instance + 1) * words]
    }

    /// Where the owner of a given group writes one instance's outputs: actual, expected.
    pub fn sides_of(&mut self, instance: usize) -> (&mut [u64], &mut [u64]) {
        let words = self.pins.output_words;
        let range = instance * words..(instance + 1) * words;
        (&mut self.actual[range.clone()], &mut self.expected[range])
    }

    /// What the golden model expected of one instance.
    pub fn expected_of(&self, instance: usize) -> &[u64] {
        let words = self.pins.output_words;
        &self.expected[instance * words..(instance + 1) * words]
    }

    /// Outputs of one instance in an earlier cycle, at most [`HISTORY`] − 1 cycles back.
    pub fn past_outputs(&self, instance: usize, cycle: u64) -> &[u64] {
        let words = self.pins.output_words;
        let outputs = match cycle == self.cycle {
            true => &self.actual,
            false => &self.history[cycle as usize % HISTORY],
        };
        &outputs[instance * words..(instance + 1) * words]
    }

    /// The golden model's words on an instance.
    pub fn describe(&self, instance: usize) -> String {
        match &self.sides {
            OutputSource::Devices {
                golden: Some(golden),
                ..
            } => golden.describe(instance),
            _ => String::new(),
        }
    }

    /// An RTL instance that stopped itself.
    pub fn stopped(&self) -> Option<(usize, String)> {
        match &self.sides {
            OutputSource::Devices { rtl, .. } => rtl.stopped(),
            OutputSource::Given => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    /// Puts the number of the cycle on all outputs.
    struct Counting(u64);

    impl Device for Counting {
        fn step_all(&mut self, _inputs: &[u64], outputs: &mut [u64]) {
            outputs.fill(self.0);
            self.0 += 1;
        }
    }

    #[test]
    fn outputs_of_the_last_cycles_are_kept() {
        let spec = spec::parse("MKNS(1,2,1,1)").expect("a valid spec");
        let plan = design::build(&spec).expect("a network that can be built");
        let device = || Box::new(Counting(0));
        let mut group = Group::new(&plan.modules[0], 2, device(), Some(device()));
        for cycle in 0..20 {
            group.step(cycle, true);
            assert_eq!(group.difference, None);
            assert!(group.outputs_of(1).iter().all(|&word| word == cycle));
            for past in cycle.saturating_sub(HISTORY as u64 - 1)..=cycle {
                let outputs = group.past_outputs(1, past);
                assert!(outputs.iter().all(|&word| word == past), "cycle {past}");
            }
        }
    }
}
