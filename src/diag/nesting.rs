//! How deep the brackets of a TOML text are nested: bounded before the text is parsed.

/// Brackets within each other, at most. The parser takes 80.
pub const MOST_NESTED: usize = 64;

/// Number of the line of a TOML text that opens more than [`MOST_NESTED`] brackets within each other. Known before the
/// text is parsed: a parser that recovers from every one of them takes time that grows with the square of their number.
pub fn line_too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'#' => at += text[at..].find('\n').unwrap_or(text.len()),
            b'"' | b'\'' => at += toml_string(&text[at..]),
            _ => {}
        }
        if depth > MOST_NESTED {
            return Some(1 + text[..at].matches('\n').count());
        }
        at += 1;
    }
    None
}

/// Place of the last byte of the string with which a TOML text begins; one without an end takes the rest of its line.
fn toml_string(text: &str) -> usize {
    let quote = &text[..1];
    let fence = quote.repeat(3);
    let (fence, first) = match text.starts_with(&fence) {
        true => (fence.as_str(), 3),
        false => (quote, 1),
    };
    let is_multiline = fence.len() == 3;
    let mut escaped = false;
    for (at, letter) in text.bytes().enumerate().skip(first) {
        if !is_multiline && letter == b'\n' {
            return at;
        }
        if !escaped && text.as_bytes()[at..].starts_with(fence.as_bytes()) {
            return at + fence.len() - 1;
        }
        escaped = quote == "\"" && letter == b'\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_17_brackets_without_end_are_refused_before_they_are_parsed() {
        let brackets = "[[[".repeat(1 << 20);
        assert_eq!(line_too_deep(&brackets), Some(1));
        assert_eq!(line_too_deep(&format!("a = 1\nb = {brackets}")), Some(2));
        assert_eq!(line_too_deep(&"{\n".repeat(65)), Some(65));
        let legal = "[[a]]\nb = [[1], [2]]\n".repeat(100);
        assert_eq!(line_too_deep(&legal), None);
    }

    #[test]
    fn brackets_of_strings_and_comments_do_not_count() {
        let brackets = "[".repeat(70);
        for text in [
            format!("# {brackets}"),
            format!("a = \"{brackets}\""),
            format!("a = '{brackets}'"),
            format!("a = \"\\\"{brackets}\""),
            format!("a = \"\"\"\n{brackets}\n\"\"\" # ü"),
            format!("a = \"without an end {brackets}\nb = 1"),
        ] {
            assert_eq!(line_too_deep(&text), None, "{text}");
        }
        let behind = format!("a = \"\"\nb = '''\n'''\n{brackets}");
        assert_eq!(line_too_deep(&behind), Some(4));
    }
}
