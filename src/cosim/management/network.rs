//! Boards of a managed network in lockstep, their serial cables, and a host at the pins of one of them that sends messages
//! through its window.

use std::collections::VecDeque;

use mkns_design::{BoardPins, Device, Pins, Plan, RouteSource, get_bits, set_bits};
use mkns_golden::ControlPins;
use mkns_golden::management_unit::ControlAnswers;
use mkns_sim::{Error, Progress};
use mkns_topology::{BlockId, End};

use super::messages::{Message, OWN_REGISTERS};
use crate::golden_devices::unconfigured_device;
use crate::models::{Models, rtl_device};

/// Words from one link port to the other.
const FLIGHT: usize = 10;
/// Cycles of reset, and those at the start that nobody compares.
const RESET: u64 = 10;
const UNKNOWN: u64 = 3;
/// Looks at the window until an answer is given up, and how often it is asked for.
const PATIENCE: u32 = 600;
const ATTEMPTS: u32 = 20;
/// Number of the register MANAGEMENT, and its bits.
const MANAGEMENT: u32 = 16;
const SEND: u32 = 1;
const TAKE: u32 = 2;

/// The boards of one module, RTL beside golden model.
struct Boards {
    rtl: Box<dyn Device>,
    golden: Box<dyn Device>,
    blocks: Vec<BlockId>,
    pins: Pins,
    board: BoardPins,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    expected: Vec<u64>,
}

/// One direction of a serial cable: bank, instance and line of both ends.
struct Line {
    from: [usize; 3],
    to: [usize; 3],
    words: VecDeque<Option<(bool, u64)>>,
    is_plugged: bool,
}

/// A network whose host is at the first block.
pub struct ManagedNetwork {
    boards: Vec<Boards>,
    lines: Vec<Line>,
    host: ControlPins,
    shown: ControlAnswers,
    pub cycle: u64,
    /// The first output that differs: cycle, block, word.
    pub difference: Option<(u64, u32, usize)>,
}

impl ManagedNetwork {
    /// Of RTL sources, those of the whole network with tops around the boards.
    pub fn new(plan: &Plan, models: &Models) -> Result<Self, Error> {
        let mut boards = Vec::new();
        for (number, module) in plan.modules.iter().enumerate() {
            let of_module = plan.instances.iter().filter(|it| it.module == number);
            let blocks: Vec<BlockId> = of_module.map(|instance| instance.block).collect();
            let (pins, Some(board)) = Pins::of_board(module) else {
                continue;
            };
            let library = models.library(module, &|_: Progress| {})?;
            let words = |each: usize| vec![0; each * blocks.len()];
            boards.push(Boards {
                rtl: rtl_device(&library, &blocks, 1)?,
                golden: unconfigured_device(plan, number, &blocks, RouteSource::Tables),
                inputs: words(pins.input_words),
                outputs: words(pins.output_words),
                expected: words(pins.output_words),
                blocks,
                pins,
                board,
            });
        }
        let place = |end: End| {
            let has = |boards: &Boards| boards.blocks.iter().position(|it| *it == end.block);
            let mut banks = boards.iter().enumerate();
            let (bank, instance) = banks.find_map(|(bank, boards)| Some((bank, has(boards)?)))?;
            let port = end.port.0 as usize;
            let line = boards[bank].board.ports.iter().position(|it| *it == port)?;
            Some([bank, instance, line])
        };
        let mut lines = Vec::new();
        for cable in &plan.network.cables {
            if let (Some(a), Some(b)) = (place(cable.a), place(cable.b)) {
                lines.extend([(a, b), (b, a)].map(|(from, to)| Line {
                    from,
                    to,
                    words: vec![None; FLIGHT].into(),
                    is_plugged: true,
                }));
            }
        }
        let mut network = Self {
            boards,
            lines,
            host: ControlPins::default(),
            shown: ControlAnswers::default(),
            cycle: 0,
            difference: None,
        };
        network.run(3_000);
        Ok(network)
    }

    /// Pulls the plugs of a cable, by number, or puts them in.
    pub fn plug(&mut self, cable: usize, is_plugged: bool) {
        for line in &mut self.lines[2 * cable..2 * cable + 2] {
            line.is_plugged = is_plugged;
        }
    }

    pub fn run(&mut self, cycles: u32) {
        (0..cycles).for_each(|_| self.step());
    }

    fn step(&mut self) {
        for boards in &mut self.boards {
            let each = boards.pins.input_words;
            for (inputs, id) in boards.inputs.chunks_exact_mut(each).zip(&boards.blocks) {
                inputs.fill(0);
                inputs[boards.pins.rst] = (self.cycle < RESET).into();
                inputs[boards.board.block_number] = id.0.into();
                if id.0 == 0 {
                    self.host.put(&boards.pins, inputs);
                }
            }
        }
        for line in &mut self.lines {
            let [bank, instance, number] = line.to;
            let boards = &mut self.boards[bank];
            let at = &boards.board;
            let inputs = &mut boards.inputs[instance * boards.pins.input_words..];
            let word = line.words.pop_front().flatten();
            let word = word.filter(|_| line.is_plugged);
            let (control, data) = word.unwrap_or_default();
            for (signal, bits, value) in [
                (at.line_rx_up, 1, line.is_plugged.into()),
                (at.line_rx_valid, 1, word.is_some().into()),
                (at.line_rx_ctl, 1, control.into()),
                (at.line_rx_data, 64, data),
            ] {
                set_bits(&mut inputs[signal..], number * bits, bits, value);
            }
        }
        for boards in &mut self.boards {
            boards.rtl.step_all(&boards.inputs, &mut boards.outputs);
            boards.golden.step_all(&boards.inputs, &mut boards.expected);
            let mut pairs = boards.outputs.iter().zip(&boards.expected);
            let word = pairs.position(|(shown, expected)| shown != expected);
            if let (Some(word), None, true) = (word, self.difference, self.cycle >= UNKNOWN) {
                let each = boards.pins.output_words;
                let block = boards.blocks[word / each].0;
                self.difference = Some((self.cycle, block, word % each));
            }
            if let Some(instance) = boards.blocks.iter().position(|id| id.0 == 0) {
                let outputs = &boards.expected[instance * boards.pins.output_words..];
                self.shown = ControlAnswers::on(&boards.pins, outputs);
            }
        }
        for line in &mut self.lines {
            let [bank, instance, number] = line.from;
            let boards = &self.boards[bank];
            let at = &boards.board;
            let outputs = &boards.expected[instance * boards.pins.output_words..];
            let get =
                |signal: usize, bits: usize| get_bits(&outputs[signal..], number * bits, bits);
            let word = (get(at.line_tx_ctl, 1) == 1, get(at.line_tx_data, 64));
            let is_valid = get(at.line_tx_valid, 1) == 1;
            line.words.push_back(is_valid.then_some(word));
        }
        self.cycle += 1;
    }

    /// An access of the first block by its pins.
    pub fn write(&mut self, address: u32, data: u32) {
        self.host = ControlPins {
            awvalid: true,
            awaddr: address,
            wvalid: true,
            wdata: data,
            wstrb: 15,
            bready: true,
            ..ControlPins::default()
        };
        self.until(|shown| shown.awready);
        (self.host.awvalid, self.host.wvalid) = (false, false);
        self.until(|shown| shown.bvalid);
    }

    pub fn read(&mut self, address: u32) -> u32 {
        self.host = ControlPins {
            arvalid: true,
            araddr: address,
            rready: true,
            ..ControlPins::default()
        };
        self.until(|shown| shown.arready);
        self.host.arvalid = false;
        self.until(|shown| shown.rvalid);
        self.shown.rdata
    }

    fn until(&mut self, has: fn(&ControlAnswers) -> bool) {
        for _ in 0..1_000 {
            self.step();
            if has(&self.shown) {
                return;
            }
        }
        panic!("the control port does not answer");
    }

    /// Sends a message through the window, again and again until it is answered.
    pub fn ask(&mut self, message: &Message) -> Option<Message> {
        let own = |n: u32| OWN_REGISTERS + 4 * n;
        for (n, word) in (0..).zip(message) {
            self.write(own(n), *word);
        }
        for _ in 0..ATTEMPTS {
            self.write(own(MANAGEMENT), SEND | TAKE);
            for _ in 0..PATIENCE {
                if self.read(own(MANAGEMENT)) != TAKE {
                    continue;
                }
                let answer = [0, 1, 2, 3, 4, 5, 6, 7].map(|n| self.read(own(8 + n)));
                self.write(own(MANAGEMENT), TAKE);
                if answer[1] == message[1] {
                    return Some(answer);
                }
            }
        }
        None
    }
}
