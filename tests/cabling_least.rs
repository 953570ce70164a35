//! The least set of moves against searches that know nothing of how it is found: all assignments of arbitrary cablings,
//! and all sequences of pulling and plugging of small ones.

use std::collections::{BTreeSet, HashSet};

use mkns::cabling::{CablingRepair, Millimetres, ReadBack, Socket, Step, Way, repair};
use mkns::random::Random;
use mkns::topology::{BlockId, End, PortIndex};

/// A cable of the small search: where its ends are, sorted; none: loose.
type Cable = [Option<u8>; 2];

fn socket(number: u8) -> Socket {
    let end = End {
        block: BlockId(number.into()),
        port: PortIndex(0),
    };
    Socket::new(end, Way::Both)
}

/// Some cables in some of `sockets` sockets.
fn random_cables(random: &mut Random, sockets: usize, cables: usize) -> Vec<[u8; 2]> {
    let order = random.permutation(sockets);
    let pairs = order.chunks_exact(2).take(cables);
    let ends = |pair: &[usize]| [pair[0].min(pair[1]) as u8, pair[0].max(pair[1]) as u8];
    pairs.map(ends).collect()
}

fn mended(planned: &[[u8; 2]], found: &[[u8; 2]]) -> CablingRepair {
    let sockets = |cables: &[[u8; 2]]| cables.iter().map(|ends| ends.map(socket)).collect();
    let planned: Vec<[Socket; 2]> = sockets(planned);
    let read_back = ReadBack {
        cables: sockets(found),
        dead: Vec::new(),
    };
    // Lengths that differ, so that choices are made.
    repair(&planned, &read_back, |[a, b]| {
        Millimetres(u64::from(a.end.block.0.abs_diff(b.end.block.0)))
    })
}

/// Pullings and pluggings of a set of moves.
fn actions(repair: &CablingRepair) -> usize {
    let each = repair.moves.iter();
    each.map(|one| usize::from(one.from.is_some()) + usize::from(one.to.is_some()))
        .sum()
}

/// Fewest pullings and pluggings from a cabling, with spare cables, to the planned one, by breadth-first search.
fn fewest_actions(planned: &[[u8; 2]], found: &[[u8; 2]], sockets: u8) -> usize {
    let spares = planned.len();
    let mut start: Vec<Cable> = found.iter().map(|ends| ends.map(Some)).collect();
    start.resize(found.len() + spares, [None, None]);
    start.sort();
    let wanted: BTreeSet<Cable> = planned.iter().map(|ends| ends.map(Some)).collect();
    let is_goal = |cables: &[Cable]| {
        let plugged = cables.iter().filter(|ends| **ends != [None, None]);
        plugged.copied().collect::<BTreeSet<_>>() == wanted
    };
    let mut seen = HashSet::from([start.clone()]);
    let mut level = vec![start];
    for actions in 0.. {
        if level.iter().any(|cables| is_goal(cables)) {
            return actions;
        }
        let mut next = Vec::new();
        for cables in &level {
            for after in neighbours(cables, sockets) {
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        level = next;
    }
    unreachable!("every cabling can be taken out and made anew")
}

/// One pulling or plugging from a cabling.
fn neighbours(cables: &[Cable], sockets: u8) -> Vec<Vec<Cable>> {
    let taken: HashSet<u8> = cables.iter().flatten().flatten().copied().collect();
    let mut all = Vec::new();
    for number in 0..cables.len() {
        for side in 0..2 {
            let mut change = |end: Option<u8>| {
                let mut after = cables.to_vec();
                after[number][side] = end;
                after[number].sort();
                after.sort();
                all.push(after);
            };
            match cables[number][side] {
                Some(_) => change(None),
                None => {
                    let free = (0..sockets).filter(|socket| !taken.contains(socket));
                    free.for_each(|socket| change(Some(socket)));
                }
            }
        }
    }
    all
}

#[test]
fn no_sequence_of_pulling_and_plugging_is_shorter() {
    const SOCKETS: u8 = 6;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let [one, other] = [0, 1].map(|_| {
            let count = random.between(1, 3) as usize;
            random_cables(&mut random, usize::from(SOCKETS), count)
        });
        let repair = mended(&one, &other);
        let fewest = fewest_actions(&one, &other, SOCKETS);
        assert_eq!(actions(&repair), fewest, "planned {one:?}, found {other:?}");
    }
}

/// The fewest moves by giving every found cable every place in turn.
fn fewest_moves(planned: &[[u8; 2]], found: &[[u8; 2]]) -> usize {
    let Some((ends, rest)) = found.split_first() else {
        return 2 * planned.len();
    };
    let away = 2 + fewest_moves(planned, rest);
    let kept = (0..planned.len()).map(|number| {
        let mut open = planned.to_vec();
        let target = open.remove(number);
        let leaving = ends.iter().filter(|end| !target.contains(end)).count();
        leaving + fewest_moves(&open, rest)
    });
    kept.chain([away]).min().expect("one way at least")
}

#[test]
fn no_assignment_of_arbitrary_cablings_takes_fewer_moves() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let sockets = random.between(4, 12) as usize;
        let [one, other] = [0, 1].map(|_| {
            let count = random.between(0, 6) as usize;
            random_cables(&mut random, sockets, count)
        });
        let repair = mended(&one, &other);
        let fewest = fewest_moves(&one, &other);
        assert_eq!(
            repair.moves.len(),
            fewest,
            "planned {one:?}, found {other:?}"
        );
        assert_works(&repair, &one, &other);
    }
}

/// The steps find every socket free and leave the planned cables.
fn assert_works(repair: &CablingRepair, planned: &[[u8; 2]], found: &[[u8; 2]]) {
    let mut taken: BTreeSet<Socket> = found.iter().flatten().map(|end| socket(*end)).collect();
    for step in &repair.steps {
        let (number, pulls, plugs) = match *step {
            Step::Move(number) => (number, true, true),
            Step::Unplug(number) => (number, true, false),
            Step::Plug(number) => (number, false, true),
        };
        let one = repair.moves[number];
        if let Some(from) = one.from.filter(|_| pulls) {
            assert!(taken.remove(&from), "{repair:?}");
        }
        if let Some(to) = one.to.filter(|_| plugs) {
            assert!(taken.insert(to), "{repair:?}");
        }
    }
    let wanted: BTreeSet<Socket> = planned.iter().flatten().map(|end| socket(*end)).collect();
    assert_eq!(taken, wanted);
}
