//! Two link ports, the cable between them, and a block behind each: the whole way of a flit, checked.

use std::collections::VecDeque;

use mkns_random::Random;

use crate::clocks::{ClockEdges, Clocks};
use crate::direction::Direction;
use crate::end_block::{BlockActivity, EndBlock};
use crate::faults::Faults;
use crate::message_driver::{Message, MessageDriver};
use crate::pins::{EndInputs, EndOutputs, Ends, Word};
use crate::register_driver::RegisterDriver;
use crate::scoreboard::Scoreboard;

/// Makes another word of one.
pub type WordCorruptor = Box<dyn FnMut(Word) -> Word + Send>;

/// Both ends.
pub struct Pair<E> {
    pub ends: E,
    blocks: [EndBlock; 2],
    /// From end 0 and from end 1.
    pub cable: [Direction; 2],
    /// Register accesses of each end, where there are any.
    register_drivers: [Option<RegisterDriver>; 2],
    /// Messages of each end, where there are any, and those on the way from each end.
    message_drivers: [Option<MessageDriver>; 2],
    messages: [VecDeque<Message>; 2],
    /// Messages that came out.
    messages_delivered: u64,
    /// Chance of a cycle in which the line takes no word, of 1000.
    pub stalls: u32,
    clocks: Clocks,
    /// What comes out of the cable in the place of a word.
    corruptor: Option<WordCorruptor>,
    random: Random,
    boards: [Scoreboard; 2],
    faults: Vec<String>,
    inputs: [EndInputs; 2],
    /// Outputs of the last core cycle.
    outputs: [EndOutputs; 2],
    /// What has come out of the cable, until the link clock takes it.
    arrived: [VecDeque<Word>; 2],
    /// Steps of reset that are left.
    in_reset: [u32; 2],
    deaths: u64,
    held_back: u64,
    cycles: u64,
}

/// Steps of a reset: eight cycles of the slowest clock.
const RESET: u32 = 24;

/// Words that wait where a cable ends, for a link clock that is slower than the far one.
const ARRIVED: usize = 16;

/// Stretches of a thousand steps in which everything must come to rest.
const REST: usize = 60;

/// What a run has shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkReport {
    pub cycles: u64,
    /// Flits that came out, both ways.
    pub delivered: u64,
    /// Packets among them: flits that are last.
    pub packets: u64,
    /// Flits that links which went down have lost.
    pub lost: u64,
    /// Falls of `link_up` at either end.
    pub deaths: u64,
    /// Words that waited because the far link clock was too slow.
    pub held_back: u64,
    /// Messages that came out, both ways.
    pub messages: u64,
    /// What must not happen: lost, doubled, reordered or wrong flits, credits too many or too few.
    pub faults: Vec<String>,
}

impl LinkReport {
    /// What another run has shown, too.
    pub fn add(&mut self, other: Self) {
        self.cycles += other.cycles;
        self.delivered += other.delivered;
        self.packets += other.packets;
        self.lost += other.lost;
        self.deaths += other.deaths;
        self.held_back += other.held_back;
        self.messages += other.messages;
        self.faults.extend(other.faults);
    }
}

/// Faults that are told; a broken link port makes many.
const TOLD: usize = 5;

impl<E: Ends> Pair<E> {
    /// Link ports of `channels` and `credits` per channel, a cable of `flight` words, one at least.
    pub fn new(
        ends: E,
        (channels, credits): (usize, u32),
        (flight, faults): (usize, Faults),
        activity: BlockActivity,
        seed: u64,
    ) -> Self {
        let block = |side: u64| EndBlock::new(channels, credits, activity, seed ^ (side << 32));
        let direction = |side: u64| Direction::new(flight - 1, faults, seed ^ (side << 40));
        Self {
            ends,
            blocks: [block(1), block(2)],
            cable: [direction(3), direction(4)],
            register_drivers: [None, None],
            message_drivers: [None, None],
            messages: [VecDeque::new(), VecDeque::new()],
            messages_delivered: 0,
            stalls: 0,
            clocks: Clocks::equal(),
            corruptor: None,
            random: Random::new(seed ^ (5 << 48)),
            boards: [Scoreboard::default(), Scoreboard::default()],
            faults: Vec::new(),
            inputs: [EndInputs::default(); 2],
            outputs: [EndOutputs::default(); 2],
            arrived: [VecDeque::new(), VecDeque::new()],
            in_reset: [RESET; 2],
            deaths: 0,
            held_back: 0,
            cycles: 0,
        }
    }

    /// Registers are read and written from now on, by an operator for each end made from a seed.
    pub fn drive_registers(&mut self, register_driver: impl Fn(u64) -> RegisterDriver, seed: u64) {
        self.register_drivers = [1, 2].map(|side| Some(register_driver(seed ^ (side << 24))));
    }

    /// Messages are sent from now on, both ways.
    pub fn send_messages(&mut self, seed: u64) {
        self.message_drivers = [1, 2].map(|side| Some(MessageDriver::new(seed ^ (side << 32))));
    }

    /// Clocks of their own from now on.
    pub fn with_clocks(mut self, clocks: Clocks) -> Self {
        self.clocks = clocks;
        self
    }

    /// Words are forged from now on.
    pub fn corrupt_words(&mut self, corruptor: WordCorruptor) {
        self.corruptor = Some(corruptor);
    }

    /// Steps: cycles where all clocks are equal.
    pub fn run(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.cycle();
        }
    }

    /// Until both links are up; whether they are within this many cycles.
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
        let edges = self.clocks.step();
        for (side, edges) in edges.iter().enumerate() {
            self.apply(side, edges);
        }
        let outputs = self.ends.step(&self.inputs, &edges);
        for side in 0..2 {
            let (input, output) = (self.inputs[side], &outputs[side]);
            if edges[side].link {
                let line = output.line_tx.filter(|_| input.line_tx_ready);
                let out = self.cable[side].step(line);
                self.arrived[1 - side].extend(out);
            }
            if !edges[side].core {
                continue;
            }
            // What was there before the first reset is no link.
            let was_up = self.outputs[side].link_up && self.cycles > RESET.into();
            self.deaths += u64::from(was_up && !output.link_up);
            self.boards[side].sender_is(output.link_up);
            self.outputs[side] = *output;
            if input.rst {
                continue;
            }
            if let Some(flit) = input.tx {
                self.boards[side].sent(flit);
            }
            let mut faults = Vec::new();
            if let Some(flit) = output.rx {
                faults.extend(self.boards[1 - side].received(flit));
                if self.blocks[side].receive(flit) {
                    faults.push(format!("{flit:?} came without a credit"));
                }
            }
            if self.blocks[side].credited(output.tx_credit) {
                faults.push("a credit too many".to_owned());
            }
            faults.extend(self.judge_message(side));
            self.note(side, faults);
        }
    }

    /// A message comes out whole, once, and behind those before it, or not at all.
    fn judge_message(&mut self, side: usize) -> Option<String> {
        let driver = self.message_drivers[side].as_mut()?;
        let (sent, received) = (driver.sent.take(), driver.received.take());
        self.messages[side].extend(sent);
        let message = received?;
        let from_peer = &mut self.messages[1 - side];
        match from_peer.iter().position(|sent| *sent == message) {
            Some(place) => {
                from_peer.drain(..=place);
                self.messages_delivered += 1;
                None
            }
            None => Some(format!("message {message:x?} was not sent, or came before")),
        }
    }

    /// What comes to an end at these edges, by what it showed at the core's edge before.
    fn apply(&mut self, side: usize, edges: &ClockEdges) {
        let before = self.outputs[side];
        let line_rx_up = self.cable[1 - side].is_up();
        let mut inputs = self.inputs[side];
        inputs.rst = self.in_reset[side] > 0;
        if inputs.rst {
            self.in_reset[side] -= 1;
            self.blocks[side].reset();
            if let Some(driver) = &mut self.message_drivers[side] {
                driver.reset();
            }
            self.arrived[side].clear();
            self.inputs[side] = EndInputs {
                rst: true,
                ..EndInputs::default()
            };
            return;
        }
        if edges.core {
            let register_driver = &mut self.register_drivers[side];
            inputs.tx = self.blocks[side].send_while(before.link_up);
            inputs.rx_credit = self.blocks[side].take();
            inputs.register = register_driver
                .as_mut()
                .and_then(|one| one.access(before.register));
            let message_driver = &mut self.message_drivers[side];
            inputs.message = message_driver
                .as_mut()
                .map_or_else(Default::default, |one| one.drive(before.message));
        }
        if edges.link {
            let has_room = self.arrived[1 - side].len() < ARRIVED;
            self.held_back += u64::from(!has_room);
            inputs.line_tx_ready = has_room && !self.random.chance(self.stalls);
            inputs.line_rx = self.arrived[side].pop_front();
            if let Some(corruptor) = &mut self.corruptor {
                inputs.line_rx = inputs.line_rx.map(corruptor);
            }
            inputs.line_rx_up = line_rx_up;
        }
        self.inputs[side] = inputs;
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
    pub fn report(&self) -> LinkReport {
        LinkReport {
            cycles: self.cycles,
            delivered: self.boards.iter().map(|board| board.delivered).sum(),
            lost: self.boards.iter().map(|board| board.lost).sum(),
            packets: self.boards.iter().map(|board| board.packets).sum(),
            deaths: self.deaths,
            held_back: self.held_back,
            messages: self.messages_delivered,
            faults: self.faults.clone(),
        }
    }

    /// Nobody sends any more, the cable is without errors: everything that did not get lost with a link must come out, and
    /// all credits must come back.
    pub fn finish(self) -> LinkReport {
        self.finish_with(|_, report| report)
    }

    /// Ends the run as [`Self::finish`] does, and hands `then` both ends as they are afterwards, with the report.
    pub fn finish_with<T>(mut self, then: impl FnOnce(E, LinkReport) -> T) -> T {
        for direction in &mut self.cable {
            direction.change(Faults::default());
            direction.plug(true);
        }
        self.blocks.iter_mut().for_each(EndBlock::drain);
        self.register_drivers
            .iter_mut()
            .flatten()
            .for_each(RegisterDriver::leave);
        self.message_drivers
            .iter_mut()
            .flatten()
            .for_each(MessageDriver::leave);
        self.corruptor = None;
        for _ in 0..REST {
            self.run(1_000);
            if self.unrest().is_empty() {
                break;
            }
        }
        // What comes a second time comes later.
        self.run(3_000);
        let mut report = self.report();
        report.faults.extend(self.unrest());
        then(self.ends, report)
    }

    /// What is missing of the state in which nobody has anything to do.
    fn unrest(&self) -> Vec<String> {
        // After a link went down, nobody may have sent what would show the gap.
        let boards = self.boards.iter();
        let missing: usize = boards.map(Scoreboard::missing_of_last_rise).sum();
        let credits: u32 = self.blocks.iter().map(EndBlock::credits_missing).sum();
        let is_taken = self.blocks.iter().all(EndBlock::is_empty);
        let facts = [
            (missing > 0).then(|| format!("{missing} flits did not come out")),
            (credits > 0).then(|| format!("{credits} credits did not come back")),
            (!is_taken).then(|| "a block did not take its flits".to_owned()),
            (!self.is_up()).then(|| "the link did not rise".to_owned()),
        ];
        facts.into_iter().flatten().collect()
    }
}
