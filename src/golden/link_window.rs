//! 7.9: the registers of link ports, and of the management unit, in front of a block's control port.

use mkns_cable::RegisterAccess;
use mkns_design::Pins;

use crate::control_port::{ControlPins, ReadAnswer};
use crate::management_unit::has_register;

/// Bits 19:12 of the addresses that lead to link ports, and of those that lead to the unit.
const LINKS: u32 = 0x05;
const UNIT: u32 = 0x07;
/// Address and contents of the register that the window answers itself where there is a unit.
const VERSION: u32 = 0x00004;
const VERSION_WITH_UNIT: u32 = 0x101;
/// The number of the block, which the window keeps where there is a unit.
const BLOCK_NUMBER: u32 = 0x00028;
/// Words that can be written; all before the last of them can be read.
const WRITABLE: std::ops::RangeInclusive<u32> = 21..=23;
const READABLE: std::ops::RangeInclusive<u32> = 0..=22;
const OKAY: u32 = 0;
const SLAVE_ERROR: u32 = 2;

/// Whose registers an access leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// By network port.
    Link(usize),
    Unit,
}

/// The window of a board.
#[derive(Debug, Clone)]
pub struct LinkWindow {
    /// Bit p for a link at port p.
    links: u32,
    has_unit: bool,
    writes: bool,
    reads: bool,
    write_accepted: bool,
    read_accepted: bool,
    /// bresp while bvalid.
    write_answer: Option<u32>,
    read_answer: Option<ReadAnswer>,
    /// What the answers will say.
    write_response: u32,
    read: ReadAnswer,
    /// BLOCK_NUMBER
    block_number: u16,
}

fn port(address: u32) -> u32 {
    address >> 7 & 31
}

fn word(address: u32) -> u32 {
    address >> 2 & 31
}

impl LinkWindow {
    /// In reset.
    pub fn new(links: u32, has_unit: bool) -> Self {
        Self {
            links,
            has_unit,
            writes: false,
            reads: false,
            write_accepted: false,
            read_accepted: false,
            write_answer: None,
            read_answer: None,
            write_response: OKAY,
            read: ReadAnswer::new(None),
            block_number: 0,
        }
    }

    /// A cycle with `rst`; `block_number` is the pin.
    pub fn reset(&mut self, block_number: u16) {
        *self = Self {
            block_number,
            ..Self::new(self.links, self.has_unit)
        };
    }

    /// What link ports announce: the register where there is a unit, otherwise the pin.
    pub fn announced(&self, pin: u16) -> u16 {
        match self.has_unit {
            true => self.block_number,
            false => pin,
        }
    }

    /// The register pins of this cycle: whose, and what. `inputs` are those of the board.
    pub fn access(&self, pins: &Pins, inputs: &[u64]) -> Option<(Owner, RegisterAccess)> {
        let master = ControlPins::on(pins, inputs);
        let address = match (self.writes, self.reads) {
            (true, _) => master.awaddr,
            (false, true) => master.araddr,
            (false, false) => return None,
        };
        let access = RegisterAccess {
            write: self.writes,
            address: word(address),
            wdata: master.wdata,
        };
        let owner = match self.is_of_unit(address) {
            true => Owner::Unit,
            false => Owner::Link(port(address) as usize),
        };
        Some((owner, access))
    }

    /// What the block sees of the master: takes from its inputs, those of the board, what is not for it.
    pub fn hide(&self, pins: &Pins, inputs: &mut [u64]) {
        let at = &pins.control_in;
        let master = ControlPins::on(pins, inputs);
        let write_passes = !self.is_write_here(master.awaddr) && self.write_answer.is_none();
        inputs[at.awvalid] &= u64::from(write_passes);
        inputs[at.wvalid] &= u64::from(write_passes && master.awvalid);
        inputs[at.bready] &= u64::from(self.write_answer.is_none());
        let read_passes = !self.is_read_here(master.araddr) && self.read_answer.is_none();
        inputs[at.arvalid] &= u64::from(read_passes);
        inputs[at.rready] &= u64::from(self.read_answer.is_none());
    }

    /// What the master sees: changes the outputs of the block to those of the board.
    pub fn show(&self, pins: &Pins, inputs: &[u64], outputs: &mut [u64]) {
        let at = &pins.control_out;
        let master = ControlPins::on(pins, inputs);
        if self.is_write_here(master.awaddr) {
            outputs[at.awready] = self.write_accepted.into();
        }
        // The block takes both in one cycle.
        outputs[at.wready] = outputs[at.awready];
        if let Some(response) = self.write_answer {
            outputs[at.bvalid] = 1;
            outputs[at.bresp] = response.into();
        }
        if self.is_read_here(master.araddr) {
            outputs[at.arready] = self.read_accepted.into();
        }
        if let Some(answer) = self.read_answer {
            outputs[at.rvalid] = 1;
            outputs[at.rdata] = answer.data.into();
            outputs[at.rresp] = answer.response.into();
        }
    }

    /// The edge. `outputs` are those of the block, `ready` what the port that is asked has on its reg_rdata with
    /// reg_ready.
    pub fn clock(&mut self, pins: &Pins, inputs: &[u64], outputs: &[u64], ready: Option<u32>) {
        let at = &pins.control_out;
        let master = ControlPins::on(pins, inputs);
        let before = self.clone();
        let rests =
            !(before.writes || before.reads || before.write_accepted || before.read_accepted);
        let starts_write = rests
            && master.awvalid
            && master.wvalid
            && self.is_write_here(master.awaddr)
            && before.write_answer.is_none()
            && outputs[at.bvalid] == 0;
        let starts_read = rests
            && !starts_write
            && master.arvalid
            && self.is_read_here(master.araddr)
            && before.read_answer.is_none()
            && outputs[at.rvalid] == 0;
        let legal_write = master.wstrb == 15 && self.is_there(true, master.awaddr);
        let writes_number = self.is_number(master.awaddr);
        let own_word = self.own_word(master.araddr);
        let legal_read = self.is_there(false, master.araddr);
        let done = ready.is_some();

        self.writes = match before.writes {
            true => !done,
            false => starts_write && legal_write && !writes_number,
        };
        self.reads = match before.reads {
            true => !done,
            false => starts_read && legal_read && own_word.is_none(),
        };
        self.write_accepted = match before.writes {
            true => done,
            false => starts_write && (!legal_write || writes_number),
        };
        self.read_accepted = match before.reads {
            true => done,
            false => starts_read && (!legal_read || own_word.is_some()),
        };
        if starts_write {
            self.write_response = if legal_write { OKAY } else { SLAVE_ERROR };
            if legal_write && writes_number {
                self.block_number = master.wdata as u16;
            }
        }
        if starts_read {
            self.read = ReadAnswer::new(own_word.or(legal_read.then_some(0)));
        } else if let (true, Some(data)) = (before.reads, ready) {
            self.read = ReadAnswer::new(Some(data));
        }
        self.write_answer = match before.write_accepted {
            true => Some(before.write_response),
            false => before.write_answer.filter(|_| !master.bready),
        };
        self.read_answer = match before.read_accepted {
            true => Some(before.read),
            false => before.read_answer.filter(|_| !master.rready),
        };
    }

    fn is_of_unit(&self, address: u32) -> bool {
        self.has_unit && address >> 12 == UNIT
    }

    fn is_here(&self, address: u32) -> bool {
        address >> 12 == LINKS || self.is_of_unit(address)
    }

    fn is_number(&self, address: u32) -> bool {
        self.has_unit && address == BLOCK_NUMBER
    }

    /// What the window itself answers to a read.
    fn own_word(&self, address: u32) -> Option<u32> {
        match address {
            VERSION if self.has_unit => Some(VERSION_WITH_UNIT),
            BLOCK_NUMBER if self.has_unit => Some(self.block_number.into()),
            _ => None,
        }
    }

    fn is_write_here(&self, address: u32) -> bool {
        self.is_here(address) || self.is_number(address)
    }

    fn is_read_here(&self, address: u32) -> bool {
        self.is_here(address) || self.own_word(address).is_some()
    }

    /// A whole word of a port with a link, or of the unit, or the number of the block.
    fn is_there(&self, write: bool, address: u32) -> bool {
        let exists = match (self.is_of_unit(address), write) {
            _ if self.is_number(address) => true,
            (true, _) => port(address) == 0 && has_register(write, word(address)),
            (false, true) => self.has_link(address) && WRITABLE.contains(&word(address)),
            (false, false) => self.has_link(address) && READABLE.contains(&word(address)),
        };
        address.is_multiple_of(4) && exists
    }

    fn has_link(&self, address: u32) -> bool {
        self.links >> port(address) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design::Plan;

    const PORT: usize = 2;

    /// An adapter block with links at two ports.
    struct Bench {
        pins: Pins,
        window: LinkWindow,
        inputs: Vec<u64>,
        outputs: Vec<u64>,
    }

    impl Bench {
        fn new() -> Self {
            let spec = mkns_spec::parse("MKNS(2,3x3,2,1)").expect("a valid spec");
            let plan: Plan = mkns_design::build(&spec).expect("a plan");
            let pins = Pins::new(&plan.modules[0]);
            Self {
                window: LinkWindow::new(1 << PORT, true),
                inputs: vec![0; pins.input_words],
                outputs: vec![0; pins.output_words],
                pins,
            }
        }

        /// Cycles until the answer to a read: the asked port's number, and what the master gets.
        fn read(&mut self, address: u32) -> (Option<Owner>, ReadAnswer) {
            let at = &self.pins.control_in;
            self.inputs[at.araddr] = address.into();
            self.inputs[at.arvalid] = 1;
            self.inputs[at.rready] = 1;
            let mut asked = None;
            for _ in 0..20 {
                let mut shown = self.outputs.clone();
                self.window.show(&self.pins, &self.inputs, &mut shown);
                let mut hidden = self.inputs.clone();
                self.window.hide(&self.pins, &mut hidden);
                assert_eq!(
                    hidden[self.pins.control_in.arvalid], 0,
                    "the block sees nothing"
                );
                let access = self.window.access(&self.pins, &self.inputs);
                asked = asked.or(access.map(|(owner, _)| owner));
                self.window.clock(
                    &self.pins,
                    &self.inputs,
                    &self.outputs,
                    access.map(|(_, access)| access.address + 100),
                );
                let out = &self.pins.control_out;
                if shown[out.arready] == 1 {
                    self.inputs[self.pins.control_in.arvalid] = 0;
                }
                if shown[out.rvalid] == 1 {
                    let answer = ReadAnswer {
                        data: shown[out.rdata] as u32,
                        response: shown[out.rresp] as u32,
                    };
                    return (asked, answer);
                }
            }
            panic!("no answer");
        }
    }

    #[test]
    fn a_register_of_a_link_is_read_and_others_are_refused() {
        let mut bench = Bench::new();
        let answer = |data, response| ReadAnswer { data, response };
        let link = Some(Owner::Link(PORT));
        assert_eq!(bench.read(0x05100 + 4 * 7), (link, answer(107, 0)));
        assert_eq!(bench.read(0x05080), (None, answer(0, 2)), "no link");
        assert_eq!(bench.read(0x05101), (None, answer(0, 2)), "no whole word");
        assert_eq!(bench.read(0x0515c), (None, answer(0, 2)), "INJECT");
        let unit = Some(Owner::Unit);
        assert_eq!(bench.read(0x07020), (unit, answer(108, 0)), "RECEIVED");
        assert_eq!(bench.read(0x0701c), (None, answer(0, 2)), "SEND");
        assert_eq!(bench.read(0x00004), (None, answer(0x101, 0)), "VERSION");
        bench.window.reset(0x8765);
        assert_eq!(bench.read(0x00028), (None, answer(0x8765, 0)), "the pin");
        assert_eq!(bench.window.announced(0), 0x8765);
        assert_eq!(LinkWindow::new(0, false).announced(9), 9, "no register");
    }
}
