//! The far ends of a block's network links: a sender that spends credits and a receiver that gives
//! them back, and the links' ups and downs.
//!
//! Keeps the link contract: no flit without a credit, packets of a channel never mix, a link that
//! falls stays down for 2·L + 4 cycles and cuts its packets. Knows nothing of hosts and tables.

use crate::packet;
use mkns_contract::{Crc, Pins, get_bits, ones, set_bits};
use mkns_random::Random;

use super::aim::Aim;
use super::profile::{CreditMode, Profile};

/// A packet that a sender has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    header: u64,
    left: u32,
    first: bool,
    bad: bool,
}

/// Both far ends of one network port.
#[derive(Debug, Clone, Default)]
struct FarEnd {
    credits: [u32; 4],
    open: [Option<Open>; 4],
    /// Flits received for which no credit has been given back, per channel.
    owing: [u32; 4],
    /// Cycle until which a bursty receiver keeps its credits.
    hold_until: u64,
    /// Cycle until which the sender sends nothing.
    pause_until: u64,
    up: bool,
    /// Cycle at which the link changes next by itself (a fallen link rises).
    rise_at: u64,
    /// Cycle until which flits that were on the wire may still arrive over a fallen link.
    wire_until: u64,
}

impl FarEnd {
    /// Within a packet, with the credits of all its flits back.
    fn pauses_with_all_credits(&self, limit: u32) -> bool {
        let mut channels = self.open.iter().zip(self.credits);
        channels.any(|(open, credits)| open.is_some() && credits == limit)
    }
}

/// The far ends of all network ports.
#[derive(Debug)]
pub struct Links {
    ends: Vec<FarEnd>,
    rules: LinkRules,
    beat_bytes: u32,
}

/// Limits of the links, from the block parameters.
#[derive(Debug, Clone, Copy)]
pub struct LinkRules {
    /// Ports that are built, bit p: the others may get anything, and must not answer.
    pub built: u32,
    pub credits: u32,
    pub max_flits: u32,
    /// L, cycles.
    pub latency: u64,
    /// Destinations are address trains, which the CRC leaves out.
    pub trains: bool,
    /// Packets travel in all the ways of 1.8.
    pub adaptive: bool,
}

impl Links {
    /// Links at rest, all up.
    pub fn new(pins: &Pins, rules: LinkRules) -> Self {
        let end = FarEnd {
            credits: [rules.credits; 4],
            up: true,
            ..FarEnd::default()
        };
        Self {
            ends: vec![end; pins.ports],
            rules,
            beat_bytes: pins.flit_words as u32 * 8,
        }
    }

    /// Sets the link pins of a cycle.
    pub fn drive(
        &mut self,
        cycle: u64,
        pins: &Pins,
        profile: &Profile,
        aim: &Aim,
        random: &mut Random,
        inputs: &mut [u64],
    ) {
        let (mut valid, mut last, mut bad, mut up) = (0u64, 0u64, 0u64, 0u64);
        let (mut channels, channel_bits) = (0u64, pins.channel_bits);
        for port in 0..self.ends.len() {
            if self.rules.built >> port & 1 == 0 {
                let mut noise = || if profile.noise { random.bits() } else { 0 };
                for signal in [&mut valid, &mut last, &mut bad, &mut up] {
                    *signal |= (noise() & 1) << port;
                }
                let first = port * pins.channels;
                set_bits(&mut inputs[pins.tx_credit..], first, pins.channels, noise());
                let words = pins.rx.data + port * pins.flit_words;
                inputs[words..words + pins.flit_words].fill_with(noise);
                continue;
            }
            self.move_link(port, cycle, profile, random);
            let end = &self.ends[port];
            up |= u64::from(end.up) << port;
            let credit = self.give_credits(port, cycle, profile, pins.channels, random);
            let first = port * pins.channels;
            set_bits(&mut inputs[pins.tx_credit..], first, pins.channels, credit);
            let words = port * pins.flit_words;
            let data = &mut inputs[pins.rx.data + words..pins.rx.data + words + pins.flit_words];
            match self.send(port, cycle, pins.channels, profile, aim, random, data) {
                Some((channel, is_last, is_bad)) => {
                    valid |= 1 << port;
                    last |= u64::from(is_last) << port;
                    bad |= u64::from(is_bad) << port;
                    // With one channel the number on the pins means nothing.
                    let shown = if pins.channels == 1 {
                        random.below(2)
                    } else {
                        channel as u64
                    };
                    channels |= shown << (port * channel_bits);
                }
                None if profile.noise => {
                    data.iter_mut().for_each(|word| *word = random.bits());
                    last |= random.below(2) << port;
                    bad |= random.below(2) << port;
                }
                None => data.fill(0),
            }
        }
        inputs[pins.rx.valid] = valid;
        inputs[pins.rx.last] = last;
        inputs[pins.rx.bad] = bad;
        set_bits(
            &mut inputs[pins.rx.channel..],
            0,
            pins.ports * channel_bits,
            channels,
        );
        inputs[pins.link_up] = up;
    }

    /// Takes the link outputs of a cycle: credits to the senders, flits to the receivers.
    pub fn observe(&mut self, pins: &Pins, outputs: &[u64]) -> Result<(), String> {
        let channels = pins.channels;
        let flits = outputs[pins.tx.valid];
        if flits & !u64::from(self.rules.built) != 0 {
            return Err("the block sent a flit from a port that is not built".to_owned());
        }
        for (port, end) in self.ends.iter_mut().enumerate() {
            let pulses = get_bits(&outputs[pins.rx_credit..], port * channels, channels);
            for (channel, credits) in end.credits.iter_mut().enumerate().take(channels) {
                *credits += (pulses >> channel & 1) as u32;
                if *credits > self.rules.credits {
                    return Err(format!(
                        "the block returned more credits than flits came in (input {port}, channel {channel})"
                    ));
                }
            }
        }
        for port in ones(flits) {
            let (channel, ..) = pins.flit(&pins.tx, outputs, port);
            self.ends[port].owing[channel] += 1;
            if self.ends[port].owing[channel] > self.rules.credits {
                return Err(format!(
                    "the block sent a flit without a credit (output {port}, channel {channel})"
                ));
            }
        }
        Ok(())
    }

    /// Every packet ended, every credit at home, every link up.
    pub fn at_rest(&self, channels: usize) -> bool {
        self.ends.iter().all(|end| {
            end.up
                && (0..channels).all(|channel| {
                    end.open[channel].is_none()
                        && end.credits[channel] == self.rules.credits
                        && end.owing[channel] == 0
                })
        })
    }

    fn move_link(&mut self, port: usize, cycle: u64, profile: &Profile, random: &mut Random) {
        let latency = self.rules.latency;
        let end = &mut self.ends[port];
        if end.up {
            let at_pause = profile.cut > 0 && end.pauses_with_all_credits(self.rules.credits);
            let falls = profile.link_fall > 0
                && random.below(100_000) < u64::from(profile.link_fall)
                || at_pause && random.chance(profile.cut);
            if falls {
                let least = 2 * latency + 4;
                let rest = if random.chance(if at_pause { 900 } else { 300 }) {
                    0
                } else {
                    random.below(300)
                };
                end.up = false;
                end.rise_at = cycle + least + rest;
                end.wire_until = cycle + random.below(latency + 3);
            }
        } else if cycle >= end.rise_at {
            end.up = true;
        }
        if !end.up && cycle >= end.wire_until {
            end.open = [None; 4];
        }
    }

    fn give_credits(
        &mut self,
        port: usize,
        cycle: u64,
        profile: &Profile,
        channels: usize,
        random: &mut Random,
    ) -> u64 {
        let end = &mut self.ends[port];
        if end.owing == [0; 4] {
            return 0;
        }
        let mode = profile.credits[port];
        if mode == CreditMode::Frozen {
            return 0;
        }
        if mode == CreditMode::Bursts {
            if cycle < end.hold_until {
                return 0;
            }
            if random.chance(60) {
                end.hold_until = cycle + random.between(10, 90);
            }
        }
        let mut pulses = 0;
        for channel in 0..channels {
            let gives = match mode {
                CreditMode::Slow(chance) => random.chance(chance),
                _ => true,
            };
            if end.owing[channel] > 0 && gives {
                end.owing[channel] -= 1;
                pulses |= 1 << channel;
            }
        }
        pulses
    }

    /// Puts the next flit on `data` and returns (channel, last, bad).
    #[expect(clippy::too_many_arguments, reason = "what a flit is made of")]
    fn send(
        &mut self,
        port: usize,
        cycle: u64,
        channels: usize,
        profile: &Profile,
        aim: &Aim,
        random: &mut Random,
        data: &mut [u64],
    ) -> Option<(usize, bool, bool)> {
        if !self.ends[port].up && cycle >= self.ends[port].wire_until {
            return None;
        }
        if profile.gap > 0 && random.chance(profile.gap) {
            return None;
        }
        let begun = self.ends[port].open.iter().any(Option::is_some);
        if begun && profile.pause > 0 && random.chance(profile.pause) {
            self.ends[port].pause_until = cycle + random.between(5, 100);
        }
        if cycle < self.ends[port].pause_until {
            return None;
        }
        let start = if channels > 1 {
            random.bits() as usize
        } else {
            0
        };
        for turn in 0..channels {
            let channel = (start + turn) % channels;
            if self.ends[port].credits[channel] == 0 {
                continue;
            }
            if self.ends[port].open[channel].is_none() {
                if !self.ends[port].up || profile.is_silent(port) || !random.chance(profile.start) {
                    continue;
                }
                self.ends[port].open[channel] = Some(self.begin(port, profile, aim, random));
            }
            return Some(self.flit(port, channel, random, data));
        }
        None
    }

    fn begin(&self, port: usize, profile: &Profile, aim: &Aim, random: &mut Random) -> Open {
        let flits = profile.flits(self.rules.max_flits, random);
        let (address, layer) = aim.draw(port, random, |random| random.below(1 << 20) as u32);
        let most = ((flits - 1) * self.beat_bytes).min(0x1fff);
        let least = (flits.max(2) - 2) * self.beat_bytes + u32::from(flits > 1);
        let mut length = random.between(u64::from(least.min(most)), u64::from(most)) as u32;
        if random.chance(60) {
            length = match random.chance(500) {
                true => length ^ 1 << random.below(13),
                false => random.below(0x2000) as u32,
            };
        }
        let header = packet::header(address, random.below(1 << 20) as u32, length, layer);
        let mut header = Crc::new(self.rules.trains).stamp(header);
        if self.rules.adaptive {
            header = packet::with_travel(header, *random.pick(&[0, 1, 1, 1, 2, 2, 3]));
        }
        if random.chance(60) {
            header ^= 1 << random.between(20, 63);
        }
        Open {
            header,
            left: flits,
            first: true,
            bad: random.chance(50),
        }
    }

    fn flit(
        &mut self,
        port: usize,
        channel: usize,
        random: &mut Random,
        data: &mut [u64],
    ) -> (usize, bool, bool) {
        let end = &mut self.ends[port];
        end.credits[channel] -= 1;
        let mut open = end.open[channel].expect("the caller has opened a packet");
        data.iter_mut().for_each(|word| *word = random.bits());
        if open.first {
            data.fill(0);
            data[0] = open.header;
            open.first = false;
        }
        open.left -= 1;
        let last = open.left == 0;
        end.open[channel] = if last { None } else { Some(open) };
        (channel, last, last && open.bad)
    }
}
