//! The window of registers in BAR 0 of a generated node card with LitePCIe, in Icarus behind a model of LitePCIe's core:
//! accesses are answered also after resets of either side in the middle of one, and the manager works on the window.

use std::io;

use mkns::design::Plan;
use mkns::manage::{Manager, MappedRegisters, Registers, WordWindow};
use mkns::topology::{BlockId, Faults};

use crate::common::litepcie_card::{SHORT, card};
use crate::common::simulated_card::{Edit, SimulatedCard};
use crate::fpga_node::pair;

const ID: u32 = 0x4D4B_4E53;
const NOBODY: u32 = u32::MAX;
/// Where the window begins: `mmap_base` of litepcie.yml.
const WINDOW: usize = 0x10_0000;

/// The registers of the card's block, without the rest of BAR 0.
struct Window(SimulatedCard);

impl WordWindow for Window {
    fn read(&mut self, offset: usize) -> io::Result<u32> {
        match offset < WINDOW {
            true => self.0.read(WINDOW + offset),
            false => Ok(NOBODY),
        }
    }

    fn write(&mut self, offset: usize, value: u32) -> io::Result<()> {
        match offset < WINDOW {
            true => self.0.write(WINDOW + offset, value),
            false => Ok(()),
        }
    }
}

/// Fails unless the word at an address is one of these.
fn expect(card: &mut SimulatedCard, address: usize, wanted: &[u32]) -> io::Result<()> {
    let word = card.read(WINDOW + address)?;
    match wanted.contains(&word) {
        true => Ok(()),
        false => Err(io::Error::other(format!(
            "{address:x} gives {word:08x}, not {wanted:x?}"
        ))),
    }
}

fn pass(card: &mut SimulatedCard, line: &str) -> io::Result<()> {
    match card.ask(line).as_str() {
        answer if answer == "." || answer.starts_with("= ") => Ok(()),
        answer => Err(io::Error::other(format!("`{line}`: {answer}"))),
    }
}

/// Goes through everything that can happen to an access; what was wrong first.
fn try_all(card: &mut SimulatedCard) -> io::Result<()> {
    // LitePCIe's own registers stay where they were.
    assert_eq!(card.read(4)?, 0x1234_5678);
    expect(card, 0, &[ID])?;
    card.write(WINDOW + 0x10, 0xabcd)?;
    expect(card, 0x10, &[0xabcd])?;
    // The buffers of both hosts; there is no third one, and no such register.
    for address in [0x6000, 0x6004, 0x6008, 0x6010, 0x6014, 0x6018] {
        expect(card, address, &[0])?;
    }
    for address in [0x600c, 0x6020, 0x5180] {
        expect(card, address, &[NOBODY])?;
    }
    // A reset of PCIe at any moment of a read: the next read gets its own word, or nothing while the reset goes on.
    for cycles in 1..60 {
        pass(card, &format!("k 100000 {cycles}"))?;
        expect(card, 0x10, &[0xabcd, NOBODY])?;
        pass(card, "t 100")?;
        expect(card, 0x10, &[0xabcd])?;
    }
    // The node in reset, also in the middle of a read.
    pass(card, "s 1 1")?;
    expect(card, 0, &[NOBODY])?;
    pass(card, "s 1 0")?;
    pass(card, "t 1000")?;
    expect(card, 0x10, &[0])?;
    expect(card, 0, &[ID])
}

#[test]
fn every_access_is_answered() {
    try_all(&mut card(SHORT, &[])).expect("as the page says");
}

#[test]
fn planted_faults_are_found() {
    let faults: [Edit; 5] = [
        // an answer that nobody waits for any more is held
        (
            "host_is_gone <= (host_bvalid && !host_bready) || (host_rvalid && !host_rready);",
            "host_is_gone <= 1'b0;",
        ),
        // a request is taken while the core's side is in reset
        (
            "rests        = state == REST && !core_rst;",
            "rests        = state == REST;",
        ),
        // the window's place in the BAR counts as a number of a block
        (
            "host_araddr = {12'd0, bar_araddr};",
            "host_araddr = {12'd1, bar_araddr};",
        ),
        (
            "host_awaddr = {12'd0, bar_awaddr};",
            "host_awaddr = {12'd1, bar_awaddr};",
        ),
        // the reset of the node does not reach the core's side
        (
            ".core_rst(rst || host_is_gone),",
            ".core_rst(!host_is_gone),",
        ),
    ];
    for fault in faults {
        let found = try_all(&mut card(SHORT, &[fault]));
        assert!(found.is_err(), "`{}`", fault.1);
    }
}

#[test]
fn a_manager_works_on_the_window() {
    let settings = ["control_port=true", "counters=true"].map(|set| format!("block.{set}"));
    let text = std::fs::read_to_string(pair()).expect("the example");
    let text = text.replace("vms_per_node = 1", "vms_per_node = 2");
    let spec = mkns::spec::parse_toml_with("pair", &text, &settings).expect("a valid spec");
    let network = mkns::topology::build(&spec);
    let routes = mkns::routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network, routes.clone());
    let mut manager = Manager::new(&plan, routes);
    let mut registers = MappedRegisters::over(Window(card(SHORT, &[])), 2);
    manager.identify(&mut registers).expect("it answers");
    assert_eq!(manager.silent(), ["ab_1_0_0_0"]);
    assert!(registers.write(BlockId(0), 0x10, 0x12345).expect("a bus"));
    let read = registers.read(BlockId(0), 0x10).expect("a bus");
    assert_eq!(read, Some(0x12345));
}
