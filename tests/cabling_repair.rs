//! Mis-cablings on purpose: each is named, the steps that are printed mend it, and no smaller set of moves does.

use std::collections::{BTreeMap, BTreeSet};

use mkns::cabling::{FloorLayout, FloorPlan, Socket, Way, check, planned_pairs, read_back};
use mkns::random::Random;
use mkns::spec;
use mkns::topology::{self, Network};
use serde_json::Value;

/// Networks with duplex cables, parallel ones, and cables for one direction.
const NETWORKS: [&str; 5] = [
    "slim_fly(5,4)",
    "MKNS(2,4,2,1)",
    "MKNS(1,3x20,2,2)",
    "fat_tree(5x10,2)",
    "multi_ring(3)",
];
const CASES: u64 = 200;

/// A cabling that was spoilt, and what a check has to say.
#[derive(Default)]
struct Spoilt {
    lines: Vec<String>,
    /// Cables by their ends, in order.
    wrong: BTreeSet<[String; 2]>,
    missing: BTreeSet<[String; 2]>,
    dead: BTreeSet<[String; 2]>,
    found: Vec<[Socket; 2]>,
    moves: usize,
}

impl Spoilt {
    fn new(network: &Network, random: &mut Random) -> Self {
        let planned = planned_pairs(network);
        let mut order = random
            .permutation(planned.len())
            .into_iter()
            .map(|at| planned[at]);
        let mut all = Self {
            lines: vec!["a,port_a,b,port_b,state".to_owned()],
            ..Self::default()
        };
        for _ in 0..random.between(1, 3) {
            match random.below(4) {
                0 => all.turn(network, &mut order, 2),
                1 => all.turn(network, &mut order, 3),
                2 => {
                    let ends = order.next().expect("a cable");
                    all.missing.insert(named(network, ends));
                    all.moves += 2;
                }
                _ => all.kill(network, order.next().expect("a cable"), random.chance(500)),
            }
        }
        for ends in order {
            all.plug(network, ends);
        }
        all
    }

    fn plug(&mut self, network: &Network, [a, b]: [Socket; 2]) {
        let cell = |socket: Socket| {
            format!(
                "{},{}",
                network.block(socket.end.block).label(),
                socket.end.port
            )
        };
        self.lines.push(format!("{},{}", cell(a), cell(b)));
        self.found.push([a, b]);
    }

    /// Some cables exchange their second ends in a circle.
    fn turn(
        &mut self,
        network: &Network,
        order: &mut impl Iterator<Item = [Socket; 2]>,
        count: usize,
    ) {
        let mut cables: Vec<[Socket; 2]> = Vec::new();
        // Ends of a sort only fit where another of the sort was.
        while cables.len() < count {
            let next = order.next().expect("enough cables");
            match cables
                .first()
                .is_none_or(|first| first[1].way == next[1].way)
            {
                true => cables.push(next),
                false => self.plug(network, next),
            }
        }
        for number in 0..count {
            let ends = [cables[number][0], cables[(number + 1) % count][1]];
            self.plug(network, ends);
            self.wrong.insert(named(network, ends));
        }
        self.moves += count;
    }

    fn kill(&mut self, network: &Network, [a, b]: [Socket; 2], is_known: bool) {
        let label = |socket: Socket| network.block(socket.end.block).label();
        let (port_a, port_b) = (a.end.port, b.end.port);
        if is_known {
            let line = format!("{},{port_a},{},{port_b},dead", label(a), label(b));
            self.lines.push(line);
        } else {
            self.lines.push(format!("{},{port_a},,", label(a)));
            self.lines.push(format!(",,{},{port_b}", label(b)));
        }
        self.dead.insert(named(network, [a, b]));
        self.moves += 4;
    }
}

fn name(network: &Network, socket: Socket) -> String {
    let half = match socket.way {
        Way::Both => "null",
        Way::Sends => "\"sends\"",
        Way::Receives => "\"receives\"",
    };
    let label = network.block(socket.end.block).label();
    format!("{label} {} {half}", socket.end.port)
}

fn named(network: &Network, ends: [Socket; 2]) -> [String; 2] {
    let mut names = ends.map(|end| name(network, end));
    names.sort();
    names
}

/// The name of an end in the result as printed.
fn printed(end: &Value) -> String {
    let block = end["block"].as_str().expect("a block");
    format!("{block} {} {}", end["port"], end["half"])
}

fn printed_cable(a: &Value, b: &Value) -> [String; 2] {
    let mut names = [printed(a), printed(b)];
    names.sort();
    names
}

fn list<'a>(result: &'a Value, key: &str) -> &'a Vec<Value> {
    result[key].as_array().expect("a list")
}

/// What is plugged in where: a cable and which of its ends.
type Sockets = BTreeMap<String, (String, usize)>;

/// Does the printed steps one after the other; every end must be where they say, every target free.
fn follow(mut plugged: Sockets, steps: &[Value]) -> Sockets {
    let mut held: BTreeMap<u64, (String, usize)> = BTreeMap::new();
    for step in steps {
        let number = step["move"].as_u64().expect("a number");
        let action = step["action"].as_str().expect("an action");
        let end = match (action, &step["from"]) {
            ("plug", _) => held.remove(&number).expect("an end that is held"),
            ("move", Value::Null) => {
                let ends: Vec<String> = list(&step["cable"], "ends").iter().map(printed).collect();
                let which = ends.iter().position(|end| *end == printed(&step["to"]));
                (format!("new {}", ends.join(" ")), which.expect("an end"))
            }
            (_, from) => plugged.remove(&printed(from)).expect("an end is there"),
        };
        match (action, &step["to"]) {
            ("unplug", _) => assert_eq!(held.insert(number, end), None),
            (_, Value::Null) => {}
            (_, to) => assert_eq!(plugged.insert(printed(to), end), None, "the socket is free"),
        }
    }
    assert!(held.is_empty(), "nothing hangs loose");
    plugged
}

/// Which ends belong together, by the names of their sockets.
fn cables(plugged: &Sockets) -> BTreeSet<[String; 2]> {
    let mut ends: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (socket, (cable, _)) in plugged {
        ends.entry(cable).or_default().push(socket);
    }
    let cables = ends.into_values();
    cables
        .map(|ends| {
            [
                ends[0].clone(),
                ends.get(1).copied().cloned().unwrap_or_default(),
            ]
        })
        .collect()
}

/// The least number of moves by trying all ways to give cables a place: subset by subset of the planned ones.
fn least(planned: &[[Socket; 2]], found: &[[Socket; 2]]) -> usize {
    let mut best: BTreeMap<u32, usize> = BTreeMap::from([(0, 0)]);
    for ends in found {
        let mut next: BTreeMap<u32, usize> = BTreeMap::new();
        for (&taken, &cost) in &best {
            let mut offer = |taken: u32, cost: usize| {
                let entry = next.entry(taken).or_insert(cost);
                *entry = cost.min(*entry);
            };
            offer(taken, cost + 2);
            for (number, target) in planned.iter().enumerate() {
                let fits = target[0].way == ends[0].way;
                if taken >> number & 1 == 0 && fits {
                    let straight = (0..2).filter(|&side| ends[side] != target[side]).count();
                    let crossed = (0..2)
                        .filter(|&side| ends[side] != target[1 - side])
                        .count();
                    offer(taken | 1 << number, cost + straight.min(crossed));
                }
            }
        }
        best = next;
    }
    let missing = |taken: u32| 2 * (planned.len() - taken.count_ones() as usize);
    best.into_iter()
        .map(|(taken, cost)| cost + missing(taken))
        .min()
        .expect("a way")
}

#[test]
fn two_hundred_mis_cablings_are_named_and_mended_with_the_least_moves() {
    let mut enumerated = 0;
    for seed in 0..CASES {
        let notation = NETWORKS[seed as usize % NETWORKS.len()];
        let spec = spec::parse(notation).expect("a valid notation");
        let network = topology::build(&spec);
        let floor_layout = FloorLayout::new(&spec, &network, FloorPlan::default()).expect("racks");
        let spoilt = Spoilt::new(&network, &mut Random::new(seed));
        let text = spoilt.lines.join("\n");
        let found = read_back("spoilt", &text, &network).expect("a read-back");
        let outcome = check(&network, &floor_layout, &found);
        let result = serde_json::to_value(&outcome).expect("JSON");
        let what = format!("seed {seed}, {notation}\n{}", outcome.to_text());

        let of = |key: &str| -> BTreeSet<[String; 2]> {
            let cables = list(&result, key).iter();
            cables
                .map(|cable| printed_cable(&cable["a"], &cable["b"]))
                .collect()
        };
        assert_eq!(of("wrong"), spoilt.wrong, "{what}");
        assert_eq!(of("missing"), spoilt.missing, "{what}");
        let dead = list(&result, "dead").iter();
        let dead = dead.map(|dead| printed_cable(&dead["ends"][0], &dead["ends"][1]));
        assert_eq!(dead.collect::<BTreeSet<_>>(), spoilt.dead, "{what}");
        assert_eq!(result["passed"], false, "{what}");

        let mut plugged = Sockets::new();
        for (number, ends) in spoilt.found.iter().enumerate() {
            for (side, end) in ends.iter().enumerate() {
                plugged.insert(name(&network, *end), (format!("found {number}"), side));
            }
        }
        for ends in &spoilt.dead {
            for (side, end) in ends.iter().enumerate() {
                plugged.insert(end.clone(), (format!("dead {}", ends.join(" ")), side));
            }
        }
        let steps = list(&result, "steps");
        let planned = planned_pairs(&network);
        let mended = follow(plugged, steps);
        let wanted = planned.iter().map(|ends| named(&network, *ends));
        assert_eq!(cables(&mended), wanted.collect(), "{what}");

        let numbers: BTreeSet<u64> = steps
            .iter()
            .filter_map(|step| step["move"].as_u64())
            .collect();
        assert_eq!(numbers.len(), spoilt.moves, "{what}");
        assert_eq!(outcome.moves, spoilt.moves, "{what}");
        let (left, open) = without_common(&spoilt.found, &planned);
        assert!(open.len() < 16);
        assert_eq!(
            least(&open, &left) + 2 * spoilt.dead.len(),
            outcome.moves,
            "{what}"
        );
        enumerated += 1;
    }
    assert_eq!(enumerated, CASES);
}

/// Cables of either list that the other does not have.
fn without_common(
    found: &[[Socket; 2]],
    planned: &[[Socket; 2]],
) -> (Vec<[Socket; 2]>, Vec<[Socket; 2]>) {
    let only = |one: &[[Socket; 2]], other: &[[Socket; 2]]| {
        let other: BTreeSet<[Socket; 2]> = other.iter().copied().collect();
        one.iter()
            .copied()
            .filter(|ends| !other.contains(ends))
            .collect()
    };
    (only(found, planned), only(planned, found))
}
