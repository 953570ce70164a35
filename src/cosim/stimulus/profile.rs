//! What the traffic of the next thousand cycles looks like.
//!
//! A run is a row of phases; each draws a profile, so that idle blocks, contention out of nowhere,
//! saturation, starved credits, dying links and stuck hosts all occur in one run. Knows nothing of
//! pins.

use super::restrictions::Restrictions;
use crate::packet::{FAULTS, PacketFault};
use mkns_random::Random;

/// How a receiver gives credits back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreditMode {
    /// In the next cycle.
    Prompt,
    /// In each cycle with this probability, per mille.
    Slow(u32),
    /// Nothing for a while, then one a cycle.
    Bursts,
    /// Nothing before the phase is over.
    Frozen,
}

/// How long packets are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    Single,
    Short,
    Long,
    Mixed,
}

/// How a host takes its beats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMode {
    Prompt,
    /// Ready in each cycle with this probability, per mille.
    Slow(u32),
    /// Refuses a beat with this probability, per mille, for about as long as `HOST_TIMEOUT`.
    Stalls(u32),
}

/// The control port only reads, without a pause: counters are seen while they count.
pub const POLLING: u32 = 1000;

/// The settings of one phase.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Probability that an idle source starts a packet in a cycle, per mille.
    pub start: u32,
    /// Probability of a gap before a flit or beat, per mille.
    pub gap: u32,
    /// Probability that a source stops for a while within a packet, a flit or beat, per mille.
    pub pause: u32,
    /// All packets want the same output.
    pub focused: bool,
    pub lengths: Lengths,
    /// One a network port.
    pub credits: Vec<CreditMode>,
    /// One a PCIe port.
    pub hosts: Vec<HostMode>,
    /// Probability that a link goes down in a cycle, per hundred thousand.
    pub link_fall: u32,
    /// Probability that a link goes down while its sender pauses within a packet and has all credits of its channel,
    /// per mille.
    pub cut: u32,
    /// Probability that a host packet is damaged, per mille.
    pub faulty: u32,
    /// The only way in which they are.
    pub fault: Option<PacketFault>,
    /// Probability that the control port starts an operation in a cycle, per mille, or [`POLLING`].
    pub control: u32,
    /// Idle inputs carry random data.
    pub noise: bool,
    /// Ports that begin no packet, one bit each: network ports, then PCIe ports.
    pub silent: u64,
    /// Flits of a packet at most.
    pub longest: u32,
}

impl Profile {
    /// Draws a phase.
    pub fn draw(ports: usize, hosts: usize, random: &mut Random) -> Self {
        Self {
            start: *random.pick(&[15, 60, 250, 1000]),
            gap: *random.pick(&[0, 0, 100, 500]),
            pause: pause(random),
            focused: false,
            lengths: *random.pick(&[
                Lengths::Single,
                Lengths::Short,
                Lengths::Short,
                Lengths::Long,
                Lengths::Mixed,
            ]),
            credits: credit_modes(ports, random),
            hosts: (0..hosts).map(|_| host_mode(random)).collect(),
            link_fall: *random.pick(&[0, 0, 20, 200]),
            cut: 0,
            faulty: *random.pick(&[0, 50, 400]),
            fault: None,
            control: *random.pick(&[0, 20, 300, POLLING]),
            noise: random.chance(250),
            silent: match random.below(5) {
                0 => random.bits(),
                _ => 0,
            },
            longest: u32::MAX,
        }
    }

    /// Many sources at once want one output, from the first cycle on: what an arbiter does first
    /// depends on nothing but its state.
    pub fn contention(ports: usize, hosts: usize, random: &mut Random) -> Self {
        Self {
            start: 1000,
            pause: pause(random),
            focused: true,
            lengths: *random.pick(&[Lengths::Single, Lengths::Short, Lengths::Mixed]),
            credits: credit_modes(ports, random),
            hosts: (0..hosts).map(|_| host_mode(random)).collect(),
            noise: random.chance(250),
            silent: random.bits() & random.bits(),
            ..Self::drain(ports, hosts)
        }
    }

    /// Hosts send short packets in a row, all damaged in the same way: what counts them has to keep up.
    pub fn burst_of_faults(ports: usize, hosts: usize, random: &mut Random) -> Self {
        Self {
            start: 1000,
            lengths: *random.pick(&[Lengths::Single, Lengths::Short]),
            credits: credit_modes(ports, random),
            hosts: (0..hosts).map(|_| host_mode(random)).collect(),
            faulty: 1000,
            fault: Some(*random.pick(&FAULTS)),
            control: *random.pick(&[0, 20, 300, POLLING]),
            ..Self::drain(ports, hosts)
        }
    }

    /// Links cut packets of which nothing is on its way, most outputs stand still: with the tails that
    /// the block makes up, queues fill to their last place, which credits alone do not allow.
    pub fn cuts(ports: usize, hosts: usize, random: &mut Random) -> Self {
        let still = |_| match random.chance(900) {
            true => CreditMode::Frozen,
            false => CreditMode::Prompt,
        };
        Self {
            start: 1000,
            credits: (0..ports).map(still).collect(),
            pause: *random.pick(&[100, 400, 1000]),
            focused: random.chance(800),
            lengths: *random.pick(&[Lengths::Short, Lengths::Long, Lengths::Mixed]),
            cut: 100,
            ..Self::drain(ports, hosts)
        }
    }

    /// The phase that empties the block: nothing new starts, nobody holds anything back.
    pub fn drain(ports: usize, hosts: usize) -> Self {
        Self {
            start: 0,
            gap: 0,
            pause: 0,
            focused: false,
            lengths: Lengths::Single,
            credits: vec![CreditMode::Prompt; ports],
            hosts: vec![HostMode::Prompt; hosts],
            link_fall: 0,
            cut: 0,
            faulty: 0,
            fault: None,
            control: 0,
            noise: false,
            silent: 0,
            longest: u32::MAX,
        }
    }

    /// Leaves out what is not wanted.
    pub fn restrict(&mut self, restrictions: &Restrictions) {
        if restrictions.no_control_traffic {
            self.control = 0;
        }
        if restrictions.no_link_faults {
            self.link_fall = 0;
            self.cut = 0;
        }
        if restrictions.no_damaged_packets {
            self.faulty = 0;
        }
        if restrictions.prompt_receivers {
            self.credits.fill(CreditMode::Prompt);
            self.hosts.fill(HostMode::Prompt);
        }
        self.noise &= !restrictions.no_noise;
        self.longest = restrictions.longest_packet.unwrap_or(u32::MAX).max(1);
        let silent = restrictions.silent_ports.iter();
        self.silent = silent.fold(self.silent, |silent, port| {
            silent | 1u64.checked_shl(*port as u32).unwrap_or(0)
        });
    }

    /// Whether a port begins no packet.
    pub fn is_silent(&self, port: usize) -> bool {
        self.silent >> port & 1 == 1
    }

    /// Draws a packet length in flits, header included.
    pub fn flits(&self, max: u32, random: &mut Random) -> u32 {
        let longest = match self.lengths {
            Lengths::Single => 1,
            Lengths::Short => 9,
            Lengths::Long => max,
            Lengths::Mixed => *random.pick(&[1, 3, 9, max]),
        };
        random.between(1, u64::from(longest.min(max).min(self.longest))) as u32
    }
}

fn pause(random: &mut Random) -> u32 {
    *random.pick(&[0, 20, 200])
}

/// Now and then one receiver gives nothing back.
fn credit_modes(ports: usize, random: &mut Random) -> Vec<CreditMode> {
    let mut modes: Vec<CreditMode> = (0..ports).map(|_| credit_mode(random)).collect();
    if random.chance(200) {
        modes[random.below(ports as u64) as usize] = CreditMode::Frozen;
    }
    modes
}

fn credit_mode(random: &mut Random) -> CreditMode {
    match random.below(6) {
        0..=2 => CreditMode::Prompt,
        3 => CreditMode::Slow(300),
        4 => CreditMode::Slow(50),
        _ => CreditMode::Bursts,
    }
}

fn host_mode(random: &mut Random) -> HostMode {
    match random.below(8) {
        0..=2 => HostMode::Prompt,
        3 => HostMode::Slow(500),
        4 => HostMode::Slow(100),
        _ => HostMode::Stalls(*random.pick(&[100, 600])),
    }
}
