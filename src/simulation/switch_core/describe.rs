//! The state of a core in words, for mismatch reports, and its invariants.

use std::fmt::Write;

use super::key_set::KeySet;
use super::state::{DROPPED, LOST, NONE};
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
            let key = K::key(input, channel);
            let state = &self.inputs[key];
            let mut facts = Vec::new();
            match state.open {
                NONE => {}
                DROPPED => facts.push("dropping a packet".to_owned()),
                output => facts.push(format!("packet open to port {output}")),
            }
            if state.closing != NONE {
                facts.push(format!("closing a packet to port {}", state.closing));
            }
            let owed = self.owed(key);
            if owed != 0 {
                facts.push(format!("owes {owed} credits"));
            }
            if self.debt.has(key) {
                facts.push("keeps the next credit for a made-up tail".to_owned());
            }
            let stage1 = self.stages[input];
            let is_new = self.stage1 >> input & 1 == 1 && usize::from(stage1.key) == key;
            if is_new {
                facts.push(match stage1.destination {
                    DROPPED => "stage 1: a dropped flit".to_owned(),
                    LOST => "stage 1: a lost flit".to_owned(),
                    output => format!("stage 1: a flit to port {output}"),
                });
            }
            for output in 0..self.shape.ports {
                let is_new = is_new && usize::from(stage1.destination) == output;
                match self.queues.length_of(input, channel, output) - u16::from(is_new) {
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
            let credits = self.shape.credits_of(output);
            if held.credit != credits {
                facts.push(format!("{} of {credits} credits", held.credit));
            }
            if !facts.is_empty() {
                let _ = writeln!(
                    text,
                    "output {output} channel {channel}: {}",
                    facts.join(", ")
                );
            }
        }
        let named = [(self.flows, "flow of"), (self.granted, "grant to")];
        for (_, what) in named.iter().filter(|(set, _)| set >> output & 1 == 1) {
            let key = self.describe_key(state.chosen);
            let _ = writeln!(text, "output {output}: {what} {key}");
        }
        for channel in 0..self.shape.channels {
            let place = K::key(output, channel);
            if self.staying.has(place) {
                let (key, passed) = (self.watched(place) as u8, self.passed[place]);
                let key = self.describe_key(key);
                let _ = writeln!(text, "output {output}: {passed} chances went past {key}");
            }
        }
        let pointer = self.grant_pointers[output];
        if pointer != 0 {
            let next = self.describe_key(pointer);
            let _ = writeln!(text, "output {output}: grants from {next}");
        }
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
        let all: K = self.shape.keys_of_inputs(self.shape.all_ports());
        for key in all.keys() {
            let (port, channel) = (K::port_of(key), K::channel_of(key));
            let credit = self.output_channels[key].credit;
            let most = self.shape.credits_of(port) + self.shape.line_credits;
            assert!(credit <= most, "credit[{port}][{channel}] > {most}");
            let owed = self.owed(key);
            let held = self.shape.credits + self.shape.line_credits;
            assert!(owed <= held, "owed[{port}][{channel}] > C");
            for output in 0..self.shape.ports {
                let length = self.queues.length_of(port, channel, output);
                assert!(
                    length <= held + 1,
                    "queue[{port}][{output}][{channel}] > C + 1: more flits came than credits"
                );
            }
        }
    }
}
