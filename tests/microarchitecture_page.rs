//! What the page of the microarchitecture states in tables is what RTL and golden model have: limits of parameters,
//! the packing of parameters, names of state.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::files::files_below;

fn page() -> String {
    fs::read_to_string("docs/microarchitecture.md").expect("a page")
}

/// Rows of the table whose first line is `head`, in cells.
fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let (_, rest) = page.split_once(head).expect("a table of the page");
    let rows = rest.lines().skip(2);
    let rows = rows.take_while(|row| row.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

/// Words and numbers of a text, without its marks; `A_B` is two.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

/// What stands in code marks.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Name of a parameter, what the name of the missing module says about it, and the condition under which it is missing.
fn checks_of_the_rtl() -> Vec<(String, String, String)> {
    let mut checks = Vec::new();
    for folder in ["common", "switch", "adapter"] {
        for file in files_below(&Path::new("hdl-templates").join(folder)) {
            let text = fs::read_to_string(file).expect("a template");
            for (at, _) in text.match_indices("illegal_parameter_") {
                let (_, name) = text[at..].split_once("parameter_").expect("found");
                let name = name.split(' ').next().expect("a name");
                let (parameter, says) = name
                    .split_once("_must_")
                    .or_else(|| name.split_once("_needs_"))
                    .expect("a limit");
                let condition = text[..at].rfind("if (").expect("a condition");
                let condition = text[condition..at].to_owned();
                checks.push((parameter.to_owned(), says.to_owned(), condition));
            }
        }
    }
    checks
}

#[test]
fn page_7_limits_of_parameters_on_the_page_are_those_of_the_rtl() {
    let page = page();
    let rows = table(&page, "| symbol | parameter | meaning | limits | default |");
    let mut checked = BTreeSet::new();
    for (parameter, says, condition) in checks_of_the_rtl() {
        if parameter == "PCIE_PORT" {
            // The number of one port, inside an adapter block.
            continue;
        }
        let row = rows.iter().find(|row| names(&row[1]) == [&parameter]);
        let row = row.unwrap_or_else(|| panic!("no row for {parameter}"));
        let mut cell = words(&row[3]).into_iter();
        for word in words(&says).into_iter().filter(|&word| word != "be") {
            let found = cell.any(|other| other == word);
            assert!(
                found,
                "{parameter}: `{}` on the page, {says} in the RTL",
                row[3]
            );
        }
        if let Some((least, most)) = says.split_once("_to_")
            && [least, most]
                .iter()
                .all(|bound| bound.parse::<u32>().is_ok())
        {
            assert!(
                condition.contains(least) && condition.contains(most),
                "{parameter}: {condition}"
            );
        }
        checked.insert(parameter);
    }
    let bare = rows.iter().filter(|row| row[3].is_empty()).count();
    assert_eq!((bare, checked.len() >= 18), (0, true), "{checked:?}");
}

#[test]
fn page_6_the_packing_of_parameters_is_that_of_the_rtl() {
    let page = page();
    let rows = table(&page, "| symbol | parameter | meaning | limits | default |");
    let meaning = |name: &str| {
        let row = rows.iter().find(|row| names(&row[1]) == [name]);
        row.map(|row| row[2].as_str()).expect("a row")
    };
    let read = |file: &str| fs::read_to_string(Path::new("hdl-templates").join(file)).expect(file);
    assert!(meaning("STEP").contains("bit i·P + o"));
    for file in [
        "switch/switch_block.v",
        "adapter/adapter_block.v",
        "common/control_port.v",
    ] {
        let step = "parameter [PORTS*PORTS-1:0] STEP";
        let text = read(file);
        let line = text.lines().find(|line| line.contains(step));
        assert!(
            line.is_some_and(|line| line.ends_with("// bit i * PORTS + o")),
            "{file}"
        );
    }
    assert!(meaning("TABLEn_INIT").contains("`[16*e +: 16]`"));
    assert!(read("common/route_table.v").contains("INIT[start*16 +: 14]"));
    for file in ["switch/switch_block.v", "adapter/adapter_block.v"] {
        assert!(read(file).contains("TABLEn_INIT[16*e +: 16]"), "{file}");
    }
}

/// State has the page's names in the golden model, so a reader finds one beside the other.
#[test]
fn page_5_state_on_the_page_has_its_name_in_the_golden_model() {
    let page = page();
    let section = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).expect("a section");
        rest.split_once(to).expect("its end").0.to_owned()
    };
    for (section, files) in [
        (
            section("### 1.1 ", "### 1.2 "),
            &["src/golden/switch_core/state.rs"][..],
        ),
        (
            section("### 1.8 ", "## 2. "),
            &[
                "src/golden/switch_core/adaptive.rs",
                "src/golden/switch_core/queues.rs",
            ][..],
        ),
        (
            section("## 4. ", "## 5. "),
            &["src/golden/control_port.rs", "src/golden/registers.rs"][..],
        ),
    ] {
        let golden: String = files
            .iter()
            .map(|file| fs::read_to_string(file).expect("a file"))
            .collect();
        let rows = table(&section, "| state | range | reset |");
        assert!(rows.len() > 8);
        for row in rows {
            assert_eq!(row.len(), 3, "{row:?}");
            let name = names(&row[0]).first().map(|name| name.split('[').next());
            let Some(name) = name.flatten() else { continue };
            let name = name.replace("match", "matched").replace("link_up", "up");
            // A register that follows from others is a function.
            let is_there = ["{}: ", "fn {}("].map(|form| form.replace("{}", &name));
            assert!(
                is_there.iter().any(|form| golden.contains(form)),
                "no {name} in {files:?}"
            );
        }
    }
}

/// Letters that had two meanings within a few lines are gone from sections 1 to 4.
#[test]
fn page_14_no_letter_has_two_meanings_nearby() {
    let page = page();
    let (_, rest) = page.split_once("## 1. Switch core").expect("section 1");
    let (sections, _) = rest.split_once("## 5. ").expect("section 5");
    // Letters that stood for several things; the register map's R is an access.
    for letter in ["N", "R"] {
        let found = sections.lines().find(|line| {
            let mut parts = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            !line.starts_with("| 0x") && parts.any(|part| part == letter)
        });
        assert_eq!(found, None, "{letter} is not defined");
    }
}
