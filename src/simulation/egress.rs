//! Egress of a PCIe-side port: packets go to the host one at a time, and a host that refuses
//! them too long loses them (section 3.2 of `docs/microarchitecture.md`).

use super::egress_fifos::{EgressFifos, FifoShape};
use super::flit::{FlitTag, TransmittedFlit};
use mkns_contract::header;
use mkns_design::BlockModule;

/// A beat in the output register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputBeat<'a> {
    pub data: &'a [u64],
    pub keep: u64,
    pub last: bool,
    pub user: bool,
}

/// The packet that ended in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Nothing,
    Whole,
    CrcFault,
    LengthFault,
    Bad,
    TimeoutDrop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    Dropping,
    Leaving,
}

/// The output register without its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Register {
    keep: u64,
    last: bool,
    user: bool,
}

/// What the header of the packet under way announced, and what has come.
#[derive(Debug, Clone, Copy, Default)]
struct Expected {
    /// Payload bytes.
    length: u16,
    /// n
    beats: u32,
    crc_fault: bool,
    /// Payload beats so far.
    arrived: u32,
}

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct EgressShape {
    fifos: FifoShape,
    /// KB
    bytes: u32,
    host_timeout: u32,
    crc: header::Crc,
}

#[derive(Debug, Clone)]
pub struct Egress {
    /// With the data of the output register.
    fifos: EgressFifos,
    current: Option<u8>,
    next_channel: u8,
    expected: Expected,
    register: Option<Register>,
    stall: u32,
    mode: Mode,
    truncated: bool,
    /// The tx_credit registers, one bit a channel.
    credit: u8,
}

impl EgressShape {
    pub fn new(module: &BlockModule) -> EgressShape {
        let parameters = &module.parameters;
        EgressShape {
            fifos: FifoShape::new(module),
            bytes: parameters.flit_bits / 8,
            host_timeout: parameters.host_timeout,
            crc: header::Crc::of(module),
        }
    }

    /// A header word with the CRC that is right here.
    pub fn with_crc(&self, word: u64) -> u64 {
        self.crc.stamp(word)
    }

    fn all_keep(&self) -> u64 {
        u64::MAX >> (64 - self.bytes)
    }
}

impl Egress {
    pub fn new(shape: &EgressShape) -> Egress {
        Egress {
            fifos: EgressFifos::new(&shape.fifos),
            current: None,
            next_channel: 0,
            expected: Expected::default(),
            register: None,
            stall: 0,
            mode: Mode::Normal,
            truncated: false,
            credit: 0,
        }
    }

    /// Whether a cycle in which nothing arrives changes nothing.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.register.is_none()
            && self.mode == Mode::Normal
            && self.credit == 0
            && self.stall == 0
            && self.fifos.are_empty()
    }

    /// The tx_credit registers, one bit a channel.
    #[inline]
    pub fn credit(&self) -> u8 {
        self.credit
    }

    /// The output register.
    #[inline]
    pub fn beat(&self, shape: &EgressShape) -> Option<OutputBeat<'_>> {
        self.register.map(|register| OutputBeat {
            data: self.fifos.register(&shape.fifos),
            keep: register.keep,
            last: register.last,
            user: register.user,
        })
    }

    /// The clock edge; `arriving` is on the core's tx pins in this cycle. `ready`: the beat in the
    /// register, if there is one, is taken; `host_stalls`: the host refuses the beat on its pins.
    #[inline(always)]
    pub fn step(
        &mut self,
        shape: &EgressShape,
        ready: bool,
        host_stalls: bool,
        arriving: Option<TransmittedFlit<'_>>,
    ) -> Delivery {
        self.credit = 0;
        let mode = self.mode;
        let can_load = self.register.is_none() || ready;
        if can_load {
            self.register = None;
        }
        let delivery = match mode {
            Mode::Normal if can_load => self.load(shape),
            Mode::Normal => Delivery::Nothing,
            Mode::Dropping => {
                if can_load && !host_stalls {
                    self.end_stalled_packet(shape);
                }
                self.throw_away(shape)
            }
            Mode::Leaving if self.current.is_some() => self.throw_away(shape),
            Mode::Leaving => {
                self.mode = Mode::Normal;
                Delivery::Nothing
            }
        };
        self.count_stall(shape, host_stalls, mode);
        if let Some(flit) = arriving {
            self.fifos.store(&shape.fifos, flit);
        }
        delivery
    }

    /// What becomes of a flit that arrives at rest, before a host that is always ready: in the next cycle it
    /// is loaded, in the one after the host takes its beat and the tx_credit register shows its credit.
    /// None, and nothing done, while another channel's packet is under way: then the flit has to wait in its FIFO.
    #[inline]
    pub fn pass(&mut self, shape: &EgressShape, flit: TransmittedFlit<'_>) -> Option<Delivery> {
        debug_assert!(self.is_at_rest());
        let FlitTag { channel, last, bad } = flit.tag;
        if self.current.is_some_and(|current| current != channel) {
            return None;
        }
        let is_header = self.current.is_none();
        self.follow(shape, channel, last);
        self.count_beat(shape, is_header, flit.data[0]);
        Some(if last {
            self.judge(bad)
        } else {
            Delivery::Nothing
        })
    }

    /// Takes a blank flit in the middle of the packet under way as `pass` does; false, and nothing done, for another one.
    #[inline(always)]
    pub fn pass_blank(&mut self, channel: u8) -> bool {
        debug_assert!(self.is_at_rest());
        let follows = self.current == Some(channel);
        self.expected.arrived += u32::from(follows);
        follows
    }

    /// Prefetches where the next flits are written and read, if any wait: others need no memory.
    #[inline]
    pub fn prefetch(&self, shape: &EgressShape) {
        if !self.is_at_rest() {
            self.fifos.prefetch(&shape.fifos);
        }
    }

    /// Bytes of the stored flits.
    pub fn buffer_bytes(&self) -> usize {
        self.fifos.bytes()
    }

    /// Removes the next flit, if there is one, gives its credit back and follows the packet. Returns the
    /// flit's place in the FIFOs, its tag and whether it is a header.
    #[inline(always)]
    fn take(&mut self, shape: &EgressShape) -> Option<(usize, FlitTag, bool)> {
        let channel = self.fifos.next_channel(self.current, self.next_channel)?;
        let (place, tag) = self.fifos.take(&shape.fifos, channel);
        let is_header = self.current.is_none();
        self.credit |= 1 << channel;
        self.follow(shape, channel, tag.last);
        Some((place, tag, is_header))
    }

    /// The packet of a flit that leaves is the one under way, unless this was its last flit.
    #[inline(always)]
    fn follow(&mut self, shape: &EgressShape, channel: u8, last: bool) {
        self.current = (!last).then_some(channel);
        if last {
            // V is a power of two.
            self.next_channel = (channel + 1) & (shape.fifos.channels() - 1);
        }
    }

    /// A header announces what is to come, another flit is a part of it. `word`: its low 64 bits.
    #[inline(always)]
    fn count_beat(&mut self, shape: &EgressShape, is_header: bool, word: u64) {
        if !is_header {
            self.expected.arrived += 1;
            return;
        }
        let length = header::length(word);
        self.expected = Expected {
            length: length as u16,
            beats: length.div_ceil(shape.bytes),
            crc_fault: !shape.crc.is_right(word),
            arrived: 0,
        };
    }

    /// Normal mode: the next flit, if there is one, enters the output register.
    #[inline]
    fn load(&mut self, shape: &EgressShape) -> Delivery {
        let Some((place, tag, is_header)) = self.take(shape) else {
            return Delivery::Nothing;
        };
        self.fifos.load(&shape.fifos, place);
        let word = self.fifos.register(&shape.fifos)[0];
        self.count_beat(shape, is_header, word);
        if !tag.last {
            self.register = Some(Register {
                keep: shape.all_keep(),
                last: false,
                user: false,
            });
            return Delivery::Nothing;
        }
        let delivery = self.judge(tag.bad);
        self.register = Some(self.last_beat(shape, delivery));
        delivery
    }

    fn judge(&self, bad: bool) -> Delivery {
        if self.expected.crc_fault {
            Delivery::CrcFault
        } else if self.expected.arrived != self.expected.beats {
            Delivery::LengthFault
        } else if bad {
            Delivery::Bad
        } else {
            Delivery::Whole
        }
    }

    fn last_beat(&self, shape: &EgressShape, delivery: Delivery) -> Register {
        let user = delivery != Delivery::Whole;
        let Expected { length, beats, .. } = self.expected;
        let keep = if user || beats == 0 {
            shape.all_keep()
        } else {
            u64::MAX >> (64 - (u32::from(length) - (beats - 1) * shape.bytes))
        };
        Register {
            keep,
            last: true,
            user,
        }
    }

    /// Dropping mode: the host took the beat that it had refused, and the register is empty.
    fn end_stalled_packet(&mut self, shape: &EgressShape) {
        if self.truncated {
            self.truncated = false;
            self.fifos.clear_register(&shape.fifos);
            self.register = Some(Register {
                keep: shape.all_keep(),
                last: true,
                user: true,
            });
        } else {
            self.mode = Mode::Leaving;
        }
    }

    fn throw_away(&mut self, shape: &EgressShape) -> Delivery {
        match self.take(shape) {
            Some((_, FlitTag { last: true, .. }, _)) => Delivery::TimeoutDrop,
            _ => Delivery::Nothing,
        }
    }

    /// `mode` is that of the start of the cycle, `current` that of its end.
    #[inline]
    fn count_stall(&mut self, shape: &EgressShape, host_stalls: bool, mode: Mode) {
        if mode != Mode::Normal || !host_stalls {
            self.stall = 0;
            return;
        }
        self.stall = self.stall.saturating_add(1);
        if shape.host_timeout != 0 && self.stall == shape.host_timeout {
            self.mode = Mode::Dropping;
            self.truncated = self.current.is_some();
        }
    }
}
