//! What a Verilog text says before any tool reads it: the modules that it defines, what it would read from elsewhere,
//! and what of it would run programs or touch files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mkns_diag::{Code, Diagnostic, Place};

/// System tasks and functions that touch nothing outside the simulation. All others have to be allowed by name.
#[rustfmt::skip]
const HARMLESS: [&str; 36] = [
    "$assertkill", "$assertoff", "$asserton", "$bits", "$bitstoreal", "$clog2", "$countones",
    "$display", "$error", "$fatal", "$fell", "$finish", "$high", "$info", "$isunknown", "$itor",
    "$left", "$low", "$monitor", "$onehot", "$onehot0", "$past", "$random", "$realtime", "$right",
    "$rose", "$rtoi", "$signed", "$size", "$stable", "$stime", "$stop", "$time", "$unsigned",
    "$urandom", "$write",
];

/// A source: name, text, and where it lies.
pub struct Scanned<'a> {
    pub path: PathBuf,
    pub text: &'a str,
}

/// A word of a text, and the number of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word<'a> {
    text: &'a str,
    line: usize,
}

/// Refuses texts that define a module twice, or that read other files (`include`).
pub fn refuse_ambiguous(sources: &[Scanned]) -> Result<(), Vec<Diagnostic>> {
    let mut homes: BTreeMap<&str, String> = BTreeMap::new();
    let mut found = Vec::new();
    for source in sources {
        let words = words(source.text);
        for pair in words.windows(2) {
            let place = || format!("{}:{}", source.path.display(), pair[1].line);
            if matches!(pair[0].text, "module" | "macromodule" | "primitive") {
                match homes.get(pair[1].text) {
                    Some(first) => found.push(twice(pair[1].text, first, &place())),
                    None => drop(homes.insert(pair[1].text, place())),
                }
            }
        }
        let includes = words.iter().filter(|word| word.text == "`include");
        found.extend(includes.map(|word| included(source, word.line)));
    }
    match found.is_empty() {
        true => Ok(()),
        false => Err(found),
    }
}

/// Refuses texts that would run programs, call C or touch files, except by the tasks `allowed`.
pub fn refuse_outside(sources: &[Scanned], allowed: &[String]) -> Result<(), Vec<Diagnostic>> {
    let mut found = Vec::new();
    for source in sources {
        for (name, line) in outside(&words(source.text)) {
            if !allowed.contains(&name) {
                found.push(reaches_outside(source, &name, line));
            }
        }
    }
    match found.is_empty() {
        true => Ok(()),
        false => Err(found),
    }
}

/// What reaches out of the simulation, by the name under which it may be allowed.
fn outside(words: &[Word]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let next = words.get(number + 1).map_or("", |next| next.text);
        let is_foreign = matches!(word.text, "import" | "export") && next.starts_with('"');
        if is_foreign {
            found.push((format!("{} {next}", word.text), word.line));
        } else if word.text.starts_with('$') && !HARMLESS.contains(&word.text)
            || word.text.starts_with("`systemc")
            || word.text == "``"
        {
            found.push((word.text.to_owned(), word.line));
        }
    }
    found
}

fn twice(module: &str, first: &str, second: &str) -> Diagnostic {
    let fact = format!("module `{module}` is defined twice: at {first} and at {second}");
    let remedy = "keep one of them; a copy that is not to be used gets another ending than `.v`, or another place";
    Diagnostic::new(Code::ModuleTwice, fact, remedy)
}

fn included(source: &Scanned, line: usize) -> Diagnostic {
    let fact = "the RTL reads another file by `include`, which a check neither finds nor covers";
    let remedy = "write the text of that file in place of the line";
    Diagnostic::new(Code::RtlIncludes, fact, remedy).at(at(source, line))
}

fn reaches_outside(source: &Scanned, name: &str, line: usize) -> Diagnostic {
    let fact = format!("the RTL uses `{name}`, which reaches out of the simulation");
    let remedy = format!(
        "take it out, or allow it in `mkns cosim` or `mkns coverage`: --allow-task {}",
        mkns_diag::shell_word(name)
    );
    Diagnostic::new(Code::RtlReachesOutside, fact, remedy).at(at(source, line))
}

fn at(source: &Scanned, line: usize) -> Place {
    let before = source.text.split_inclusive('\n').take(line - 1);
    let start: usize = before.map(str::len).sum();
    let text = source.text[start..].lines().next().unwrap_or_default();
    let indent = text.len() - text.trim_start().len();
    let span = start + indent..start + text.trim_end().len();
    Place::in_text(&source.path.display().to_string(), source.text, span, "")
}

/// Identifiers, keywords, system tasks, directives and strings of a text, without comments.
fn words(text: &str) -> Vec<Word<'_>> {
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let mut words = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let behind = &rest[first.len_utf8()..];
        let length = |end: Option<usize>| end.map_or(rest.len(), |end| end + first.len_utf8());
        let (end, is_kept) = match first {
            '/' if behind.starts_with('/') => (rest.find('\n').unwrap_or(rest.len()), false),
            '/' if behind.starts_with('*') => (
                rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
                false,
            ),
            '"' => (string_end(rest), true),
            '\\' => (length(behind.find(char::is_whitespace)), true),
            '`' if behind.starts_with('`') => (2, true),
            '`' => (length(behind.find(|letter| !is_word(letter))), true),
            _ if is_word(first) => (length(behind.find(|letter| !is_word(letter))), true),
            _ => (first.len_utf8(), false),
        };
        if is_kept {
            let text = rest[..end].trim_start_matches('\\');
            words.extend((!text.is_empty()).then_some(Word { text, line }));
        }
        line += rest[..end].matches('\n').count();
        rest = &rest[end..];
    }
    words
}

/// Behind the closing quotation mark of a text that begins with one, or at the end of its line.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source<'a>(name: &str, text: &'a str) -> Scanned<'a> {
        Scanned {
            path: name.into(),
            text,
        }
    }

    fn facts(found: Result<(), Vec<Diagnostic>>) -> Vec<String> {
        let found = found.err().unwrap_or_default();
        found.into_iter().map(|found| found.fact).collect()
    }

    #[test]
    fn abuse_1_a_module_that_is_defined_twice_is_named_with_both_places() {
        let sources = [
            source("a-orig.v", "// module a\nmodule a; endmodule\n"),
            source(
                "a.v",
                "/* x\n*/\n\nmodule \\a ; endmodule\nmodule b; endmodule",
            ),
            source("b.v", "wire x = \"module b\"; module c; endmodule"),
        ];
        let found = facts(refuse_ambiguous(&sources));
        assert_eq!(
            found,
            ["module `a` is defined twice: at a-orig.v:2 and at a.v:4"]
        );
    }

    #[test]
    fn abuse_2_a_file_that_reads_another_is_refused() {
        let sources = [source(
            "a.v",
            "module a;\n  `include \"early.vh\"\nendmodule",
        )];
        let found = refuse_ambiguous(&sources).expect_err("an include");
        assert_eq!(found[0].code, Code::RtlIncludes);
        let line = found[0].place.excerpt.as_ref().expect("a line");
        assert_eq!(line.line, 2);
        let comment = [source("a.v", "// `include \"a\"\nmodule a; endmodule")];
        assert!(refuse_ambiguous(&comment).is_ok());
    }

    #[test]
    fn abuse_11_what_reaches_outside_is_refused_unless_it_is_allowed_by_name() {
        for (text, name) in [
            ("initial $system(\"touch x\");", "$system"),
            ("integer f = $fopen(\"x\", \"w\");", "$fopen"),
            ("initial $c(\"exit(0);\");", "$c"),
            ("initial $readmemh(\"x\", m);", "$readmemh"),
            (
                "import \"DPI-C\" function void exit(input int c);",
                "import \"DPI-C\"",
            ),
            ("export \"DPI-C\" task t;", "export \"DPI-C\""),
            ("`systemc_header\n#include <x>", "`systemc_header"),
            ("`define S $sys``tem", "``"),
        ] {
            let sources = [source("a.v", text)];
            let found = facts(refuse_outside(&sources, &[]));
            assert!(
                found.iter().any(|fact| fact.contains(name)),
                "{text}: {found:?}"
            );
        }
        let sources = [source(
            "a.v",
            "initial $fopen(\"x\"); // $system\nwire [$clog2(8):0] a = \"$system\";",
        )];
        assert!(refuse_outside(&sources, &["$fopen".to_owned()]).is_ok());
    }
}
