//! Nodes of a network on boards of their own: two ribbon nodes talk to each other in a simulator and say
//! so on their serial lines; scripts, pins and cores of all boards are checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::elaborated::Elaborated;
use mkns::fpga::Program;
use mkns::rtl::lint::Tool;

pub(crate) const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// Runs `mkns fpga SPEC` with the arguments in `folder`.
fn fpga(spec: &str, arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mkns"))
        .args(["fpga", spec, "--dry-run"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("mkns runs")
}

/// Writes the node of a block into `folder/block`; `place` is a board and, behind it, options.
pub(crate) fn write(spec: &str, block: &str, place: &str, folder: &Path) -> PathBuf {
    let mut arguments = vec!["--block", block, "-o", block, "--board"];
    arguments.extend(place.split(' '));
    let output = fpga(spec, &arguments, folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    folder.join(block)
}

/// The smallest network for boards.
pub(crate) fn pair() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two_boards.toml").to_owned()
}

/// File names and texts of a node's Verilog.
pub(crate) fn sources(node: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(node.join("rtl")).expect("sources were written");
    let mut files: Vec<_> = (entries.map(|entry| entry.expect("a readable entry").path()))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy();
            let text = fs::read_to_string(&path).expect("readable");
            (name.into_owned(), text)
        })
        .collect();
    files.sort();
    files
}

/// The top of them alone.
pub(crate) fn top(node: &Path) -> Vec<(String, String)> {
    let block = node.file_name().expect("a folder").to_string_lossy();
    let is_top = |name: &str| name == format!("node_{block}.v");
    let files = sources(node).into_iter();
    files.filter(|(name, _)| is_top(name)).collect()
}

/// Two boards and a cable in Icarus.
pub(crate) struct Boards(tempfile::TempDir);

impl Boards {
    /// `bench`: its module; `cells`: the file with models of the makers' cells.
    pub(crate) fn new(
        place: &str,
        bench: &str,
        cells: &str,
        edit: impl Fn(&str) -> String,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut files = Vec::new();
        for block in ["ab_0_0_0_0", "ab_1_0_0_0"] {
            let node = write(&pair(), block, place, folder.path());
            for (name, text) in sources(&node) {
                // the bench has a model of the transceiver
                if !files.contains(&name) && name != "ecp5_serdes.v" {
                    fs::write(folder.path().join(&name), edit(&text)).expect("writable");
                    files.push(name);
                }
            }
        }
        for file in [cells, "terminal", bench] {
            files.push(format!("{DATA}/link/{file}.v"));
        }
        let built = Command::new("iverilog")
            .args(["-g2005", "-o", "bench.vvp", "-s", bench])
            .args(&files)
            .current_dir(folder.path())
            .output()
            .expect("iverilog runs");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        Self(folder)
    }

    /// What the boards said, line by line, as their terminals show it.
    pub(crate) fn run(&self, arguments: &[&str]) -> Vec<String> {
        let output = Command::new("vvp")
            .args(["-N", "bench.vvp"])
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .expect("vvp runs");
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().map(str::to_owned).collect()
    }
}

/// The number behind a word of a line, hexadecimal.
pub(crate) fn number(line: &str, word: &str) -> u32 {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    let digits = words
        .nth(1)
        .unwrap_or_else(|| panic!("`{word}` in `{line}`"));
    u32::from_str_radix(digits, 16).expect("hexadecimal digits")
}

#[test]
fn two_boards_and_a_cable_are_a_network() {
    let boards = Boards::new("ulx3s", "ribbon_nodes_tb", "ecp5_clocks", str::to_owned);
    let said = boards.run(&["+lines=2"]);
    for (letter, block) in [("a", "ab_0_0_0_0"), ("b", "ab_1_0_0_0")] {
        let start = format!("{letter}: mkns node {block} up 0001 ");
        let lines: Vec<&String> = said
            .iter()
            .filter(|line| line.starts_with(&start))
            .collect();
        assert!(lines.len() >= 2, "{said:?}");
        for line in &lines[1..] {
            assert!(line.ends_with(" errors 00000000 pass"), "{line}");
            assert!(
                number(line, "sent") > 50 && number(line, "received") > 50,
                "{line}"
            );
        }
    }
    // A wire that carries nothing but errors: the link never comes up.
    let said = boards.run(&["+lines=1", "+flip=1"]);
    assert!(
        !said.is_empty() && said.iter().all(|line| line.ends_with(" fail")),
        "{said:?}"
    );
    assert!(
        said.iter().all(|line| line.contains(" up 0000 ")),
        "{said:?}"
    );
    // A cable that is pulled and plugged again: down, then up, and nothing wrong came through.
    let said = boards.run(&["+lines=5", "+pull=200000"]);
    let of_b: Vec<&String> = said.iter().filter(|line| line.starts_with("b: ")).collect();
    assert!(
        of_b.iter().any(|line| line.contains(" up 0000 ")),
        "{of_b:?}"
    );
    let last = of_b.last().expect("five lines");
    assert!(
        last.contains(" up 0001 ") && last.ends_with(" errors 00000000 pass"),
        "{of_b:?}"
    );
}

#[test]
fn transceivers_join_two_boards_too() {
    let boards = Boards::new("ecp5_evn", "serdes_nodes_tb", "ecp5_clocks", str::to_owned);
    let said = boards.run(&["+lines=1"]);
    assert!(said.len() >= 2, "{said:?}");
    for line in &said {
        assert!(
            line.contains(" up 0001 ") && line.ends_with(" errors 00000000 pass"),
            "{said:?}"
        );
        assert!(number(line, "received") > 50, "{line}");
    }
    let said = boards.run(&["+lines=1", "+flip=1"]);
    assert!(
        said.len() >= 2 && said.iter().all(|line| line.ends_with(" fail")),
        "{said:?}"
    );
}

#[test]
fn planted_faults_turn_the_verdict() {
    for (right, wrong) in [
        // the host of the test: a packet is left out, a word is changed
        (
            "numbers[8*to +: 8] <= number + 8'd1;",
            "numbers[8*to +: 8] <= number + 8'd2;",
        ),
        (
            "half = {sender, number, place};",
            "half = {sender, number, place & 4'd3};",
        ),
        // the wrapper: words never begin
        ("ctl_rise    <= 1'b1;", "ctl_rise    <= 1'b0;"),
    ] {
        let boards = Boards::new("ulx3s", "ribbon_nodes_tb", "ecp5_clocks", |text| {
            match right.starts_with("half") {
                // only the sender's copy: the checker's word is made of the same function
                true => text.replace(
                    ": word(ADDRESS, number, place)",
                    ": word(ADDRESS, number, place & 4'd3)",
                ),
                false => text.replace(right, wrong),
            }
        });
        let said = boards.run(&["+lines=1"]);
        assert!(
            said.iter().any(|line| line.ends_with(" fail")),
            "`{wrong}`: {said:?}"
        );
    }
}

#[test]
fn pins_of_the_open_boards_are_those_of_the_tops() {
    for (block, board) in [
        ("ab_0_0_0_0", "ulx3s"),
        ("ab_1_0_0_0", "ulx3s"),
        ("ab_0_0_0_0", "ecp5_evn"),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = write(&pair(), block, board, folder.path());
        let text = fs::read_to_string(node.join("board.lpf")).expect("written");
        let located = text.lines().filter(|line| line.starts_with("LOCATE COMP"));
        let names = located.filter_map(|line| line.split('"').nth(1));
        let mut named: Vec<&str> = names.collect();
        named.sort_unstable();
        let mut sites: Vec<&str> = (text.lines())
            .filter_map(|line| line.split("SITE \"").nth(1)?.split('"').next())
            .collect();
        sites.sort_unstable();
        let count = sites.len();
        sites.dedup();
        assert_eq!(sites.len(), count, "{board}: every site once");
        let mut ports = Elaborated::of(&top(&node)).ports(&format!("node_{block}"));
        ports.sort_unstable();
        assert_eq!(named, ports, "{board}");
    }
}

#[test]
fn sides_of_a_ribbon_face_each_other() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sites = |block: &str, way: &str| {
        let node = write(&pair(), block, "ulx3s", folder.path());
        let text = fs::read_to_string(node.join("board.lpf")).expect("written");
        let start = format!("LOCATE COMP \"ribbon_{way}_");
        let lines = text.lines().filter(|line| line.starts_with(&start));
        let sites = lines.map(|line| line.replace(&format!("ribbon_{way}_"), "").to_owned());
        sites.collect::<Vec<String>>()
    };
    assert_eq!(sites("ab_0_0_0_0", "tx"), sites("ab_1_0_0_0", "rx"));
    assert_eq!(sites("ab_0_0_0_0", "rx"), sites("ab_1_0_0_0", "tx"));
    assert_eq!(sites("ab_0_0_0_0", "rx").len(), 6);
}

/// Verilator's words on the top, with models of the makers' cells.
pub(crate) fn lint(node: &Path, top: &str, options: &[&str]) -> Result<(), String> {
    // Verilator does not know the cells of a transceiver: see the next test.
    let mut names: Vec<String> = (sources(node).into_iter())
        .map(|(name, _)| format!("rtl/{name}"))
        .filter(|name| name != "rtl/ecp5_serdes.v")
        .collect();
    names.extend(
        ["vendor_cells", "xdma_stub", "gty_ports"].map(|file| format!("{DATA}/link/{file}.v")),
    );
    let mut command = (Tool::Verilator.command(top, &names)).expect("`make setup` installs it");
    let output = command.args(options).current_dir(node).output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() && !said.contains("arning") {
        true => Ok(()),
        false => Err(said.into_owned()),
    }
}

#[test]
fn tops_are_clean_under_lint() {
    for (board, options) in [
        ("ulx3s", &[][..]),
        // the PLL's second output
        ("ecp5_evn", &["-Wno-PINMISSING"]),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = write(&pair(), "ab_0_0_0_0", board, folder.path());
        assert_eq!(lint(&node, "node_ab_0_0_0_0", options), Ok(()), "{board}");
    }
}

/// Yosys knows the ports of all cells of an ECP5.
#[test]
fn the_transceiver_is_wired_to_ports_that_it_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let node = write(&pair(), "ab_0_0_0_0", "ecp5_evn", folder.path());
    let text = fs::read_to_string(node.join("rtl/ecp5_serdes.v")).expect("readable");
    let accepts = |text: &str| {
        fs::write(node.join("rtl/ecp5_serdes.v"), text).expect("writable");
        let script = "read_verilog -lib +/ecp5/cells_bb.v; read_verilog rtl/ecp5_serdes.v rtl/bit_synchroniser.v; \
                      hierarchy -check -top ecp5_serdes; proc; check -assert";
        let run = Command::new(Program::Yosys.path().expect("`make setup` has been run"))
            .args(["-q", "-p", script])
            .current_dir(&node)
            .output()
            .expect("yosys runs");
        run.status.success()
    };
    assert!(accepts(&text));
    assert!(!accepts(&text.replace(".CH0_FFS_RLOL(", ".CH0_FFS_RLOLA(")));
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pair = pair();
    let node = ["--block", "ab_0_0_0_0"];
    for (spec, arguments, code, words) in [
        (
            pair.as_str(),
            vec!["--block", "ab_7", "--board", "ulx3s"],
            "E0601",
            "ab_0_0_0_0",
        ),
        (
            pair.as_str(),
            vec!["--board", "ulx3s", "--line", "serdes"],
            "E0711",
            "ribbon",
        ),
        (
            pair.as_str(),
            vec!["--board", "ulx3s", "--pcie", "xdma"],
            "E0711",
            "--pcie",
        ),
        (
            pair.as_str(),
            vec!["--board", "alveo_u50", "--pcie", "litepcie"],
            "E0711",
            "one of xdma, none",
        ),
        (
            "MKNS(1,4,1,1)",
            vec!["--board", "alveo_u50"],
            "E0711",
            "`--line 10gbase_r` (at most 4)",
        ),
        (
            "MKNS(1,2,2,1)",
            vec!["--block", "kb_y0", "--board", "vcu118", "--pcie", "xdma"],
            "E0711",
            "no hosts",
        ),
        (
            "MKNS(1,2,2,1)",
            vec!["--block", "kb_y0", "--board", "ulx3s"],
            "E0711",
            "2 cables",
        ),
        (
            pair.as_str(),
            vec!["--board", "tang_primer_20k"],
            "E0711",
            "ulx3s",
        ),
        (
            "MKNS(1,4,1,1)",
            vec!["--board", "ulx3s"],
            "E0711",
            "3 cables",
        ),
        (
            pair.as_str(),
            vec!["--board", "ulx3s", "--set", "block.flit_bits=128"],
            "E0711",
            "flit_bits",
        ),
        (
            pair.as_str(),
            vec!["--board", "ulx3s", "--set", "block.virtual_channels=4"],
            "E0711",
            "virtual_channels",
        ),
    ] {
        let node = if arguments[0] == "--block" {
            &[][..]
        } else {
            &node[..]
        };
        let output = fpga(spec, &[node, &arguments[..]].concat(), folder.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(
            said.contains(code) && said.contains(words),
            "{arguments:?}: {said}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
}

/// What a dry run prints is what a person runs.
#[test]
fn the_synthesis_that_a_dry_run_prints_makes_a_netlist() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let node = ["--block", "ab_0_0_0_0", "-o", "node", "--board", "ulx3s"];
    let output = fpga(&pair(), &node, folder.path());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_synthesis = |line: &&str| line.trim().starts_with("yosys -p ");
    let command = printed.lines().find(is_synthesis).expect("a command");
    let yosys = Tool::Yosys
        .command("", &[])
        .expect("`make setup` installs it");
    let program = yosys.get_program().to_string_lossy();
    let run = Command::new("sh")
        .args(["-c", &command.replacen("yosys", &program, 1)])
        .current_dir(folder.path().join("node"))
        .output()
        .expect("a shell runs");
    assert!(run.status.success(), "{command}: {run:?}");
    let netlist = fs::read_to_string(folder.path().join("node/netlist.json")).expect("a netlist");
    assert!(netlist.contains("TRELLIS_DPR16X4"), "no LUT RAM");
}

/// The three bitstreams of nodes that `make fpga` makes.
#[test]
#[ignore = "minutes: make test-long"]
fn bitstreams_of_nodes_are_made() {
    for (block, board) in [
        ("ab_0_0_0_0", "ulx3s"),
        ("ab_1_0_0_0", "ulx3s"),
        ("ab_0_0_0_0", "ecp5_evn"),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let run = Command::new(env!("CARGO_BIN_EXE_mkns"))
            .args([
                "fpga",
                &pair(),
                "--block",
                block,
                "--board",
                board,
                "-o",
                "out",
            ])
            .current_dir(folder.path())
            .output()
            .expect("mkns runs");
        let said = String::from_utf8_lossy(&run.stdout).into_owned()
            + &String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{said}");
        let bitstream = folder.path().join(format!("out/node_{block}.bit"));
        assert!(
            fs::metadata(bitstream).expect("a bitstream").len() > 10_000,
            "{said}"
        );
    }
}
