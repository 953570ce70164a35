//! What happens to two link ports beside the errors of their cable: boards that are reset, plugs that are pulled,
//! words that no peer sends, software that holds a link down again and again.

use mkns_cable::{Ends, Pair, RegisterDriver, Word, WordCorruptor};
use mkns_golden::link_port::{LinkParameters, foreign_hello, forged_hello, older_status};
use mkns_random::Random;

/// Where the faults of a run come from, beside bit errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFaultSource {
    /// Nobody; registers are not used.
    None,
    /// Every few thousand cycles a board is reset or a plug pulled, and put in again; registers are used, and the
    /// line refuses words.
    Boards,
    /// The peer seems to be another one now and then, and for a while sends nothing good, or no good STATUS;
    /// registers are used.
    ForgedWords,
    /// Software holds the links down and lets them rise every few hundred cycles.
    Software,
}

impl LinkFaultSource {
    /// The links have risen.
    pub(super) fn begin<E: Ends>(self, pair: &mut Pair<E>, seed: u64, ends: &LinkParameters) {
        let peer = u32::from(ends.port) << 16 | u32::from(ends.block);
        match self {
            Self::None => {}
            Self::Boards => {
                pair.drive_registers(|seed| RegisterDriver::new(seed, peer), seed);
                pair.stalls = 50;
            }
            Self::ForgedWords => {
                pair.drive_registers(|seed| RegisterDriver::new(seed, peer), seed);
                pair.corrupt_words(corruptor(seed));
            }
            Self::Software => {
                pair.drive_registers(|seed| RegisterDriver::restless(seed, peer), seed)
            }
        }
    }

    /// This many thousand cycles have passed.
    pub(super) fn go_on<E: Ends>(self, pair: &mut Pair<E>, thousands: u64) {
        if self != Self::Boards {
            return;
        }
        let side = (thousands / 24 % 2) as usize;
        match thousands % 24 {
            6 => pair.reset(side),
            12 => pair.cable[side].plug(false),
            16 => pair.cable[side].plug(true),
            _ => {}
        }
    }
}

/// Words of both sides after which all comes again, of [`corruptor`]: no good T for as long as a link takes to see no
/// progress, nothing good for as long as it takes to see silence, then no good STATUS now and then, so that what a
/// receiver asks for comes late.
const ROUND: u64 = 38_000;
const WITHOUT_T: u64 = 9_500;
const SILENT: u64 = 18_500;
const LATE_STATUS: u64 = 34_000;

/// Words between two such blocks.
const LATE: u64 = 1_003;

/// Turns a bit of some HELLO words, makes some STATUS words older, sends foreign HELLO words in the place of control words,
/// and breaks what [`ROUND`] says.
fn corruptor(seed: u64) -> WordCorruptor {
    let mut random = Random::branch(seed, 10);
    let mut words = 0;
    Box::new(move |word: Word| {
        words += 1;
        let kind = word.control.then_some(word.data >> 21 & 7);
        let is_broken = match (words % ROUND, kind) {
            (_, None) => false,
            (0..WITHOUT_T, kind) => kind >= Some(4),
            (WITHOUT_T..SILENT, _) => true,
            (at @ SILENT..LATE_STATUS, Some(0)) => at % LATE < 660,
            (at @ SILENT..LATE_STATUS, Some(4..)) => at % LATE < 80,
            _ => false,
        };
        if is_broken {
            return Word {
                data: word.data ^ 1 << 30,
                ..word
            };
        }
        match random.below(2_000) {
            0 if word.control => foreign_hello(random.below(16) as u32, random.bits() as u16),
            1..40 => forged_hello(word, 1 << random.below(21)),
            40..340 => older_status(word, random.below(256) as u32, a_little(&mut random)),
            _ => word,
        }
    })
}

/// Up to 31, and mostly 0 to 3: a limit that moves back by one is seen only while the peer's places are taken.
fn a_little(random: &mut Random) -> u32 {
    let below = 1 << random.below(6);
    random.below(below) as u32
}
