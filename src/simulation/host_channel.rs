//! Channels of the core's input on which hosts' packets go, and their credits (section 3.1 of
//! `docs/microarchitecture.md`).

use mkns_contract::header;
use mkns_design::BlockModule;

/// Most host channels.
const MOST: usize = 4;

/// The host channels of a module.
#[derive(Debug, Clone, Copy)]
pub struct HostChannels {
    /// H
    count: u8,
    /// V/H: from the channel of one host channel to that of the next.
    distance: u8,
    /// C
    initial_credit: u16,
}

/// Credits by host channel.
#[derive(Debug, Clone)]
pub struct HostCredits([u16; MOST]);

impl HostChannels {
    pub fn new(module: &BlockModule) -> Self {
        let count = module.host_channels();
        Self {
            count: count as u8,
            distance: (module.parameters.virtual_channels / count) as u8,
            initial_credit: module.parameters.rx_buffer_flits as u16,
        }
    }

    /// The core's channel behind a host channel.
    #[inline]
    pub fn core_channel(self, host_channel: u8) -> u8 {
        host_channel * self.distance
    }

    /// Host channel of a packet from `source` whose header is `word`.
    #[inline]
    pub fn of_packet(self, source: u32, word: u64) -> u8 {
        match self.count {
            1 => 0,
            count => spread(source, header::destination(word)) % count,
        }
    }

    /// One bit a host channel: those whose channel of the core's input has a credit by `has_credit`.
    #[inline]
    pub fn credits(self, has_credit: impl Fn(usize) -> bool) -> u8 {
        (0..self.count).fold(0, |credits, channel| {
            let core_channel = self.core_channel(channel).into();
            credits | u8::from(has_credit(core_channel)) << channel
        })
    }

    /// The counters after a reset.
    pub fn all_credits(self) -> HostCredits {
        HostCredits([self.initial_credit; MOST])
    }
}

impl HostCredits {
    #[inline]
    pub fn has(&self, channel: u8) -> bool {
        self.0[usize::from(channel)] > 0
    }

    #[inline]
    pub fn spend(&mut self, channel: u8) {
        self.0[usize::from(channel)] -= 1;
    }

    /// One bit a host channel.
    #[inline]
    pub fn take(&mut self, credits: u8) {
        // In most cycles.
        if credits == 0 {
            return;
        }
        for (channel, credit) in self.0.iter_mut().enumerate() {
            *credit += u16::from(credits >> channel & 1);
        }
    }
}

/// e: exclusive or of all digits of two bits of the source, and of those of the destination with their bits swapped.
fn spread(source: u32, destination: u32) -> u8 {
    let digits = |address: u32| {
        (0..header::ADDRESS_BITS)
            .step_by(2)
            .fold(0, |sum, bit| sum ^ (address >> bit & 3) as u8)
    };
    let swapped = |digit: u8| digit >> 1 | (digit & 1) << 1;
    digits(source) ^ swapped(digits(destination))
}
