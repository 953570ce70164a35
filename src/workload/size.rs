//! Sizes of messages as people write them.

/// Units by their names in lower case, with their bytes; the longest names first.
const UNITS: [(&str, u64); 10] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("b", 1),
];

/// Bytes of `8`, `64KiB` (65,536) or `1MB` (1,000,000); none where it is not a size.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let unit = UNITS.iter().find(|(name, _)| text.ends_with(name));
    let (digits, factor) = match unit {
        Some((name, factor)) => (&text[..text.len() - name.len()], *factor),
        None => (&text[..], 1),
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_a_thousand_or_of_1024() {
        let sizes = ["8", "8B", "64KiB", "1MB", "1 MiB", "2g"].map(parse_size);
        let bytes = [8, 8, 65_536, 1_000_000, 1 << 20, 2_000_000_000];
        assert_eq!(sizes, bytes.map(Some));
        assert_eq!(["", "MB", "1.5MB", "-1"].map(parse_size), [None; 4]);
    }
}
