//! The page of `mkns report` in a browser, wide and on a phone; what it says of a network that is
//! simulated and of one that is not.

use std::path::Path;
use std::process::Command;

use crate::common::browser::Browser;
use serde_json::json;

fn report(spec: &str, folder: &Path, more: &[&str]) -> Browser {
    let page = folder.join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(["report", spec, "-o"]).arg(&page).args(more);
    let output = command.output().expect("mkns runs");
    assert!(output.status.success(), "{output:?}");
    let written = std::fs::read_to_string(&page).expect("the page was written");
    for reference in ["src=", "href=", "url(", "@import", "<script"] {
        assert!(
            !written.contains(reference),
            "the page refers to something: {reference}"
        );
    }
    Browser::open(&page)
}

/// Texts of the elements that a selector finds.
fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let script = format!(
        "return Array.from(document.querySelectorAll({selector:?})).map(found => found.textContent)"
    );
    let texts = browser.run(&script);
    let texts = texts.as_array().expect("a list").iter();
    texts
        .map(|text| text.as_str().expect("a text").trim().to_owned())
        .collect()
}

#[test]
fn a_page_shows_numbers_proofs_simulation_and_pictures_on_any_screen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = [
        "--load",
        "0.1,0.3,0.9,1.0",
        "--cycles",
        "400",
        "--warmup",
        "400",
    ];
    let browser = report("MKNS(2,4,2,1)", folder.path(), &options);
    assert_eq!(texts(&browser, "h1"), ["MKNS(2,4,2,1)"]);
    assert_eq!(
        texts(&browser, "#summary .passed .verdict"),
        ["routing proved"]
    );
    let diameter = "#metrics tbody tr:nth-child(4) td";
    assert_eq!(texts(&browser, diameter)[..3], ["diameter", "3", "3"]);
    let verdicts = texts(&browser, "#routing td.verdict");
    assert_eq!(verdicts, vec!["proved"; 7]);
    assert_eq!(
        texts(&browser, "#points td:nth-child(8)"),
        ["", "", "saturated", "saturated"]
    );
    // Pictures of text and lines, not of nothing: latency, path lengths, links.
    let drawn = "return Array.from(document.querySelectorAll('figure svg'))\
                 .map(svg => svg.getBBox().width > 600 && svg.querySelectorAll('text').length > 10)";
    assert_eq!(browser.run(drawn), json!([true, true, true]));
    let unfolded = "return document.querySelector('details pre').checkVisibility()";
    assert_eq!(browser.run(unfolded), json!(false));
    browser.click("details summary");
    assert_eq!(browser.run(unfolded), json!(true));
    browser.assert_loads_nothing();

    browser.assert_fits_a_phone();
    let read = "return parseFloat(getComputedStyle(document.body).fontSize)";
    assert_eq!(
        browser.run(read),
        json!(15),
        "text is as large as on a desk"
    );
}

/// Trains of six local addresses are more than terminals can check; the rest of the page is there.
#[test]
fn a_network_that_is_not_simulated_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let browser = report("hypercube(2,5)", folder.path(), &[]);
    let conditions = texts(&browser, "#conditions");
    assert!(conditions[0].starts_with("Not simulated"), "{conditions:?}");
    assert!(texts(&browser, "#routing td.verdict").contains(&"proved".to_owned()));
    assert_eq!(texts(&browser, "figure"), Vec::<String>::new());
    browser.assert_loads_nothing();
}
