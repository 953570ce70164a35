//! What drives a pin, as text: `instance.port[high:low]` or `bit*count`, the highest bits first, neighbours joined.

use std::fmt::Write;

/// Collects drivers from the highest bit on.
#[derive(Default)]
pub struct Segments(Vec<(Source, u64, u64)>);

#[derive(PartialEq)]
enum Source {
    Pin(String),
    Constant(bool),
}

impl Segments {
    /// Bits of a pin.
    pub fn pin(mut self, name: &str, low: u64, bits: u64) -> Self {
        match self.0.last_mut() {
            Some((Source::Pin(last), _, lowest)) if last == name && *lowest == low + bits => {
                *lowest = low;
            }
            _ => self
                .0
                .push((Source::Pin(name.to_owned()), low + bits - 1, low)),
        }
        self
    }

    /// Constant zeros.
    pub fn zeros(self, bits: u64) -> Self {
        self.bits(false, bits)
    }

    /// The low bits of a number.
    pub fn number(self, value: u64, bits: u64) -> Self {
        let places = (0..bits).rev();
        places.fold(self, |all, place| all.bits(value >> place & 1 == 1, 1))
    }

    fn bits(mut self, value: bool, bits: u64) -> Self {
        match self.0.last_mut() {
            Some((Source::Constant(last), count, _)) if *last == value => *count += bits,
            _ => self.0.push((Source::Constant(value), bits, 0)),
        }
        self
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (source, high, low) in &self.0 {
            let comma = if text.is_empty() { "" } else { "," };
            let _ = match source {
                Source::Constant(value) => write!(text, "{comma}{}*{high}", u8::from(*value)),
                Source::Pin(name) => write!(text, "{comma}{name}[{high}:{low}]"),
            };
        }
        text
    }
}

/// The first parts in which two such texts differ.
pub fn first_difference<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    let (mut ones, mut others) = (one.split(','), other.split(','));
    loop {
        match (ones.next(), others.next()) {
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return (one.unwrap_or("nothing"), other.unwrap_or("nothing")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined() {
        let segments = Segments::default()
            .zeros(2)
            .zeros(1)
            .pin("a", 4, 2)
            .pin("a", 3, 1)
            .number(6, 4);
        assert_eq!(
            segments.pin("b", 0, 1).text(),
            "0*3,a[5:3],0*1,1*2,0*1,b[0:0]"
        );
        assert_eq!(
            first_difference("0*3,a[5:3]", "0*3,b[5:3]"),
            ("a[5:3]", "b[5:3]")
        );
    }
}
