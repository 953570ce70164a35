//! Two link ports, the cable between them, and a block behind each: the whole way of a flit, checked.

use mkns_random::Random;

use crate::direction::Direction;
use crate::faults::Faults;
use crate::host::{Appetite, Host};
use crate::operator::Operator;
use crate::pins::{EndInputs, EndOutputs, Ends};
use crate::scoreboard::Scoreboard;
use crate::word::Word;

/// Both ends.
#[derive(Debug)]
pub struct Pair<E> {
    pub ends: E,
    hosts: [Host; 2],
    /// From end 0 and from end 1.
    pub cable: [Direction; 2],
    /// Register accesses of each end, where there are any.
    operators: [Option<Operator>; 2],
    /// Chance of a cycle in which the line takes no word, of 1000.
    pub stalls: u32,
    random: Random,
    boards: [Scoreboard; 2],
    faults: Vec<String>,
    /// Outputs of the last cycle, and what comes out of the cable in the next.
    outputs: [EndOutputs; 2],
    arriving: [Option<Word>; 2],
    /// Cycles of reset that are left.
    in_reset: [u32; 2],
    deaths: u64,
    cycles: u64,
}

/// Cycles of a reset.
const RESET: u32 = 16;

/// What a run has shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub cycles: u64,
    /// Flits that came out, both ways.
    pub delivered: u64,
    /// Packets among them: flits that are last.
    pub packets: u64,
    /// Flits that links which went down have lost.
    pub lost: u64,
    /// Falls of `link_up` at either end.
    pub deaths: u64,
    /// What must not happen: lost, doubled, reordered or wrong flits, credits too many or too few.
    pub faults: Vec<String>,
}

/// Faults that are told; a broken link port makes many.
const TOLD: usize = 5;

impl<E: Ends> Pair<E> {
    /// Link ports of `channels` and `credits` per channel, a cable of `flight` words, one at least.
    pub fn new(
        ends: E,
        (channels, credits): (usize, u32),
        (flight, faults): (usize, Faults),
        appetite: Appetite,
        seed: u64,
    ) -> Self {
        let host = |side: u64| Host::new(channels, credits, appetite, seed ^ (side << 32));
        let direction = |side: u64| Direction::new(flight - 1, faults, seed ^ (side << 40));
        Self {
            ends,
            hosts: [host(1), host(2)],
            cable: [direction(3), direction(4)],
            operators: [None, None],
            stalls: 0,
            random: Random::new(seed ^ (5 << 48)),
            boards: [Scoreboard::default(), Scoreboard::default()],
            faults: Vec::new(),
            outputs: [EndOutputs::default(); 2],
            arriving: [None; 2],
            in_reset: [RESET; 2],
            deaths: 0,
            cycles: 0,
        }
    }

    /// Registers are read and written from now on.
    pub fn operate(&mut self, seed: u64) {
        self.operators = [1, 2].map(|side| Some(Operator::new(seed ^ (side << 24))));
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
        self.in_reset[side] = RESET;
    }

    /// Whether both links are.
    pub fn is_up(&self) -> bool {
        self.outputs.iter().all(|outputs| outputs.link_up)
    }

    fn cycle(&mut self) {
        self.cycles += 1;
        let inputs = [self.inputs(0), self.inputs(1)];
        let outputs = self.ends.step(&inputs);
        for side in 0..2 {
            let (input, output) = (&inputs[side], &outputs[side]);
            let line = output.line_tx.filter(|_| input.line_tx_ready);
            self.arriving[1 - side] = self.cable[side].step(line);
            self.deaths += u64::from(self.outputs[side].link_up && !output.link_up);
            self.boards[side].sender_is(output.link_up);
            if input.rst {
                continue;
            }
            if let Some(flit) = input.tx {
                self.boards[side].sent(flit);
            }
            let mut faults = Vec::new();
            if let Some(flit) = output.rx {
                faults.extend(self.boards[1 - side].received(flit));
                if self.hosts[side].receive(flit) {
                    faults.push(format!("{flit:?} came without a credit"));
                }
            }
            if self.hosts[side].credited(output.tx_credit) {
                faults.push("a credit too many".to_owned());
            }
            self.note(side, faults);
        }
        self.outputs = outputs;
    }

    /// What comes to an end, by what it showed in the cycle before.
    fn inputs(&mut self, side: usize) -> EndInputs {
        let before = self.outputs[side];
        let line_rx_up = self.cable[1 - side].is_up();
        if self.in_reset[side] > 0 {
            self.in_reset[side] -= 1;
            self.hosts[side].reset();
            return EndInputs {
                rst: true,
                ..EndInputs::default()
            };
        }
        let operator = &mut self.operators[side];
        EndInputs {
            rst: false,
            tx: self.hosts[side].send_while(before.link_up),
            rx_credit: self.hosts[side].take(),
            register: operator
                .as_mut()
                .and_then(|one| one.access(before.register)),
            line_tx_ready: !self.random.chance(self.stalls),
            line_rx: self.arriving[side],
            line_rx_up,
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

    /// Whether something was wrong so far.
    pub fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// What was shown so far.
    pub fn report(&self) -> Report {
        Report {
            cycles: self.cycles,
            delivered: self.boards.iter().map(|board| board.delivered).sum(),
            lost: self.boards.iter().map(|board| board.lost).sum(),
            packets: self.boards.iter().map(|board| board.packets).sum(),
            deaths: self.deaths,
            faults: self.faults.clone(),
        }
    }

    /// Nobody sends any more, the cable is without errors: everything that did not get lost with a link must come out, and
    /// all credits must come back.
    pub fn finish(self) -> Report {
        self.finish_with(|_, report| report)
    }

    /// Ends the run as [`Self::finish`] does, and hands `then` both ends as they are afterwards, with the report.
    pub fn finish_with<T>(mut self, then: impl FnOnce(E, Report) -> T) -> T {
        for direction in &mut self.cable {
            direction.change(Faults::default());
            direction.plug(true);
        }
        self.hosts.iter_mut().for_each(Host::drain);
        self.operators = [None, None];
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
        then(self.ends, report)
    }
}
