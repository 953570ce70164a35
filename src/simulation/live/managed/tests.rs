//! What a message does at its end, and what it takes, on blocks that are registers.

use std::collections::BTreeMap;

use mkns_contract::address::management;
use mkns_contract::address::management_word::KEY;
use mkns_topology::{BlockId, End, PortIndex};

use super::timed_blocks::TimedBlocks;
use super::units::{Units, Words};

const OWN: BlockId = BlockId(0);
const REGISTER: u32 = 0x40004;

/// Blocks that keep what is written.
#[derive(Default)]
struct Blocks {
    words: BTreeMap<(u32, u32), (u32, u64)>,
    down: Option<BlockId>,
}

impl TimedBlocks for Blocks {
    fn clock(&self) -> u64 {
        0
    }

    fn wait(&mut self, _cycles: u64) {}

    fn read_at(&mut self, _cycle: u64, block: BlockId, address: u32) -> Option<u32> {
        self.words.get(&(block.0, address)).map(|(value, _)| *value)
    }

    fn write_at(&mut self, cycle: u64, block: BlockId, address: u32, value: u32) -> bool {
        self.words.insert((block.0, address), (value, cycle));
        true
    }

    fn links_at(&mut self, _cycle: u64, block: BlockId) -> u32 {
        if self.down == Some(block) { 0 } else { 0xffff }
    }

    fn hold(&mut self, _stop: bool) {}
}

fn units() -> (Units, u32) {
    let settings = ["link.kind=serial", "link.management=in_band"];
    let spec = mkns_spec::parse_with("MKNS(1,3x2,2,1)", &settings.map(str::to_owned));
    let plan = mkns_design::build(&spec.expect("a valid spec")).expect("a plan");
    let index = plan.network.index();
    let has_peer = |port: &u8| {
        let port = PortIndex(*port);
        index.peer(End { block: OWN, port }).is_some()
    };
    let port = (0..16).find(has_peer).expect("a cable");
    (Units::new(&plan), port.into())
}

/// A write over one link.
fn write(port: u32, sequence: u32, key: u64, address: u32, value: u32) -> Words {
    let words = [key as u32, (key >> 32) as u32];
    [
        1 | 1 << 8 | 1 << 16,
        3 << 16 | sequence,
        port,
        0,
        words[0],
        words[1],
        address,
        value,
    ]
}

fn status(answer: Option<(u64, Words)>) -> u32 {
    answer.expect("an answer").1[6] >> 20
}

#[test]
fn writes_are_judged_by_key_and_number() {
    let (mut units, port) = units();
    let mut blocks = Blocks::default();
    let mut send = |words: Words| units.send(&mut blocks, OWN, &words, 0);
    assert_eq!(status(send(write(port, 1, 0, management(KEY), 7))), 0);
    assert_eq!(status(send(write(port, 2, 0, REGISTER, 5))), 4, "no key");
    assert_eq!(status(send(write(port, 3, 7, REGISTER, 5))), 0);
    assert_eq!(status(send(write(port, 3, 7, REGISTER, 6))), 0, "repeated");
    assert_eq!(status(send(write(port, 2, 7, REGISTER, 6))), 5, "old");
    let written: Vec<u32> = blocks.words.values().map(|(value, _)| *value).collect();
    assert_eq!(written, [5], "only the first one with the key");
}

#[test]
fn a_message_over_a_link_that_is_down_comes_back() {
    let (mut units, port) = units();
    let mut blocks = Blocks {
        down: Some(OWN),
        ..Blocks::default()
    };
    let answer = units.send(&mut blocks, OWN, &write(port, 1, 0, REGISTER, 5), 0);
    assert_eq!(status(answer), 8);
    assert!(blocks.words.is_empty());
}

/// Two units and a link there, two units and the link back.
#[test]
fn a_message_takes_the_cycles_of_the_page() {
    let (mut units, port) = units();
    let mut blocks = Blocks::default();
    let (there, _) =
        (units.send(&mut blocks, OWN, &write(port, 1, 0, REGISTER, 5), 0)).expect("an answer");
    // A unit finds a message within its places, reads and passes it in 21 cycles, and the end accesses for 4 more. A link
    // takes 36 cycles, half of the slots among them, and its flight of 40 words.
    let least = 3 * 21 + 4 + 2 * (36 + 40);
    let places = 3 * 11 + 16;
    assert!(
        (least..least + places).contains(&there),
        "{there} of {least}"
    );
    let (_, written) = blocks.words.values().next().expect("a write");
    assert!(*written < there - (36 + 40) - 21);
}
