//! Images of the plan: any renaming of blocks is recognised and told, nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use mkns::cabling::{
    Check, FloorLayout, FloorPlan, Graph, Image, IsomorphismResult, check, isomorphism,
    isomorphism_within, planned_pairs, read_back,
};
use mkns::random::Random;
use mkns::spec;
use mkns::topology::{self, Network};

struct Machine {
    network: Network,
    floor_layout: FloorLayout,
}

/// Ends by the label of their block and their port.
type Line = [(String, u8); 2];

impl Machine {
    fn new(notation: &str) -> Self {
        let spec = spec::parse(notation).expect("a valid notation");
        let network = topology::build(&spec);
        let floor_layout = FloorLayout::new(&spec, &network, FloorPlan::default()).expect("racks");
        Self {
            network,
            floor_layout,
        }
    }

    fn lines(&self) -> Vec<Line> {
        let end = |end: topology::End| (self.network.block(end.block).label(), end.port.0);
        let cables = self.network.cables.iter();
        cables.map(|cable| [end(cable.a), end(cable.b)]).collect()
    }

    fn check(&self, lines: &[Line]) -> Check {
        let mut text = "a,port_a,b,port_b\n".to_owned();
        for [(a, port_a), (b, port_b)] in lines {
            text += &format!("{a},{port_a},{b},{port_b}\n");
        }
        let found = read_back("machine", &text, &self.network).expect("a read-back");
        check(&self.network, &self.floor_layout, &found)
    }

    /// A random renaming among blocks of the same role.
    fn renaming(&self, random: &mut Random) -> BTreeMap<String, String> {
        let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for block in &self.network.blocks {
            let class = format!(
                "{:?} {}",
                std::mem::discriminant(&block.role),
                block.network_ports
            );
            classes.entry(class).or_default().push(block.label());
        }
        let renamed = classes.into_values().flat_map(|labels| {
            let order = random.permutation(labels.len());
            let to: Vec<String> = order.into_iter().map(|at| labels[at].clone()).collect();
            labels.into_iter().zip(to)
        });
        renamed.collect()
    }
}

fn sorted(lines: impl IntoIterator<Item = Line>, is_duplex: bool) -> BTreeSet<Line> {
    let lines = lines.into_iter().map(|mut ends| {
        if is_duplex {
            ends.sort();
        }
        ends
    });
    lines.collect()
}

#[test]
fn a_renaming_of_blocks_needs_no_move_and_is_told() {
    for notation in [
        "slim_fly(5,4)",
        "slim_fly(4,2)",
        "MKNS(2,4,2,1)",
        "MKNS(2,8x10,2,1)",
        "MKNS(1,3x20,2,2)",
        "fat_tree(5x10,2)",
        "torus(4x4x4)",
        "multi_ring(3)",
        "random_shortcut(64,4,4)",
    ] {
        let machine = Machine::new(notation);
        let renaming = machine.renaming(&mut Random::new(5));
        let lines = machine.lines().into_iter();
        let lines: Vec<Line> = lines
            .map(|ends| ends.map(|(block, port)| (renaming[&block].clone(), port)))
            .collect();
        let Image::Automorphic { parts, .. } = machine.check(&lines).image else {
            panic!("{notation}: a renamed network is an image of it");
        };
        // Names and ports as told make the plan of what was found.
        let parts: BTreeMap<String, _> = parts
            .into_iter()
            .map(|part| (part.block.clone(), part))
            .collect();
        let told = |(block, port): (String, u8)| match parts.get(&block) {
            None => (block, port),
            Some(part) => {
                let change = part.ports.iter().find(|change| change.is == port);
                (
                    part.plays.clone(),
                    change.map_or(port, |change| change.planned),
                )
            }
        };
        let is_duplex = !notation.starts_with("multi_ring");
        let made = lines.into_iter().map(|ends| ends.map(told));
        assert_eq!(
            sorted(made, is_duplex),
            sorted(machine.lines(), is_duplex),
            "{notation}"
        );
    }
}

#[test]
fn ports_exchanged_at_one_block_need_new_tables_and_no_move() {
    let machine = Machine::new("slim_fly(5,4)");
    let mut lines = machine.lines();
    let own = lines[0][0].0.clone();
    for (label, port) in lines.iter_mut().flatten() {
        if *label == own {
            *port = match *port {
                2 => 5,
                5 => 2,
                other => other,
            };
        }
    }
    let outcome = machine.check(&lines);
    assert!(!outcome.passed, "the plan has other ports");
    assert_eq!(outcome.moves, 2);
    let Image::Automorphic {
        parts,
        ports_as_planned: false,
    } = outcome.image
    else {
        panic!("blocks are joined as planned");
    };
    let changes: Vec<_> = parts[0]
        .ports
        .iter()
        .map(|one| (one.planned, one.is))
        .collect();
    assert_eq!((parts.len(), parts[0].block == own), (1, true));
    assert_eq!(changes, [(2, 5), (5, 2)]);
}

/// Hoffman and Singleton's graph is the only one of 50 blocks in which non-neighbours have exactly one common
/// neighbour and neighbours none; two exchanged ends must not pass for it, nor a lost cable.
#[test]
fn exchanged_ends_are_no_image() {
    let machine = Machine::new("slim_fly(5,4)");
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut lines = machine.lines();
        let order = random.permutation(lines.len());
        let [one, other] = [order[0], order[1]];
        let end = lines[one][1].clone();
        lines[one][1] = std::mem::replace(&mut lines[other][1], end);
        let shared = lines[one]
            .iter()
            .any(|(block, _)| lines[other].iter().any(|end| end.0 == *block));
        if !shared {
            assert_eq!(machine.check(&lines).image, Image::Different, "seed {seed}");
        }
        lines.pop();
        assert_eq!(machine.check(&lines).image, Image::Different);
    }
}

/// A search that is given up says so, and claims nothing.
#[test]
fn a_search_without_patience_decides_nothing() {
    let machine = Machine::new("slim_fly(5,4)");
    let planned = planned_pairs(&machine.network);
    let mut turned = planned.clone();
    // Every end moves to the next block, so that no block keeps its neighbours.
    for end in turned.iter_mut().flatten() {
        end.end.block.0 = (end.end.block.0 * 3 + 1) % 50;
    }
    let [one, other] = [planned, turned].map(|cables| Graph::new(&machine.network, &cables));
    assert!(matches!(
        isomorphism(&one, &other),
        IsomorphismResult::Same(_)
    ));
    assert_eq!(
        isomorphism_within(&one, &other, 1000),
        IsomorphismResult::Undecided
    );
}

/// Graphs of six blocks against all 720 renamings.
#[test]
fn small_graphs_are_decided_as_by_trying_all_renamings() {
    let network = topology::build(&spec::parse("MKNS(1,6,1,1)").expect("valid"));
    let all = planned_pairs(&network);
    let renamings = permutations(network.blocks.len());
    let mut alike = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let count = random.between(4, 8) as usize;
        let [one, other] = [0, 1].map(|_| {
            let order = random.permutation(all.len());
            order[..count].iter().map(|&at| all[at]).collect::<Vec<_>>()
        });
        let edges = |cables: &[_]| -> BTreeSet<[u32; 2]> {
            let pairs = cables.iter();
            pairs
                .map(|ends: &[mkns::cabling::Socket; 2]| {
                    let mut blocks = ends.map(|end| end.end.block.0);
                    blocks.sort_unstable();
                    blocks
                })
                .collect()
        };
        let (first, second) = (edges(&one), edges(&other));
        let is_same = renamings.iter().any(|renaming| {
            first.iter().all(|ends| {
                let mut ends = ends.map(|block| renaming[block as usize]);
                ends.sort_unstable();
                second.contains(&ends)
            })
        });
        let answer = isomorphism(&Graph::new(&network, &one), &Graph::new(&network, &other));
        assert_eq!(
            matches!(answer, IsomorphismResult::Same(_)),
            is_same,
            "seed {seed}"
        );
        assert_ne!(answer, IsomorphismResult::Undecided);
        alike += u32::from(is_same);
    }
    assert!((10..190).contains(&alike), "both answers occur: {alike}");
}

fn permutations(count: usize) -> Vec<Vec<u32>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let shorter = permutations(last);
    let longer = shorter.into_iter().flat_map(|order| {
        (0..=last).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, last as u32);
            longer
        })
    });
    longer.collect()
}
