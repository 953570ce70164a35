//! Writes, their order, and the manager on blocks that are only registers.

use std::collections::BTreeMap;

use crate::{Manager, MappedRegisters, RegisterWrite, Registers, Reroute, block_writes, writes};
use mkns_contract::Target;
use mkns_design::Plan;
use mkns_routing::{self as routing, Routing, TableEntry};
use mkns_spec::NetworkSpec;
use mkns_topology::{self as topology, BlockId, Faults, Network, PortIndex};

fn network(engine: &str) -> (NetworkSpec, Network, Plan, Routing) {
    let spec = mkns_spec::parse_with("MKNS(2,4x4,2,1)", &[format!("routing={engine}")]);
    let spec = spec.expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network.clone(), routes.clone());
    (spec, network, plan, routes)
}

fn down(network: &Network, names: &[&str]) -> Faults {
    Faults::named(network, names.iter().copied()).expect("parts of the network")
}

/// All registers of all blocks, and what works.
struct Memory {
    words: BTreeMap<(u32, u32), u32>,
    link_up: Vec<u32>,
    written: usize,
    /// Whether hosts stop when they are asked.
    hosts_stop: bool,
}

impl Memory {
    fn of(plan: &Plan, routes: &Routing) -> Self {
        let words = plan.instances.iter().flat_map(|instance| {
            block_writes(instance.block, &plan.modules[instance.module], routes)
        });
        Self {
            words: words
                .map(|write| ((write.block.0, write.address), write.value))
                .collect(),
            link_up: Vec::new(),
            written: 0,
            hosts_stop: false,
        }
    }

    /// LINK_UP as the blocks around what has failed show it.
    fn fail(&mut self, network: &Network, faults: &Faults) {
        self.link_up = vec![0; network.blocks.len()];
        for (number, cable) in network.cables.iter().enumerate() {
            if faults.cable_works(network, number as u32) {
                for end in [cable.a, cable.b] {
                    self.link_up[end.block.0 as usize] |= 1 << end.port.0;
                }
            }
        }
    }
}

impl Registers for Memory {
    type Error = std::convert::Infallible;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        if self.hosts_stop && address >> 12 == 3 {
            return Ok(Some(7));
        }
        assert_eq!(address, 0x14, "only links are read");
        Ok(Some(self.link_up[block.0 as usize]).filter(|word| *word != 0))
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        self.written += 1;
        let known = self.words.insert((block.0, address), value);
        assert!(known.is_some(), "a write to {address:#x}, where nothing is");
        Ok(true)
    }

    fn hold_hosts(&mut self, _stop: bool) -> Result<bool, Self::Error> {
        Ok(self.hosts_stop)
    }
}

#[test]
fn writes_turn_the_old_tables_into_the_new_ones() {
    for engine in ["vtftr", "up_down", "planes", "planes_spread"] {
        let (spec, network, plan, old) = network(engine);
        for name in ["kb_y2", "ab_0_0_0_0-ab_1_0_0_0", "ab_2_3_0_0-kb_y2"] {
            let faults = down(&network, &[name]);
            let new = routing::build(&spec, &network, &faults).expect("routes");
            let mut memory = Memory::of(&plan, &old);
            let all = writes(&plan, &old, &new);
            assert!(!all.is_empty(), "{name}");
            for write in &all {
                let place = (write.block.0, write.address);
                let before = memory.words.insert(place, write.value);
                assert!(before.is_some_and(|before| before != write.value), "{name}");
            }
            assert_eq!(memory.words, Memory::of(&plan, &new).words, "{name}");
            let found = Reroute::new(&plan, &faults, &old, &new);
            let works = all.iter().filter(|write| faults.block_works(write.block));
            assert_eq!(found.writes().count(), works.count(), "each write once");
        }
    }
}

/// Masks route around what fails; no table of any block changes, and hosts may go on sending.
#[test]
fn planes_change_nothing_but_masks() {
    for engine in ["planes", "planes_spread"] {
        let (spec, network, plan, old) = network(engine);
        for names in [&["kb_y2"][..], &["ab_1_2_0_0", "ab_0_0_0_0-ab_1_0_0_0"]] {
            let faults = down(&network, names);
            let new = routing::build(&spec, &network, &faults).expect("routes");
            let found = Reroute::new(&plan, &faults, &old, &new);
            assert!(found.drain.is_none(), "{names:?}");
            assert!(!found.is_empty(), "{names:?}");
            let is_mask = |write: &RegisterWrite| matches!(write.what, Target::Mask { .. });
            assert!(found.writes().all(is_mask), "{names:?}");
        }
    }
}

#[test]
fn what_does_not_change_is_not_written() {
    let (_, _, plan, routes) = network("vtftr");
    let found = Reroute::new(&plan, &Faults::none(), &routes, &routes);
    assert!(found.is_empty() && found.drain.is_none());
}

#[test]
fn vtftr_changes_under_traffic_whatever_fails_first() {
    let (spec, network, plan, old) = network("vtftr");
    for class in topology::PartClass::ALL {
        for part in class.parts(&network) {
            let faults: Faults = [part].into_iter().collect();
            let new = routing::build(&spec, &network, &faults).expect("routes");
            let found = Reroute::new(&plan, &faults, &old, &new);
            assert!(found.drain.is_none(), "{}", part.name(&network));
        }
    }
}

/// Old and new tables lead some packets of row 0 round its four blocks, in opposite halves: each set is free of
/// circles, both together are one.
#[test]
fn a_circle_of_old_and_new_routes_is_found() {
    let (_, network, plan, routes) = network("up_down");
    let index = network.index();
    let row = [0, 1, 2, 3].map(BlockId);
    let port = |from: BlockId, to: BlockId| -> PortIndex {
        let mut links = index.links(from);
        links
            .find(|(_, link)| link.peer.block == to)
            .expect("a cable")
            .0
    };
    // Packets from block i for block i + 2 pass by block i + 1.
    let round = |starts: [usize; 2]| {
        let mut routes = routes.clone();
        for tables in routes.tables.iter_mut().take(16) {
            for entry in &mut tables.tables[0].entries {
                entry.valid = entry.same;
            }
        }
        for start in starts {
            let [from, over, to] = [0, 1, 2].map(|step| row[(start + step) % 4]);
            for (at, next) in [(from, over), (over, to)] {
                let entries = &mut routes.tables[at.0 as usize].tables[0].entries;
                entries[to.0 as usize] = TableEntry::to(port(at, next));
            }
        }
        routes
    };
    let (old, new) = (round([0, 2]), round([1, 3]));
    let found = Reroute::new(&plan, &Faults::none(), &old, &new);
    let drain = found.drain.as_ref().expect("a circle");
    assert!(drain.why.contains("cycle: ab_"), "{}", drain.why);
    assert!(!found.under_traffic.is_empty() && !drain.writes.is_empty());
    assert_eq!(drain.stop.len(), 16);
    let half = Reroute::new(&plan, &Faults::none(), &old, &round([0, 2]));
    assert!(half.is_empty());
}

#[test]
fn a_manager_follows_what_fails_and_what_is_repaired() {
    let (spec, network, plan, whole) = network("vtftr");
    let mut memory = Memory::of(&plan, &whole);
    let mut manager = Manager::new(&plan, whole);
    let story: [&[&str]; 5] = [
        &[],
        &["ab_0_0_0_0/0"],
        &["ab_0_0_0_0/0", "kb_y2"],
        &["kb_y2", "ab_1_1_0_0"],
        &[],
    ];
    for names in story {
        let faults = down(&network, names);
        memory.fail(&network, &faults);
        let before = memory.written;
        let repair = manager.round(&mut memory).expect("registers that answer");
        assert_eq!(repair.is_some(), memory.written > before);
        assert_eq!(manager.faults(), &faults);
        let new = routing::build(&spec, &network, &faults).expect("routes");
        let works = |(block, _): &(u32, u32)| faults.block_works(BlockId(*block));
        let held = memory.words.iter().filter(|(place, _)| works(place));
        let expected = Memory::of(&plan, &new).words;
        let expected = expected.iter().filter(|(place, _)| works(place));
        assert!(held.eq(expected), "{names:?}");
        assert!(manager.round(&mut memory).expect("answers").is_none());
    }
}

/// Hosts of a board go on sending: what has to wait for them waits, through other failures and repairs, and the manager
/// knows at any time what the blocks hold.
#[test]
fn writes_that_wait_for_hosts_are_pending_until_they_stop() {
    let (spec, network, plan, whole) = network("up_down");
    let mut memory = Memory::of(&plan, &whole);
    let mut manager = Manager::new(&plan, whole);
    let story: [&[&str]; 4] = [
        &["ab_0_0_0_0-kb_y0"],
        &["ab_0_0_0_0-kb_y0", "kb_y2"],
        &["kb_y2"],
        &["kb_y2", "ab_1_0_0_0-ab_2_0_0_0"],
    ];
    let mut pending = Vec::new();
    for names in story {
        memory.fail(&network, &down(&network, names));
        let repair = manager.round(&mut memory).expect("registers");
        pending.push(repair.expect("a change").writes_left);
        assert_eq!(memory.words, Memory::of(&plan, manager.in_use()).words);
        // Nothing new, and hosts still send.
        assert!(manager.round(&mut memory).expect("answers").is_none());
    }
    assert!(pending.iter().any(|&left| left > 0), "{pending:?}");
    memory.hosts_stop = true;
    let repair = manager.round(&mut memory).expect("registers");
    let repair = repair.expect("what was pending");
    assert!(repair.hosts_held && repair.writes > 0 && repair.writes_left == 0);
    let faults = down(&network, &["kb_y2", "ab_1_0_0_0-ab_2_0_0_0"]);
    let new = routing::build(&spec, &network, &faults).expect("routes");
    let works = |(block, _): &(u32, u32)| faults.block_works(BlockId(*block));
    let expected = Memory::of(&plan, &new).words;
    for (place, value) in memory.words.iter().filter(|(place, _)| works(place)) {
        assert_eq!(Some(value), expected.get(place), "{place:x?}");
    }
    assert!(manager.round(&mut memory).expect("answers").is_none());
}

/// The registers of a network as a file: what a manager has written stands there.
#[test]
fn a_manager_works_on_a_mapped_file() {
    let (spec, network, plan, whole) = network("vtftr");
    let file = tempfile::tempfile().expect("a file");
    let blocks = network.blocks.len();
    let open = || MappedRegisters::open(file.try_clone().expect("a file"), 0, blocks);
    assert!(open().is_err(), "too short");
    file.set_len((blocks as u64) << 20).expect("room");
    let mut registers = open().expect("registers");
    let faults = down(&network, &["kb_y2"]);
    let mut memory = Memory::of(&plan, &whole);
    memory.fail(&network, &faults);
    for (block, up) in memory.link_up.iter().enumerate() {
        registers
            .write(BlockId(block as u32), 0x14, *up)
            .expect("memory");
    }
    let mut manager = Manager::new(&plan, whole);
    assert!(
        manager.identify(&mut registers).is_err(),
        "there is no ID yet"
    );
    let repair = manager
        .round(&mut registers)
        .expect("memory")
        .expect("a fault");
    assert_eq!(repair.failed, ["kb_y2"]);
    let new = routing::build(&spec, &network, &faults).expect("routes");
    for write in writes(
        &plan,
        &routing::build(&spec, &network, &Faults::none()).expect("routes"),
        &new,
    ) {
        let works = faults.block_works(write.block);
        let found = registers.read(write.block, write.address).expect("memory");
        assert_eq!(found == Some(write.value), works || write.value == 0);
    }
}
