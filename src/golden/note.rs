//! States in words, for reports: names and values as the tables of `docs/microarchitecture.md` have them.

/// A value as the page writes it.
pub trait Words: PartialEq {
    fn words(&self) -> String;
}

/// Adds the name and value of something that differs from its reset value.
pub fn note<T: Words>(text: &mut String, name: &str, value: T, reset: T) {
    if value != reset {
        let comma = if text.is_empty() { "" } else { ", " };
        text.push_str(&format!("{comma}{name} = {}", value.words()));
    }
}

impl Words for usize {
    fn words(&self) -> String {
        self.to_string()
    }
}

impl Words for u32 {
    fn words(&self) -> String {
        self.to_string()
    }
}

impl Words for bool {
    fn words(&self) -> String {
        u32::from(*self).words()
    }
}

impl Words for &str {
    fn words(&self) -> String {
        (*self).to_owned()
    }
}

impl<T: Words> Words for Option<T> {
    fn words(&self) -> String {
        self.as_ref().map_or("none".to_owned(), Words::words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_reset_is_said() {
        let mut text = String::new();
        note(&mut text, "stall counter", 0, 0_u32);
        note(&mut text, "current", Some(1_usize), None);
        note(&mut text, "truncated", true, false);
        assert_eq!(text, "current = 1, truncated = 1");
    }
}
