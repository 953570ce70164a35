//! A diagnostic: code, place, fact, remedy. The one module that every other may import.
//!
//! Library modules return typed errors that hold or convert to [`Diagnostic`]; only `cli` renders
//! them. What a code means and brings is in [`Code`].

pub mod cache;
mod code;
mod diagnostic;
mod exit;
mod nesting;
mod shell;
mod text;
pub mod tools;

pub use code::Code;
pub use diagnostic::{Diagnostic, Excerpt, Place};
pub use exit::Exit;
pub use shell::shell_word;
pub use text::{TextFile, TextKind};

/// The candidate that `name` was probably meant to be: fewest edits, at most a third of its letters
/// (one edit is always allowed); the first of equals.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let allowed = (letters / 3).max(1);
    candidates
        .into_iter()
        // A long name is compared with none that cannot be it.
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= allowed)
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that make `a` of `b`, letter case
/// ignored (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    // distance[i][j] is that of the first i letters of a and the first j of b.
    let mut distance = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            distance[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = distance[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced
                    .min(distance[i - 1][j] + 1)
                    .min(distance[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                distance[i][j] = distance[i][j].min(distance[i - 2][j - 2] + 1);
            }
        }
    }
    distance[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_counts_lines_and_characters() {
        let text = "a = 1\nσμ = 22 # x\n";
        let place = Place::in_text("f.toml", text, 13..15, "");
        let excerpt = place.excerpt.expect("a span has an excerpt");
        assert_eq!((excerpt.line, excerpt.column, excerpt.width), (2, 6, 2));
        assert_eq!(excerpt.text, "σμ = 22 # x");
    }

    #[test]
    fn excerpt_survives_spans_beyond_the_text() {
        let excerpt = Excerpt::cut("ab", &(7..9));
        assert_eq!((excerpt.line, excerpt.column, excerpt.width), (1, 3, 1));
    }

    #[test]
    fn nearest_refuses_far_names() {
        let names = ["flit_bits", "queue_flits", "banks"];
        assert_eq!(nearest("flit_bit", names), Some("flit_bits"));
        assert_eq!(nearest("Bank", names), Some("banks"));
        assert_eq!(nearest("MNKS", ["MKNS"]), Some("MKNS"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("b", names), None);
    }
}
