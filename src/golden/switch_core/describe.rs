//! The state of a core in words, for mismatch reports, and its invariants.

use std::fmt::Write;

use super::key_set::KeySet;
use super::state::{DROPPED, NONE};
use super::{SwitchCore, bits};
use crate::flit::Flit;

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// Everything that is not at its reset value, one line per input, queue and output channel.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let all = self.shape.all_ports();
        for input in bits(all) {
            self.describe_input(input, &mut text);
        }
        for output in bits(all) {
            self.describe_output(output, &mut text);
        }
        text
    }

    fn describe_input(&self, input: usize, text: &mut String) {
        for channel in 0..self.shape.channels {
            let state = &self.inputs[K::key(input, channel)];
            let mut facts = Vec::new();
            match state.open {
                NONE => {}
                DROPPED => facts.push("dropping a packet".to_owned()),
                output => facts.push(format!("packet open to port {output}")),
            }
            if state.closing != NONE {
                facts.push(format!("closing a packet to port {}", state.closing));
            }
            let owed = self.owed_by(K::key(input, channel));
            if owed != 0 {
                facts.push(format!("owes {owed} credits"));
            }
            let stage1 = self.stages[input];
            if self.stage1 >> input & 1 == 1 && K::channel_of(stage1.key.into()) == channel {
                facts.push(match stage1.destination {
                    DROPPED => "stage 1: a dropped flit".to_owned(),
                    output => format!("stage 1: a flit to port {output}"),
                });
            }
            if self.stage0 >> input & 1 == 1 && self.stage0_channel(input) == channel {
                facts.push("stage 0: a flit".to_owned());
            }
            for output in 0..self.shape.ports {
                match self.settled_length(input, channel, output) {
                    0 => {}
                    length => facts.push(format!("{length} flits queued to port {output}")),
                }
            }
            if !facts.is_empty() {
                let _ = writeln!(
                    text,
                    "input {input} channel {channel}: {}",
                    facts.join(", ")
                );
            }
        }
    }

    fn describe_output(&self, output: usize, text: &mut String) {
        let state = &self.outputs[output];
        for channel in 0..self.shape.channels {
            let held = &self.output_channels[K::key(output, channel)];
            let mut facts = Vec::new();
            if held.lock != NONE {
                facts.push(format!("locked by {}", self.describe_key(held.lock)));
            }
            if held.discard {
                facts.push("discarding".to_owned());
            }
            if held.credit != self.shape.credits {
                facts.push(format!("{} of {} credits", held.credit, self.shape.credits));
            }
            if !facts.is_empty() {
                let _ = writeln!(
                    text,
                    "output {output} channel {channel}: {}",
                    facts.join(", ")
                );
            }
        }
        if state.flow != NONE {
            let _ = writeln!(
                text,
                "output {output}: flow of {}",
                self.describe_key(state.flow)
            );
        }
        let granted = self.registered.as_ref();
        if let Some(key) = granted.and_then(|registered| registered.grant(output)) {
            let key = self.describe_key(key as u8);
            let _ = writeln!(text, "output {output}: grant to {key}");
        }
        let pointer = self.grant_pointers[output];
        if pointer != 0 {
            let next = self.describe_key(pointer);
            let _ = writeln!(text, "output {output}: grants from {next}");
        }
    }

    /// Flits of a queue without one in stage 1 that counts already.
    fn settled_length(&self, input: usize, channel: usize, output: usize) -> u16 {
        let stage1 = self.stages[input];
        let joined = self.stage1 & !self.joining;
        let counts = joined >> input & 1 == 1
            && usize::from(stage1.key) == K::key(input, channel)
            && usize::from(stage1.destination) == output;
        self.queues.length_of(input, channel, output) - u16::from(counts)
    }

    fn stage0_channel(&self, input: usize) -> usize {
        usize::from(self.stage0_flits[input].tag().channel)
    }

    fn describe_key(&self, key: u8) -> String {
        let key = usize::from(key);
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        format!("input {input} channel {channel}")
    }

    /// Panics when a bound of section 1.1 does not hold: then more flits or credits came than
    /// the link protocol allows, or the model is wrong.
    #[cfg(debug_assertions)]
    pub(super) fn check_invariants(&self) {
        let credits = self.shape.credits;
        let all: K = self.shape.keys_of_inputs(self.shape.all_ports());
        for key in all.keys() {
            let (port, channel) = (K::port_of(key), K::channel_of(key));
            let credit = self.output_channels[key].credit;
            assert!(credit <= credits, "credit[{port}][{channel}] > C");
            let owed = self.owed_by(key);
            assert!(owed <= credits, "owed[{port}][{channel}] > C");
        }
    }
}
