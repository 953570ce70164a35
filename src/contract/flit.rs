//! What a link carries in a cycle.

/// 64-bit words of the widest flit or beat above its lowest one.
const HIGH_WORDS: usize = 7;

/// The bits of a flit or beat, in 64-bit words, lowest first; words above its width are 0.
///
/// Mostly a flit is one word wide, and many wider ones are headers. So the words above the lowest one are kept apart,
/// and only where one of them is not 0: models move flits in every cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Data {
    low: u64,
    high: Option<Box<[u64; HIGH_WORDS]>>,
}

impl Data {
    /// At most eight words; those above are 0.
    pub fn of(words: &[u64]) -> Self {
        let (low, high) = words
            .split_first()
            .map_or((0, words), |(low, high)| (*low, high));
        let mut data = Self { low, high: None };
        if high.iter().any(|&word| word != 0) {
            let mut above = Box::new([0; HIGH_WORDS]);
            above[..high.len()].copy_from_slice(high);
            data.high = Some(above);
        }
        data
    }

    /// The low 64 bits; those of a header flit hold its fields.
    #[inline]
    pub fn low(&self) -> u64 {
        self.low
    }

    /// The low 64 bits, to be changed.
    pub fn low_mut(&mut self) -> &mut u64 {
        &mut self.low
    }

    /// The low words, as many as `words` has.
    #[inline]
    pub fn copy_to(&self, words: &mut [u64]) {
        let Some((low, above)) = words.split_first_mut() else {
            return;
        };
        *low = self.low;
        match &self.high {
            Some(high) => above.copy_from_slice(&high[..above.len()]),
            None => above.fill(0),
        }
    }

    /// All eight words.
    pub fn words(&self) -> [u64; 1 + HIGH_WORDS] {
        let mut words = [0; 1 + HIGH_WORDS];
        self.copy_to(&mut words);
        words
    }

    /// `words` words, each given by its number.
    pub fn from_fn(words: usize, word: impl FnMut(usize) -> u64) -> Self {
        Self::of(&(0..words).map(word).collect::<Vec<_>>())
    }

    /// `words` 64-bit words from word `first` on, as data of their own.
    pub fn part(&self, first: usize, words: usize) -> Self {
        Self::of(&self.words()[first..first + words])
    }

    /// Puts the low `words` 64-bit words of `part` to word `first` and behind.
    pub fn put(&mut self, first: usize, words: usize, part: &Self) {
        let mut all = self.words();
        part.copy_to(&mut all[first..first + words]);
        *self = Self::of(&all);
    }
}

/// A valid flit on the pins of a port: `rx_*` or `tx_*`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flit {
    /// Virtual channel, 0…V−1.
    pub channel: usize,
    /// The last flit of its packet.
    pub last: bool,
    /// The packet is damaged; counts in its last flit.
    pub bad: bool,
    pub data: Data,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_and_zeros_above_make_no_difference() {
        let words = [1, 0, 3, 0, 0, 0, 0, 8];
        assert_eq!(Data::of(&words).words(), words);
        assert_eq!(Data::of(&[7, 0, 0]), Data::of(&[7]));
        assert_eq!(Data::of(&words).part(2, 2), Data::of(&[3]));
        let mut data = Data::of(&[1, 2]);
        data.put(1, 1, &Data::of(&[0, 9]));
        assert_eq!(data, Data::of(&[1]));
    }
}
