//! Words of other languages: none is an identifier in what is generated, whatever the name of the network, and the
//! Verilog can be read as SystemVerilog.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mkns::diag::Code;
use mkns::rtl::OutputFile;
use mkns::{design, rtl, spec};

/// The words of a language, from `tests/data/keywords`.
pub fn words(language: &str) -> BTreeSet<String> {
    let path = format!("tests/data/keywords/{language}.txt");
    let text = fs::read_to_string(path).expect("a list of words");
    text.lines().map(str::to_owned).collect()
}

fn output(network: &str, settings: &[&str]) -> Result<Vec<OutputFile>, Vec<Code>> {
    let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
    let codes = |found: Vec<mkns::diag::Diagnostic>| -> Vec<Code> {
        found.into_iter().map(|one| one.code).collect()
    };
    let spec = spec::parse_with(network, &settings).map_err(codes)?;
    let plan = design::build(&spec).expect("a network that can be built");
    Ok(rtl::render_output(&plan).expect("legal names"))
}

/// The words that follow `before` in files of this kind.
fn named_after<'a>(files: &'a [OutputFile], kind: &str, before: &str) -> Vec<&'a str> {
    let files = files.iter().filter(|file| file.path.ends_with(kind));
    let lines = files.flat_map(|file| file.text.lines());
    let named = lines.filter_map(|line| line.strip_prefix(before));
    let end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    named
        .map(|rest| rest.split(end).next().unwrap_or_default())
        .collect()
}

/// Every word of every language as the name of a network: it is refused where a file has it as it stands, and elsewhere no
/// identifier is a word of the language of its file.
#[test]
fn reports_8_a_name_is_safe_in_every_generated_language() {
    let rdl = words("systemrdl_2_0");
    let verilog = words("systemverilog_2017");
    let c = words("c_and_cpp");
    let languages = [
        "systemverilog_2017",
        "systemrdl_2_0",
        "c_and_cpp",
        "tcl",
        "yaml",
    ];
    let all: BTreeSet<String> = languages.into_iter().flat_map(words).collect();
    let mut refused = BTreeSet::new();
    for word in &all {
        let setting = format!("name=\"{word}\"");
        let files = match output("MKNS(1,2,1,1)", &[&setting]) {
            Ok(files) => files,
            Err(codes) => {
                assert_eq!(codes, [Code::IllegalName], "{word}");
                refused.insert(word.clone());
                continue;
            }
        };
        for (kind, before, reserved) in [
            (".v", "module ", &verilog),
            (".rdl", "addrmap ", &rdl),
            (".h", "#define ", &c),
        ] {
            let names = named_after(&files, kind, before);
            assert!(!names.is_empty(), "{kind} names something");
            let bad = names.into_iter().find(|&name| reserved.contains(name));
            assert_eq!(bad, None, "{word}, {kind}");
        }
    }
    assert_eq!(refused, rdl, "names are refused for SystemRDL alone");
}

/// The identifiers in a Verilog text or a template of one: no comments, strings or tags of templates.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut rest = text;
    let mut plain = String::new();
    let cuts = [
        ("//", "\n"),
        ("/*", "*/"),
        ("\"", "\""),
        ("<$", "$>"),
        ("<%", "%>"),
        ("<#", "#>"),
    ];
    while let Some((at, (open, close))) = cuts
        .iter()
        .filter_map(|cut| Some((rest.find(cut.0)?, cut)))
        .min()
    {
        plain += &rest[..at];
        plain.push('_');
        let behind = &rest[at + open.len()..];
        let end = behind
            .find(close)
            .map_or(behind.len(), |end| end + close.len());
        rest = &behind[end..];
        if *open == "//" {
            plain.push('\n');
        }
    }
    plain += rest;
    let end = |letter: char| !letter.is_alphanumeric() && !"_$.`'".contains(letter);
    plain
        .split(end)
        .map(|word| word.trim_start_matches('.').to_owned())
        .collect()
}

fn templates(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        // Properties are read as SystemVerilog anyway.
        if path.ends_with("formal") {
            continue;
        }
        if path.is_dir() {
            templates(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "v") {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path.display().to_string(), text));
        }
    }
}

/// Verilator, Questa and others read `.v` as SystemVerilog unless they are told otherwise.
#[test]
fn abuse_14_generated_verilog_has_no_systemverilog_word_for_a_name() {
    let (all, of_verilog) = (words("systemverilog_2017"), words("verilog_2005"));
    let reserved: Vec<&String> = all.difference(&of_verilog).collect();
    let mut texts = Vec::new();
    templates(Path::new("hdl-templates"), &mut texts);
    assert!(texts.len() > 100, "{}", texts.len());
    for (network, settings) in [
        ("MKNS(1,2x2,2,1)", &["link.dimensions=[2]"][..]),
        ("MKNS(1,2,2,2)", &["network.ports=4"]),
        ("hypercube(2)", &[]),
    ] {
        let files = output(network, settings).expect("a valid spec");
        let verilog = files.into_iter().filter(|file| file.path.ends_with(".v"));
        texts.extend(verilog.map(|file| (format!("{network} {}", file.path), file.text)));
    }
    for (path, text) in texts {
        let names = identifiers(&text);
        let bad: Vec<_> = reserved
            .iter()
            .filter(|&&word| names.contains(word))
            .collect();
        assert!(bad.is_empty(), "{path}: {bad:?}");
    }
}

#[test]
fn identifiers_are_found_outside_of_comments_and_strings() {
    let text = "reg before; // after\n/* bind */ x = \"global\"; <$ final $>y.soft(let);";
    let names = identifiers(text);
    for word in ["reg", "before", "x", "let"] {
        assert!(names.contains(word), "{word} in {names:?}");
    }
    for word in ["after", "bind", "global", "final"] {
        assert!(!names.contains(word), "{word} in {names:?}");
    }
}
