//! Which files of a design a module is made of, by the names of modules that their texts mention: enough to
//! tell that a changed file was not part of a run.

use std::collections::{BTreeMap, BTreeSet};

/// Names of the files that hold the modules `tops` and all that these may instantiate.
pub fn used_files<'a>(files: &'a [(String, String)], tops: &[&'a str]) -> BTreeSet<&'a str> {
    let words: Vec<Vec<&str>> = files.iter().map(|(_, text)| words(text)).collect();
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, words) in words.iter().enumerate() {
        let modules = words.windows(2).filter(|pair| pair[0] == "module");
        homes.extend(modules.map(|pair| (pair[1], number)));
    }
    let mut used = BTreeSet::new();
    let mut pending: Vec<&str> = tops.to_vec();
    while let Some(name) = pending.pop() {
        if let Some(&number) = homes.get(name)
            && used.insert(files[number].0.as_str())
        {
            pending.extend(&words[number]);
        }
    }
    used
}

/// Identifiers and keywords of a text, without comments.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            if end > 0 {
                words.push(&rest[..end]);
            }
            end.max(rest.chars().next().map_or(1, char::len_utf8))
        };
        rest = &rest[end..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_used_through_instances_and_not_through_comments() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let files = [
            file(
                "a.v",
                "module a; // not c\n/* nor c */ b #(1) x(); endmodule",
            ),
            file("b.v", "module b; d y(); endmodule\nmodule c; endmodule"),
            file("c.v", "// empty"),
            file("d.v", "module d; endmodule"),
            file("e.v", "module e; a x(); endmodule"),
        ];
        let used: Vec<&str> = used_files(&files, &["a"]).into_iter().collect();
        assert_eq!(used, ["a.v", "b.v", "d.v"]);
        assert_eq!(used_files(&files, &["d", "none"]).len(), 1);
    }
}
