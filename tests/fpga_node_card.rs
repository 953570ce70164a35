//! Nodes on cards: scripts, cores, pins and clocks for every way to plug in hosts and links, tops under lint, and two cards
//! that talk over models of their transceivers, bit by bit.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::elaborated::Elaborated;
use crate::fpga_node::{Boards, DATA, lint, number, pair, sources, top, write};

/// Specs, blocks, places and cores of Vivado that nodes need there.
pub(crate) const NODES: [(&str, &str, &str, &[&str]); 8] = [
    ("", "ab_0_0_0_0", "vcu118", &["aurora_0", "xdma_0"]),
    ("", "ab_0_0_0_0", "alveo_u50", &["aurora_0", "xdma_0"]),
    (
        "",
        "ab_0_0_0_0",
        "vcu118 --pcie litepcie",
        &["aurora_0", "pcie_usp"],
    ),
    (
        "",
        "ab_0_0_0_0",
        "vcu118 --pcie litepcie --line 10gbase_r",
        &["gty_0", "pcie_usp"],
    ),
    ("", "ab_0_0_0_0", "vcu118 --pcie none", &["aurora_0"]),
    (
        "",
        "ab_0_0_0_0",
        "vcu118 --pcie none --line 10gbase_r",
        &["gty_0"],
    ),
    (
        "MKNS(1,4,1,1)",
        "ab_0_0_0_0",
        "alveo_u50 --line 10gbase_r",
        &["gty_0", "gty_1", "gty_2", "xdma_0"],
    ),
    (
        "MKNS(1,2,2,1)",
        "kb_y0",
        "alveo_u50 --line 10gbase_r",
        &["gty_0", "gty_1"],
    ),
];

/// Writes a node of the table, and what litepcie_gen would leave there.
pub(crate) fn prepare(node: (&str, &str, &str, &[&str]), folder: &Path) -> std::path::PathBuf {
    let (spec, block, place, _) = node;
    let two_boards = pair();
    let spec = if spec.is_empty() { &two_boards } else { spec };
    let node = write(spec, block, place, folder);
    assert_eq!(
        node.join("litepcie.yml").exists(),
        place.contains("litepcie"),
        "{place}"
    );
    if place.contains("litepcie") {
        let made = node.join("build/gateware");
        fs::create_dir_all(&made).expect("writable");
        fs::copy(
            format!("{DATA}/litepcie_core.tcl"),
            made.join("litepcie_core.tcl"),
        )
        .expect("writable");
        for name in ["litepcie_core.v", "litepcie_core_mem.init"] {
            fs::write(made.join(name), "").expect("writable");
        }
    }
    node
}

/// Runs the node's script against stubs of Vivado.
fn run_script(node: &Path, block: &str) -> Output {
    let ports = Elaborated::of(&top(node)).ports(&format!("node_{block}"));
    Command::new("tclsh")
        .arg(format!("{DATA}/vendor_stubs.tcl"))
        .arg("0.25")
        .args(&ports)
        .current_dir(node)
        .output()
        .expect("tclsh runs: `make setup` installs it")
}

#[test]
fn cards_get_their_cores_pins_and_clocks() {
    for entry in NODES {
        let (_, block, place, cores) = entry;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = prepare(entry, folder.path());
        let output = run_script(&node, block);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{place}: {said}");
        let recorded =
            fs::read_to_string(node.join("recorded.txt")).expect("commands were recorded");
        let made = |kind: &str| {
            let lines = recorded.lines().filter(|line| line.starts_with(kind));
            let names = lines.filter_map(|line| cores.iter().find(|core| line.contains(*core)));
            names.count()
        };
        assert_eq!(made("create_ip "), cores.len(), "{place}: {recorded}");
        assert_eq!(made("synth_ip "), cores.len(), "{place}: {recorded}");
        for (name, _) in sources(&node) {
            assert!(recorded.contains(&name), "{place}: {name} is not read");
        }
        assert!(
            recorded.contains("set_max_delay"),
            "{place}: crossings are constrained"
        );
    }
}

#[test]
fn the_stubs_see_wrong_properties_and_a_missing_core_of_litepcie() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let node = prepare(NODES[3], folder.path());
    let script = node.join("build.tcl");
    let right = fs::read_to_string(&script).expect("readable");
    fs::write(&script, right.replace("TX_LINE_RATE", "TX_LINERATE")).expect("writable");
    let said = run_script(&node, "ab_0_0_0_0");
    assert!(String::from_utf8_lossy(&said.stderr).contains("no property CONFIG.TX_LINERATE"));
    fs::write(&script, right).expect("writable");
    // A clock that is not found would leave its crossings without constraints.
    let top = node.join("rtl/node_ab_0_0_0_0.v");
    let text = fs::read_to_string(&top).expect("readable");
    fs::write(&top, text.replace("rx_clk", "clk_rx")).expect("writable");
    let said = run_script(&node, "ab_0_0_0_0");
    let said = String::from_utf8_lossy(&said.stderr);
    assert!(
        said.contains("2 clocks found (clock user_clk_0), of 3"),
        "{said}"
    );
    fs::write(&top, text).expect("writable");
    fs::write(node.join("build/gateware/litepcie_core.tcl"), "quit").expect("writable");
    let said = run_script(&node, "ab_0_0_0_0");
    assert!(String::from_utf8_lossy(&said.stderr).contains("makes no PCIe core"));
}

#[test]
fn tops_of_cards_are_clean_under_lint() {
    for entry in NODES {
        let (_, block, place, cores) = entry;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = prepare(entry, folder.path());
        // what nobody needs of a transceiver is left open
        let options: &[&str] = match cores.contains(&"gty_0") {
            true => &["-Wno-PINCONNECTEMPTY"],
            false => &[],
        };
        assert_eq!(
            lint(&node, &format!("node_{block}"), options),
            Ok(()),
            "{place}"
        );
    }
}

/// Transceivers with their gearboxes, at clocks 200 ppm apart.
#[test]
fn two_cards_and_a_cable_are_a_network() {
    let place = "vcu118 --pcie none --line 10gbase_r";
    let boards =
        |edit: fn(&str) -> String| Boards::new(place, "card_nodes_tb", "vendor_cells", edit);
    let right = boards(str::to_owned);
    // The cable is out for a while: the receiver behind it begins anew, and nothing wrong came through.
    let said = right.run(&["+lines=9", "+flip=1", "+pull=20000"]);
    for card in ["a: mkns node ab_0_0_0_0", "b: mkns node ab_1_0_0_0"] {
        let lines: Vec<&String> = said.iter().filter(|line| line.starts_with(card)).collect();
        assert!(
            lines.iter().any(|line| line.contains(" up 0000 ")),
            "{said:?}"
        );
        let last = lines.last().expect("nine lines");
        assert!(
            last.contains(" up 0001 ") && last.ends_with(" errors 00000000 pass"),
            "{said:?}"
        );
        assert!(
            number(last, "sent") > 50 && number(last, "received") > 50,
            "{said:?}"
        );
    }
    // Planted: bits of a block in the wrong order at one end's header, a receiver that is never restarted.
    for edit in [
        (|text: &str| text.replace("serdes_tx_hdr[2*i + 1 - n]", "serdes_tx_hdr[2*i]"))
            as fn(&str) -> String,
        |text| text.replace(".restart(rx_restart[i])", ".restart()"),
    ] {
        let said = boards(edit).run(&["+lines=7", "+pull=20000"]);
        let last = said.last().expect("lines");
        assert!(
            last.contains(" up 0000 ") && last.ends_with(" fail"),
            "{said:?}"
        );
    }
}
