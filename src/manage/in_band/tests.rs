//! Bring-up and repair over the cables of a machine that loses messages, and faults that must be found.

use std::collections::BTreeMap;

use mkns_contract::address::{LINKS, link};
use mkns_design::Plan;
use mkns_topology::{BlockId, End, PortIndex};

use super::machine::{Machine, Planted};
use super::{BringUpError, InBandError, Messenger};
use crate::configuration::block_configuration;
use crate::{Manager, ManagerError, Registers};

pub(super) const KEY: u64 = 0x1234_5678_9abc_def0;
pub(super) const OWN: BlockId = BlockId(0);

pub(super) fn plan() -> Plan {
    let settings = [
        "link.kind=serial",
        "link.management=in_band",
        "routing=up_down",
    ];
    let spec = mkns_spec::parse_with("MKNS(2,3x3,2,1)", &settings.map(str::to_owned));
    mkns_design::build(&spec.expect("a valid spec")).expect("a plan")
}

pub(super) fn messenger() -> Messenger {
    Messenger::new(OWN, OWN, 1).with_key(KEY)
}

pub(super) fn brought_up(plan: &Plan, machine: &mut Machine, messenger: &mut Messenger) -> Manager {
    let done = messenger.through(machine).bring_up(plan);
    done.expect("as planned").0
}

/// Registers that do not hold what a plan says.
pub(super) fn wrong_registers(plan: &Plan, machine: &Machine) -> usize {
    let index = plan.network.index();
    let routes = mkns_routing::build(&plan.spec, &plan.network, &plan.faults).expect("routes");
    let blocks = plan.network.block_ids();
    let expected: BTreeMap<(u32, u32), u32> = blocks
        .flat_map(|block| {
            let all = block_configuration(plan, &index, block, &routes);
            all.into_iter()
                .map(move |(at, value)| ((block.0, at), value))
        })
        .collect();
    let holds = |(place, value): &(&(u32, u32), &u32)| machine.words.get(place) == Some(value);
    expected.iter().filter(|entry| !holds(entry)).count()
}

pub(super) fn written_twice(machine: &Machine) -> usize {
    let often = machine.written.values().filter(|count| **count > 1);
    often.count()
}

#[test]
fn an_empty_machine_is_brought_up_though_messages_are_lost() {
    let plan = plan();
    for loss in [0, 20] {
        let mut machine = Machine::of(&plan);
        machine.loss = loss;
        let mut messenger = messenger();
        brought_up(&plan, &mut machine, &mut messenger);
        assert_eq!(wrong_registers(&plan, &machine), 0);
        assert_eq!(written_twice(&machine), 0);
        assert!(machine.keys.iter().all(|key| *key == KEY));
        let counts = messenger.counts();
        assert_eq!(counts.unanswered, 0, "{counts}");
        assert_eq!(counts.attempts.len() > 1, loss > 0, "{counts}");
    }
}

#[test]
fn an_answer_to_another_message_is_passed_over() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    machine.planted = Planted::StaleAnswers;
    let mut messenger = messenger();
    brought_up(&plan, &mut machine, &mut messenger);
    assert_eq!(
        (wrong_registers(&plan, &machine), written_twice(&machine)),
        (0, 0)
    );
    let mut registers = messenger.through(&mut machine);
    for block in plan.network.block_ids().skip(1) {
        let Ok(value) = registers.read(block, link(0, 7)) else {
            panic!("no answer");
        };
        let end = End {
            block,
            port: PortIndex(0),
        };
        let peer = plan.network.index().peer(end);
        assert_eq!(value, peer.map(|peer| peer.block.0));
    }
}

/// Repetitions with numbers of their own are carried out again, and the count of writes shows it.
#[test]
fn planted_fault_a_repetition_with_a_new_number_is_found() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    (machine.planted, machine.loss) = (Planted::FreshNumbers, 20);
    let mut messenger = Messenger::new(OWN, OWN, 1);
    let _ = messenger.through(&mut machine).bring_up(&plan);
    assert!(written_twice(&machine) > 0);
}

#[test]
fn planted_fault_a_forgotten_key_is_found() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    machine.planted = Planted::NoKey;
    let mut messenger = messenger();
    let done = messenger.through(&mut machine).bring_up(&plan);
    assert!(is_wrong_key(done));
}

fn is_wrong_key<T, E>(done: Result<T, BringUpError<InBandError<E>>>) -> bool {
    matches!(
        done,
        Err(BringUpError::Manager(ManagerError::Registers(
            InBandError::WrongKey(_)
        )))
    )
}

#[test]
fn a_block_with_another_key_accepts_no_write() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    brought_up(&plan, &mut machine, &mut messenger());
    let mut stranger = Messenger::new(OWN, OWN, 2);
    let done = stranger.through(&mut machine).bring_up(&plan);
    assert!(is_wrong_key(done));
}

/// A manager that starts again takes another requester; with the same one it would seem to be a second manager.
#[test]
fn a_second_manager_with_the_same_requester_is_noticed() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    brought_up(&plan, &mut machine, &mut messenger());
    let done = messenger().through(&mut machine).bring_up(&plan);
    assert!(matches!(
        done,
        Err(BringUpError::Manager(ManagerError::Registers(
            InBandError::TwoManagers(_)
        )))
    ));
    let mut again = Messenger::new(OWN, OWN, 17).with_key(KEY);
    brought_up(&plan, &mut machine, &mut again);
}

/// A manager that takes over writes nothing but notices; then it watches and repairs as the first one did.
#[test]
fn a_running_machine_is_taken_over_without_a_change() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let first = brought_up(&plan, &mut machine, &mut messenger());
    let in_use = first.in_use().clone();
    let written = machine.written.clone();
    let mut second = Messenger::new(OWN, OWN, 17).with_key(KEY);
    let manager = second.through(&mut machine).take_over(&plan, in_use);
    let mut manager = manager.expect("as planned").with_audit();
    let mut round = |machine: &mut Machine| {
        let change = manager.round(&mut second.through(machine));
        change.unwrap_or_else(|error| panic!("it goes on: {error}"))
    };
    for _ in 0..100 {
        assert!(round(&mut machine).is_none());
    }
    let held = machine.written.iter();
    let mut changed = held.filter(|(place, count)| written.get(place) != Some(count));
    assert!(changed.all(|((_, at), _)| at >> 12 == 7), "only notices");
    machine.cut(plan.network.cables[0].a);
    assert_eq!(
        round(&mut machine).map(|change| change.failed.len()),
        Some(1)
    );
}

/// Another manager with the key and a requester of its own writes other routes; this one finds the register.
#[test]
fn a_second_manager_is_noticed_by_what_it_writes() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    let mut manager = brought_up(&plan, &mut machine, &mut messenger).with_audit();
    let in_use = manager.in_use().clone();
    let mut rounds = |machine: &mut Machine| {
        (0..200).find_map(|_| manager.round(&mut messenger.through(&mut *machine)).err())
    };
    assert!(rounds(&mut machine).is_none(), "nobody else writes");
    let (block, address) = (BlockId(5), mkns_contract::address::table(0, 3));
    let mut other = Messenger::new(OWN, OWN, 2).with_key(KEY);
    let mut registers = other.through(&mut machine);
    assert!(registers.take_over(&plan, in_use).is_ok());
    assert!(matches!(registers.write(block, address, 0x3f), Ok(true)));
    let Some(ManagerError::Overwritten { block: name, .. }) = rounds(&mut machine) else {
        panic!("it is noticed");
    };
    assert_eq!(name, plan.network.block(block).name);
}

#[test]
fn routes_avoid_a_cable_that_has_failed() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    let mut manager = brought_up(&plan, &mut machine, &mut messenger);
    let cable = plan
        .network
        .cables
        .iter()
        .find(|cable| cable.a.block == OWN);
    let cable = cable.expect("its block has cables");
    machine.cut(cable.a);
    machine.passed.clear();
    let change = manager.round(&mut messenger.through(&mut machine));
    let change = change
        .unwrap_or_else(|_| panic!("it goes on"))
        .expect("a failed cable");
    assert_eq!(change.failed.len(), 1);
    assert!(!machine.passed.contains(&cable.a) && !machine.passed.contains(&cable.b));
    assert_eq!(
        messenger.counts().unanswered,
        0,
        "every block is still reached"
    );
    let with_faults = Plan {
        faults: manager.faults().clone(),
        ..plan
    };
    assert_eq!(wrong_registers(&with_faults, &machine), 0);
}

/// A link that is up and passes no message tells nobody, so another route has to be tried.
#[test]
fn a_link_that_loses_every_message_is_avoided() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    brought_up(&plan, &mut machine, &mut messenger);
    let mut cables = plan.network.cables.iter();
    let cable = cables.rfind(|cable| cable.a.block == OWN);
    let cable = cable.expect("its block has cables");
    machine.deaf.insert(cable.a);
    let value = messenger.through(&mut machine).read(cable.b.block, 0);
    assert!(matches!(value, Ok(Some(_))));
    assert_eq!(
        messenger.counts().attempts.last(),
        Some(&1),
        "the fifth message was answered"
    );
    assert_eq!(messenger.counts().attempts.len(), 5);
}

#[test]
fn wrong_plugs_are_named_and_nothing_is_written() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let cables: Vec<_> = plan.network.cables.iter().take(2).copied().collect();
    for (one, other) in [(cables[0].a, cables[1].b), (cables[1].a, cables[0].b)] {
        machine.cables.insert(one, other);
        machine.cables.insert(other, one);
    }
    let done = messenger().through(&mut machine).bring_up(&plan);
    let Err(BringUpError::Differs(found)) = done else {
        panic!("wrong plugs are found");
    };
    assert_eq!(found.wrong.len(), 4, "both ends of both cables: {found:?}");
    assert!(machine.written.is_empty());
}

/// The block behind the last port of the host's block is another one: neither it nor the machine is written to.
#[test]
fn a_foreign_block_is_named_and_nothing_is_written() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let foreign = plan.network.cables[0].b.block;
    machine.words.insert((foreign.0, 0xc), 0);
    let done = messenger().through(&mut machine).bring_up(&plan);
    let Err(BringUpError::Differs(found)) = done else {
        panic!("it is found");
    };
    assert!(found.wrong[0].contains("SIZES"), "{found:?}");
    assert!(machine.written.is_empty());
}

#[test]
fn parts_that_are_missing_are_named_and_avoided() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let missing = plan.network.cables[3];
    machine.cut(missing.a);
    let done = messenger().through(&mut machine).bring_up(&plan);
    let (manager, done) = done.expect("the rest works");
    assert_eq!(done.missing.len(), 1, "{done}");
    assert!(!manager.faults().cable_works(&plan.network, 3));
}

#[test]
fn a_write_that_closes_the_only_route_is_refused() {
    let plan = plan();
    let mut machine = Machine::of(&plan);
    let mut messenger = messenger();
    brought_up(&plan, &mut machine, &mut messenger);
    let far = BlockId(1);
    let index = plan.network.index();
    let ends: Vec<End> = (0..plan.network.block(far).network_ports)
        .map(|port| End {
            block: far,
            port: PortIndex(port),
        })
        .filter(|end| index.peer(*end).is_some())
        .collect();
    let mut registers = messenger.through(&mut machine);
    let disable = |end: &End| link(end.port.0.into(), 22);
    for end in &ends[1..] {
        assert!(matches!(registers.write(far, disable(end), 1), Ok(true)));
        registers.messenger.map.set_up(*end, false);
        let peer = index.peer(*end).expect("a cable");
        registers.messenger.map.set_up(peer, false);
    }
    let last = registers.write(far, disable(&ends[0]), 1);
    assert!(matches!(last, Err(InBandError::ClosesRoute(end)) if end == ends[0]));
    assert!(matches!(
        registers.write(far, LINKS + 4 * 21, 1 << 31 | 7),
        Err(InBandError::ClosesRoute(_))
    ));
}
