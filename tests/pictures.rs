//! Pictures as users get them: the same bytes every time, well-formed, saying what was measured; and
//! refusals that leave no file behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::bless::matches_recorded;
use mkns::report::plot::PathLengths;
use mkns::{spec, topology};

/// Written by `mkns sim "MKNS(2,4,2,1)" --load 0.1,0.3,0.5,0.6,0.7 --seeds 3 --cycles 2000 --format csv`.
const SWEEP: &str = "tests/data/sweep.csv";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.arg("plot").args(arguments);
    command.output().expect("mkns runs")
}

fn run_well(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output.stdout
}

fn picture(arguments: &[&str]) -> String {
    let svg = String::from_utf8(run_well(arguments)).expect("text");
    roxmltree::Document::parse(&svg).expect("well-formed XML");
    svg
}

/// The words of a picture, in order.
fn words(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    let texts = texts.filter_map(|node| node.text());
    texts.map(|text| text.trim().to_owned()).collect()
}

/// The recorded picture of a recorded sweep.
#[test]
fn a_recorded_sweep_gives_the_recorded_picture() {
    let svg = picture(&["--kind", "latency", SWEEP]);
    matches_recorded(Path::new("tests/snapshots/latency.svg"), &svg);
    let saturated = svg.matches("fill=\"#FFFFFF\"").count();
    assert!(saturated > 1, "saturated points are hollow");
}

/// Simulated twice on different numbers of threads, and once by `mkns sim` into a file.
#[test]
fn a_simulated_sweep_gives_the_same_bytes_every_time() {
    let spec = "MKNS(2,4,2,1)";
    let options = ["--load", "0.1,0.3", "--cycles", "500", "--warmup", "500"];
    let drawn = |threads: &str| {
        let mut arguments = vec!["--kind", "latency", spec, "--threads", threads];
        arguments.extend(options);
        picture(&arguments)
    };
    let svg = drawn("1");
    assert_eq!(svg, drawn("2"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("sweep.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command
        .args(["sim", spec, "--format", "json"])
        .args(options);
    let output = command.output().expect("mkns runs");
    fs::write(&file, output.stdout).expect("written");
    let file = file.to_str().expect("a printable path");
    assert_eq!(svg, picture(&["--kind", "latency", file]));
    let words = words(&svg);
    for word in [spec, "Latency and throughput, uniform traffic"] {
        assert!(words.contains(&word.to_owned()), "{words:?}");
    }
}

/// Means that the papers' networks have under uniform traffic (issue 7): 3.675 and 5.475 blocks.
#[test]
fn path_lengths_have_the_known_means() {
    for (text, mean) in [("MKNS(2,8x10,2,1)", 3.675), ("MKNS(2,8x10x10,3,1)", 5.475)] {
        let network = topology::build(&spec::parse(text).expect("a spec"));
        let lengths = PathLengths::of(text, &network);
        assert!((lengths.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((lengths.mean() - mean).abs() < 1e-12, "{}", lengths.mean());
    }
    let words = words(&picture(&[
        "--kind",
        "path-lengths",
        "MKNS(2,8x10,2,1)",
        "torus(4x4)",
    ]));
    assert!(
        words.contains(&"MKNS(2,8x10,2,1): mean 3.675".to_owned()),
        "{words:?}"
    );
}

/// Every direction of every cable is drawn, as one half, in the colour of its load; the parallel cables
/// of an assembly lie beside each other.
#[test]
fn links_are_drawn_in_both_directions() {
    let spec = "MKNS(1,3x20,2,2)";
    let options = ["--load", "0.4", "--cycles", "300", "--warmup", "300"];
    let mut arguments = vec!["--kind", "link-loads", spec];
    arguments.extend(options);
    let svg = picture(&arguments);
    let network = topology::build(&spec::parse(spec).expect("a spec"));
    let halves = svg.lines().filter_map(|line| line.split_once(" points="));
    let places: Vec<&str> = halves.map(|(_, places)| places).collect();
    assert_eq!(places.len(), 2 * network.cables.len());
    let different: BTreeSet<&str> = places.iter().copied().collect();
    assert_eq!(different.len(), places.len(), "cables cover each other");
    let heading = "Dimension 2: 240 directions of cables, mean load";
    let words = words(&svg);
    assert!(
        words.iter().any(|text| text.starts_with(heading)),
        "{words:?}"
    );
    assert!(words.contains(&"(* 2)".to_owned()), "{words:?}");
}

/// `mkns sim --links` and `mkns plot` measure alike; what a file holds gives the same lines in the same
/// colours. A simplex cable has a half in which nobody sends.
#[test]
fn links_of_a_file_are_drawn_as_those_of_a_simulation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("links.csv").display().to_string();
    let spec = "hypercube(3)";
    let options = ["--load", "0.4", "--cycles", "300", "--warmup", "300"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(["sim", spec, "--links", &file]).args(options);
    assert!(command.output().expect("mkns runs").status.success());
    let of_file = picture(&["--kind", "link-loads", spec, &file]);
    let simulated = picture(&[&["--kind", "link-loads", spec], &options[..]].concat());
    let lines = |svg: &str| {
        let lines = svg.lines().filter(|line| line.contains(" points="));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let network = topology::build(&spec::parse(spec).expect("a spec"));
    assert_eq!(lines(&of_file).len(), 2 * network.cables.len());
    // The file has six digits.
    let differ = lines(&of_file).into_iter().zip(lines(&simulated));
    let differ = differ.filter(|(of_file, simulated)| of_file != simulated);
    assert!(differ.count() < 4, "but for rounded colours");
    assert!(
        words(&of_file)
            .iter()
            .any(|text| text.contains("links.csv, load 0.4"))
    );
}

/// Two pixels for each CSS pixel of the SVG.
#[test]
fn a_file_name_asks_for_svg_or_png() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let written = |name: &str| {
        let path = folder.path().join(name);
        let place = path.display().to_string();
        run_well(&["--kind", "latency", SWEEP, "-o", &place]);
        fs::read(path).expect("the file is there")
    };
    let svg = String::from_utf8(written("a.svg")).expect("text");
    let png = written("a.PNG");
    let length = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert_eq!(&png[1..4], b"PNG");
    let size = format!("width=\"{}\" height=\"{}\"", length(16) / 2, length(20) / 2);
    assert!(svg.contains(&size), "{size}");
    assert_eq!(png, written("b.png"), "the same bytes every time");
}

#[test]
fn refusals_leave_no_file_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (jpg, svg, json) = (file("a.jpg"), file("a.svg"), file("a.json"));
    fs::write(&json, "{}").expect("written");
    let spec = "MKNS(2,4,2,1)";
    for (arguments, code) in [
        (vec!["--kind", "path-lengths", spec, "-o", &jpg], "E0806"),
        (vec!["--kind", "latency", &json, "-o", &svg], "E0805"),
        (
            vec!["--kind", "latency", spec, "--load", "2", "-o", &svg],
            "E0901",
        ),
        (
            vec!["--kind", "path-lengths", "multi_ring(3,2)", "-o", &svg],
            "E0804",
        ),
        (
            [["--kind", "path-lengths"].as_slice(), &[spec; 8]].concat(),
            "E0804",
        ),
        (
            vec!["--kind", "link-loads", spec, SWEEP, "-o", &svg],
            "E0808",
        ),
        (
            vec!["--kind", "tables", "--cycles", "9", "-o", &svg],
            "E0807",
        ),
        (
            vec!["--kind", "latency", SWEEP, "--seed", "2", "-o", &svg],
            "E0807",
        ),
        (
            vec!["--kind", "link-loads", spec, "--seeds", "2", "-o", &svg],
            "E0807",
        ),
    ] {
        let output = run(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(code), "{arguments:?}: {said}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "only what the test wrote: {left:?}");
}

/// The share of pairs served, engine beside engine: the same bytes on every number of threads.
#[test]
fn survived_faults_are_drawn_engine_beside_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = |threads: &str, ending: &str| {
        let path = folder.path().join(format!("served_{threads}.{ending}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_mkns"));
        command.args([
            "faults",
            "MKNS(1,3x3,2,1)",
            "--failed-parts",
            "1..3",
            "--samples",
            "40",
        ]);
        command.args([
            "--engines",
            "vtftr,planes,dimension_order",
            "--threads",
            threads,
            "-o",
        ]);
        let output = command.arg(&path).output().expect("mkns runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        fs::read(path).expect("a picture")
    };
    assert!(drawn("2", "png").starts_with(b"\x89PNG"));
    let svg = drawn("1", "svg");
    assert_eq!(svg, drawn("3", "svg"));
    let svg = String::from_utf8(svg).expect("text");
    let words = words(&svg);
    for word in [
        "MKNS(1,3x3,2,1): pairs served",
        "vtftr",
        "planes",
        "dimension_order",
        "Failed parts",
        "1",
        "3",
    ] {
        assert!(words.iter().any(|found| found == word), "{word}: {words:?}");
    }
}
