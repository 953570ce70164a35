//! Bit errors of a line with 64B/66B words and a self-synchronous scrambler.

use std::collections::VecDeque;

use mkns_random::Random;

use crate::pins::Word;

/// Bits of a word on the line: two of them mark it as data or control.
const LINE_BITS: u64 = 66;
/// Where an error comes back behind the descrambler, bits later.
const ECHOES: [u64; 2] = [39, 58];

/// Errors under way in one direction.
#[derive(Debug, Clone)]
pub struct BitErrors {
    rate: f64,
    /// Line bits until the next error.
    next: u64,
    /// Payload bits, counted from the first word, that echoes will turn.
    echoes: VecDeque<u64>,
    /// Payload bits passed so far.
    passed: u64,
}

impl BitErrors {
    pub fn new(rate: f64, random: &mut Random) -> Self {
        Self {
            rate,
            next: gap(rate, random),
            echoes: VecDeque::new(),
            passed: 0,
        }
    }

    /// A word as it comes out behind the descrambler; none when its marker is broken.
    pub fn pass(&mut self, word: Word, random: &mut Random) -> Option<Word> {
        let mut turned = 0;
        let mut is_marked = true;
        while self.next < LINE_BITS {
            match self.next.checked_sub(2) {
                None => is_marked = false,
                Some(bit) => {
                    turned ^= 1 << bit;
                    let at = self.passed + bit;
                    self.echoes.extend(ECHOES.map(|later| at + later));
                }
            }
            self.next += 1 + gap(self.rate, random);
        }
        self.next -= LINE_BITS;
        let end = self.passed + 64;
        let passed = self.passed;
        self.echoes.retain(|&at| {
            let is_here = (passed..end).contains(&at);
            turned ^= u64::from(is_here) << (at.wrapping_sub(passed) & 63);
            !is_here
        });
        self.passed = end;
        is_marked.then_some(Word {
            data: word.data ^ turned,
            ..word
        })
    }
}

/// Bits without an error before the next one.
fn gap(rate: f64, random: &mut Random) -> u64 {
    if rate <= 0.0 {
        return u64::MAX / 2;
    }
    ((1.0 - random.fraction()).ln() / (1.0 - rate).ln()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thousandth_of_the_bits_is_wrong_and_comes_back_twice() {
        let mut random = Random::new(1);
        let mut errors = BitErrors::new(1e-3, &mut random);
        let word = Word {
            control: false,
            data: 0,
        };
        let (mut turned, mut lost) = (0, 0);
        for _ in 0..100_000 {
            match errors.pass(word, &mut random) {
                Some(word) => turned += word.data.count_ones(),
                None => lost += 1,
            }
        }
        let per_word = f64::from(turned) / 100_000.0;
        assert!((per_word - 3.0 * 0.064).abs() < 0.01, "{per_word}");
        assert!((150..250).contains(&lost), "{lost} markers");
    }

    #[test]
    fn one_error_is_three_bits_of_this_word_and_the_next() {
        let mut random = Random::new(1);
        let mut errors = BitErrors::new(0.0, &mut random);
        errors.next = 2 + 20;
        let word = Word {
            control: true,
            data: 0,
        };
        let mut pass = || errors.pass(word, &mut random).expect("a marked word").data;
        assert_eq!(pass(), 1 << 20 | 1 << 59);
        assert_eq!(pass(), 1 << (20 + 58 - 64));
        assert_eq!(pass(), 0);
    }
}
