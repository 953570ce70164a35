//! The state of a core in words, for mismatch reports, and its invariants (contract 1.8).

use std::fmt::Write;

use super::{DROPPED, NONE, SwitchCore, bits};

impl SwitchCore {
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
        for (ahead, valid) in self.pipeline.stages().enumerate() {
            if valid != 0 {
                let outputs: Vec<usize> = bits(valid).collect();
                let _ = writeln!(text, "on the tx pins in {ahead} cycles: ports {outputs:?}");
            }
        }
        text
    }

    fn describe_input(&self, input: usize, text: &mut String) {
        let state = &self.inputs[input];
        for channel in 0..self.shape.channels {
            let mut facts = Vec::new();
            match state.open[channel] {
                NONE => {}
                DROPPED => facts.push("dropping a packet".to_owned()),
                output => facts.push(format!("packet open to port {output}")),
            }
            if state.closing[channel] != NONE {
                facts.push(format!(
                    "closing a packet to port {}",
                    state.closing[channel]
                ));
            }
            if state.owed[channel] != 0 {
                facts.push(format!("owes {} credits", state.owed[channel]));
            }
            if self.stage1 >> input & 1 == 1 && usize::from(state.stage1.channel) == channel {
                facts.push(match state.stage1.destination {
                    DROPPED => "stage 1: a dropped flit".to_owned(),
                    output => format!("stage 1: a flit to port {output}"),
                });
            }
            if self.stage0 >> input & 1 == 1 && usize::from(state.stage0.channel) == channel {
                facts.push("stage 0: a flit".to_owned());
            }
            for output in 0..self.shape.ports {
                let queue = self.queues.queue(input, channel, output);
                match self.queues.length(queue) {
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
        for (channel, held) in state.channels[..self.shape.channels].iter().enumerate() {
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
        if state.grant_pointer != 0 {
            let next = self.describe_key(state.grant_pointer);
            let _ = writeln!(text, "output {output}: grants from {next}");
        }
    }

    fn describe_key(&self, key: u8) -> String {
        let key = usize::from(key);
        let (input, channel) = (self.shape.input_of(key), self.shape.channel_of(key));
        format!("input {input} channel {channel}")
    }

    /// Panics when a bound of section 1.1 does not hold: then more flits or credits came than
    /// the link protocol allows, or the model is wrong.
    #[cfg(debug_assertions)]
    pub(super) fn check_invariants(&self) {
        let (channels, credits) = (self.shape.channels, self.shape.credits);
        for (port, output) in self.outputs.iter().enumerate() {
            for (w, channel) in output.channels[..channels].iter().enumerate() {
                assert!(channel.credit <= credits, "credit[{port}][{w}] > C");
            }
        }
        for (port, input) in self.inputs.iter().enumerate() {
            for (v, &owed) in input.owed[..channels].iter().enumerate() {
                assert!(owed <= credits, "owed[{port}][{v}] > C");
            }
        }
    }
}
