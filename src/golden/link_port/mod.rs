//! 7: `link_port`, a block's network port on a line that makes bit errors, with equal clocks on both sides.
//!
//! A file for each part of the section. [`LinkPort::clock`] makes every state from the state at the start of the cycle.

mod core_side;
mod crossings;
mod messages;
mod parameters;
mod receiver;
mod registers;
mod sender;
mod sessions;
mod state;
mod words;

pub use parameters::LinkParameters;
pub use state::LinkPort;
pub use words::{foreign_hello, forged_hello, older_status};

use mkns_cable::{ClockEdges, EndInputs, EndOutputs, Ends, Flit};

use crossings::Contents;
use state::State;

impl LinkPort {
    /// As at power-up, in its reset state.
    pub fn new(parameters: LinkParameters) -> Self {
        let memory = || vec![Flit::default(); 256];
        Self {
            state: State::new(&parameters, [0; 16]),
            ring: memory(),
            places: [memory(), memory()],
            message_to_send: [0; 8],
            message_received: [0; 8],
            parameters,
        }
    }

    /// The pin `block_number` of the next cycles.
    pub fn announce(&mut self, block_number: u16) {
        self.parameters.block = block_number;
    }

    /// Both resets.
    fn reset(&mut self) {
        self.state = State::new(&self.parameters, self.state.session.peer);
    }

    pub fn outputs(&self) -> EndOutputs {
        let State {
            core,
            sender,
            registers,
            ..
        } = &self.state;
        EndOutputs {
            tx_credit: core.tx_credit,
            rx: core.rx,
            link_up: core.link_up,
            register: registers.ready.then_some(registers.rdata),
            message: self.message_pins(),
            line_tx: sender.chosen[2],
        }
    }

    /// One cycle of both clocks.
    pub fn clock(&mut self, inputs: &EndInputs) {
        if inputs.rst {
            return self.reset();
        }
        let at = self.state;
        self.core_side(&at, inputs);
        self.message_core_side(&at, inputs);
        self.registers(&at, inputs);
        let events = self.judge(&at);
        self.send(&at, inputs);
        self.receive(&at, &events, inputs);
        self.message_link_side(&at, &events);
        self.sessions(&at, &events);
        self.crossings(&at, inputs);
    }

    /// 7.3
    fn crossings(&mut self, at: &State, inputs: &EndInputs) {
        let next = &mut self.state;
        next.ring_write_seen.clock(at.core.ring_write);
        next.place_write_seen.clock(at.receiver.place_write);
        next.place_read_seen.clock(at.core.place_read);
        next.core_idle_seen.clock(at.core.core_idle);
        next.disabled_seen.clock(at.registers.disabled);
        next.inject_seen.clock(at.registers.inject);
        next.message_sent_seen.clock(at.messages.sent);
        next.message_taken_seen.clock(at.messages.taken);
        next.message_arrived_seen.clock(at.messages.arrived);
        next.message_released_seen.clock(at.messages.released);
        next.inject_before = at.inject_seen.seen();
        next.carrier.clock(Contents {
            alive: at.session.alive,
            ack: at.sender.ack,
            limit: at.sender.limit,
            word: at.link_word(inputs.line_rx_up),
        });
        // "becomes, in every cycle, 1 when `send` as it is after this cycle differs": all others are done.
        next.sender.at_hand = next.sender.send != at.ring_write_seen.seen();
    }

    /// Whether nothing is on its way: every flit of the block has been acknowledged and handed on.
    pub fn is_empty(&self) -> bool {
        let State {
            core,
            sender,
            receiver,
            ..
        } = &self.state;
        core.ring_write == sender.ack
            && core.place_read == receiver.place_write
            && core.rests()
            && receiver.rests()
    }

    /// Flits that were lost, mod 2¹⁶.
    pub fn lost_flits(&self) -> u16 {
        self.state.core.lost
    }

    /// Errors found, replays made, deaths, each mod 2¹⁶.
    pub fn counts(&self) -> [u16; 3] {
        let State { session, .. } = &self.state;
        [session.crc_errors, session.replays, session.deaths]
    }

    /// Why the link is down, or went down last.
    pub fn reason(&self) -> u32 {
        self.state.session.reason
    }
}

/// Two link ports.
#[derive(Debug, Clone)]
pub struct LinkPortPair(pub [LinkPort; 2]);

impl Ends for LinkPortPair {
    /// Of equal clocks only: page 7.3 says no more than that.
    fn step(&mut self, inputs: &[EndInputs; 2], edges: &[ClockEdges; 2]) -> [EndOutputs; 2] {
        assert_eq!(*edges, [ClockEdges::BOTH; 2], "the reference has one clock");
        let outputs = [self.0[0].outputs(), self.0[1].outputs()];
        for (port, inputs) in self.0.iter_mut().zip(inputs) {
            port.clock(inputs);
        }
        outputs
    }
}
