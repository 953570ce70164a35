//! What users read is whole and short: links lead somewhere, files that a page names exist, options that it shows
//! exist, sentences can be said in one breath, and nothing is a laboratory's notebook.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::files::files_below;
use crate::common::pages::{Runner, blocks, shows};

/// Written cycle by cycle, where a sentence may have to be long.
const PRECISE: &str = "docs/microarchitecture.md";

fn pages() -> Vec<PathBuf> {
    let mut pages = files_below(Path::new("docs"));
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.extend(
        [
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "examples/README.md",
        ]
        .map(PathBuf::from),
    );
    pages
}

/// Lines of prose with their numbers; what stands in fences is left out.
fn prose(page: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(page).expect("a readable page");
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            lines.push((number + 1, String::new()));
        } else if !is_code {
            lines.push((number + 1, line.to_owned()));
        }
    }
    lines
}

/// A line without its code: `a b` becomes one word.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    parts
        .map(|(n, part)| if n % 2 == 1 { "code" } else { part })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let folder = page.parent().expect("a page is in a folder");
        for (number, line) in prose(&page) {
            for part in line.split("](").skip(1) {
                let link = part.split([')', ' ']).next().unwrap_or_default();
                let path = link.split('#').next().unwrap_or_default();
                let is_far = link.starts_with("http");
                assert!(
                    is_far || path.is_empty() || folder.join(path).exists(),
                    "{}:{number}: dead link {link}",
                    page.display()
                );
            }
        }
    }
}

#[test]
fn files_that_a_page_names_exist() {
    let crates = [
        "docs/",
        "src/",
        "tests/",
        "tools/",
        "examples/",
        "hdl-templates/",
        "constraints/",
        "sim/src/",
    ];
    // written by `mkns generate`
    let generated = ["docs/ports.md"];
    for page in pages() {
        for (number, line) in prose(&page) {
            for code in line.split('`').skip(1).step_by(2) {
                let is_path = crates.iter().any(|folder| code.starts_with(folder));
                let is_pattern = code.contains(['<', '*', '{', '…', ' ']);
                if is_path && !is_pattern && !generated.contains(&code) {
                    assert!(
                        Path::new(code).exists(),
                        "{}:{number}: no {code}",
                        page.display()
                    );
                }
            }
        }
    }
}

#[test]
fn no_page_is_a_notebook() {
    for page in pages() {
        for (number, line) in prose(&page) {
            let place = format!("{}:{number}: {line}", page.display());
            let line = without_code(&line);
            let words: Vec<&str> = line
                .split(|letter: char| !letter.is_alphanumeric())
                .collect();
            let is_number =
                |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let cites =
                |pair: &[&str]| pair[0].eq_ignore_ascii_case("decision") && is_number(pair[1]);
            assert!(!words.windows(2).any(cites), "{place}");
            let is_hash = |word: &&str| {
                let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                (7..=40).contains(&word.len())
                    && word.bytes().all(is_hex)
                    && !word.starts_with("0b")
                    && word.bytes().any(|byte| byte.is_ascii_digit())
                    && word.bytes().any(|byte| byte.is_ascii_alphabetic())
            };
            assert!(!words.iter().any(is_hash), "{place}");
        }
    }
}

#[test]
fn sentences_have_at_most_35_words() {
    for page in pages()
        .into_iter()
        .filter(|page| page != Path::new(PRECISE))
    {
        let mut paragraph = String::new();
        for (number, line) in prose(&page).into_iter().chain([(0, String::new())]) {
            let line = without_code(line.trim());
            let is_alone = line.starts_with(['|', '#']);
            let is_start = line.starts_with(['-', '*'])
                || line
                    .split('.')
                    .next()
                    .is_some_and(|n| n.parse::<u8>().is_ok());
            if line.is_empty() || is_alone || is_start {
                are_short(&page, number, &paragraph);
                paragraph.clear();
            }
            match is_alone {
                true => line
                    .split('|')
                    .for_each(|cell| are_short(&page, number, cell)),
                false => paragraph += &format!("{line} "),
            }
        }
    }
}

fn are_short(page: &Path, before: usize, paragraph: &str) {
    for sentence in paragraph
        .split_inclusive(['.', '?', '!'])
        .fold(Vec::new(), joined)
    {
        let is_word = |word: &&str| word.contains(char::is_alphanumeric);
        let words = sentence.split_whitespace().filter(is_word).count();
        assert!(
            words <= 35,
            "{}: {words} words before line {before}: {sentence}",
            page.display()
        );
    }
}

/// A stop ends a sentence only before a blank: not in `3.4`.
fn joined(mut sentences: Vec<String>, piece: &str) -> Vec<String> {
    match sentences.last_mut() {
        Some(last) if !piece.starts_with([' ', ')', '*']) => last.push_str(piece),
        _ => sentences.push(piece.to_owned()),
    }
    sentences
}

#[test]
fn commands_stand_where_they_are_run() {
    for page in pages() {
        for block in blocks(&page)
            .iter()
            .filter(|block| !block.is_commands() && block.info != "text" && !block.is_output())
        {
            let is_command = |line: &str| line.starts_with("mkns ") || line.starts_with("make ");
            let found = block.text.lines().find(|line| is_command(line));
            assert_eq!(
                found,
                None,
                "{}:{}: say `sh` at the fence",
                page.display(),
                block.line
            );
        }
    }
}

/// Of commands that nobody runs here, targets, verbs and options exist.
#[test]
fn commands_that_run_elsewhere_are_known() {
    let makefile = fs::read_to_string("Makefile").expect("a Makefile");
    let mut helps = BTreeMap::new();
    for page in pages() {
        let shown = blocks(&page).into_iter();
        let shown = shown.filter(|block| block.is_commands() && block.runner() == Runner::Nobody);
        for command in shown.flat_map(|block| block.commands()) {
            let place = format!("{}: {command}", page.display());
            let words: Vec<&str> = command.split_whitespace().collect();
            if words[0] == "make" {
                let target = words.get(1).expect("a target");
                assert!(makefile.contains(&format!("\n{target}:")), "{place}");
            }
            let is_ours = words[0] == "mkns" || words[0].ends_with("/mkns");
            if let (true, Some(&verb)) = (is_ours, words.get(1)) {
                let help = helps.entry(verb.to_owned()).or_insert_with(|| help(verb));
                let options = words.iter().filter(|word| word.starts_with("--"));
                for option in options.map(|word| word.split('=').next().unwrap_or_default()) {
                    assert!(help.contains(option), "{place}: no {option}");
                }
            }
        }
    }
}

/// A fence `output` is compared with what the commands before it print, so it has to stand behind them.
#[test]
fn users_9_output_stands_behind_its_commands_and_is_compared() {
    let mut shown = 0;
    for page in pages() {
        let blocks = blocks(&page);
        for (number, block) in blocks.iter().enumerate() {
            let behind = number.checked_sub(1).map(|before| &blocks[before]);
            let is_behind = behind.is_some_and(|before| before.is_commands());
            assert!(
                !block.is_output() || is_behind,
                "{}:{}",
                page.display(),
                block.line
            );
            shown += usize::from(block.is_output());
        }
    }
    assert!(shown > 8, "the tutorial shows what its commands print");
    assert!(shows("a  1\n…\nc … 3\n", "a  1 \nb\nb\nc 1 2 3\n\n"));
    assert!(shows("…\nx\n…\n", "x\n") && shows("  …\n", ""));
    for wrong in [
        "a  2\nc 3 3\n",
        "a  1\nc 1 2\n",
        "a  1\n",
        "a  1\nc 1 3\nd\n",
    ] {
        assert!(!shows("a  1\n…\nc … 3\n", wrong), "{wrong}");
    }
}

fn help(verb: &str) -> String {
    let asked = Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args([verb, "--help"])
        .output();
    let asked = asked.expect("mkns runs");
    assert!(asked.status.success(), "no verb {verb}");
    String::from_utf8(asked.stdout).expect("text")
}

/// Words as `wc -w` counts them. Articles and connecting words count, too: the limit leaves room for them.
#[test]
fn documents_stay_short() {
    let words = |page: &PathBuf| {
        let text = fs::read_to_string(page).expect("a page");
        text.split_whitespace().count()
    };
    let mut pages = files_below(Path::new("docs"));
    pages.retain(|page| {
        page.extension().is_some_and(|extension| extension == "md") && page != Path::new(PRECISE)
    });
    let sum: usize = pages.iter().map(words).sum();
    assert!(sum <= 22_300, "{sum} words: take out as many as you put in");
}
