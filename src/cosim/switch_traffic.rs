//! Traffic of a bench of one switch block: which output a packet goes to, how long it is.

use mkns_random::Random;
use mkns_simulation::traffic::Lengths;

/// Where the packets of an input go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// To any other port with equal chances, packet by packet.
    Uniform,
    /// Always to the next port.
    Permutation,
    /// To the next port, but for 2 packets in 1,000, which go to any of the others: what a fair
    /// switch must not starve.
    Streams,
    /// One packet in four to port 0, otherwise uniform.
    HotSpot,
}

impl Pattern {
    /// Where the next packet of `input` goes.
    pub fn draw(self, input: usize, ports: usize, random: &mut Random) -> usize {
        let ports = ports as u64;
        let distance = match self {
            Pattern::Streams if ports > 2 && random.chance(2) => 2 + random.below(ports - 2),
            Pattern::Permutation | Pattern::Streams => 1,
            Pattern::HotSpot if input != 0 && random.chance(250) => ports - input as u64,
            Pattern::Uniform | Pattern::HotSpot => 1 + random.below(ports - 1),
        };
        ((input as u64 + distance) % ports) as usize
    }
}

/// The traffic of a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    pub pattern: Pattern,
    /// Flits of packets, headers included.
    pub lengths: Lengths,
    /// Virtual channels in use, from 0 up.
    pub channels: usize,
}
