//! States in words, for reports: names and values as the tables of `docs/microarchitecture.md` have them.

/// A value as the page writes it.
pub trait PageText: PartialEq {
    fn page_text(&self) -> String;
}

/// Adds the name and value of something that differs from its reset value.
pub fn note<T: PageText>(text: &mut String, name: &str, value: T, reset: T) {
    if value != reset {
        let comma = if text.is_empty() { "" } else { ", " };
        text.push_str(&format!("{comma}{name} = {}", value.page_text()));
    }
}

impl PageText for usize {
    fn page_text(&self) -> String {
        self.to_string()
    }
}

impl PageText for u32 {
    fn page_text(&self) -> String {
        self.to_string()
    }
}

impl PageText for bool {
    fn page_text(&self) -> String {
        u32::from(*self).page_text()
    }
}

impl PageText for &str {
    fn page_text(&self) -> String {
        (*self).to_owned()
    }
}

impl<T: PageText> PageText for Option<T> {
    fn page_text(&self) -> String {
        self.as_ref().map_or("none".to_owned(), PageText::page_text)
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
