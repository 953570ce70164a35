//! Lengths in whole millimetres, so that sums are exact and the same on every machine.

use std::fmt;

use serde::Serialize;

/// A length, mm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Millimetres(pub u64);

impl Millimetres {
    /// In metres.
    pub fn metres(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// Metres as a person writes them, to the nearest millimetre.
    pub fn of_metres(metres: f64) -> Self {
        Self((metres * 1000.0).round() as u64)
    }
}

/// In metres, without zeros at the end: `1.5 m`.
impl fmt::Display for Millimetres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        let short = digits.trim_end_matches('0').trim_end_matches('.');
        f.pad(&format!("{short} m"))
    }
}
