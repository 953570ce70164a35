//! Lists laid out over lines of at most 100 columns.

/// Longest line of generated text, literals apart.
pub const COLUMNS: usize = 100;

/// `opening`, the items separated by commas, `closing`; further lines are indented to `hang`.
/// The text starts at column `start`, and `closing` fits the last line.
pub fn wrap(opening: &str, items: &[String], closing: &str, start: usize, hang: usize) -> String {
    let mut out = String::from(opening);
    let mut column = start + opening.len();
    for (number, item) in items.iter().enumerate() {
        let last = number + 1 == items.len();
        let tail = if last { closing.len() + 1 } else { 1 };
        if number > 0 {
            if column + 1 + item.len() + tail > COLUMNS {
                out.push('\n');
                out.push_str(&" ".repeat(hang));
                column = hang;
            } else {
                out.push(' ');
                column += 1;
            }
        }
        out.push_str(item);
        column += item.len();
        if !last {
            out.push(',');
            column += 1;
        }
    }
    out + closing
}

/// Like items in a row become one, `{3{x}}`; the items of a concatenation, highest first.
pub fn concatenation(items: &[String]) -> Vec<String> {
    let runs = items.chunk_by(|a, b| a == b);
    runs.map(|run| match run {
        [single] => single.clone(),
        _ => format!("{{{}{{{}}}}}", run.len(), run[0]),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_items_and_never_beyond_the_limit() {
        let items: Vec<String> = (0..40).map(|n| format!("item_{n}")).collect();
        let text = wrap(".port({", &items, "}),", 4, 8);
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert!(widths.len() > 1 && widths[0] + 4 <= COLUMNS);
        assert!(widths.iter().all(|width| *width <= COLUMNS));
        assert_eq!(text.matches("item_").count(), 40);
        assert!(text.lines().all(|line| line == line.trim_end()));
    }

    #[test]
    fn equal_neighbours_are_replicated() {
        let items = ["a", "a", "b"].map(str::to_owned);
        assert_eq!(concatenation(&items), ["{2{a}}", "b"]);
    }
}
