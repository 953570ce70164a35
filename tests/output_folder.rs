//! The output folder where it meets the world: links, edits, variants of one network, files of others; what a page and a
//! list of register writes say to the programs of others.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use mkns::rtl::OutputFile;
use mkns::{design, rtl, spec};

fn output(spec: &str) -> Vec<OutputFile> {
    let spec = spec::parse(spec).expect("a valid spec");
    let plan = design::build(&spec).expect("a network that can be built");
    rtl::render_output(&plan).expect("legal names")
}

fn mkns(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(arguments).current_dir(folder);
    command.output().expect("mkns runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A link stays a link, and what it leads to is replaced; one that leads nowhere is refused by its name.
#[test]
fn abuse_14_a_symbolic_link_leads_to_the_output_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let generate = |spec, out| mkns(&["generate", spec, "-o", out], folder.path());
    assert!(generate("MKNS(1,2,1,1)", "real").status.success());
    std::os::unix::fs::symlink("real", at("link")).expect("a link");
    assert!(generate("MKNS(1,3,1,1)", "link").status.success());
    assert!(at("link").is_symlink());
    assert!(at("real/rtl/mkns_1_3_1_1_top.v").exists());
    std::os::unix::fs::symlink("nothing", at("dangling")).expect("a link");
    let refused = generate("MKNS(1,2,1,1)", "dangling");
    assert_eq!(refused.status.code(), Some(1));
    let words = text(&refused.stderr);
    assert!(words.contains("a symbolic link to nothing"), "{words}");
    assert!(at("dangling").is_symlink() && !at("nothing").exists());
}

#[test]
fn abuse_14_a_changed_manifest_and_a_link_among_the_files_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generate = |more: &[&str]| {
        let arguments = ["generate", "MKNS(1,2,1,1)", "-o", "out"];
        mkns(&[&arguments, more].concat(), folder.path())
    };
    assert!(generate(&[]).status.success());
    let manifest = folder.path().join("out/manifest.json");
    let untouched = fs::read_to_string(&manifest).expect("a manifest");
    let noted = untouched.replacen("\"spec\": \"MKNS", "\"spec\": \"my MKNS", 1);
    assert_ne!(noted, untouched);
    fs::write(&manifest, &noted).expect("writable");
    let refused = generate(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let words = text(&refused.stderr);
    assert!(
        words.contains("E0507") && words.contains("`manifest.json`"),
        "{words}"
    );
    assert_eq!(fs::read_to_string(&manifest).expect("it is there"), noted);
    assert!(generate(&["--overwrite"]).status.success());

    let (file, copy) = (
        folder.path().join("out/files.f"),
        folder.path().join("files.f"),
    );
    fs::rename(&file, &copy).expect("our own folder");
    std::os::unix::fs::symlink(&copy, &file).expect("a link");
    let checked = generate(&["--check"]);
    assert_eq!(text(&checked.stdout), "changed  files.f\n");
    let words = text(&generate(&[]).stderr);
    assert!(
        words.contains("E0507") && words.contains("`files.f`"),
        "{words}"
    );
    assert!(file.is_symlink());
}

/// Whoever looks sees an output, the old one or the new.
#[test]
fn abuse_14_there_is_an_output_folder_at_every_moment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let files = output("MKNS(1,2,1,1)");
    rtl::write(&files, &out).expect("writable");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let misses = std::thread::scope(|scope| {
        let looks = scope.spawn(|| {
            let mut misses = 0;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                misses += u32::from(!out.exists());
            }
            misses
        });
        for _ in 0..20 {
            rtl::write(&files, &out).expect("writable");
        }
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        looks.join().expect("no panic")
    });
    assert_eq!(misses, 0);
}

#[test]
fn reports_9_a_variant_that_replaces_another_says_what_differs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generate = |more: &[&str]| {
        let run = mkns(
            &[&["generate", "MKNS(1,2,1,1)"], more].concat(),
            folder.path(),
        );
        assert!(run.status.success(), "{}", text(&run.stderr));
        text(&run.stderr)
    };
    assert_eq!(generate(&[]), "");
    assert_eq!(generate(&[]), "");
    let variant = ["--set", "flit_bits=128", "--set", "link=serial"];
    let words = generate(&variant[..2]);
    assert!(
        words.contains(
            "rtl-out/mkns_1_2_1_1 replaces an output of other parameters: flit_bits 64 -> 128;"
        ) && words.contains("--set name=NAME"),
        "{words}"
    );
    let words = generate(&variant[2..]);
    for change in ["flit_bits 128 -> 64", "link.kind none -> serial"] {
        assert!(words.contains(change), "{words}");
    }
    assert_eq!(
        generate(&["--set", "name=other", "--set", "flit_bits=128"]),
        ""
    );
    assert_eq!(generate(&["--set", "flit_bits=128", "-q"]), "");
    let list = output("MKNS(1,2,1,1)");
    let list = list
        .iter()
        .find(|file| file.path == "files.f")
        .expect("a list");
    assert!(list.text.contains("--set name=NAME"), "{}", list.text);
}

#[test]
fn users_11_another_notation_of_a_network_is_said_to_be_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |spec| text(&mkns(&["generate", spec], folder.path()).stderr);
    assert_eq!(
        said("MKNS(1,2,1,0)"),
        "MKNS(1,2,1,0) is the same network as MKNS(1,2,1,1); it is called mkns_1_2_1_1\n"
    );
    assert_eq!(said("mkns( 1, 2,1,1 )"), "");
}

/// What a bench has to know of control ports: indices, times, orders, and what each bit says.
#[test]
fn users_11_the_page_says_what_benches_had_to_guess() {
    let files = output("MKNS(2,2,2,1)");
    let page = files.iter().find(|file| file.path == "docs/ports.md");
    let page = &page.expect("a page").text;
    for words in [
        "Address and data of a write may be offered in any order",
        // 9 * 12 ports + 14 * 2 PCIe ports are 136, rounded up to 150 less 15, and 5 more.
        "A read of a counter is answered up to 155 cycles after",
        "A routing table reads what decides",
        "| 0x02000 + 0x40p | COUNTERS[p].RX_FLITS |",
        "| 0x03000 + 0x40q | PCIE_COUNTERS[q].PACKETS_IN |",
        "| ERRORS.U_TURN | R, W1C | 1 | 0 | a packet was dropped: its entry leads back",
        "| BLOCK.LAYERS | R | 27:24 | 1 | routing layers |",
    ] {
        assert!(page.contains(words), "`{words}` in {page}");
    }
    let errors = page.lines().filter(|line| line.contains("| ERRORS."));
    let meanings: std::collections::BTreeSet<_> =
        errors.filter_map(|line| line.split('|').nth(6)).collect();
    assert!(meanings.len() >= 8, "{meanings:?}");
}

#[test]
fn users_12_a_folder_with_other_files_is_said_to_be_replaced_as_a_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("mine")).expect("a folder");
    fs::write(folder.path().join("mine/Makefile"), "all:\n").expect("writable");
    let arguments = ["generate", "MKNS(1,2,1,1)", "-o", "mine", "--overwrite"];
    let refused = mkns(&arguments, folder.path());
    let words = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(
        words.contains(
            "holds `Makefile`, which mkns did not write; the folder is replaced as a whole"
        ),
        "{words}"
    );
}

/// A manager includes a header for each failure that it has a plan for.
#[test]
fn reports_10_register_writes_of_two_plans_stand_in_one_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plan = |down: &str| {
        let arguments = [
            "reroute",
            "MKNS(1,3,1,1)",
            "--set",
            "routing=vtftr",
            "--format",
            "c",
        ];
        let run = mkns(&[&arguments[..], &["--down", down]].concat(), folder.path());
        assert!(run.status.success(), "{}", text(&run.stderr));
        text(&run.stdout)
    };
    let (one, two) = (plan("ab_0_0_0_0-ab_1_0_0_0"), plan("ab_0_0_0_0-ab_2_0_0_0"));
    assert_eq!(
        one,
        plan("ab_0_0_0_0-ab_1_0_0_0"),
        "names do not change by themselves"
    );
    let name = |text: &str| {
        let (_, rest) = text.split_once("const struct mkns_write ").expect("a list");
        rest.split('[').next().expect("its name").to_owned()
    };
    let names = [name(&one), name(&two)];
    assert_ne!(names[0], names[1]);
    assert!(names[0].starts_with("mkns_1_3_1_1_") && names[0].ends_with("_under_traffic"));
    for (file, text) in [("one.h", &one), ("two.h", &two)] {
        assert!(text.contains("#ifndef MKNS_1_3_1_1_"), "{text}");
        fs::write(folder.path().join(file), text).expect("writable");
    }
    let includes = "#include \"one.h\"\n#include \"two.h\"\n".repeat(2);
    let uses = format!(
        "int main(void) {{ return {0}[0].block == {1}[0].value; }}\n",
        names[0], names[1]
    );
    fs::write(folder.path().join("both.c"), includes + &uses).expect("writable");
    // The linker of Rust is a C compiler almost everywhere.
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    compiler
        .args(["-Wno-unused-const-variable", "both.c"])
        .current_dir(folder.path());
    if let Ok(run) = compiler.output() {
        assert!(run.status.success(), "{}", text(&run.stderr));
    }
}

/// A module for one block: its words are those of the network's top.
#[test]
fn users_4_a_block_of_the_network_stands_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generate = |more: &[&str]| {
        let arguments = ["generate", "MKNS(1,2,2,1)", "-o", "out"];
        mkns(&[&arguments, more].concat(), folder.path())
    };
    let run = generate(&["--block", "ab_0_1_0_0", "--block", "kb_y0"]);
    let words = text(&run.stdout);
    assert!(run.status.success(), "{}", text(&run.stderr));
    assert!(
        words.contains("ab_0_1_0_0: out/blocks/mkns_1_2_2_1_ab_0_1_0_0.v"),
        "{words}"
    );
    let read = |path: &str| fs::read_to_string(folder.path().join("out").join(path)).expect(path);
    let top = read("rtl/mkns_1_2_2_1_top.v");
    for (name, kind) in [("ab_0_1_0_0", "adapter"), ("kb_y0", "switch")] {
        let module = read(&format!("blocks/mkns_1_2_2_1_{name}.v"));
        assert!(
            module.contains(&format!("module mkns_1_2_2_1_{name} (")),
            "{module}"
        );
        assert!(
            module.contains(&format!("mkns_1_2_2_1_{kind}_node #(")),
            "{module}"
        );
        let (_, instance) =
            top.split_once(&format!(") {name} ("))
                .map_or(("", ""), |(before, after)| {
                    (
                        after,
                        before.rsplit_once("_node #(").expect("its parameters").1,
                    )
                });
        for passed in instance
            .split(".TABLE")
            .filter_map(|rest| rest.split_once("_INIT("))
        {
            let (number, constant) = (passed.0, passed.1.split(')').next().expect("a name"));
            let line = top
                .lines()
                .find(|line| line.contains(&format!(" {constant} = ")));
            let value = line
                .and_then(|line| line.split_once(" = "))
                .expect("its value")
                .1;
            let own = format!("localparam TABLE{number}_INIT = {value}");
            assert!(module.contains(&own), "`{own}` in {module}");
        }
    }
    assert!(read("blocks/mkns_1_2_2_1_ab_0_1_0_0.v").contains("NODE_ADDRESS = 20'h00002;"));
    let refused = generate(&["--block", "ab_9"]);
    assert_eq!(refused.status.code(), Some(2));
    let words = text(&refused.stderr);
    assert!(
        words.contains("E0302") && words.contains("ab_0_0_0_0 to kb_y1"),
        "{words}"
    );
    assert!(generate(&[]).status.success());
    assert!(!folder.path().join("out/blocks").exists());
}

/// Ports, parameters and an instance of every kind of block, on the page.
#[test]
fn users_4_the_page_shows_how_to_use_a_block_alone() {
    let files = output("MKNS(1,2,2,1)");
    let page = files.iter().find(|file| file.path == "docs/ports.md");
    let page = &page.expect("a page").text;
    for kind in ["adapter", "switch"] {
        let node = format!("mkns_1_2_2_1_{kind}_node");
        let (_, section) = page
            .split_once(&format!("### `{node}`: this block in a design of your own"))
            .expect("a section");
        for words in [
            "| `link_up` |",
            "| `link_rx` |",
            "| `TABLE0_INIT` |",
            "| `STEP` |",
            ".link_tx(link_tx)",
        ] {
            let at = section
                .find(words)
                .unwrap_or_else(|| panic!("`{words}` of {node}"));
            let next = section.find("### ").unwrap_or(section.len());
            assert!(at < next, "{words} of {node}");
        }
        assert!(section.contains(&format!("{node} #(\n")), "{section}");
    }
}
