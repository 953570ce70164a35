//! Blocks that do not answer, links that come and go, files that shrink.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::time::Duration;

use super::{Damping, Manager, ManagerError, MappedRegisters, Registers, seen_peers};
use mkns_design::{Plan, register_map};
use mkns_routing as routing;
use mkns_topology::{self as topology, BlockId, Faults};

fn plan() -> Plan {
    let spec = mkns_spec::parse_with("MKNS(2,4,2,1)", &["routing=vtftr".to_owned()]);
    let spec = spec.expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    Plan::new(&spec, network, routes)
}

fn manager(plan: &Plan) -> Manager {
    let routes = routing::build(&plan.spec, &plan.network, &Faults::none());
    Manager::new(plan, routes.expect("routes"))
}

/// The registers of a network as its blocks have them after a reset, all links up.
struct Blocks {
    words: BTreeMap<(u32, u32), u32>,
    silent: BTreeSet<u32>,
    written: BTreeSet<u32>,
}

impl Blocks {
    fn new(plan: &Plan) -> Self {
        let mut words = BTreeMap::new();
        for instance in &plan.instances {
            let map = register_map(&plan.modules[instance.module]);
            for register in map.registers {
                words.insert((instance.block.0, register.address), register.reset());
            }
            words.insert((instance.block.0, 0x14), 0);
            let turns = &plan.modules[instance.module].turns;
            for (row, &outputs) in (0..).zip(turns.rows()) {
                words.insert((instance.block.0, 0x1800 + 4 * row), outputs);
            }
        }
        for cable in &plan.network.cables {
            for end in [cable.a, cable.b] {
                *words.entry((end.block.0, 0x14)).or_default() |= 1 << end.port.0;
            }
        }
        Self {
            words,
            silent: BTreeSet::new(),
            written: BTreeSet::new(),
        }
    }

    /// Both ends of cable 0.
    fn set_cable_0(&mut self, plan: &Plan, up: bool) {
        let cable = &plan.network.cables[0];
        for end in [cable.a, cable.b] {
            let word = self.words.entry((end.block.0, 0x14)).or_default();
            *word = *word & !(1 << end.port.0) | u32::from(up) << end.port.0;
        }
    }
}

impl Registers for Blocks {
    type Error = Infallible;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
        let word = self.words.get(&(block.0, address)).copied().unwrap_or(0);
        Ok((!self.silent.contains(&block.0)).then_some(word))
    }

    fn write(&mut self, block: BlockId, _: u32, _: u32) -> Result<bool, Infallible> {
        self.written.insert(block.0);
        Ok(!self.silent.contains(&block.0))
    }
}

#[test]
fn abuse_16_a_network_of_which_no_block_answers_is_no_network_that_failed() {
    let plan = plan();
    let mut blocks = Blocks::new(&plan);
    let everybody: BTreeSet<u32> = plan.network.block_ids().map(|id| id.0).collect();
    blocks.silent.clone_from(&everybody);
    let mut manager = manager(&plan);
    let identified = manager.identify(&mut blocks);
    assert!(matches!(identified, Err(ManagerError::NobodyAnswers)));
    blocks.silent.clear();
    assert_eq!(manager.identify(&mut blocks).expect("answers"), []);
    assert!(manager.round(&mut blocks).expect("answers").is_none());
    blocks.silent = everybody;
    let looked = manager.round(&mut blocks);
    assert!(matches!(looked, Err(ManagerError::NobodyAnswers)));
    assert!(blocks.written.is_empty());
}

#[test]
fn abuse_16_a_block_that_was_silent_is_identified_before_it_is_written() {
    let plan = plan();
    let mut blocks = Blocks::new(&plan);
    let mut manager = manager(&plan);
    blocks.silent.insert(1);
    assert_eq!(
        manager.identify(&mut blocks).expect("answers"),
        [BlockId(1)]
    );
    manager
        .round(&mut blocks)
        .expect("answers")
        .expect("a failed block");
    assert_eq!(manager.silent(), [plan.network.blocks[1].name.clone()]);
    assert!(!blocks.written.contains(&1));
    // Another card stands in its place.
    blocks.silent.clear();
    let own = blocks.words.insert((1, 0x8), 0x1234);
    let found = manager.round(&mut blocks);
    let is_block = |error: &ManagerError<Infallible>| {
        matches!(
            error,
            ManagerError::Foreign {
                register: "BLOCK",
                found: 0x1234,
                ..
            }
        )
    };
    assert!(found.as_ref().is_err_and(is_block), "{found:?}");
    assert!(!blocks.written.contains(&1), "nothing is written to it");
    blocks.words.insert((1, 0x8), own.expect("a register"));
    let repair = manager.round(&mut blocks).expect("the right one");
    assert!(repair.is_some() && blocks.written.contains(&1) && manager.silent().is_empty());
}

#[test]
fn a_block_without_a_turn_that_routes_may_need_is_refused() {
    let plan = plan();
    let mut blocks = Blocks::new(&plan);
    let row = blocks.words.get_mut(&(0, 0x1800)).expect("a register");
    let first = row.trailing_zeros();
    *row &= *row - 1;
    let found = manager(&plan).identify(&mut blocks);
    let is_turn = |error: &ManagerError<Infallible>| matches!(error, ManagerError::MissingTurn { from: 0, to, .. } if *to == first as usize);
    assert!(found.as_ref().is_err_and(is_turn), "{found:?}");
    // More turns than needed are welcome.
    blocks.words.insert((0, 0x1800), u32::MAX);
    assert_eq!(manager(&plan).identify(&mut blocks).expect("answers"), []);
}

#[test]
fn abuse_16_a_link_that_comes_and_goes_is_used_when_it_has_worked_for_a_while() {
    let plan = plan();
    let mut blocks = Blocks::new(&plan);
    let hold = Duration::from_millis(200);
    let mut manager = manager(&plan).with_damping(Damping::with(hold));
    let mut look = |blocks: &mut Blocks, up: bool| {
        blocks.set_cable_0(&plan, up);
        let changed = manager.round(blocks).expect("answers").is_some();
        (changed, manager.newly_held().len())
    };
    assert_eq!(
        look(&mut blocks, false),
        (true, 0),
        "a failure is acted on at once"
    );
    assert_eq!(look(&mut blocks, true), (true, 0), "so is the first repair");
    assert_eq!(look(&mut blocks, false), (true, 0));
    assert_eq!(
        look(&mut blocks, true),
        (false, 1),
        "the second has to wait"
    );
    assert_eq!(look(&mut blocks, true), (false, 0), "which is said once");
    for _ in 0..20 {
        assert!(!look(&mut blocks, false).0);
        assert!(!look(&mut blocks, true).0);
    }
    // Another failure is acted on at once.
    blocks.words.insert((2, 0x14), 0);
    assert!(look(&mut blocks, true).0);
}

/// Links that differ in every look are taken to be down after some of them.
#[test]
fn abuse_16_links_that_never_come_to_rest_are_down() {
    struct Restless(Blocks, u32);
    impl Registers for Restless {
        type Error = Infallible;
        fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
            let word = self.0.read(block, address)?;
            if (block.0, address) != (0, 0x14) {
                return Ok(word);
            }
            self.1 += 1;
            Ok(word.map(|word| word & !(self.1 & 1)))
        }
        fn write(&mut self, block: BlockId, at: u32, value: u32) -> Result<bool, Infallible> {
            self.0.write(block, at, value)
        }
    }
    let plan = plan();
    let mut blocks = Restless(Blocks::new(&plan), 0);
    let repair = manager(&plan).round(&mut blocks).expect("answers");
    assert_eq!(repair.expect("a failed cable").failed.len(), 1);
}

#[test]
fn abuse_16_a_file_that_is_cut_while_it_is_used_is_an_error_and_no_signal() {
    let file = tempfile::tempfile().expect("a file");
    file.set_len(2 << 20).expect("room");
    let again = file.try_clone().expect("a file");
    let mut registers = MappedRegisters::open(again, 0, 2).expect("registers");
    assert!(registers.write(BlockId(1), 0x40000, 7).expect("a file"));
    assert_eq!(
        registers.read(BlockId(1), 0x40000).expect("a file"),
        Some(7)
    );
    file.set_len(1 << 20).expect("less room");
    let error = registers
        .read(BlockId(1), 0x40000)
        .expect_err("a file that is too short");
    assert!(error.to_string().contains("shorter"), "{error}");
    assert!(registers.write(BlockId(1), 0x40000, 7).is_err());
    assert_eq!(
        file.metadata().expect("a file").len(),
        1 << 20,
        "it does not grow"
    );
}

/// PEER registers have 16 bits: port 256 is not port 0.
#[test]
fn abuse_16_a_peer_at_a_port_that_cannot_be_is_nobody() {
    struct Peer(u32);
    impl Registers for Peer {
        type Error = Infallible;
        fn read(&mut self, _: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
            let word = address >> 2 & 31;
            Ok(Some(
                [0, self.0, 0xe0][usize::from(word == 8) + 2 * usize::from(word == 16)],
            ))
        }
        fn write(&mut self, _: BlockId, _: u32, _: u32) -> Result<bool, Infallible> {
            Ok(false)
        }
    }
    let setting = ["link.dimensions=[2]".to_owned()];
    let spec = mkns_spec::parse_with("MKNS(2,3x3,2,1)", &setting).expect("a valid spec");
    let network = topology::build(&spec);
    for (port, is_known) in [(0, true), (256, false)] {
        let Ok(seen) = seen_peers(&spec, &network, &mut Peer(port));
        assert!(!seen.is_empty());
        assert!(seen.iter().all(|seen| seen.peer.is_some() == is_known));
    }
}
