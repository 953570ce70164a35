//! Laws of the generated text, for any small network: it is plain, and the network top says what the
//! plan says. The top is read back here by a reader of its own, from the Verilog alone.

use crate::common::networks::{self, small_specs_with_links};
use std::collections::{BTreeMap, BTreeSet};

use crate::common::verilog::{Instance, Top};
use mkns::design::{self, Plan};
use mkns::routing::TableEntry;
use mkns::rtl::{self, OutputFile};
use mkns::topology::{BlockRole, Cable, CableKind};
use proptest::prelude::*;

/// Longest line of text that is not one long literal.
const COLUMNS: usize = 100;

fn plainness(file: &OutputFile) -> Result<(), String> {
    let OutputFile { path, text } = file;
    let complain = |what: &str, line: &str| Err(format!("{path}: {what}: `{line}`"));
    if !text.is_ascii() {
        return complain("not ASCII", "");
    }
    if !text.ends_with('\n') || text.ends_with("\n\n") {
        return complain("must end in one newline", "");
    }
    let is_source = [".v", ".f", ".core", ".rdl"]
        .iter()
        .any(|end| path.ends_with(end));
    for line in text.lines() {
        if line.contains('\t') {
            return complain("a tab", line);
        }
        if line.trim_end() != line {
            return complain("trailing blanks", line);
        }
        let begins = |start: &str| line.trim_start().starts_with(start);
        let is_literal = line.contains("'h")
            && ["localparam", ".EXPECTED_PEERS(", ".TURNS("]
                .into_iter()
                .any(begins);
        if is_source && !is_literal && line.len() > COLUMNS {
            return complain("too long", line);
        }
    }
    Ok(())
}

/// The network read from the top, as far as it differs from the plan.
fn differences(plan: &Plan, top: &Top) -> Vec<String> {
    let mut wrong = Vec::new();
    let assemblies = assembly_names(plan);
    let expected: Vec<&str> = (plan.network.blocks.iter())
        .filter(|block| matches!(block.role, BlockRole::Adapter | BlockRole::Switch { .. }))
        .map(|block| block.name.as_str())
        .chain(assemblies.iter().map(String::as_str))
        .collect();
    let found: Vec<&str> = top.blocks.iter().map(|block| block.name.as_str()).collect();
    let sorted = |mut names: Vec<&str>| {
        names.sort_unstable();
        names.join(" ")
    };
    if sorted(expected) != sorted(found) {
        wrong.push("other blocks".to_owned());
    }
    for (number, cable) in plan.network.cables.iter().enumerate() {
        if cable.kind == CableKind::AssemblyInternal {
            continue;
        }
        // a vector of one bit has no index
        let up = match plan.network.cables.len() {
            1 => "cable_up".to_owned(),
            _ => format!("cable_up[{number}]"),
        };
        for (end, letter) in [(cable.a, 'a'), (cable.b, 'b')] {
            let block = plan.network.block(end.block);
            let (name, port) = place(plan, block, usize::from(end.port.0));
            let Some(instance) = top.blocks.iter().find(|instance| instance.name == name) else {
                wrong.push(format!("{name} is missing"));
                continue;
            };
            let has = |list: &str, index: usize, text: String| {
                instance.list(list).get(index) == Some(&text)
            };
            let fits = has("link_rx", port, format!("cable_{number}_{letter}_rx"))
                && has("link_tx", port, format!("cable_{number}_{letter}_tx"))
                && has("link_up", port, up.clone());
            if !fits {
                wrong.push(format!("cable {number} is not on {name} port {port}"));
            }
        }
    }
    let serial = plan
        .network
        .cables
        .iter()
        .zip(0..)
        .filter(|(cable, _)| is_serial(plan, cable));
    let serial: BTreeSet<String> = serial
        .map(|(_, number): (_, u32)| format!("cable_{number}"))
        .collect();
    if top.serial != serial {
        wrong.push(format!(
            "serial are {:?} in place of {serial:?}",
            top.serial
        ));
    }
    wrong.extend(tables_that_differ(plan, top));
    wrong
}

/// What the spec says of links, not the plan.
fn is_serial(plan: &Plan, cable: &Cable) -> bool {
    let dimensions = plan.spec.link.as_ref().map(|link| &link.dimensions);
    let is_listed = |list: &Vec<u32>| list.is_empty() || list.contains(&u32::from(cable.dimension));
    cable.kind != CableKind::AssemblyInternal && dimensions.is_some_and(is_listed)
}

/// Tops for boards of their own, as far as they differ from the network: one for each block with a serial cable.
fn boards_that_differ(plan: &Plan, files: &[OutputFile]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut count = 0;
    for planned in &plan.instances {
        let block = plan.network.block(planned.block);
        // port and, of the cable's other end, block and port
        let mut peers: Vec<(u8, u32, u8)> = Vec::new();
        for cable in plan
            .network
            .cables
            .iter()
            .filter(|cable| is_serial(plan, cable))
        {
            for (own, peer) in [(cable.a, cable.b), (cable.b, cable.a)] {
                if own.block == planned.block {
                    peers.push((own.port.0, peer.block.0, peer.port.0));
                }
            }
        }
        peers.sort_unstable();
        let path = format!("boards/{}_{}.v", plan.spec.name, block.name);
        let Some(file) = files.iter().find(|file| file.path == path) else {
            if !peers.is_empty() {
                wrong.push(format!("{path} is missing"));
            }
            continue;
        };
        count += 1;
        let top = Top::read(&file.text);
        let constant = |name: &str| top.constants.get(name).map_or("", String::as_str);
        let board = &top.blocks[0];
        let mut check = |what: &str, holds: bool| {
            if !holds {
                wrong.push(format!("{}: {what}", block.name));
            }
        };
        let words = peers
            .iter()
            .flat_map(|(_, block, port)| [*block as u16, 1 << 15 | u16::from(*port)]);
        check(
            "peers",
            top.words("EXPECTED_PEERS") == words.collect::<Vec<u16>>(),
        );
        check(
            "number",
            board.connections["block_number"] == format!("16'd{}", planned.block.0),
        );
        for (n, table) in planned.tables.tables.iter().enumerate() {
            let words = top.words(&format!("TABLE{n}_INIT"));
            let entries: Vec<TableEntry> = words.into_iter().map(TableEntry::unpack).collect();
            check("table", entries == table.entries);
        }
        if block.role == BlockRole::Adapter {
            let address = format!("20'h{:05x}", planned.node_address);
            check("address", constant("NODE_ADDRESS") == address);
        }
        for (name, value) in &board.parameters {
            check("a parameter", name == value && !constant(name).is_empty());
        }
    }
    let found = files.iter().filter(|file| file.path.starts_with("boards/"));
    if found.count() != count {
        wrong.push("boards of no block".to_owned());
    }
    wrong
}

/// Instance and port that stand for a block's port: a leaf's are the assembly's.
fn place(plan: &Plan, block: &mkns::topology::Block, port: usize) -> (String, usize) {
    match block.role {
        BlockRole::AssemblyLeaf { leaf, .. } => {
            let half = usize::from(plan.network.blocks[0].network_ports / 2);
            let name = block.name.rsplit_once('_').expect("a member's name").0;
            (name.to_owned(), usize::from(leaf) * half + port)
        }
        _ => (block.name.clone(), port),
    }
}

fn assembly_names(plan: &Plan) -> Vec<String> {
    let blocks = plan.network.blocks.iter();
    let names = blocks.filter_map(|block| block.name.strip_suffix("_leaf0"));
    names.map(str::to_owned).collect()
}

fn tables_that_differ(plan: &Plan, top: &Top) -> Vec<String> {
    let instances: BTreeMap<&str, &Instance> = (top.blocks.iter())
        .map(|block| (block.name.as_str(), block))
        .collect();
    let mut wrong = Vec::new();
    for planned in &plan.instances {
        let block = plan.network.block(planned.block);
        let is_member = matches!(
            block.role,
            BlockRole::AssemblyLeaf { .. } | BlockRole::AssemblySpine { .. }
        );
        let (instance, prefix) = match block.name.rsplit_once('_') {
            Some((assembly, member)) if is_member => {
                (instances[assembly], format!("{}_", member.to_uppercase()))
            }
            _ => (instances[block.name.as_str()], String::new()),
        };
        for (n, table) in planned.tables.tables.iter().enumerate() {
            let constant = &instance.parameters[&format!("{prefix}TABLE{n}_INIT")];
            let entries: Vec<TableEntry> = top
                .words(constant)
                .into_iter()
                .map(TableEntry::unpack)
                .collect();
            if entries != table.entries {
                wrong.push(format!("{} table {n}", block.name));
            }
        }
        if block.role == BlockRole::Adapter {
            let address = format!("20'h{:05x}", planned.node_address);
            if instance.parameters["NODE_ADDRESS"] != address {
                wrong.push(format!("{} node address", block.name));
            }
        }
    }
    wrong
}

fn top_text(plan: &Plan) -> String {
    let name = format!("{}.v", rtl::top_name(plan));
    let sources = rtl::render_network(plan).expect("legal names");
    let top = sources.into_iter().find(|(file, _)| *file == name);
    top.expect("a network has a top").1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn generated_text_is_plain_and_the_top_says_what_the_plan_says(spec in small_specs_with_links()) {
        let plan = design::build(&spec).expect("a network that can be built");
        let files = rtl::render_output(&plan).expect("legal names");
        for file in &files {
            prop_assert_eq!(plainness(file), Ok(()));
        }
        let wrong = boards_that_differ(&plan, &files);
        prop_assert!(wrong.is_empty(), "{}: {:?}", spec.notation(), wrong);
        let text = top_text(&plan);
        let top = Top::read(&text);
        for constant in top.constants.keys() {
            prop_assert!(text.matches(constant.as_str()).count() > 1, "{} is not used", constant);
        }
        let wrong = differences(&plan, &top);
        prop_assert!(wrong.is_empty(), "{}: {:?}", spec.notation(), wrong);
    }
}

/// The paper's 64-host machine has a cable on every port, so nothing may speak of ports without one.
#[test]
fn a_network_without_free_ports_has_no_constant_for_them() {
    let spec = networks::mkns(2, &[8, 4], &[mkns::spec::Join::DirectMesh]);
    let plan = design::build(&spec).expect("a network that can be built");
    let text = top_text(&plan);
    assert!(!text.contains("NO_LINK") && !text.contains("unused_"));
    assert_eq!(differences(&plan, &Top::read(&text)), Vec::<String>::new());
}

/// Boards with two ways to route and lines in one dimension: what tells a board from another is read back.
#[test]
fn a_board_with_anothers_peer_or_table_is_seen() {
    let settings = ["link.dimensions=[2]", "link.flight_words=20"].map(str::to_owned);
    let spec = mkns::spec::parse_with("MKNS(2,3x3,2,1)", &settings).expect("a valid spec");
    let plan = design::build(&spec).expect("a network that can be built");
    let mut files = rtl::render_output(&plan).expect("legal names");
    assert_eq!(boards_that_differ(&plan, &files), Vec::<String>::new());
    let top = files
        .iter()
        .position(|file| file.path.ends_with("_ab_1_0_0_0.v"))
        .expect("a board");
    for (right, wrong, what) in [
        (
            "EXPECTED_PEERS = 32'h80",
            "EXPECTED_PEERS = 32'h81",
            "peers",
        ),
        ("block_number(16'd1)", "block_number(16'd0)", "number"),
        (
            "NODE_ADDRESS = 20'h00002",
            "NODE_ADDRESS = 20'h00004",
            "address",
        ),
        ("TABLE0_INIT = 64'h0000", "TABLE0_INIT = 64'h0001", "table"),
    ] {
        let text = files[top].text.clone();
        files[top].text = text.replacen(right, wrong, 1);
        assert_eq!(
            boards_that_differ(&plan, &files),
            [format!("ab_1_0_0_0: {what}")]
        );
        files[top].text = text;
    }
}

/// The reader above is worth something only if it sees faults.
#[test]
fn a_swapped_cable_and_a_wrong_table_entry_are_seen() {
    use mkns::spec::Join;
    let spec = networks::mkns(2, &[4, 4], &[Join::SwitchBlock]);
    let plan = design::build(&spec).expect("a network that can be built");
    let text = top_text(&plan);
    assert_eq!(differences(&plan, &Top::read(&text)), Vec::<String>::new());
    let swapped = text.replacen(
        "cable_2_a_rx, cable_1_a_rx",
        "cable_1_a_rx, cable_2_a_rx",
        1,
    );
    assert_eq!(
        differences(&plan, &Top::read(&swapped)),
        [
            "cable 1 is not on ab_0_0_0_0 port 1",
            "cable 2 is not on ab_0_0_0_0 port 2"
        ]
    );
    let table = text.replacen("0042_0041_0040_0060", "0042_0041_0041_0060", 1);
    let wrong = differences(&plan, &Top::read(&table));
    assert!(
        wrong.contains(&"ab_0_0_0_0 table 0".to_owned()),
        "{wrong:?}"
    );
}
