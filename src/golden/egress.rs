//! Egress of a PCIe-side port: packets go to the host one at a time, and a host that refuses
//! them too long loses them (section 3.2 of `docs/microarchitecture.md`).

use super::flit::{FlitTag, TransmittedFlit, copy_to_front, copy_words};
use super::header;
use super::prefetch::prefetch_at;
use crate::design::BlockModule;

/// Most virtual channels.
const MAX_CHANNELS: usize = 4;

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
    head: u16,
    length: u16,
}

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct EgressShape {
    words: usize,
    channels: usize,
    /// KB
    bytes: u32,
    /// C
    capacity: usize,
    host_timeout: u32,
    crc: header::Crc,
}

#[derive(Debug, Clone)]
pub struct Egress {
    /// By channel.
    rings: [Ring; MAX_CHANNELS],
    /// The data of the output register, then flits with their tag in front of their data.
    memory: Box<[u64]>,
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
            words: parameters.flit_bits as usize / 64,
            channels: parameters.virtual_channels as usize,
            bytes: parameters.flit_bits / 8,
            capacity: parameters.rx_buffer_flits as usize,
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

    /// Where a flit lies in the memory; `number` counts from the first place of the channel and may
    /// be past the last one.
    #[inline]
    fn place(&self, channel: usize, number: usize) -> usize {
        let wrapped = if number < self.capacity {
            number
        } else {
            number - self.capacity
        };
        self.words + (channel * self.capacity + wrapped) * (self.words + 1)
    }
}

impl Egress {
    pub fn new(shape: &EgressShape) -> Egress {
        let memory = shape.words + shape.channels * shape.capacity * (shape.words + 1);
        Egress {
            rings: [Ring::default(); MAX_CHANNELS],
            memory: vec![0; memory].into(),
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

    pub fn reset(&mut self) {
        self.rings = [Ring::default(); MAX_CHANNELS];
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
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.register.is_none()
            && self.mode == Mode::Normal
            && self.credit == 0
            && self.stall == 0
            && self.rings.iter().fold(0, |all, ring| all | ring.length) == 0
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
            data: &self.memory[..shape.words],
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
            self.store(shape, flit);
        }
        delivery
    }

    /// Prefetches where the next flits are written and read.
    #[inline]
    pub fn prefetch(&self, shape: &EgressShape) {
        for (channel, ring) in self.rings[..shape.channels].iter().enumerate() {
            prefetch_at(&self.memory, shape.place(channel, ring.head.into()));
        }
    }

    /// Bytes of the stored flits.
    pub fn buffer_bytes(&self) -> usize {
        size_of_val(&*self.memory)
    }

    pub fn describe(&self, shape: &EgressShape) -> String {
        if self.is_at_rest() && self.current.is_none() {
            return String::new();
        }
        let rings = &self.rings[..shape.channels];
        let lengths: Vec<u16> = rings.iter().map(|ring| ring.length).collect();
        format!(
            "egress: {lengths:?} flits by channel, current channel {:?}, next {}, {:?}, \
             stalled {} cycles, register {:?}",
            self.current, self.next_channel, self.mode, self.stall, self.register,
        )
    }

    /// The channel whose flit is next, if it has one.
    #[inline]
    fn next_flit_channel(&self, shape: &EgressShape) -> Option<usize> {
        let has_flit = |channel: &usize| self.rings[*channel].length > 0;
        match self.current {
            Some(channel) => Some(usize::from(channel)).filter(has_flit),
            // V is a power of two.
            None => (0..shape.channels)
                .map(|offset| (usize::from(self.next_channel) + offset) & (shape.channels - 1))
                .find(has_flit),
        }
    }

    /// Removes the oldest flit of a channel, gives its credit back and follows the packet.
    /// Returns the flit's place in the memory, its tag and whether it is a header.
    #[inline]
    fn take(&mut self, shape: &EgressShape, channel: usize) -> (usize, FlitTag, bool) {
        let ring = &mut self.rings[channel];
        let place = shape.place(channel, ring.head.into());
        ring.length -= 1;
        // An empty FIFO starts again at its first place: few cache lines at low load.
        let wraps = ring.length == 0 || usize::from(ring.head) + 1 == shape.capacity;
        ring.head = if wraps { 0 } else { ring.head + 1 };
        self.credit |= 1 << channel;
        let is_header = self.current.is_none();
        let tag = unpacked(self.memory[place], channel);
        if tag.last {
            self.current = None;
            self.next_channel = ((channel + 1) & (shape.channels - 1)) as u8;
        } else {
            self.current = Some(channel as u8);
        }
        (place, tag, is_header)
    }

    /// Normal mode: the next flit, if there is one, enters the output register.
    #[inline]
    fn load(&mut self, shape: &EgressShape) -> Delivery {
        let Some(channel) = self.next_flit_channel(shape) else {
            return Delivery::Nothing;
        };
        let (place, tag, is_header) = self.take(shape, channel);
        copy_to_front(&mut self.memory, place + 1, shape.words);
        if is_header {
            let header = self.memory[0];
            let length = header::length(header);
            self.expected = Expected {
                length,
                beats: length.div_ceil(shape.bytes),
                crc_fault: !shape.crc.is_right(header),
                arrived: 0,
            };
        } else {
            self.expected.arrived += 1;
        }
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
            u64::MAX >> (64 - (length - (beats - 1) * shape.bytes))
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
            self.memory[..shape.words].fill(0);
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
        let Some(channel) = self.next_flit_channel(shape) else {
            return Delivery::Nothing;
        };
        let (_, tag, _) = self.take(shape, channel);
        if tag.last {
            Delivery::TimeoutDrop
        } else {
            Delivery::Nothing
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

    #[inline]
    fn store(&mut self, shape: &EgressShape, flit: TransmittedFlit<'_>) {
        let channel = usize::from(flit.tag.channel);
        let ring = &mut self.rings[channel];
        debug_assert!(
            usize::from(ring.length) < shape.capacity,
            "egress channel {channel} overflows"
        );
        let place = shape.place(channel, usize::from(ring.head + ring.length));
        ring.length += 1;
        self.memory[place] = packed(flit.tag);
        copy_words(&mut self.memory[place + 1..][..shape.words], flit.data);
    }
}

/// The tag of a stored flit but for its channel, which follows from where it lies.
fn packed(tag: FlitTag) -> u64 {
    u64::from(tag.last) | u64::from(tag.bad) << 1
}

fn unpacked(packed: u64, channel: usize) -> FlitTag {
    FlitTag {
        channel: channel as u8,
        last: packed & 1 == 1,
        bad: packed >> 1 & 1 == 1,
    }
}
