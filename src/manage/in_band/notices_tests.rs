//! Blocks tell a manager of changes, on a machine for tests.

use mkns_topology::BlockId;

use super::machine::Machine;
use super::messenger::Messenger;
use super::tests::{KEY, OWN, brought_up, messenger, plan};
use crate::Registers;

/// A cable fails, whose ends tell of it or not; the blocks that the next round looks at, beside that of the window.
fn looked_at(tells: bool) -> (usize, usize) {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    let mut manager = brought_up(&plan, &mut machine, &mut messenger);
    let mut cables = plan.network.cables.iter();
    let cable = cables.rfind(|cable| cable.a.block != OWN && cable.b.block != OWN);
    let cable = *cable.expect("a cable elsewhere");
    machine.cut(cable.a);
    machine.looked_at.clear();
    let ends = [cable.a.block, cable.b.block];
    let told = ends.iter().filter(|end| tells && machine.tell(**end));
    assert_eq!(told.count() > 0, tells, "one end has another way");
    let mut registers = messenger.through(&mut machine);
    assert!(matches!(registers.has_news(), Ok(news) if news == tells));
    let change = manager.round(&mut registers);
    let change = change.unwrap_or_else(|error| panic!("it goes on: {error}"));
    assert_eq!(change.map(|change| change.failed.len()), Some(1));
    let looked_at = machine.looked_at.len();
    // Ways back that led over the cable are new after the next round.
    let quiet = manager.round(&mut messenger.through(&mut machine));
    assert!(matches!(quiet, Ok(None)));
    for block in plan.network.block_ids() {
        assert!(machine.tell(block), "{block:?} has a way to the window");
    }
    (looked_at, plan.network.blocks.len() - 1)
}

#[test]
fn blocks_that_tell_of_a_change_are_looked_at_first() {
    let (told, blocks) = looked_at(true);
    assert!(told <= 2, "{told} of {blocks}: both ends of the cable");
}

#[test]
fn a_change_that_nobody_tells_of_is_found_by_looking_at_all() {
    let (looked, blocks) = looked_at(false);
    assert_eq!(looked, blocks);
}

/// Their words are those of a block of another manager, or of none.
#[test]
fn a_notice_of_a_block_that_was_not_armed_is_passed_over() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut first = messenger();
    brought_up(&plan, &mut machine, &mut first);
    assert!(machine.tell(BlockId(5)));
    let mut other = Messenger::new(OWN, OWN, 17).with_key(KEY);
    let mut registers = other.through(&mut machine);
    assert!(matches!(registers.has_news(), Ok(false)));
}
