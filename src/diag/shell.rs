//! Words of the commands that mkns prints, so that a shell takes them as they are meant.

/// A word of a command line: as it is where a shell reads nothing into it, else in double quotes, as
/// people write `"MKNS(2,4,2,1)"`, or in single ones where a shell reads on within double ones.
pub fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "=._-+,:/".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_reads_into_them() {
        for (word, quoted) in [
            ("a/b-1.toml", "a/b-1.toml"),
            ("flit_bits=128", "flit_bits=128"),
            ("MKNS(2,4,2,1)", r#""MKNS(2,4,2,1)""#),
            ("it's here", r#""it's here""#),
            (r#"name="lab""#, r#"'name="lab"'"#),
            ("$it's", r"'$it'\''s'"),
            ("", r#""""#),
        ] {
            assert_eq!(shell_word(word), quoted);
        }
    }
}
