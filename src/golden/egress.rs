//! 3.2: egress, network to host, of one PCIe port. Beats have the width of flits.

use std::collections::VecDeque;

use mkns_design::BlockModule;

use crate::beat::low_ones;
use crate::note::note;
use crate::pcie_counters::PcieCounter;
use crate::{Beat, Data, Flit, header};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Normal,
    Dropping,
    Leaving,
}

/// What the host does at its pins in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMove {
    /// tvalid without tready.
    Stalls,
    /// It takes a beat with tlast.
    EndsPacket,
    Other,
}

/// What the header of the current packet announced, and what came.
#[derive(Debug, Clone, Copy, Default)]
struct Packet {
    /// Byte count.
    length: u32,
    /// n: expected payload beats.
    expected: u32,
    /// Payload beats loaded.
    beats: u32,
    crc_fault: bool,
}

/// What a cycle counts: at most a packet, and what was wrong with it.
pub type EgressEvents = [Option<PcieCounter>; 2];

pub struct Egress {
    /// KB
    bytes: u32,
    /// V
    channels: usize,
    /// `HOST_TIMEOUT`
    timeout: u32,
    /// 6: the CRC leaves the destination out.
    is_train: bool,

    /// One of each channel. Credits guarantee room.
    fifo: Vec<VecDeque<Flit>>,
    current: Option<usize>,
    next_channel: usize,
    packet: Packet,
    output: Option<Beat>,
    stall: u32,
    mode: Mode,
    truncated: bool,
    /// `tx_credit` to the core, bit v.
    credit: u32,
}

impl Egress {
    pub fn new(module: &BlockModule) -> Self {
        let block = &module.parameters;
        let channels = block.virtual_channels as usize;
        Self {
            bytes: block.flit_bits / 8,
            channels,
            timeout: block.host_timeout,
            is_train: module.kind.is_pok(),
            fifo: vec![VecDeque::new(); channels],
            current: None,
            next_channel: 0,
            packet: Packet::default(),
            output: None,
            stall: 0,
            mode: Mode::Normal,
            truncated: false,
            credit: 0,
        }
    }

    pub fn output(&self) -> Option<&Beat> {
        self.output.as_ref()
    }

    pub fn credit(&self) -> u32 {
        self.credit
    }

    /// Nothing is in it and nothing will change without a flit.
    pub fn is_at_rest(&self) -> bool {
        self.mode == Mode::Normal
            && self.output.is_none()
            && self.stall == 0
            && self.credit == 0
            && self.fifo.iter().all(VecDeque::is_empty)
    }

    /// One cycle: the flit on the core's tx pin, the tready of the output register, and what the
    /// host does. What is counted.
    pub fn clock(&mut self, flit: Option<&Flit>, tready: bool, host: HostMove) -> EgressEvents {
        let can_load = self.output.is_none() || tready;
        self.credit = 0;
        let mut events = [None; 2];
        if can_load {
            self.output = None;
        }
        match self.mode {
            Mode::Normal => {
                if can_load {
                    events = self.load();
                }
                self.watch_host(host);
            }
            Mode::Dropping => {
                events[0] = self.throw_away();
                if can_load && host != HostMove::Stalls {
                    self.output = self.truncated.then_some(self.closing_beat());
                    if !self.truncated {
                        self.mode = Mode::Leaving;
                    }
                    self.truncated = false;
                }
            }
            Mode::Leaving => match self.current {
                Some(_) => events[0] = self.throw_away(),
                None => self.mode = Mode::Normal,
            },
        }
        if let Some(flit) = flit {
            self.fifo[flit.channel].push_back(flit.clone());
        }
        events
    }

    /// Normal mode, in a cycle in which the register can be loaded.
    fn load(&mut self) -> EgressEvents {
        let is_header = self.current.is_none();
        let Some(flit) = self.take() else {
            return [None; 2];
        };
        if is_header {
            let low = flit.data.low();
            let length = header::length(low);
            self.packet = Packet {
                length,
                expected: length.div_ceil(self.bytes),
                beats: 0,
                crc_fault: header::has_crc_fault(low, self.is_train),
            };
        } else {
            self.packet.beats += 1;
        }
        let fault = flit.last.then(|| self.fault(&flit)).flatten();
        self.output = Some(Beat {
            data: flit.data,
            keep: self.keep(flit.last && fault.is_none()),
            last: flit.last,
            user: fault.is_some(),
        });
        [flit.last.then_some(PcieCounter::PacketsOut), fault]
    }

    /// What is wrong with the packet whose last flit this is.
    fn fault(&self, last: &Flit) -> Option<PcieCounter> {
        if self.packet.crc_fault {
            Some(PcieCounter::CrcFault)
        } else if self.packet.beats != self.packet.expected {
            Some(PcieCounter::LengthFault)
        } else if last.bad {
            Some(PcieCounter::Bad)
        } else {
            None
        }
    }

    /// tkeep of a beat.
    fn keep(&self, is_good_last: bool) -> u64 {
        let packet = &self.packet;
        match is_good_last && packet.expected > 0 {
            true => low_ones(packet.length - (packet.expected - 1) * self.bytes),
            false => low_ones(self.bytes),
        }
    }

    /// Takes a flit from the FIFO of `current` or, when that is none, the first non-empty one at or
    /// after `next_channel`; gives its credit back; follows the packet.
    fn take(&mut self) -> Option<Flit> {
        let has_flit = |channel: &usize| !self.fifo[*channel].is_empty();
        let channel = match self.current {
            Some(channel) => Some(channel).filter(has_flit),
            None => (0..self.channels)
                .map(|n| (self.next_channel + n) % self.channels)
                .find(has_flit),
        }?;
        let flit = self.fifo[channel].pop_front()?;
        self.credit = 1 << channel;
        if flit.last {
            self.current = None;
            self.next_channel = (channel + 1) % self.channels;
        } else {
            self.current = Some(channel);
        }
        Some(flit)
    }

    /// *Stall*; `current` is that of the end of the cycle already.
    fn watch_host(&mut self, host: HostMove) {
        match host {
            HostMove::EndsPacket => self.stall = 0,
            HostMove::Stalls if self.timeout > 0 => self.stall += 1,
            _ => {}
        }
        if self.timeout > 0 && self.stall == self.timeout {
            self.stall = 0;
            self.mode = Mode::Dropping;
            self.truncated = self.current.is_some();
        }
    }

    /// Dropping and leaving mode: a flit is taken and nobody gets it.
    fn throw_away(&mut self) -> Option<PcieCounter> {
        let flit = self.take()?;
        flit.last.then_some(PcieCounter::TimeoutDrops)
    }

    /// Ends the packet whose beginning the host has seen.
    fn closing_beat(&self) -> Beat {
        Beat {
            data: Data::default(),
            keep: low_ones(self.bytes),
            last: true,
            user: true,
        }
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        for (channel, fifo) in self.fifo.iter().enumerate() {
            note(text, &format!("egress FIFO[{channel}]"), fifo.len(), 0);
        }
        note(text, "current", self.current, None);
        note(text, "next_channel", self.next_channel, 0);
        note(text, "stall counter", self.stall, 0);
        let mode = match self.mode {
            Mode::Normal => "normal",
            Mode::Dropping => "dropping",
            Mode::Leaving => "leaving",
        };
        note(text, "mode", mode, "normal");
        note(text, "truncated", self.truncated, false);
    }
}
