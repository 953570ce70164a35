//! Sets of parts that fail together: every set of a size, or a sample of them.
//!
//! A set is found from its number alone, so that sets can be looked at in any order and on any thread.

use mkns_random::Random;
use mkns_topology::{Faults, Part};

/// All sets of `size` parts, or some of them.
#[derive(Debug, Clone)]
pub struct FaultSets {
    parts: Vec<Part>,
    size: usize,
    /// Seed of drawn sets; none where all sets are taken, in lexicographic order.
    seed: Option<u64>,
    number: u64,
}

impl FaultSets {
    /// Every set of `size` of the parts.
    pub fn all(parts: &[Part], size: usize) -> Self {
        Self {
            parts: parts.to_vec(),
            size,
            seed: None,
            number: choose(parts.len() as u64, size as u64),
        }
    }

    /// `number` sets, each drawn for itself, so that one may occur twice; all of them where there are no more.
    pub fn sample(parts: &[Part], size: usize, number: u64, seed: u64) -> Self {
        let all = Self::all(parts, size);
        match number < all.number {
            true => Self {
                seed: Some(seed),
                number,
                ..all
            },
            false => all,
        }
    }

    /// How many sets there are; `u64::MAX` where it is more than that.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether sets were drawn.
    pub fn are_drawn(&self) -> bool {
        self.seed.is_some()
    }

    /// Set 0 … [`FaultSets::number`] − 1.
    pub fn set(&self, number: u64) -> Faults {
        let chosen = match self.seed {
            Some(seed) => self.drawn(seed, number),
            None => self.in_order(number),
        };
        chosen.into_iter().map(|part| self.parts[part]).collect()
    }

    /// Floyd's way to draw different numbers: each set is as likely as any other.
    fn drawn(&self, seed: u64, number: u64) -> Vec<usize> {
        let mut random = Random::branch(seed, number);
        let mut chosen: Vec<usize> = Vec::with_capacity(self.size);
        for last in self.parts.len() - self.size..self.parts.len() {
            let part = random.below(last as u64 + 1) as usize;
            chosen.push(if chosen.contains(&part) { last } else { part });
        }
        chosen
    }

    /// The set of that number in lexicographic order.
    fn in_order(&self, mut number: u64) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(self.size);
        let mut part = 0;
        while chosen.len() < self.size {
            let behind = (self.parts.len() - part - 1) as u64;
            let with_this = choose(behind, (self.size - chosen.len() - 1) as u64);
            if number < with_this {
                chosen.push(part);
            } else {
                number -= with_this;
            }
            part += 1;
        }
        chosen
    }
}

/// Ways to choose `chosen` of `all`; `u64::MAX` where they are more than that.
fn choose(all: u64, chosen: u64) -> u64 {
    if chosen > all {
        return 0;
    }
    let chosen = chosen.min(all - chosen);
    let mut ways: u128 = 1;
    for step in 0..chosen {
        ways = ways * u128::from(all - step) / u128::from(step + 1);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    ways as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn parts(number: u32) -> Vec<Part> {
        (0..number).map(Part::Cable).collect()
    }

    /// The numbers of a set's parts.
    fn numbers(faults: &Faults) -> Vec<u32> {
        let number = |part| match part {
            Part::Cable(number) => number,
            _ => unreachable!("cables only"),
        };
        faults.parts().map(number).collect()
    }

    #[test]
    fn all_sets_come_once_in_order() {
        let sets = FaultSets::all(&parts(7), 3);
        let found: Vec<Vec<u32>> = (0..sets.number())
            .map(|at| numbers(&sets.set(at)))
            .collect();
        assert_eq!(found.len(), 35);
        assert!(found.is_sorted());
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 35);
        assert_eq!(
            (found[0].as_slice(), found[34].as_slice()),
            (&[0, 1, 2][..], &[4, 5, 6][..])
        );
    }

    #[test]
    fn drawn_sets_are_of_their_size_and_all_occur() {
        let sets = FaultSets::sample(&parts(30), 2, 400, 1);
        let found: BTreeSet<Vec<u32>> = (0..400).map(|at| numbers(&sets.set(at))).collect();
        assert!(sets.are_drawn() && found.iter().all(|set| set.len() == 2));
        assert!(
            found.len() > 200,
            "{} of 435 sets in 400 draws",
            found.len()
        );
        assert!(!FaultSets::sample(&parts(7), 3, 35, 1).are_drawn());
    }

    #[test]
    fn ways_to_choose_do_not_overflow() {
        assert_eq!(choose(60, 2), 1_770);
        assert_eq!(choose(3, 4), 0);
        assert_eq!(choose(10_000, 40), u64::MAX);
    }
}
