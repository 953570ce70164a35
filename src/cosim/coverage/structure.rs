//! Verilator's coverage file, by place in the RTL.
//!
//! Verilator counts for every instance; instances and parameters of a module are one place here, so a
//! place is covered when any instance has reached it.

use std::collections::BTreeMap;

use serde::Serialize;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Line,
    /// One way out of an `if`, a `case` or a choice `? :`.
    Branch,
    /// One bit of a signal, one way.
    Toggle,
}

/// Where it is counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    pub kind: Kind,
    /// File name of the RTL; its lines are those of the template with that name.
    pub file: String,
    pub line: u32,
    /// Which branch, or which bit and way; empty for lines.
    pub what: String,
}

/// Places and counts of a file in Verilator's format, version 3.
pub fn read(text: &str) -> BTreeMap<Place, u64> {
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let Some((point, count)) = point(line) else {
            continue;
        };
        for place in places(&point) {
            *counts.entry(place).or_default() += count;
        }
    }
    counts
}

/// Keys and values of a line, and its count.
fn point(line: &str) -> Option<(BTreeMap<&str, &str>, u64)> {
    let (keys, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let pairs = keys
        .split('\u{1}')
        .filter_map(|pair| pair.split_once('\u{2}'));
    Some((pairs.collect(), count.parse().ok()?))
}

fn places(point: &BTreeMap<&str, &str>) -> Vec<Place> {
    let value = |key| point.get(key).copied().unwrap_or_default();
    let file = value("f").rsplit('/').next().unwrap_or_default();
    let place = |kind, line, what: String| Place {
        kind,
        file: file.to_owned(),
        line,
        what,
    };
    let line = value("l").parse().unwrap_or(0);
    let mut found = Vec::new();
    match value("t") {
        "toggle" => found.push(place(Kind::Toggle, line, value("o").to_owned())),
        "branch" => {
            let what = format!("{} (column {})", value("o"), value("n"));
            found.push(place(Kind::Branch, line, what));
        }
        "line" => {}
        _ => return found,
    }
    let lines = lines(value("S")).map(|line| place(Kind::Line, line, String::new()));
    found.extend(lines);
    found
}

/// Lines of a list such as `3,7-9`.
fn lines(list: &str) -> impl Iterator<Item = u32> + use<'_> {
    list.split(',').flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first = first.parse::<u32>().ok();
        let bounds = first.zip(last.parse::<u32>().ok());
        bounds.into_iter().flat_map(|(first, last)| first..=last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_added_up_and_lines_are_spread() {
        let keys = |kind: &str, more: &str, instance: &str| {
            format!(
                "C '\u{1}f\u{2}rtl/sub.v\u{1}l\u{2}3\u{1}n\u{2}5\u{1}t\u{2}{kind}{more}\u{1}h\u{2}{instance}'"
            )
        };
        let text = format!(
            "# SystemC::Coverage-3\n{} 2\n{} 5\n{} 0\n",
            keys("branch", "\u{1}o\u{2}if\u{1}S\u{2}3,5-6", "top.a"),
            keys("branch", "\u{1}o\u{2}if\u{1}S\u{2}3,5-6", "top.b"),
            keys("toggle", "\u{1}o\u{2}q[0]:0->1", "top.a"),
        );
        let counts = read(&text);
        let count = |kind, line, what: &str| {
            let file = "sub.v".to_owned();
            let what = what.to_owned();
            counts
                .get(&Place {
                    kind,
                    file,
                    line,
                    what,
                })
                .copied()
        };
        assert_eq!(count(Kind::Branch, 3, "if (column 5)"), Some(7));
        assert_eq!(count(Kind::Line, 6, ""), Some(7));
        assert_eq!(count(Kind::Line, 4, ""), None);
        assert_eq!(count(Kind::Toggle, 3, "q[0]:0->1"), Some(0));
        assert_eq!(counts.len(), 5);
    }
}
