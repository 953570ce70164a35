//! Numbers of identical boards: given, found again, taken back, and blocks with numbers of other places.

use std::collections::BTreeMap;

use mkns_contract::address::{BLOCK_NUMBER, UNNUMBERED, link};
use mkns_design::Plan;

use super::machine::Machine;
use super::tests::{KEY, OWN, brought_up, messenger, plan, written_twice, wrong_registers};
use super::{BringUpError, Messenger};

/// Numbers of blocks, by block.
fn numbers(plan: &Plan, machine: &Machine) -> Vec<u32> {
    let ids = plan.network.block_ids();
    ids.map(|id| machine.words[&(id.0, BLOCK_NUMBER)]).collect()
}

/// How often each register was written, but for the ways back that every manager tells the management units.
fn configured(machine: &Machine) -> BTreeMap<(u32, u32), u32> {
    let written = machine.written.iter();
    let others = written.filter(|((_, at), _)| at >> 12 != 7);
    others
        .map(|(register, times)| (*register, *times))
        .collect()
}

/// The plugs at the second ends of two cables change places.
fn swap_plugs(plan: &Plan, machine: &mut Machine, [one, other]: [usize; 2]) {
    let cables = [one, other].map(|cable| plan.network.cables[cable]);
    for (a, b) in [(cables[0].a, cables[1].b), (cables[1].a, cables[0].b)] {
        machine.cables.insert(a, b);
        machine.cables.insert(b, a);
    }
}

/// Identical boards are told apart by the cables that lead to them; they have the plan's numbers from then on.
#[test]
fn blocks_without_numbers_get_those_of_the_plan() {
    let plan = plan();
    for loss in [0, 20] {
        let mut machine = Machine::without_numbers(&plan);
        machine.loss = loss;
        let first = brought_up(&plan, &mut machine, &mut messenger());
        let planned: Vec<u32> = plan.network.block_ids().map(|id| id.0).collect();
        assert_eq!(numbers(&plan, &machine), planned);
        assert_eq!(wrong_registers(&plan, &machine), 0);
        assert_eq!(written_twice(&machine), 0);
        // Links that have not risen again announce nobody; the registers know.
        let written = configured(&machine);
        for requester in [17, 33] {
            let mut second = Messenger::new(OWN, OWN, requester).with_key(KEY);
            let taken = (second.through(&mut machine)).take_over(&plan, first.in_use().clone());
            assert!(taken.is_ok());
            assert_eq!(configured(&machine), written);
            machine.restart_links();
        }
    }
}

/// A link that is down would announce half a number, so it is held down meanwhile; one that is up is left alone.
#[test]
fn links_that_are_down_are_held_while_a_number_is_written() {
    let plan = plan();
    let mut machine = Machine::without_numbers(&plan);
    let cut = plan.network.cables[3];
    machine.cut(cut.a);
    for end in [cut.a, cut.b] {
        machine
            .words
            .insert((end.block.0, link(end.port.0.into(), 22)), 0);
    }
    brought_up(&plan, &mut machine, &mut messenger());
    let controls = machine.written.iter();
    let controls = controls.filter(|((_, at), _)| at >> 12 == 5 && at >> 2 & 31 == 22);
    let held: Vec<_> = controls
        .map(|((block, _), times)| (*block, *times))
        .collect();
    let mut expected = [(cut.a.block.0, 2), (cut.b.block.0, 2)];
    expected.sort();
    assert_eq!(held, expected);
    for end in [cut.a, cut.b] {
        let control = (end.block.0, link(end.port.0.into(), 22));
        assert_eq!(machine.words[&control], 0);
    }
}

/// Any two plugs that are swapped are found, and no block keeps the number of a place that may be wrong.
#[test]
fn wrong_plugs_between_blocks_without_numbers_are_named() {
    let plan = plan();
    let cables = plan.network.cables.len();
    for one in 0..cables {
        for other in 0..one {
            let mut machine = Machine::without_numbers(&plan);
            swap_plugs(&plan, &mut machine, [one, other]);
            let done = messenger().through(&mut machine).bring_up(&plan);
            let Err(BringUpError::Differs(found)) = done else {
                panic!("cables {one} and {other}: wrong plugs are found");
            };
            assert!(!found.wrong.is_empty());
            let unnumbered = |number: &u32| *number == UNNUMBERED;
            assert!(numbers(&plan, &machine).iter().all(unnumbered));
            let others = machine.written.keys();
            let mut others = others.filter(|(_, at)| *at != BLOCK_NUMBER);
            assert_eq!(others.next(), None, "nothing else is written");
        }
    }
}

/// A board that was reset has no number, and its neighbours expect one: they are told to accept it, and expect the number
/// again once it has it.
#[test]
fn a_board_that_was_reset_is_numbered_again() {
    let plan = plan();
    let mut machine = Machine::without_numbers(&plan);
    brought_up(&plan, &mut machine, &mut messenger());
    machine.restart_links();
    let block = plan.network.cables[0].b.block;
    machine.reset(block.0);
    let mut again = Messenger::new(OWN, OWN, 17).with_key(KEY);
    again.assume_keys(plan.network.block_ids());
    brought_up(&plan, &mut machine, &mut again);
    assert!(
        machine
            .fallen
            .iter()
            .all(|end| end.block != block && machine.cables[end].block != block)
    );
    assert_eq!(numbers(&plan, &machine)[block.0 as usize], block.0);
    assert_eq!(wrong_registers(&plan, &machine), 0);
}

/// Two routes lead to one block: the second one finds the number that the first one has left.
#[test]
fn a_second_route_to_a_block_finds_its_number() {
    let plan = plan();
    let mut machine = Machine::without_numbers(&plan);
    let mut messenger = messenger();
    let found = messenger.through(&mut machine).discover(&plan);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(found.wrong, [""; 0]);
    assert_eq!(found.reached.len(), plan.network.blocks.len());
    assert_eq!(found.numbered.len(), plan.network.blocks.len());
    assert!(plan.network.cables.len() > plan.network.blocks.len() - 1);
}

/// A board of another machine, or one that had another place.
#[test]
fn a_block_with_an_unexpected_number_is_named_with_the_fix() {
    let plan = plan();
    let behind = plan.network.cables[0].b.block;
    for (number, words) in [(500, "an extra block, number 500"), (2, "reset it")] {
        let mut machine = Machine::without_numbers(&plan);
        machine.words.insert((behind.0, BLOCK_NUMBER), number);
        let done = messenger().through(&mut machine).bring_up(&plan);
        let Err(BringUpError::Differs(found)) = done else {
            panic!("it is found");
        };
        assert!(found.wrong[0].contains(words), "{found:?}");
        assert!(found.wrong[0].contains("reset"), "{found:?}");
        assert_eq!(machine.words[&(behind.0, BLOCK_NUMBER)], number);
    }
    let mut machine = Machine::without_numbers(&plan);
    machine.words.insert((OWN.0, BLOCK_NUMBER), 3);
    let done = messenger().through(&mut machine).bring_up(&plan);
    let Err(BringUpError::Differs(found)) = done else {
        panic!("it is found");
    };
    assert!(
        found.wrong[0].contains("the board with the window"),
        "{found:?}"
    );
}
