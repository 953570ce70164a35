//! What goes wrong on a cable, and how often.

/// Rates of all faults of one direction; all 0 is a cable without errors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Faults {
    /// Of a bit of the line, 66 a word. A bit that the descrambler x⁵⁸ + x³⁹ + 1 has seen wrong comes back 39 and
    /// 58 bits later.
    pub bit_error_rate: f64,
    /// Of a word: random bits from some bit on, up to 64 of them.
    pub burst: f64,
    /// Of a word: it is lost, and its slot is empty.
    pub dropped: f64,
    /// Of a word: it comes twice.
    pub repeated: f64,
    /// Of a word: the one before comes after it.
    pub swapped: f64,
    /// Of a word: data looks like control, or control like data.
    pub marker: f64,
    /// Of a word: a random one comes in its place.
    pub garbage: f64,
    /// Of a data word: it is lost with a control word behind it, and one of the lowest bits of the next word is wrong, as if
    /// it were to hide the gap.
    pub hidden_gap: f64,
    /// Of a word: nothing comes for up to `silence_words`.
    pub silence: f64,
    pub silence_words: u32,
}

impl Faults {
    /// No errors but those that `set` asks for.
    pub fn only(set: impl FnOnce(&mut Self)) -> Self {
        let mut faults = Self::default();
        set(&mut faults);
        faults
    }

    /// Bit errors alone.
    pub fn bit_errors(rate: f64) -> Self {
        Self::only(|faults| faults.bit_error_rate = rate)
    }

    /// Every kind, each `rate` of a word, bit errors too; silences are short.
    pub fn of_every_kind(rate: f64) -> Self {
        Self {
            bit_error_rate: rate / 66.0,
            burst: rate,
            dropped: rate,
            repeated: rate,
            swapped: rate,
            marker: rate,
            garbage: rate,
            hidden_gap: rate,
            silence: rate / 50.0,
            silence_words: 2_000,
        }
    }
}
