//! Koibuchi et al., random shortcut topologies: figures 2 to 8, drawn anew (seed 1, the best of some graphs where the
//! paper takes the best of a hundred).

use rayon::prelude::*;

use crate::graph::{built, failed_cables, mean, measured, random_shortcuts};
use mkns_report::figure::{Figure, Series};
use mkns_spec::{Base, LoopSpec, Method, NetworkKind, RandomShortcutSpec};
use mkns_topology::Faults;
use mkns_topology::distances::Distances;

/// Switches of figures 2 and 8.
const SWITCHES: u32 = 256;
/// Switches of the figures over size.
const SIZES: [u32; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];
/// Graphs of which the best is taken, and as many as the figures over size can afford.
const BEST_OF: u32 = 20;
const BEST_OF_LARGE: u32 = 2;
/// The diameter of figure 7 grows by no more.
const GROWTH: u32 = 2;

fn random(nodes: u32, degree: u32, choose: impl FnOnce(&mut RandomShortcutSpec)) -> Distances {
    let best_of = match nodes {
        0..=512 => BEST_OF,
        _ => BEST_OF_LARGE,
    };
    let network = random_shortcuts(nodes, degree, |graph| {
        graph.best_of = best_of;
        choose(graph);
    });
    measured(&network, &Faults::none())
}

fn regular(nodes: u32, chords: u32) -> Distances {
    let graph = LoopSpec {
        nodes,
        chords,
        vms_per_node: 1,
    };
    measured(&built(NetworkKind::Loop(graph)), &Faults::none())
}

/// Two curves of the same graphs: diameter, and mean distance.
fn both(name: &str, found: &[(f64, Distances)]) -> [Series; 2] {
    let series = |what: &str, value: fn(&Distances) -> f64| Series {
        name: format!("{name}, {what}"),
        points: found
            .iter()
            .map(|(x, distances)| (*x, value(distances)))
            .collect(),
    };
    [
        series("diameter", |distances| f64::from(distances.diameter)),
        series("mean", mean),
    ]
}

/// Figure 2: 256 switches, more and more shortcuts. A chord gives two ends to every switch, the antipodal one.
pub fn shortcuts() -> Vec<Figure> {
    let chords: Vec<_> = (1..=7)
        .map(|chords| (f64::from(2 * chords - 1), regular(SWITCHES, chords)))
        .collect();
    let drawn: Vec<_> = (1..=13)
        .map(|ends| (f64::from(ends), random(SWITCHES, 2 + ends, |_| {})))
        .collect();
    vec![Figure {
        number: "2",
        title: format!("{SWITCHES} switches over shortcuts"),
        x: "shortcuts of a switch",
        y: "cables",
        curves: [both("chords", &chords), both("random", &drawn)].concat(),
        remark: "the paper: two random shortcuts give diameter 8; the best of many gives 7"
            .to_owned(),
    }]
}

/// Figures 3 and 4: diameter and mean distance over the number of switches.
pub fn sizes() -> Vec<Figure> {
    let over_sizes = |measure: &(dyn Fn(u32) -> Option<Distances> + Sync)| {
        let sizes = SIZES.par_iter();
        let found = sizes.filter_map(|&nodes| Some((f64::from(nodes), measure(nodes)?)));
        found.collect::<Vec<_>>()
    };
    let chords = [4, 6].map(|chords| {
        let found = over_sizes(&|nodes| (nodes >> chords >= 2).then(|| regular(nodes, chords)));
        both(&format!("chords, degree {}", 2 * chords + 1), &found)
    });
    let drawn = [4, 8, 12, 22].map(|degree| {
        let found =
            over_sizes(&|nodes| (nodes > 2 * degree).then(|| random(nodes, degree, |_| {})));
        both(&format!("random, degree {degree}"), &found)
    });
    let cubes = over_sizes(&|nodes| Some(hypercube(nodes)));
    let all: Vec<[Series; 2]> = chords
        .into_iter()
        .chain(drawn)
        .chain([both("hypercube", &cubes)])
        .collect();
    let at = |name: &str| {
        let curve = all.iter().find(|both| both[0].name.starts_with(name));
        curve
            .and_then(|both| both[0].points.last())
            .map_or(0.0, |(_, y)| *y)
    };
    let remark = format!(
        "the paper: at 4,096 switches degree 4 is below the hypercube's 12; here {} and {}",
        at("random, degree 4,"),
        at("hypercube")
    );
    both_figures(["3", "4"], "over size", &all, &remark)
}

/// Diameters, then mean distances of the same graphs over the number of switches.
fn both_figures(
    numbers: [&'static str; 2],
    of_what: &str,
    all: &[[Series; 2]],
    remark: &str,
) -> Vec<Figure> {
    let whats = ["diameter", "mean distance"].iter().enumerate();
    let figure = |((of, what), number): ((usize, &&str), &'static str)| Figure {
        number,
        title: format!("{what} {of_what}"),
        x: "switches",
        y: "cables",
        curves: all.iter().map(|both| both[of].clone()).collect(),
        remark: remark.to_owned(),
    };
    whats.zip(numbers).map(figure).collect()
}

/// By counting: of n-bit numbers C(n, d) differ in d bits.
fn hypercube(nodes: u32) -> Distances {
    let bits = nodes.ilog2();
    let pairs = u64::from(nodes) * u64::from(nodes - 1);
    Distances {
        diameter: bits,
        total: u64::from(nodes) * u64::from(bits) * u64::from(nodes / 2),
        pairs,
        sources: nodes as usize,
    }
}

/// Figures 5 and 6: shortcuts of one number at every switch, and of that number on the average.
pub fn methods() -> Vec<Figure> {
    let all = [("uniform", Method::Uniform), ("average", Method::Average)].map(|(name, method)| {
        let graph = |nodes| random(nodes, 4, |graph| graph.method = method);
        let sizes = SIZES.par_iter();
        let found = sizes.map(|&nodes| (f64::from(nodes), graph(nodes)));
        both(name, &found.collect::<Vec<_>>())
    });
    let remark = "the paper: both methods differ little";
    both_figures(["5", "6"], "by method, degree 4", &all, remark)
}

/// Figure 7: share of the cables, in an order that is drawn, that can be taken away while the diameter grows by two at
/// the most.
pub fn faults() -> Vec<Figure> {
    let curves = [4_u32, 6, 8, 12].map(|degree| {
        let sizes = SIZES.par_iter().filter(|nodes| **nodes > 2 * degree);
        let points = sizes.map(|&nodes| (f64::from(nodes), removable(nodes, degree)));
        Series {
            name: format!("degree {degree}"),
            points: points.collect(),
        }
    });
    vec![Figure {
        number: "7",
        title: "fault index: cables that may fail while the diameter grows by 2 or less".to_owned(),
        x: "switches",
        y: "% of cables",
        curves: curves.to_vec(),
        remark: "the paper: about 30 % with ten shortcuts (degree 12); it falls gently with size"
            .to_owned(),
    }]
}

/// Percent. The diameter never falls when one more cable is taken away, so halving finds the last that may go.
fn removable(nodes: u32, degree: u32) -> f64 {
    let network = random_shortcuts(nodes, degree, |_| {});
    let cables = network.cables.len();
    let pairs = u64::from(nodes) * u64::from(nodes - 1);
    let most = measured(&network, &Faults::none()).diameter + GROWTH;
    let may_go = |count: usize| {
        let found = measured(&network, &failed_cables(&network, count));
        found.pairs == pairs && found.diameter <= most
    };
    let (mut good, mut bad) = (0, cables);
    while bad - good > 1 {
        let middle = usize::midpoint(good, bad);
        match may_go(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    (1000.0 * good as f64 / cables as f64).round() / 10.0
}

/// Figure 8: 256 switches, other bases.
pub fn bases() -> Vec<Figure> {
    let all = [
        ("ring", Base::Ring, 3),
        ("torus", Base::Torus, 5),
        ("hypercube", Base::Hypercube, 9),
        ("tree", Base::Tree, 4),
    ];
    let curves = all.map(|(name, base, least)| {
        let degrees = (least..=14).into_par_iter();
        let points = degrees.map(|degree| {
            let found = random(SWITCHES, degree, |graph| graph.base = base);
            (f64::from(degree), f64::from(found.diameter))
        });
        Series {
            name: name.to_owned(),
            points: points.collect(),
        }
    });
    vec![Figure {
        number: "8",
        title: format!("diameter of {SWITCHES} switches by base"),
        x: "degree",
        y: "cables",
        curves: curves.to_vec(),
        remark: "the paper: the base matters for small degrees only".to_owned(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hypercube_is_counted_as_it_is_measured() {
        let cube = mkns_spec::parse("torus(4x4x4)").expect("a cube of six dimensions");
        let found = measured(&mkns_topology::build(&cube), &Faults::none());
        assert_eq!(found, hypercube(64));
    }

    /// verification.md 3: 59 % of the cables at 64 switches of degree 12, 54 % at 256.
    #[test]
    fn about_half_of_the_cables_of_degree_twelve_may_fail() {
        for (nodes, least, greatest) in [(64, 45.0, 70.0), (256, 45.0, 65.0)] {
            let share = removable(nodes, 12);
            assert!((least..=greatest).contains(&share), "{nodes}: {share}");
        }
    }
}
