//! 7.5: the state of the sender, and its reset values.

use super::parameters::LinkParameters;
use super::words::LineWord;

#[derive(Debug, Clone, Copy)]
pub struct Sender {
    /// Mod 1024.
    pub slot: u32,
    /// Mod 512.
    pub send: u32,
    pub ack: u32,
    /// Mod 256.
    pub limit: [u32; 2],
    pub at_hand: bool,
    /// Flits in the open block, their `last` and `vc`.
    pub held: usize,
    pub ends: [(bool, usize); 8],
    /// The data words before it.
    pub data: [u64; 8],
    pub first: u32,
    pub ends_bad: bool,
    pub due: bool,
    pub channel: usize,
    pub resume: bool,
    pub served: bool,
    pub damage: bool,
    /// The words chosen in the last steps; that of three steps ago is on the pins.
    pub chosen: [Option<LineWord>; 3],
}

impl Sender {
    pub fn new(parameters: &LinkParameters) -> Self {
        Self {
            slot: 0,
            send: 0,
            ack: 0,
            limit: [parameters.line_flits; 2],
            at_hand: false,
            held: 0,
            ends: [(false, 0); 8],
            data: [0; 8],
            first: 0,
            ends_bad: false,
            due: false,
            channel: 0,
            resume: false,
            served: false,
            damage: false,
            chosen: [None; 3],
        }
    }

    pub fn on_pins(&self) -> Option<LineWord> {
        self.chosen[2]
    }
}
