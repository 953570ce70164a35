//! Verilator's coverage file, by place in the RTL.
//!
//! Verilator counts for every instance; instances and parameters of a module are one place here, so a
//! place is covered when any instance has reached it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::unreachable::Unreachable;

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
pub struct SourceItem {
    pub kind: Kind,
    /// File name of the RTL; its lines are those of the template with that name.
    pub file: String,
    pub line: u32,
    /// Which branch, or which bit and way; empty for lines.
    pub what: String,
}

/// How often a place was reached, and whether any instance of it can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reached {
    pub count: u64,
    pub is_reachable: bool,
}

impl Reached {
    /// Takes another instance, or another run, of the same place.
    pub fn add(&mut self, other: Self) {
        self.count += other.count;
        self.is_reachable |= other.is_reachable;
    }
}

/// Places and counts of a file in Verilator's format, version 3.
pub fn read(text: &str, unreachable_places: &Unreachable) -> BTreeMap<SourceItem, Reached> {
    let mut counts: BTreeMap<SourceItem, Reached> = BTreeMap::new();
    for line in text.lines() {
        let Some((point, count)) = point(line) else {
            continue;
        };
        for place in places(&point) {
            let is_reachable = match place.kind {
                Kind::Toggle => !is_fixed(&point, unreachable_places),
                Kind::Line | Kind::Branch => {
                    !unreachable_places.is_elaboration(&place.file, place.line)
                }
            };
            let reached = Reached {
                count,
                is_reachable,
            };
            counts.entry(place).or_default().add(reached);
        }
    }
    counts
}

/// Whether the bit of a toggle has a fixed value.
fn is_fixed(point: &BTreeMap<&str, &str>, unreachable_places: &Unreachable) -> bool {
    let value = |key| point.get(key).copied().unwrap_or_default();
    let signal = value("o").rsplit_once(':').map_or("", |(signal, _)| signal);
    let (name, bit) = match signal.strip_suffix(']').and_then(|s| s.rsplit_once('[')) {
        Some((name, bit)) => (name, bit.parse().unwrap_or(0)),
        None => (signal, 0),
    };
    // Instances begin below `TOP`, the clocked wrapper and the block in it.
    let path = value("h").splitn(4, '.').nth(3);
    let path = path.map_or(name.to_owned(), |path| format!("{path}.{name}"));
    unreachable_places.is_fixed(&path, bit)
}

/// Keys and values of a line, and its count.
fn point(line: &str) -> Option<(BTreeMap<&str, &str>, u64)> {
    let (keys, count) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let pairs = keys
        .split('\u{1}')
        .filter_map(|pair| pair.split_once('\u{2}'));
    Some((pairs.collect(), count.parse().ok()?))
}

fn places(point: &BTreeMap<&str, &str>) -> Vec<SourceItem> {
    let value = |key| point.get(key).copied().unwrap_or_default();
    let file = value("f").rsplit('/').next().unwrap_or_default();
    let place = |kind, line, what: String| SourceItem {
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
        let counts = read(&text, &Unreachable::default());
        let count = |kind, line, what: &str| {
            let file = "sub.v".to_owned();
            let what = what.to_owned();
            counts
                .get(&SourceItem {
                    kind,
                    file,
                    line,
                    what,
                })
                .map(|reached| reached.count)
        };
        assert_eq!(count(Kind::Branch, 3, "if (column 5)"), Some(7));
        assert_eq!(count(Kind::Line, 6, ""), Some(7));
        assert_eq!(count(Kind::Line, 4, ""), None);
        assert_eq!(count(Kind::Toggle, 3, "q[0]:0->1"), Some(0));
        assert_eq!(counts.len(), 5);
    }
}
