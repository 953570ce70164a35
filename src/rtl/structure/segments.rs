//! What drives a pin, as text: `instance.port[high:low]` or `bit*count`, the highest bits first, neighbours joined.

use std::fmt::Write;

/// Collects drivers from the highest bit on.
#[derive(Default)]
pub struct Segments(Vec<(String, u64, u64)>);

impl Segments {
    /// Bits of a pin.
    pub fn pin(mut self, name: &str, low: u64, bits: u64) -> Self {
        match self.0.last_mut() {
            Some((last, _, lowest)) if last == name && *lowest == low + bits => *lowest = low,
            _ => self.0.push((name.to_owned(), low + bits - 1, low)),
        }
        self
    }

    /// Constant zeros.
    pub fn zeros(mut self, bits: u64) -> Self {
        match self.0.last_mut() {
            Some((last, count, _)) if last.is_empty() => *count += bits,
            _ => self.0.push((String::new(), bits, 0)),
        }
        self
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, high, low) in &self.0 {
            let comma = if text.is_empty() { "" } else { "," };
            let _ = match name.is_empty() {
                true => write!(text, "{comma}0*{high}"),
                false => write!(text, "{comma}{name}[{high}:{low}]"),
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
            .pin("a", 3, 1);
        assert_eq!(segments.pin("b", 0, 1).text(), "0*3,a[5:3],b[0:0]");
        assert_eq!(
            first_difference("0*3,a[5:3]", "0*3,b[5:3]"),
            ("a[5:3]", "b[5:3]")
        );
    }
}
