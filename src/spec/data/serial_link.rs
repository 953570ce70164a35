//! Serial links: cables between boards, with a flight time, a line rate and buffers that cover both.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::{Limits, Number, number};

/// Serial links of a network (`docs/microarchitecture.md`, link layer). Parallel links, which are all others, have
/// `link_latency` register stages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SerialLink {
    /// `serial` when absent: only serial links have a table.
    pub kind: LinkKind,
    /// Dimensions, counted from 1, whose cables are serial; all when absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<u32>,
    /// D: 64-bit words of the line that are on the way from one link port to the other, transceivers included.
    #[schemars(range(min = 1, max = 73))]
    pub flight_words: u32,
    /// R: flits per virtual channel that a receiver holds for its block.
    #[schemars(range(min = 16, max = 223))]
    pub receive_flits: u32,
    /// Words of the line in 100 cycles of the blocks' clock.
    #[schemars(range(min = 10, max = 400))]
    pub words_per_100_cycles: u32,
    /// How blocks are managed besides through their control ports.
    #[serde(skip_serializing_if = "Management::is_none")]
    pub management: Management,
}

/// What manages a network of serial links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Management {
    /// Control ports alone.
    None,
    /// Messages through the serial links, too (`docs/microarchitecture.md`, 8).
    InBand,
}

impl Management {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// What carries flits from one block to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// Register stages between blocks of one clock.
    Parallel,
    /// A transceiver and a cable, with a link port at both ends.
    Serial,
}

impl Default for SerialLink {
    fn default() -> Self {
        Self {
            kind: LinkKind::Serial,
            dimensions: Vec::new(),
            flight_words: 40,
            receive_flits: 200,
            words_per_100_cycles: 100,
            management: Management::None,
        }
    }
}

/// Words from a flit on a block's tx pins to the line and from the line to the other block's rx pins, both link ports
/// together.
const PORTS_WORDS: u32 = 17;
/// Words that the answer to a flit takes besides the two flights: both ports, their crossings, the distance of STATUS words.
const ANSWER_WORDS: u32 = 110;
/// Flits that a sender keeps: those on the way and those that the block has credits for.
const RING_FLITS: u32 = 256;
/// Flits in a thousand words of a line under load: blocks of eight flits and a control word, STATUS every 32 words.
const FLITS_PER_1000_WORDS: u32 = 864;

impl SerialLink {
    /// Whether boards have management units and their links carry messages.
    pub fn is_managed(&self) -> bool {
        self.management == Management::InBand
    }

    /// Whether cables of a dimension, counted from 1, are serial.
    pub fn joins(&self, dimension: u8) -> bool {
        self.dimensions.is_empty() || self.dimensions.contains(&dimension.into())
    }

    /// The least `receive_flits` with which the line never waits: the flits that leave until the answer to the first of
    /// them is there.
    pub fn least_buffer(&self) -> u32 {
        (87 * (2 * self.flight_words + ANSWER_WORDS)).div_ceil(100)
    }

    /// The most credits per channel that blocks may have: the sender's ring holds them besides the flits on the way.
    pub fn most_credits(&self, virtual_channels: u32) -> u32 {
        RING_FLITS.saturating_sub(self.least_buffer()) / virtual_channels
    }

    /// After how many ticks of 64 words a link port asks again, and sends again what nobody acknowledges.
    pub fn ticks(&self) -> [u32; 2] {
        let flight = self.flight_words;
        [4 * flight + 200, 8 * flight + 400].map(|words| words.div_ceil(64))
    }

    /// Cycles of the blocks' clock from a flit on the tx pins of a block to the rx pins of the other, on an idle line.
    pub fn latency(&self) -> u32 {
        (100 * (self.flight_words + PORTS_WORDS)).div_ceil(self.words_per_100_cycles)
    }

    /// Flits that pass in 100,000 cycles of the blocks' clock at most, without bit errors.
    pub fn flits_per_100_000_cycles(&self) -> u32 {
        (FLITS_PER_1000_WORDS * self.words_per_100_cycles).min(100_000)
    }
}

/// The whole numbers of `[link]`.
pub(crate) const LINK_NUMBERS: [Number<SerialLink>; 3] = [
    number!(flight_words, Limits::Range(1, 73)),
    number!(receive_flits, Limits::Range(16, 223)),
    number!(words_per_100_cycles, Limits::Range(10, 400)),
];

/// The other keys of `[link]`.
pub(crate) const LINK_KIND: &str = "kind";
pub(crate) const LINK_DIMENSIONS: &str = "dimensions";
pub(crate) const LINK_MANAGEMENT: &str = "management";
/// Legal numbers of dimensions, or levels.
pub(crate) const LINK_DIMENSION: Limits = Limits::Range(1, 16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_of_40_words_needs_166_flits() {
        let link = SerialLink::default();
        assert_eq!(link.least_buffer(), 166);
        assert_eq!([1, 2].map(|channels| link.most_credits(channels)), [90, 45]);
        let longest = SerialLink {
            flight_words: 73,
            ..SerialLink::default()
        };
        assert_eq!((longest.least_buffer(), longest.most_credits(2)), (223, 16));
    }

    #[test]
    fn a_slower_line_costs_cycles_and_rate() {
        let half = SerialLink {
            words_per_100_cycles: 50,
            ..SerialLink::default()
        };
        assert_eq!(
            (half.latency(), half.flits_per_100_000_cycles()),
            (114, 43_200)
        );
        let fast = SerialLink {
            words_per_100_cycles: 200,
            ..SerialLink::default()
        };
        assert_eq!(
            (fast.latency(), fast.flits_per_100_000_cycles()),
            (29, 100_000)
        );
    }
}
