//! How long packets are.

use mkns_random::Random;

/// Flits of a packet, with its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    Fixed(u32),
    /// All lengths from … to alike.
    Between(u32, u32),
}

impl Lengths {
    pub fn mean(self) -> f64 {
        f64::from(self.shortest() + self.longest()) / 2.0
    }

    pub fn shortest(self) -> u32 {
        match self {
            Lengths::Fixed(flits) | Lengths::Between(flits, _) => flits,
        }
    }

    pub fn longest(self) -> u32 {
        match self {
            Lengths::Fixed(flits) | Lengths::Between(_, flits) => flits,
        }
    }

    pub fn draw(self, random: &mut Random) -> u32 {
        match self {
            Lengths::Fixed(flits) => flits,
            Lengths::Between(low, high) => random.between(low.into(), high.into()) as u32,
        }
    }
}
