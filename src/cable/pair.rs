//! Two link ports, the cable between them, and a block behind each: the whole way of a flit, checked.

use crate::direction::Direction;
use crate::faults::Faults;
use crate::flit::Flit;
use crate::host::{Appetite, Host};
use crate::scoreboard::Scoreboard;
use crate::word::Word;

/// What comes to the pins of a link port in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndInputs {
    pub tx: Option<Flit>,
    /// Bit v.
    pub rx_credit: u32,
    pub line_tx_ready: bool,
    pub line_rx: Option<Word>,
    pub line_rx_up: bool,
}

/// What its pins show.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndOutputs {
    /// Bit v.
    pub tx_credit: u32,
    pub rx: Option<Flit>,
    pub link_up: bool,
    pub line_tx: Option<Word>,
}

/// A link port, reference or RTL, with equal clocks on both sides.
pub trait End {
    fn outputs(&self) -> EndOutputs;
    fn clock(&mut self, inputs: &EndInputs);
    /// Both of its resets.
    fn reset(&mut self);
}

/// Both ends.
#[derive(Debug)]
pub struct Pair<E> {
    pub ends: [E; 2],
    hosts: [Host; 2],
    /// From end 0 and from end 1.
    pub cable: [Direction; 2],
    boards: [Scoreboard; 2],
    faults: Vec<String>,
    was_up: [bool; 2],
    deaths: u64,
    cycles: u64,
}

/// What a run has shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub cycles: u64,
    /// Flits that came out, both ways.
    pub delivered: u64,
    /// Flits that links which went down have lost.
    pub lost: u64,
    /// Falls of `link_up` at either end.
    pub deaths: u64,
    /// What must not happen: lost, doubled, reordered or wrong flits, credits too many or too few.
    pub faults: Vec<String>,
}

/// Faults that are told; a broken link port makes many.
const TOLD: usize = 5;

impl<E: End> Pair<E> {
    /// Link ports of `channels` and `credits` per channel, a cable of `flight` words.
    pub fn new(
        ends: [E; 2],
        (channels, credits): (usize, u32),
        (flight, faults): (usize, Faults),
        appetite: Appetite,
        seed: u64,
    ) -> Self {
        let host = |side: u64| Host::new(channels, credits, appetite, seed ^ (side << 32));
        let direction = |side: u64| Direction::new(flight, faults, seed ^ (side << 40));
        Self {
            ends,
            hosts: [host(1), host(2)],
            cable: [direction(3), direction(4)],
            boards: [Scoreboard::default(), Scoreboard::default()],
            faults: Vec::new(),
            was_up: [false; 2],
            deaths: 0,
            cycles: 0,
        }
    }

    /// Cycles of both clocks, which are equal.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle();
        }
    }

    /// Until both links are up; whether they are within so many cycles.
    pub fn rise(&mut self, cycles: u64) -> bool {
        (0..cycles).any(|_| {
            self.cycle();
            self.is_up()
        })
    }

    /// One board is reset: link port and block.
    pub fn reset(&mut self, side: usize) {
        self.ends[side].reset();
        self.hosts[side].reset();
    }

    /// Whether both links are.
    pub fn is_up(&self) -> bool {
        self.ends.iter().all(|end| end.outputs().link_up)
    }

    fn cycle(&mut self) {
        self.cycles += 1;
        let outputs = [self.ends[0].outputs(), self.ends[1].outputs()];
        let [there, back] = &mut self.cable;
        let arriving = [
            back.step(outputs[1].line_tx),
            there.step(outputs[0].line_tx),
        ];
        for side in 0..2 {
            let out = &outputs[side];
            self.deaths += u64::from(self.was_up[side] && !out.link_up);
            self.was_up[side] = out.link_up;
            self.boards[side].sender_is(out.link_up);
            let host = &mut self.hosts[side];
            let mut faults = Vec::new();
            if let Some(flit) = out.rx {
                faults.extend(self.boards[1 - side].received(flit));
                if host.receive(flit) {
                    faults.push(format!("{flit:?} came without a credit"));
                }
            }
            let rx_credit = host.take();
            // The block sees `link_up` now and throws away what it cannot send.
            let tx = host.send_while(out.link_up);
            if let Some(flit) = tx {
                self.boards[side].sent(flit);
            }
            if host.credited(out.tx_credit) {
                faults.push("a credit too many".to_owned());
            }
            self.note(side, faults);
            self.ends[side].clock(&EndInputs {
                tx,
                rx_credit,
                line_tx_ready: true,
                line_rx: arriving[side],
                line_rx_up: self.cable[1 - side].is_up(),
            });
        }
    }

    fn note(&mut self, side: usize, faults: Vec<String>) {
        let cycle = self.cycles;
        for fault in faults {
            if self.faults.len() < TOLD {
                self.faults
                    .push(format!("cycle {cycle}, end {side}: {fault}"));
            }
        }
    }

    /// What was shown so far.
    pub fn report(&self) -> Report {
        Report {
            cycles: self.cycles,
            delivered: self.boards.iter().map(|board| board.delivered).sum(),
            lost: self.boards.iter().map(|board| board.lost).sum(),
            deaths: self.deaths,
            faults: self.faults.clone(),
        }
    }

    /// Nobody sends any more, the cable is without errors: everything that did not get lost with a link must come out, and
    /// all credits must come back.
    pub fn finish(mut self) -> Report {
        for direction in &mut self.cable {
            direction.change(Faults::default());
            direction.plug(true);
        }
        self.hosts.iter_mut().for_each(Host::drain);
        self.run(20_000);
        // After a link went down, nobody may have sent what would show the gap.
        let missing: usize = self
            .boards
            .iter()
            .map(Scoreboard::missing_of_last_rise)
            .sum();
        let mut report = self.report();
        if missing > 0 {
            report
                .faults
                .push(format!("{missing} flits did not come out"));
        }
        let credits: u32 = self.hosts.iter().map(Host::credits_missing).sum();
        if credits > 0 {
            report
                .faults
                .push(format!("{credits} credits did not come back"));
        }
        if !self.hosts.iter().all(Host::is_empty) {
            report
                .faults
                .push("a block did not take its flits".to_owned());
        }
        if !self.is_up() {
            report.faults.push("the link did not rise".to_owned());
        }
        report
    }
}
