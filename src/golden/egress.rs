//! Egress of a PCIe-side port: packets go to the host one at a time, and a host that refuses
//! them too long loses them (section 3.2 of `docs/microarchitecture.md`).

use super::flit::{FlitTag, TransmittedFlit};
use super::header;
use crate::design::BlockModule;

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
    length: u32,
    /// n
    beats: u32,
    crc_fault: bool,
    /// Payload beats so far.
    arrived: u32,
}

/// First flit and number of flits of a channel's FIFO.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    head: usize,
    length: usize,
}

#[derive(Debug, Clone)]
pub struct Egress {
    words: usize,
    channels: usize,
    /// KB
    bytes: u32,
    /// C
    capacity: usize,
    host_timeout: u32,
    crc: header::Crc,

    rings: Vec<Ring>,
    tags: Vec<FlitTag>,
    memory: Vec<u64>,
    current: Option<usize>,
    next_channel: usize,
    expected: Expected,
    register: Option<Register>,
    register_data: Vec<u64>,
    stall: u32,
    mode: Mode,
    truncated: bool,
    /// The tx_credit registers, one bit a channel.
    credit: u8,
}

impl Egress {
    pub fn new(module: &BlockModule) -> Egress {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        let words = parameters.flit_bits as usize / 64;
        let capacity = parameters.rx_buffer_flits as usize;
        Egress {
            words,
            channels,
            bytes: parameters.flit_bits / 8,
            capacity,
            host_timeout: parameters.host_timeout,
            crc: header::Crc::of(module),
            rings: vec![Ring::default(); channels],
            tags: vec![FlitTag::default(); channels * capacity],
            memory: vec![0; channels * capacity * words],
            current: None,
            next_channel: 0,
            expected: Expected::default(),
            register: None,
            register_data: vec![0; words],
            stall: 0,
            mode: Mode::Normal,
            truncated: false,
            credit: 0,
        }
    }

    pub fn reset(&mut self) {
        self.rings.fill(Ring::default());
        self.current = None;
        self.next_channel = 0;
        self.expected = Expected::default();
        self.register = None;
        self.stall = 0;
        self.mode = Mode::Normal;
        self.truncated = false;
        self.credit = 0;
    }

    /// Whether a cycle in which nothing arrives changes nothing.
    pub fn is_at_rest(&self) -> bool {
        self.register.is_none()
            && self.mode == Mode::Normal
            && self.credit == 0
            && self.stall == 0
            && self.rings.iter().all(|ring| ring.length == 0)
    }

    /// The tx_credit registers, one bit a channel.
    pub fn credit(&self) -> u8 {
        self.credit
    }

    /// The output register.
    pub fn beat(&self) -> Option<OutputBeat<'_>> {
        self.register.map(|register| OutputBeat {
            data: &self.register_data,
            keep: register.keep,
            last: register.last,
            user: register.user,
        })
    }

    /// The clock edge; `arriving` is on the core's tx pins in this cycle. `ready`: the beat in the
    /// register, if there is one, is taken; `host_stalls`: the host refuses the beat on its pins.
    pub fn step(
        &mut self,
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
            Mode::Normal if can_load => self.load(),
            Mode::Normal => Delivery::Nothing,
            Mode::Dropping => {
                if can_load && !host_stalls {
                    self.end_stalled_packet();
                }
                self.throw_away()
            }
            Mode::Leaving if self.current.is_some() => self.throw_away(),
            Mode::Leaving => {
                self.mode = Mode::Normal;
                Delivery::Nothing
            }
        };
        self.count_stall(host_stalls, mode);
        if let Some(flit) = arriving {
            self.store(flit);
        }
        delivery
    }

    /// Bytes of the stored flits.
    pub fn buffer_bytes(&self) -> usize {
        size_of_val(&*self.memory) + size_of_val(&*self.tags)
    }

    pub fn describe(&self) -> String {
        if self.is_at_rest() && self.current.is_none() {
            return String::new();
        }
        let lengths: Vec<usize> = self.rings.iter().map(|ring| ring.length).collect();
        format!(
            "egress: {lengths:?} flits by channel, current channel {:?}, next {}, {:?}, \
             stalled {} cycles, register {:?}",
            self.current, self.next_channel, self.mode, self.stall, self.register,
        )
    }

    fn all_keep(&self) -> u64 {
        u64::MAX >> (64 - self.bytes)
    }

    /// The channel whose flit is next, if it has one.
    fn next_flit_channel(&self) -> Option<usize> {
        let has_flit = |channel: &usize| self.rings[*channel].length > 0;
        match self.current {
            Some(channel) => Some(channel).filter(has_flit),
            None => (0..self.channels)
                .map(|offset| (self.next_channel + offset) % self.channels)
                .find(has_flit),
        }
    }

    /// Removes the oldest flit of a channel, gives its credit back and follows the packet.
    /// Returns the flit's place in the memory and whether it is a header.
    fn take(&mut self, channel: usize) -> (usize, bool) {
        let ring = &mut self.rings[channel];
        let place = channel * self.capacity + ring.head;
        ring.head = if ring.head + 1 == self.capacity {
            0
        } else {
            ring.head + 1
        };
        ring.length -= 1;
        self.credit |= 1 << channel;
        let is_header = self.current.is_none();
        if self.tags[place].last {
            self.current = None;
            self.next_channel = (channel + 1) % self.channels;
        } else {
            self.current = Some(channel);
        }
        (place, is_header)
    }

    /// Normal mode: the next flit, if there is one, enters the output register.
    fn load(&mut self) -> Delivery {
        let Some(channel) = self.next_flit_channel() else {
            return Delivery::Nothing;
        };
        let (place, is_header) = self.take(channel);
        let tag = self.tags[place];
        let data = &self.memory[place * self.words..][..self.words];
        self.register_data.copy_from_slice(data);
        if is_header {
            let length = header::length(data[0]);
            self.expected = Expected {
                length,
                beats: length.div_ceil(self.bytes),
                crc_fault: !self.crc.is_right(data[0]),
                arrived: 0,
            };
        } else {
            self.expected.arrived += 1;
        }
        if !tag.last {
            self.register = Some(Register {
                keep: self.all_keep(),
                last: false,
                user: false,
            });
            return Delivery::Nothing;
        }
        let delivery = self.judge(tag.bad);
        self.register = Some(self.last_beat(delivery));
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

    fn last_beat(&self, delivery: Delivery) -> Register {
        let user = delivery != Delivery::Whole;
        let Expected { length, beats, .. } = self.expected;
        let keep = if user || beats == 0 {
            self.all_keep()
        } else {
            u64::MAX >> (64 - (length - (beats - 1) * self.bytes))
        };
        Register {
            keep,
            last: true,
            user,
        }
    }

    /// Dropping mode: the host took the beat that it had refused, and the register is empty.
    fn end_stalled_packet(&mut self) {
        if self.truncated {
            self.truncated = false;
            self.register_data.fill(0);
            self.register = Some(Register {
                keep: self.all_keep(),
                last: true,
                user: true,
            });
        } else {
            self.mode = Mode::Leaving;
        }
    }

    fn throw_away(&mut self) -> Delivery {
        let Some(channel) = self.next_flit_channel() else {
            return Delivery::Nothing;
        };
        let (place, _) = self.take(channel);
        if self.tags[place].last {
            Delivery::TimeoutDrop
        } else {
            Delivery::Nothing
        }
    }

    /// `mode` is that of the start of the cycle, `current` that of its end.
    fn count_stall(&mut self, host_stalls: bool, mode: Mode) {
        if mode != Mode::Normal || !host_stalls {
            self.stall = 0;
            return;
        }
        self.stall = self.stall.saturating_add(1);
        if self.host_timeout != 0 && self.stall == self.host_timeout {
            self.mode = Mode::Dropping;
            self.truncated = self.current.is_some();
        }
    }

    fn store(&mut self, flit: TransmittedFlit<'_>) {
        let channel = usize::from(flit.tag.channel);
        let ring = &mut self.rings[channel];
        debug_assert!(
            ring.length < self.capacity,
            "egress channel {channel} overflows"
        );
        let behind = ring.head + ring.length;
        let wrapped = if behind < self.capacity {
            behind
        } else {
            behind - self.capacity
        };
        let place = channel * self.capacity + wrapped;
        ring.length += 1;
        self.tags[place] = flit.tag;
        self.memory[place * self.words..][..self.words].copy_from_slice(flit.data);
    }
}
