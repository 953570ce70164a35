//! The least set of moves that makes a cabling the planned one, in an order in which they can be done.
//!
//! A move takes one end of one cable from where it is to where it belongs: from a socket to another, from the box of
//! new cables to a socket, or from a socket away. Where ends go round in a circle one of them hangs loose meanwhile.

use std::collections::BTreeMap;

use super::{Assignment, Millimetres, ReadBack, Socket, assign};

/// Which cable a move is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// By number in the read-back.
    Found(usize),
    /// A dead cable, by number in the read-back.
    Dead(usize),
    /// From the box, for a planned cable of this number.
    New(usize),
}

/// One end of a cable goes from one place to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    pub cable: Source,
    /// None: the box of new cables.
    pub from: Option<Socket>,
    /// None: away.
    pub to: Option<Socket>,
}

/// What is to be done next; numbers are those of [`CablingRepair::moves`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A whole move: the socket that it leads to is free.
    Move(usize),
    /// The end of this move is unplugged and held, so that its socket is free for another.
    Unplug(usize),
    /// The end that was held is plugged in: its move is done.
    Plug(usize),
}

/// How a cabling is repaired.
#[derive(Debug, Clone)]
pub struct CablingRepair {
    pub assignment: Assignment,
    pub moves: Vec<Move>,
    /// The moves in an order that works.
    pub steps: Vec<Step>,
}

/// The least set of moves from a cabling to the plan. `length` is that of the cable that is bought for two ends: of
/// equal sets one is taken that asks less often for a longer cable than was there.
pub fn repair(
    planned: &[[Socket; 2]],
    read_back: &ReadBack,
    length: impl Fn(&[Socket; 2]) -> Millimetres,
) -> CablingRepair {
    let assignment = assign(planned, &read_back.cables, length);
    let mut moves = Vec::new();
    for (number, dead) in read_back.dead.iter().enumerate() {
        moves.extend(dead.0.iter().map(|end| away(Source::Dead(number), *end)));
    }
    for (number, ends) in read_back.cables.iter().enumerate() {
        let cable = Source::Found(number);
        match assignment.planned_of[number] {
            None => moves.extend(ends.map(|end| away(cable, end))),
            Some(target) => moves.extend(moves_of(cable, *ends, planned[target])),
        }
    }
    for (number, ends) in planned.iter().enumerate() {
        if assignment.found_of[number].is_none() {
            moves.extend(ends.map(|end| Move {
                cable: Source::New(number),
                from: None,
                to: Some(end),
            }));
        }
    }
    let (moves, steps) = numbered_in_order(&moves, &in_order(&moves));
    CablingRepair {
        assignment,
        moves,
        steps,
    }
}

/// Moves and steps anew, so that moves are numbered in the order in which they begin.
fn numbered_in_order(moves: &[Move], steps: &[Step]) -> (Vec<Move>, Vec<Step>) {
    let mut number_of = vec![None; moves.len()];
    let mut ordered = Vec::new();
    let mut renumbered = |old: usize| {
        *number_of[old].get_or_insert_with(|| {
            ordered.push(moves[old]);
            ordered.len() - 1
        })
    };
    let steps = steps.iter().map(|step| match *step {
        Step::Move(number) => Step::Move(renumbered(number)),
        Step::Unplug(number) => Step::Unplug(renumbered(number)),
        Step::Plug(number) => Step::Plug(renumbered(number)),
    });
    let steps = steps.collect();
    (ordered, steps)
}

fn away(cable: Source, end: Socket) -> Move {
    Move {
        cable,
        from: Some(end),
        to: None,
    }
}

/// Moves of the ends that are not where the planned cable has one.
fn moves_of(cable: Source, ends: [Socket; 2], target: [Socket; 2]) -> Vec<Move> {
    let leaving = ends.into_iter().filter(|end| !target.contains(end));
    let entering = target.into_iter().filter(|end| !ends.contains(end));
    let moves = leaving.zip(entering).map(|(from, to)| Move {
        cable,
        from: Some(from),
        to: Some(to),
    });
    moves.collect()
}

/// Orders moves so that each finds its socket free: ends that go away first, then each move after the one that
/// frees its socket. A socket is left by at most one move and entered by at most one, so that what waits for what is
/// chains and circles.
fn in_order(moves: &[Move]) -> Vec<Step> {
    let removals = (0..moves.len()).filter(|&number| moves[number].to.is_none());
    let mut steps: Vec<Step> = removals.map(Step::Move).collect();
    let mut done: Vec<bool> = moves.iter().map(|one| one.to.is_none()).collect();
    let leaves = moves.iter().enumerate();
    let leaves: BTreeMap<Socket, usize> = leaves
        .filter_map(|(number, one)| Some((one.from?, number)))
        .collect();
    for first in 0..moves.len() {
        if done[first] {
            continue;
        }
        let mut chain = vec![first];
        let mut is_circle = false;
        loop {
            let last = moves[chain[chain.len() - 1]];
            let blocking = last.to.and_then(|to| leaves.get(&to).copied());
            match blocking.filter(|&number| !done[number]) {
                Some(number) if number == first => is_circle = true,
                Some(number) => {
                    chain.push(number);
                    continue;
                }
                None => {}
            }
            break;
        }
        if is_circle {
            steps.push(Step::Unplug(first));
        }
        for &number in chain.iter().rev() {
            let is_held = is_circle && number == first;
            steps.push(if is_held {
                Step::Plug(number)
            } else {
                Step::Move(number)
            });
            done[number] = true;
        }
    }
    steps
}
