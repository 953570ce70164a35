//! Timing exceptions of the clock crossings name instances and registers that the elaborated wrappers
//! have, as Yosys finds them.

use std::fs;
use std::process::Command;

use crate::common::elaborated::Elaborated;
use mkns::fpga::HostCore;

const STUBS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/constraint_stubs.tcl"
);

/// Reads the exceptions for a wrapper of which `edit` changes the sources; what the stubs print, or
/// what they complain of.
fn read(core: HostCore, constraints: &str, edit: fn(&str) -> String) -> Result<String, String> {
    let files = core.files("// test");
    let sources = files.iter().filter(|(name, _)| name.ends_with(".v"));
    let sources: Vec<_> = sources
        .map(|(name, text)| (name.clone(), edit(text)))
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names = Elaborated::of(&sources).names(core.top());
    fs::write(folder.path().join("names.txt"), names).expect("writable");
    let (_, text) = files
        .iter()
        .find(|(name, _)| name == constraints)
        .expect("written with the wrapper");
    fs::write(folder.path().join(constraints), text).expect("writable");
    let run = Command::new("tclsh")
        .args([STUBS, "names.txt", constraints])
        .current_dir(folder.path())
        .output()
        .expect("tclsh runs: `make setup` installs it");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    match run.status.success() {
        true => Ok(text(&run.stdout)),
        false => Err(text(&run.stderr)),
    }
}

#[test]
fn every_crossing_of_every_wrapper_is_found() {
    for core in HostCore::ALL {
        let said = read(core, "async_fifo.xdc", str::to_owned);
        let said = said.unwrap_or_else(|error| panic!("{}: {error}", core.top()));
        let commands = said.lines().filter_map(|line| line.split(' ').next());
        let commands: Vec<&str> = commands.collect();
        // For a FIFO each way: two pointers with delay and skew, then the memory's words.
        let (delay, skew) = ("set_max_delay", "set_bus_skew");
        let each = [delay, skew, delay, skew, delay];
        assert_eq!(commands, each.repeat(2), "{}", core.top());
        assert_every_bit_has_its_register(&said, skew);
        let said = read(core, "async_fifo.sdc", str::to_owned);
        let said = said.unwrap_or_else(|error| panic!("{}: {error}", core.top()));
        assert_eq!(said.lines().count(), 7, "{}: {said}", core.top());
        assert_every_bit_has_its_register(&said, "set_max_skew");
    }
}

#[test]
fn every_level_between_paired_resets_is_found() {
    for core in HostCore::ALL {
        let said = read(core, "bit_synchroniser.xdc", str::to_owned);
        let said = said.unwrap_or_else(|error| panic!("{}: {error}", core.top()));
        // Request and answer, from each of the two sides, for the crossing of each direction.
        let exceptions: Vec<&str> = said.lines().collect();
        assert_eq!(exceptions, ["set_false_path 1 1"; 8], "{}", core.top());
    }
    let moved = |text: &str| text.replace("bit_synchroniser", "level");
    let said = read(HostCore::Xdma, "bit_synchroniser.xdc", moved).expect_err("no such module");
    assert!(said.contains("no instance"), "{said}");
}

fn assert_every_bit_has_its_register(said: &str, command: &str) {
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with(command))
        .collect();
    assert!(!lines.is_empty(), "{said}");
    for line in lines {
        let counts: Vec<&str> = line.split(' ').skip(1).collect();
        assert_eq!(counts[0], counts[1], "{line}");
    }
}

#[test]
fn a_renamed_register_or_module_is_noticed() {
    let renamed = |text: &str| text.replace("read_gray_s_1", "read_gray_s_one");
    for constraints in ["async_fifo.xdc", "async_fifo.sdc"] {
        let said = read(HostCore::Xdma, constraints, renamed).expect_err("no such register");
        assert!(said.contains("read_gray_s_1"), "{said}");
    }
    let moved = |text: &str| text.replace("axis_async_fifo", "crossing");
    let said = read(HostCore::Xdma, "async_fifo.xdc", moved).expect_err("no such module");
    assert!(said.contains("no instance"), "{said}");
}
