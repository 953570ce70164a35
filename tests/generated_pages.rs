//! Generated Markdown as a reader gets it: every table ends, has the columns of its head, and swallows no sentence.

use mkns::{design, rtl, spec};

/// Networks whose pages differ in what they say: ports, layers, widths, boards, distributed switches.
const NETWORKS: [(&str, &[&str]); 8] = [
    ("MKNS(1,2,1,1)", &[]),
    ("MKNS(2,2,2,1)", &["layers=3"]),
    ("MKNS(1,2,1,1)", &["pcie_bits=256"]),
    ("MKNS(1,2,1,1)", &["flit_bits=256", "host_timeout=0"]),
    ("MKNS(1,2,2,1)", &["link.dimensions=[2]"]),
    ("MKNS(1,2,1,1)", &["control_port=false", "counters=false"]),
    ("torus(3)", &["routing=layered", "layers=2"]),
    ("hypercube(2)", &[]),
];

/// The Markdown files of a network, by path.
fn pages(network: &str, settings: &[&str]) -> Vec<(String, String)> {
    let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
    let spec = spec::parse_with(network, &settings).expect("a valid spec");
    let plan = design::build(&spec).expect("a network that can be built");
    let files = rtl::render_output(&plan).expect("legal names");
    let pages = files.into_iter().filter(|file| file.path.ends_with(".md"));
    pages.map(|file| (file.path, file.text)).collect()
}

fn columns(row: &str) -> usize {
    let row = row.replace("\\|", "");
    row.trim().trim_matches('|').split('|').count()
}

/// What is wrong with the tables of a page: the lines concerned.
fn faults(page: &str) -> Vec<String> {
    let lines: Vec<&str> = page.lines().collect();
    let mut faults = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !lines[at].starts_with('|') {
            at += 1;
            continue;
        }
        let end = lines[at..].iter().take_while(|line| line.starts_with('|'));
        let table = &lines[at..at + end.count()];
        let is_rule = |line: &&str| line.chars().all(|letter| "|-: ".contains(letter));
        if at > 0 && !lines[at - 1].is_empty() {
            faults.push(format!("text right before a table: {}", lines[at - 1]));
        }
        if !table.get(1).is_some_and(is_rule) {
            faults.push(format!("a table without a head: {}", table[0]));
        }
        for row in table {
            if columns(row) != columns(table[0]) || !row.ends_with('|') {
                faults.push(format!("not a row of `{}`: {row}", table[0]));
            }
        }
        at += table.len();
        match lines.get(at) {
            None | Some(&"") => {}
            Some(line) => faults.push(format!("a table swallows: {line}")),
        }
    }
    faults
}

#[test]
fn users_3_tables_of_generated_pages_end_before_the_text_behind_them() {
    for (network, settings) in NETWORKS {
        for (path, page) in pages(network, settings) {
            let faults = faults(&page);
            assert!(
                faults.is_empty(),
                "{network} {settings:?} {path}: {faults:#?}"
            );
        }
    }
}

/// The sentences that tables once swallowed stand in paragraphs of their own.
#[test]
fn reports_6_sentences_behind_tables_are_read() {
    for (network, settings) in NETWORKS {
        let (_, page) = pages(network, settings).remove(0);
        for sentence in ["A packet with a wrong header, length", "A host "] {
            let mut lines = page.lines();
            let line = lines.find(|line| line.contains(sentence) && !line.starts_with("| "));
            let line = line.unwrap_or_else(|| panic!("`{sentence}` in the page of {network}"));
            assert!(!line.contains('|'), "{line}");
        }
    }
}

#[test]
fn a_swallowed_sentence_and_a_row_with_a_column_too_few_are_found() {
    let good = "text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\n";
    assert!(faults(good).is_empty(), "{:?}", faults(good));
    for (from, to) in [
        ("| 2 |\n\ntext", "| 2 |\ntext"),
        ("| 1 | 2 |", "| 1 |"),
        ("| 1 | 2 |", "| 1 | 2 | text"),
        ("|---|---|\n", ""),
        ("text\n\n| a", "text\n| a"),
    ] {
        assert_eq!(faults(&good.replace(from, to)).len(), 1, "{from} -> {to}");
    }
}
