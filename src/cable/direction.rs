//! One direction of a cable: words go in at one end and come out at the other a flight later, or do not.

use std::collections::VecDeque;

use mkns_random::Random;

use crate::bit_errors::BitErrors;
use crate::faults::Faults;
use crate::pins::Word;

/// Where in a hidden gap a direction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    /// A data word was lost.
    Begun,
    /// The control word behind it, too.
    Behind,
}

/// One direction. The same seed makes the same faults.
#[derive(Debug, Clone)]
pub struct Direction {
    flight: usize,
    faults: Faults,
    random: Random,
    bits: BitErrors,
    /// Words on their way, empty slots among them.
    line: VecDeque<Option<Word>>,
    /// Words of a silence that are still to come.
    silent: u32,
    gap: Gap,
    plugged: bool,
}

impl Direction {
    pub fn new(flight: usize, faults: Faults, seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self {
            flight,
            bits: BitErrors::new(faults.bit_error_rate, &mut random),
            faults,
            random,
            line: std::iter::repeat_n(None, flight).collect(),
            silent: 0,
            gap: Gap::None,
            plugged: true,
        }
    }

    /// Whether the plug is in; what is on its way when it is pulled is lost.
    pub fn plug(&mut self, is_in: bool) {
        if !is_in {
            self.line.iter_mut().for_each(|word| *word = None);
        }
        self.plugged = is_in;
    }

    /// Whether the receiver sees a signal.
    pub fn is_up(&self) -> bool {
        self.plugged
    }

    /// The cable is better or worse from now on.
    pub fn change(&mut self, faults: Faults) {
        self.bits = BitErrors::new(faults.bit_error_rate, &mut self.random);
        self.faults = faults;
    }

    /// One word time: what goes in now, and what comes out now. A flight of 0 comes out at once.
    pub fn step(&mut self, word: Option<Word>) -> Option<Word> {
        let arriving = word.filter(|_| self.plugged);
        let arriving = arriving.and_then(|word| self.spoil(word));
        match arriving {
            // A word too many, of a repetition, takes the place of an empty slot.
            None if self.line.len() > self.flight => {}
            arriving => self.line.push_back(arriving),
        }
        self.line.pop_front().flatten()
    }

    /// What becomes of a word, and what comes with it.
    fn spoil(&mut self, word: Word) -> Option<Word> {
        let faults = self.faults;
        let mut word = self.bits.pass(word, &mut self.random)?;
        if self.silent > 0 {
            self.silent -= 1;
            return None;
        }
        if self.happens(faults.silence) {
            self.silent = self.random.below(u64::from(faults.silence_words) + 1) as u32;
        }
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if gap == Gap::Begun && word.control {
            self.gap = Gap::Behind;
            return None;
        }
        if gap == Gap::Behind {
            word.data ^= 1 << self.random.below(4);
        }
        if !word.control && self.happens(faults.hidden_gap) {
            self.gap = Gap::Begun;
            return None;
        }
        if self.happens(faults.dropped) {
            return None;
        }
        if self.happens(faults.burst) {
            word.data ^= self.random.bits() << self.random.below(64);
        }
        if self.happens(faults.marker) {
            word.control = !word.control;
        }
        if self.happens(faults.garbage) {
            word.control = self.random.chance(500);
            word.data = self.random.bits();
        }
        if self.happens(faults.repeated) {
            self.line.push_back(Some(word));
        }
        if self.happens(faults.swapped)
            && let Some(Some(before)) = self.line.back_mut()
        {
            std::mem::swap(before, &mut word);
        }
        Some(word)
    }

    fn happens(&mut self, rate: f64) -> bool {
        rate > 0.0 && self.random.fraction() < rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(data: u64) -> Word {
        Word {
            control: false,
            data,
        }
    }

    /// What comes out when the numbers from 1 to `count` go in, every tenth slot empty.
    fn passed(faults: Faults, count: u64) -> Vec<u64> {
        let mut direction = Direction::new(5, faults, 7);
        let slots = (0..count).map(|number| (number % 10 != 9).then(|| word(number + 1)));
        let out = slots.map(|slot| direction.step(slot));
        out.flatten().map(|word| word.data).collect()
    }

    #[test]
    fn words_come_a_flight_later_in_order() {
        let mut direction = Direction::new(3, Faults::default(), 1);
        let out: Vec<_> = (1..=5)
            .map(|number| direction.step(Some(word(number))))
            .collect();
        assert_eq!(out, [None, None, None, Some(word(1)), Some(word(2))]);
    }

    #[test]
    fn each_kind_of_fault_happens_at_its_rate() {
        let passed = |faults| passed(faults, 100_000);
        let only = |set: fn(&mut Faults)| passed(Faults::only(set));
        let all = passed(Faults::default());
        let near = |count: usize| (700..1_100).contains(&count);
        let pairs = |out: &[u64], is_odd: fn(&[u64]) -> bool| {
            out.windows(2).filter(|pair| is_odd(pair)).count()
        };

        let dropped = only(|faults| faults.dropped = 0.01);
        assert!(near(all.len() - dropped.len()));
        assert!(dropped.is_sorted());
        let repeated = only(|faults| faults.repeated = 0.01);
        assert!(near(pairs(&repeated, |pair| pair[0] == pair[1])));
        let swapped = only(|faults| faults.swapped = 0.01);
        assert!(near(pairs(&swapped, |pair| pair[0] > pair[1])));

        let wrong = |out: Vec<u64>| {
            let is_wrong = |data: &&u64| all.binary_search(data).is_err();
            out.iter().filter(is_wrong).count()
        };
        assert!(near(wrong(only(|faults| faults.burst = 0.01))));
        assert!(near(wrong(only(|faults| faults.garbage = 0.01))));
        let bits = wrong(passed(Faults::bit_errors(1e-4)));
        assert!((400..1_800).contains(&bits), "{bits}");

        let silence = only(|faults| (faults.silence, faults.silence_words) = (0.001, 100));
        let lost = all.len() - silence.len();
        assert!((2_500..7_000).contains(&lost), "{lost}");
    }

    #[test]
    fn a_plug_that_is_pulled_takes_what_is_on_its_way() {
        let mut direction = Direction::new(4, Faults::default(), 1);
        let before = (1..=4).filter_map(|number| direction.step(Some(word(number))));
        assert_eq!(before.count(), 0);
        direction.plug(false);
        assert!(!direction.is_up());
        assert!((0..8).all(|number| direction.step(Some(word(number))).is_none()));
        direction.plug(true);
        let out = (1..=5).map(|number| direction.step(Some(word(number))));
        assert_eq!(out.flatten().count(), 1);
    }

    #[test]
    fn the_same_seed_makes_the_same_faults() {
        let faults = Faults::of_every_kind(0.01);
        assert_eq!(passed(faults, 20_000), passed(faults, 20_000));
    }
}
