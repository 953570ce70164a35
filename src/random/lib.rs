//! Random numbers of simulations and stimuli: one seed decides a whole run, on every machine.
//!
//! SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): traffic needs speed and repeatability, nothing
//! more. Knows nothing of blocks.

/// A deterministic stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent stream for one part of a run: drawing from it leaves the others alone.
    pub fn branch(seed: u64, part: u64) -> Self {
        Self::new(mix(seed ^ mix(part.wrapping_add(0x517c_c1b7_2722_0a95))))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// 0 … `bound` − 1 (0 when `bound` is 0).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// `low` … `high`, both included.
    #[inline]
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True with a probability of `per_mille` / 1000.
    #[inline]
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < u64::from(per_mille)
    }

    /// 0 ≤ … < 1.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One element of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len() as u64) as usize]
    }

    /// A random order of 0 … `count` − 1.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last as u64 + 1) as usize);
        }
        order
    }
}

/// A bijective 64-bit hash (the output function of SplitMix64).
#[inline]
pub fn mix(value: u64) -> u64 {
    let a = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ (b >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_and_branches_differ() {
        let draw = |mut random: Random| (0..4).map(|_| random.bits()).collect::<Vec<_>>();
        assert_eq!(draw(Random::new(7)), draw(Random::new(7)));
        assert_ne!(draw(Random::branch(7, 0)), draw(Random::branch(7, 1)));
    }

    #[test]
    fn bounds_hold_and_are_reached() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..1000).map(|_| random.between(3, 5)).collect();
        assert_eq!(drawn.iter().min(), Some(&3));
        assert_eq!(drawn.iter().max(), Some(&5));
        let mut order = random.permutation(20);
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
    }
}
