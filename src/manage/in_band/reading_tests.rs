//! Reads of many registers at once, through a window in which answers take their time.

use std::collections::VecDeque;
use std::convert::Infallible;

use mkns_contract::address::management_word::{IS_RECEIVED, MANAGEMENT, SENDS, TAKES};
use mkns_contract::address::{BLOCK_NUMBER, management};
use mkns_topology::{BlockId, End};

use super::machine::{Machine, Planted};
use super::tests::{OWN, brought_up, messenger, plan};
use crate::Registers;

/// Looks at the window until an answer is there.
const LOOKS: u32 = 100;

/// A window whose answers come after some looks.
struct SlowWindow<'a> {
    machine: &'a mut Machine,
    /// Looks until each message is there.
    coming: VecDeque<u32>,
    most: usize,
}

impl<'a> SlowWindow<'a> {
    fn new(machine: &'a mut Machine) -> Self {
        Self {
            machine,
            coming: VecDeque::new(),
            most: 0,
        }
    }
}

impl Registers for SlowWindow<'_> {
    type Error = Infallible;

    fn read(&mut self, board: BlockId, address: u32) -> Result<Option<u32>, Infallible> {
        let word = self.machine.read(board, address)?;
        if address != management(MANAGEMENT) {
            return Ok(word);
        }
        for looks in &mut self.coming {
            *looks = looks.saturating_sub(1);
        }
        let is_there = self.coming.front() == Some(&0);
        Ok(word.map(|word| if is_there { word } else { word & !IS_RECEIVED }))
    }

    fn write(&mut self, board: BlockId, address: u32, value: u32) -> Result<bool, Infallible> {
        let is_command = address == management(MANAGEMENT);
        if is_command && value & TAKES != 0 && self.coming.front() == Some(&0) {
            self.coming.pop_front();
        }
        let before = self.machine.waiting();
        let done = self.machine.write(board, address, value)?;
        if is_command && value & SENDS != 0 && self.machine.waiting() > before {
            self.coming.push_back(LOOKS);
            self.most = self.most.max(self.coming.len());
        }
        Ok(done)
    }
}

/// Reads the numbers of all blocks of a machine, which this befalls first; how many requests were on their way at once.
fn read_numbers(befalls: impl FnOnce(&mut Machine)) -> usize {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    brought_up(&plan, &mut machine, &mut messenger);
    befalls(&mut machine);
    let blocks = plan.network.block_ids();
    let places: Vec<(BlockId, u32)> = blocks.map(|block| (block, BLOCK_NUMBER)).collect();
    let mut window = SlowWindow::new(&mut machine);
    let Ok(values) = messenger.through(&mut window).read_many(&places) else {
        panic!("no answer");
    };
    let numbers = plan.network.block_ids().map(|block| Some(block.0));
    assert_eq!(values, numbers.collect::<Vec<_>>());
    let counts = messenger.counts();
    assert_eq!(counts.unanswered, 0, "{counts}");
    window.most
}

#[test]
fn several_reads_are_on_their_way_at_once() {
    assert_eq!(read_numbers(|_| {}), 4);
}

#[test]
fn reads_whose_messages_are_lost_are_asked_again() {
    read_numbers(|machine| machine.loss = 30);
}

#[test]
fn an_answer_is_taken_for_its_own_read() {
    read_numbers(|machine| machine.planted = Planted::StaleAnswers);
}

/// A block says that its link is down, or a link loses all messages: there are other routes.
#[test]
fn reads_go_around_links_that_have_failed() {
    let from_own = |machine: &Machine| -> Vec<End> {
        let ends = machine.cables.keys().copied();
        ends.filter(|end| end.block == OWN).collect()
    };
    read_numbers(|machine| machine.cut(from_own(machine)[0]));
    read_numbers(|machine| {
        machine.deaf.insert(from_own(machine)[0]);
    });
}
