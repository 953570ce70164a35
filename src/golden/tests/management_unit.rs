//! Section 8, rule by rule: a unit with three ports, of which port 1 has no link, in front of a control port that answers
//! after a few cycles.

use mkns_cable::{MessageOutputs, RegisterAccess};

use crate::ControlPins;
use crate::management_unit::{ManagementUnit, UnitInputs, UnitOutputs};

type Message = [u32; 8];

const PORTS: usize = 3;
const LINKS: u32 = 0b101;
const MANAGEMENT: u32 = 16;
const KEY: u32 = 17;
const DROPPED: u32 = 19;

#[derive(Clone, Copy)]
enum Kind {
    Read,
    Write,
    Answer,
}

/// A message with hop, length and route; requester 3, sequence 100, address 0x44, data 0x55.
fn message(kind: Kind, hop: u32, length: u32, route: u32) -> Message {
    let word = 1 | (kind as u32) << 8 | hop << 12 | length << 16;
    [word, 3 << 16 | 100, route, 0, 0, 0, 0x44, 0x55]
}

/// A message with another value of one word.
fn with(mut message: Message, word: usize, value: u32) -> Message {
    message[word] = value;
    message
}

struct Bench {
    unit: ManagementUnit,
    inputs: UnitInputs,
    received: [Option<Message>; PORTS],
    writing: [Message; PORTS],
    /// Where, and what.
    sent: Vec<(usize, Message)>,
    /// Writes that the control port carried out.
    written: Vec<(u32, u32)>,
    /// Responses to writes.
    response: u32,
}

impl Bench {
    fn new() -> Self {
        let mut bench = Self {
            unit: ManagementUnit::new(PORTS, LINKS),
            inputs: UnitInputs {
                link_up: LINKS,
                messages: vec![MessageOutputs::default(); PORTS],
                ..UnitInputs::default()
            },
            received: [None; PORTS],
            writing: [[0; 8]; PORTS],
            sent: Vec::new(),
            written: Vec::new(),
            response: 0,
        };
        bench.run(16);
        bench
    }

    fn run(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| drop(self.cycle()));
    }

    fn cycle(&mut self) -> UnitOutputs {
        for (link, received) in self.inputs.messages.iter_mut().zip(&self.received) {
            link.full = received.is_some();
        }
        let outputs = self.unit.outputs(&self.inputs);
        self.unit.clock(&self.inputs);
        for (port, pins) in outputs.messages.iter().enumerate() {
            let asked = |number: u32| self.received[port].expect("full")[number as usize];
            self.inputs.messages[port].word = pins.read.map_or(0, asked);
            if pins.release {
                self.received[port] = None;
            }
            if let Some((number, word)) = pins.write {
                self.writing[port][number as usize] = word;
            }
            if pins.send {
                self.sent.push((port, self.writing[port]));
            }
        }
        self.control_port(&outputs.window);
        outputs
    }

    /// Ready in the cycle behind valid, the response in the one behind that; a read gives its address + 1.
    fn control_port(&mut self, pins: &ControlPins) {
        let shown = &mut self.inputs.window;
        let writes = pins.awvalid && pins.wvalid && !shown.bvalid;
        if shown.awready {
            self.written.push((pins.awaddr, pins.wdata));
            shown.bvalid = true;
            shown.bresp = self.response;
        } else if pins.bready {
            shown.bvalid = false;
        }
        shown.awready = writes && !shown.awready;
        shown.wready = shown.awready;
        let reads = pins.arvalid && !shown.rvalid;
        if shown.arready {
            shown.rvalid = true;
            shown.rdata = pins.araddr + 1;
        } else if pins.rready {
            shown.rvalid = false;
        }
        shown.arready = reads && !shown.arready;
    }

    fn register(&mut self, write: bool, address: u32, wdata: u32) -> u32 {
        self.inputs.register = Some(RegisterAccess {
            write,
            address,
            wdata,
        });
        self.cycle();
        let value = self.cycle().register.expect("ready in the next cycle");
        self.inputs.register = None;
        value
    }

    /// Brings a message over a link and returns what went out at which links.
    fn bring(&mut self, port: usize, message: Message) -> Vec<(usize, Message)> {
        self.received[port] = Some(message);
        self.run(60);
        assert_eq!(self.received[port], None, "released");
        std::mem::take(&mut self.sent)
    }

    /// Sends a message through the window and returns what the window received.
    fn ask(&mut self, message: Message) -> Option<Message> {
        for (number, word) in (0..).zip(message) {
            self.register(true, number, word);
        }
        self.register(true, MANAGEMENT, 1);
        self.run(60);
        self.take()
    }

    fn take(&mut self) -> Option<Message> {
        if self.register(false, MANAGEMENT, 0) != 2 {
            return None;
        }
        let words = [0, 1, 2, 3, 4, 5, 6, 7].map(|n| self.register(false, 8 + n, 0));
        self.register(true, MANAGEMENT, 2);
        Some(words)
    }
}

/// Operation and status of an answer or error.
fn verdict(message: &Message) -> (u32, u32) {
    (message[0] >> 8 & 15, message[6] >> 20)
}

#[test]
fn a_read_of_length_0_is_carried_out_for_the_window() {
    let mut bench = Bench::new();
    let answer = bench.ask(message(Kind::Read, 0, 0, 0));
    assert_eq!(answer, Some([0x201, 3 << 16 | 100, 0, 0, 0, 0, 0x44, 0x45]));
}

#[test]
fn a_request_records_where_it_came_from_and_grows_a_hop() {
    let mut bench = Bench::new();
    let read = message(Kind::Read, 1, 3, 0x120);
    let sent = bench.bring(0, read);
    let passed = with(message(Kind::Read, 2, 3, 0x100), 5, 0);
    assert_eq!(sent, [(2, passed)], "entry 1 was 2, becomes 0");
    let of_window = Bench::new().ask(message(Kind::Read, 0, 1, 0x2));
    assert_eq!(of_window, None, "it left through port 2");
}

#[test]
fn a_route_of_fifteen_links_uses_both_words() {
    let mut bench = Bench::new();
    let read = with(message(Kind::Read, 9, 15, 0), 3, 0xfff_ff2f);
    let sent = bench.bring(2, read);
    let passed = with(message(Kind::Read, 10, 15, 0), 3, 0xfff_ff2f);
    assert_eq!(sent, [(2, passed)], "back through the link it came from");
}

#[test]
fn an_answer_goes_back_and_ends_in_the_window() {
    let mut bench = Bench::new();
    let sent = bench.bring(0, message(Kind::Answer, 2, 2, 0x20));
    assert_eq!(sent, [(2, message(Kind::Answer, 1, 2, 0x00))]);
    assert_eq!(bench.bring(2, message(Kind::Answer, 1, 2, 0x03)), []);
    assert_eq!(bench.take(), Some(message(Kind::Answer, 0, 2, 0x02)));
}

#[test]
fn a_write_needs_the_key_and_an_answer_does_not_carry_it() {
    let mut bench = Bench::new();
    bench.register(true, KEY, 7);
    bench.register(true, KEY + 1, 8);
    let write = with(with(message(Kind::Write, 1, 1, 0), 4, 7), 5, 8);
    for wrong in [with(write, 4, 6), with(write, 5, 0)] {
        let sent = bench.bring(0, wrong);
        let refusal = with(wrong, 0, wrong[0] | 0x200);
        let refusal = with(with(with(refusal, 4, 0), 5, 0), 6, 0x44 | 4 << 20);
        assert_eq!(sent, [(0, refusal)]);
    }
    assert_eq!(bench.written, []);
    let sent = bench.bring(0, write);
    assert_eq!(verdict(&sent[0].1), (2, 0));
    assert_eq!(sent[0].1[4..6], [0, 0]);
    assert_eq!(bench.written, [(0x44, 0x55)]);
}

#[test]
fn a_repeated_write_is_answered_and_an_old_one_refused() {
    let mut bench = Bench::new();
    let number = |requester: u32, sequence: u32| {
        with(message(Kind::Write, 1, 1, 0), 1, requester << 16 | sequence)
    };
    bench.response = 2;
    for _ in 0..2 {
        let sent = bench.bring(2, number(3, 100));
        assert_eq!(verdict(&sent[0].1), (2, 2), "the response of the first one");
    }
    assert_eq!(bench.written.len(), 1);
    bench.response = 0;
    let verdict_of = |bench: &mut Bench, write| verdict(&bench.bring(2, write)[0].1);
    assert_eq!(verdict_of(&mut bench, number(3, 99)), (3, 5));
    assert_eq!(verdict_of(&mut bench, number(3, 100 + 0x8000)), (3, 5));
    assert_eq!(bench.written.len(), 1);
    assert_eq!(verdict_of(&mut bench, number(3, 100 + 0x7fff)), (2, 0));
    assert_eq!(verdict_of(&mut bench, number(0x13, 1)), (2, 0), "another");
    assert_eq!(verdict_of(&mut bench, number(3, 1)), (2, 0), "forgotten");
    assert_eq!(bench.written.len(), 4);
}

#[test]
fn a_link_that_is_down_or_missing_sends_a_request_back() {
    let mut bench = Bench::new();
    for port in [1, 3, 9] {
        let sent = bench.bring(0, message(Kind::Write, 5, 6, port << 20));
        let refusal = with(message(Kind::Write, 5, 6, port << 20), 6, 0x44 | 0x58 << 20);
        assert_eq!(sent, [(0, with(refusal, 0, refusal[0] | 0x200))]);
    }
    bench.inputs.link_up = 1;
    let sent = bench.bring(0, message(Kind::Read, 0, 1, 2));
    assert_eq!(verdict(&sent[0].1), (3, 8));
    assert_eq!(bench.bring(0, message(Kind::Answer, 2, 2, 0x20)), []);
    assert_eq!(bench.bring(2, message(Kind::Read, 1, 1, 0)), []);
    assert_eq!(bench.register(false, DROPPED, 0), 2, "no way back");
}

#[test]
fn what_finds_its_target_busy_is_dropped_and_so_is_what_nobody_knows() {
    let mut bench = Bench::new();
    bench.inputs.messages[2].busy = true;
    assert_eq!(bench.bring(0, message(Kind::Read, 0, 1, 2)), []);
    assert_eq!(bench.bring(2, message(Kind::Read, 1, 1, 0)), []);
    let unknown = message(Kind::Read, 1, 1, 0);
    assert_eq!(bench.bring(0, with(unknown, 0, unknown[0] + 1)), []);
    assert_eq!(bench.bring(0, with(unknown, 0, unknown[0] | 0x400)), []);
    assert_eq!(bench.bring(0, message(Kind::Answer, 0, 1, 2)), []);
    assert_eq!(bench.register(false, DROPPED, 0), 5);
    bench.bring(0, message(Kind::Answer, 1, 2, 0));
    bench.bring(0, message(Kind::Answer, 1, 1, 0));
    assert_eq!(bench.take(), Some(message(Kind::Answer, 0, 2, 0)), "first");
    assert_eq!(bench.register(false, DROPPED, 0), 6);
}

#[test]
fn a_reset_opens_the_block_and_forgets_the_writes() {
    let mut bench = Bench::new();
    bench.bring(0, message(Kind::Write, 1, 1, 0));
    bench.register(true, KEY, 7);
    bench.inputs.rst = true;
    bench.cycle();
    bench.inputs.rst = false;
    let sent = bench.bring(0, message(Kind::Write, 1, 1, 0));
    assert_eq!(verdict(&sent[0].1), (2, 0));
    assert_eq!(bench.written.len(), 2);
}

#[test]
fn an_access_of_the_pins_that_has_begun_is_finished_first() {
    let mut bench = Bench::new();
    bench.inputs.master = ControlPins {
        arvalid: true,
        araddr: 0x80,
        ..ControlPins::default()
    };
    bench.received[0] = Some(message(Kind::Write, 1, 1, 0));
    bench.run(60);
    assert_eq!(bench.written, [], "the answer to the pins is not taken");
    bench.inputs.master = ControlPins {
        rready: true,
        ..ControlPins::default()
    };
    let outputs = bench.cycle();
    assert_eq!((outputs.master.rvalid, outputs.master.rdata), (true, 0x81));
    bench.run(30);
    assert_eq!(bench.written, [(0x44, 0x55)]);
}

#[test]
fn the_pins_wait_for_the_access_of_a_message() {
    let mut bench = Bench::new();
    bench.received[0] = Some(message(Kind::Read, 1, 1, 0));
    while !bench.cycle().window.arvalid {}
    bench.inputs.master = ControlPins {
        arvalid: true,
        araddr: 0x80,
        rready: true,
        ..ControlPins::default()
    };
    let mut shown = Vec::new();
    while bench.sent.is_empty() || shown.is_empty() {
        let outputs = bench.cycle();
        if outputs.master.arready {
            bench.inputs.master.arvalid = false;
        }
        if outputs.master.rvalid {
            assert!(!bench.sent.is_empty(), "the message has left");
            shown.push(outputs.master.rdata);
        }
    }
    assert_eq!(bench.sent[0].1[7], 0x45);
    assert_eq!(shown, [0x81]);
}
