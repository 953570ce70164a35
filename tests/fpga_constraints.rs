//! Every way between two clocks of what mkns generates goes through a synchronizer or a word that is held, and has a constraint
//! for every program: of boards with serial links, of nodes on cards, and of wrappers.

use std::fs;

use crate::common::constraints::{PROGRAMS, faults};
use crate::common::crossings::Crossings;
use crate::fpga_node::sources;
use crate::fpga_node_card::{NODES, prepare};
use mkns::fpga::{HostCore, LinkCore, register_bridge, register_window};
use mkns::{design, rtl, spec};

type Files = Vec<(String, String)>;

/// Verilog and constraints.
fn split(files: Files) -> (Files, Files) {
    files
        .into_iter()
        .partition(|(name, _)| name.ends_with(".v"))
}

/// Verilog, constraints and top of a board with serial links, as `mkns generate` writes them.
fn board(channels: u32) -> (Files, Files, String) {
    let settings = [
        "link=serial".to_owned(),
        format!("virtual_channels={channels}"),
        "rx_buffer_flits=45".to_owned(),
    ];
    let spec = spec::parse_with("MKNS(2,2,1,1)", &settings).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let output = rtl::render_output(&plan).expect("it can be rendered");
    let files = output.into_iter().filter_map(|file| {
        let (folder, name) = file.path.split_once('/')?;
        ["rtl", "constraints"]
            .contains(&folder)
            .then(|| (name.to_owned(), file.text))
    });
    let (sources, constraints) = split(files.collect());
    let module = plan.modules.iter().find(|module| module.serial_ports != 0);
    let top = rtl::board_name(&plan, module.expect("a board"));
    (sources, constraints, top)
}

/// The CRC with every bit of every input in every bit of its output.
const ANY_CRC: &str =
    "module link_crc32c (input [31:0] crc, input [63:0] word, output [31:0] next);
    assign next = {32{^{crc, word}}};
endmodule
";

/// The design around a block, which has one clock, and without the constants of the CRC: Yosys takes most of its time for
/// these two.
fn around_block(sources: &Files, top: &str) -> Crossings {
    let is_block = |name: &str| ["adapter_block.v", "switch_block.v"].contains(&name);
    let around = sources.iter().filter(|(name, _)| !is_block(name));
    let around = around.map(|(name, text)| match name.as_str() {
        "link_crc32c.v" => (name.clone(), ANY_CRC.to_owned()),
        _ => (name.clone(), text.clone()),
    });
    Crossings::of(&around.collect::<Files>(), top)
}

/// All faults of a design and its constraints, of all these programs.
fn all_faults(
    crossings: &Crossings,
    constraints: &Files,
    programs: &[(&str, &str)],
) -> Vec<String> {
    let of_programs = programs
        .iter()
        .flat_map(|program| faults(crossings, constraints, *program));
    crossings.faults().into_iter().chain(of_programs).collect()
}

#[test]
fn every_crossing_of_a_board_with_serial_links_has_a_constraint() {
    for channels in [1, 2] {
        let (sources, constraints, top) = board(channels);
        let crossings = around_block(&sources, &top);
        assert!(crossings.all.len() > 200, "{}", crossings.all.len());
        assert_eq!(all_faults(&crossings, &constraints, &PROGRAMS), [""; 0]);
    }
}

#[test]
#[ignore = "takes two minutes: make test-long"]
fn a_block_has_no_crossing_inside() {
    let (sources, constraints, top) = board(1);
    let whole = Crossings::of(&sources, &top);
    let around = around_block(&sources, &top);
    let names = |crossings: &Crossings| -> Vec<(String, String)> {
        let all = crossings.all.iter();
        let mut names: Vec<_> = all
            .map(|one| (crossings.name(one.from), crossings.name(one.to)))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&whole), names(&around));
    assert_eq!(all_faults(&whole, &constraints, &PROGRAMS), [""; 0]);
}

#[test]
fn every_crossing_of_every_wrapper_has_a_constraint() {
    let hosts = HostCore::ALL.map(|core| (core.files("// test"), core.top()));
    let links = LinkCore::ALL.map(|core| (core.files("// test"), core.top()));
    let bridge = (register_bridge("// test"), "register_bridge");
    let window = (register_window("// test"), "register_window");
    for (files, top) in hosts.into_iter().chain(links).chain([bridge, window]) {
        let (sources, constraints) = split(files);
        let crossings = Crossings::of(&sources, top);
        let is_within_one = ["link_aurora64b66b", "register_bridge"].contains(&top);
        assert_eq!(crossings.all.is_empty(), is_within_one, "{top}");
        assert_eq!(
            all_faults(&crossings, &constraints, &PROGRAMS),
            [""; 0],
            "{top}"
        );
    }
}

#[test]
fn every_crossing_of_a_node_on_a_card_has_a_constraint() {
    for entry in NODES {
        let (_, block, place, _) = entry;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let node = prepare(entry, folder.path());
        let files = fs::read_dir(&node)
            .expect("readable")
            .map(|entry| entry.expect("an entry").path());
        let constraints =
            files.filter(|path| path.extension().is_some_and(|ending| ending == "xdc"));
        let crossing = ["async_fifo.xdc", "bit_synchroniser.xdc", "link_port.xdc"];
        let constraints = constraints.filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let text = fs::read_to_string(&path).expect("readable");
            crossing.contains(&name.as_str()).then_some((name, text))
        });
        let crossings = around_block(&sources(&node), &format!("node_{block}"));
        assert!(
            crossings.all.len() > 200,
            "{place}: {}",
            crossings.all.len()
        );
        let faults = all_faults(&crossings, &constraints.collect(), &PROGRAMS[..1]);
        assert_eq!(faults, [""; 0], "{place}");
    }
}

/// Planted: each constraint in turn is missing.
#[test]
fn a_missing_constraint_is_found() {
    let (sources, constraints, top) = board(2);
    let crossings = around_block(&sources, &top);
    for (program, ending) in PROGRAMS {
        let (name, text) = (constraints.iter())
            .find(|(name, _)| name.ends_with(ending))
            .expect("constraints of links");
        let commands = [
            "set_max_delay",
            "set_bus_skew",
            "set_false_path",
            "MAXDELAY",
            "BLOCK",
            "        0 *",
            "        1 *",
        ];
        let is_needed = |line: &&str| {
            commands.iter().any(|start| line.starts_with(start)) && !line.contains("block_number")
        };
        let lines: Vec<&str> = text.lines().filter(is_needed).collect();
        assert!(lines.len() >= 14, "{program}: {lines:?}");
        for line in lines {
            let without = text.replace(&format!("{line}\n"), "");
            let found = faults(&crossings, &[(name.clone(), without)], (program, ending));
            assert!(!found.is_empty(), "{program}: nobody misses {line}");
        }
    }
}

/// Planted: what a synchronizer or a register is called changes, a synchronizer is left out, logic stands in front of one.
#[test]
fn a_changed_crossing_is_found() {
    let (sources, constraints, top) = board(2);
    for (file, right, wrong, said) in [
        (
            "link_port.v",
            " ring_crossing (",
            " ring_synchronizer (",
            "ring_crossing",
        ),
        ("link_pointer.v", "gray", "code", "gray"),
        (
            "link_port.v",
            ".core_idle(core_idle_seen)",
            ".core_idle(core_idle)",
            "no synchronizer between",
        ),
        (
            "link_port.v",
            ".from(disabled)",
            ".from(disabled & ~inject)",
            "logic in front of",
        ),
    ] {
        let edit = |(name, text): &(String, String)| match name == file || right == "gray" {
            true => (
                name.clone(),
                edited(text, file == "link_pointer.v", right, wrong),
            ),
            false => (name.clone(), text.clone()),
        };
        let changed: Files = sources.iter().map(edit).collect();
        assert_ne!(changed, sources, "{right}");
        let crossings = around_block(&changed, &top);
        let found = all_faults(&crossings, &constraints, &PROGRAMS[..3]).join("\n");
        assert!(found.contains(said), "{wrong}: {found}");
    }
    // A module of another name: its instances have no constraints.
    let (sources, constraints) = split(HostCore::Xdma.files("// test"));
    let edit = |(name, text): &(String, String)| {
        (name.clone(), text.replace("axis_async_fifo", "crossing"))
    };
    let crossings = Crossings::of(&sources.iter().map(edit).collect::<Files>(), "adapter_xdma");
    for program in &PROGRAMS[..3] {
        assert!(
            !faults(&crossings, &constraints, *program).is_empty(),
            "{program:?}"
        );
    }
}

/// The register of a pointer under another name, in its module and nowhere else.
fn edited(text: &str, is_pointer: bool, right: &str, wrong: &str) -> String {
    match (right, is_pointer) {
        ("gray", true) => text.replace("gray", wrong),
        ("gray", false) => text.replace(".gray(", &format!(".{wrong}(")),
        _ => text.replace(right, wrong),
    }
}

/// Planted: names that other modules have, too, take paths within a clock off timing.
#[test]
fn a_constraint_that_reaches_further_is_found() {
    let (sources, _) = split(HostCore::EthMac10g.files("// test"));
    let crossings = Crossings::of(&sources, "adapter_eth_mac_10g");
    let wide =
        "set_false_path -from [get_registers *|*memory*] -to [get_registers *|m_data\\[*\\]]\n";
    let files = vec![("async_fifo.sdc".to_owned(), wide.to_owned())];
    let found = faults(&crossings, &files, PROGRAMS[1]).join("\n");
    assert!(
        found.contains("tx_buffer/memory to tx_buffer/m_data[0] is within a clock"),
        "{found}"
    );
}
