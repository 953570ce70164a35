//! Section 8, in-band management: the unit that passes messages on and carries them out.
//!
//! A file for each part of the section. [`ManagementUnit::clock`] makes every state from the state at the start of the
//! cycle.

mod control;
mod message;
mod notice;
mod phases;
mod pins;
mod registers;
mod state;

pub use pins::{ControlAnswers, UnitInputs, UnitOutputs};
pub use registers::has_register;
pub use state::ManagementUnit;

use mkns_cable::MessageInputs;

use state::{REQUESTERS, State, WORDS};

impl ManagementUnit {
    /// As at power-up, in its reset state, with P and bit p for a link at port p.
    pub fn new(ports: usize, links: u32) -> Self {
        Self {
            ports,
            links,
            state: State::new(),
            last: [None; REQUESTERS],
            send: [0; WORDS],
            told: [0; WORDS],
            received: [0; WORDS],
            word_of_window: 0,
            word: 0,
        }
    }

    /// What the pins show in a cycle with these inputs.
    pub fn outputs(&self, inputs: &UnitInputs) -> UnitOutputs {
        UnitOutputs {
            master: self.to_master(inputs),
            window: self.to_window(inputs),
            register: self.state.register,
            messages: (0..self.ports)
                .map(|port| self.link_pins(port, inputs))
                .collect(),
        }
    }

    fn link_pins(&self, port: usize, inputs: &UnitInputs) -> MessageInputs {
        let at = &self.state;
        let is_place = at.place == port;
        let is_target = self.target(at) == port && !self.is_to_window(at);
        let word = self.outgoing(at, inputs).filter(|_| is_target);
        MessageInputs {
            read: self.asked().filter(|_| is_place).map(|at| at as u32),
            release: is_place && self.ends(inputs),
            write: word.map(|(number, word)| (number as u32, word)),
            send: word.is_some_and(|(number, _)| number == WORDS - 1),
        }
    }

    /// One cycle.
    pub fn clock(&mut self, inputs: &UnitInputs) {
        if inputs.rst {
            let at = self.state;
            self.clock_window(&at, inputs);
            self.state = State::new();
            self.word_of_window = 0;
            self.word = 0;
            return;
        }
        let at = self.state;
        let words = match at.place.checked_sub(self.ports) {
            Some(0) => Some(&self.send),
            Some(_) => Some(&self.told),
            None => None,
        };
        let asked = self.asked().zip(words);
        let asked = asked.map_or(0, |(number, words)| words[number]);
        // While the state is that of the cycle's start.
        self.clock_notice(&at, inputs);
        self.clock_pins(&at, inputs);
        self.clock_phase(&at, inputs);
        self.clock_registers(&at, inputs);
        self.clock_window(&at, inputs);
        self.word = self.brought(inputs);
        self.word_of_window = asked;
    }
}
