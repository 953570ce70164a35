//! Koibuchi et al., random shortcut topologies: figures 9 to 16, latency over load, simulated anew. Their switches take
//! 40 cycles, ours 5, so that shapes and order compare, not cycles.

use rayon::prelude::*;

use super::traffic::closing_cables;
use crate::graph::failed_cables;
use crate::short_run::{self, UNIFORM_SETTLES};
use mkns_design::Plan;
use mkns_report::figure::{Figure, Series};
use mkns_spec::{self as spec, NetworkSpec};
use mkns_topology::{self as topology, Faults, Network};
use mkns_traffic::Pattern;

/// Flits per host and cycle; a curve ends at the first of them that is not accepted.
const LOADS: [f64; 13] = [
    0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7,
];
/// More than any network here accepts.
const FULL: f64 = 1.0;
/// Random graphs of figures 15 and 16.
const GRAPHS: u32 = 15;

/// One network, and what has failed in it.
#[derive(Clone)]
struct Line {
    name: String,
    notation: String,
    settings: Vec<String>,
    broken: Broken,
}

#[derive(Clone, Copy)]
enum Broken {
    Nothing,
    /// The cables that close rings: a torus becomes a mesh.
    Closing,
    /// Of a hundred cables, drawn.
    Percent(usize),
}

const ADAPTIVE: &str = "routing=adaptive";

impl Line {
    fn new(name: impl Into<String>, notation: impl Into<String>, settings: &[&str]) -> Self {
        Self {
            name: name.into(),
            notation: notation.into(),
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            broken: Broken::Nothing,
        }
    }

    fn broken(self, broken: Broken) -> Self {
        Self { broken, ..self }
    }

    fn spec(&self) -> NetworkSpec {
        spec::parse_with(&self.notation, &self.settings).expect("a valid spec")
    }

    fn plan(&self) -> Plan {
        let spec = self.spec();
        let network = topology::build(&spec);
        let faults = self.broken.faults(&network);
        short_run::plan(&spec, network, faults)
    }

    /// Latency in cycles by load; the name says how much is accepted when hosts send as fast as they can.
    fn measured(&self) -> Series {
        let plan = self.plan();
        let run = |load| short_run::run(&plan, Pattern::Uniform, load, UNIFORM_SETTLES);
        let points = LOADS.iter().map(|&load| (load, run(load)));
        let accepted = points.take_while(|(_, point)| !point.saturated);
        let points = accepted.map(|(load, point)| (load, tenth(point.latency_mean)));
        Series {
            points: points.collect(),
            name: format!("{}, accepts {:.3}", self.name, run(FULL).accepted_load),
        }
    }
}

fn tenth(cycles: f64) -> f64 {
    (cycles * 10.0).round() / 10.0
}

impl Broken {
    fn faults(&self, network: &Network) -> Faults {
        match self {
            Self::Nothing => Faults::none(),
            Self::Closing => closing_cables(network),
            Self::Percent(percent) => failed_cables(network, network.cables.len() * percent / 100),
        }
    }
}

/// A figure, and the networks whose curves it shows.
struct Drawing {
    number: &'static str,
    title: String,
    lines: Vec<Line>,
    remark: &'static str,
}

impl Drawing {
    fn figure(&self) -> Figure {
        let curves = self.lines.par_iter().with_max_len(1).map(Line::measured);
        with_curves(self.number, &self.title, curves.collect(), self.remark)
    }
}

fn with_curves(
    number: &'static str,
    title: &str,
    curves: Vec<Series>,
    remark: &'static str,
) -> Figure {
    Figure {
        number,
        title: title.to_owned(),
        x: "load",
        y: "cycles",
        curves,
        remark: remark.to_owned(),
    }
}

/// Random shortcuts beside torus, mesh and hypercube of the same degree. The torus keeps the fixed paths of the paper,
/// the others choose.
fn beside_regular(
    number: &'static str,
    (nodes, hosts): (u32, u32),
    torus: &str,
    (degree, cube): (u32, &str),
) -> Drawing {
    let shortcuts = |degree: u32| format!("random_shortcut({nodes},{degree},{hosts})");
    let line = |name: &str, notation: String| Line::new(name, notation, &[ADAPTIVE]);
    let mesh = Line::new("mesh", torus, &[ADAPTIVE, "escape=shortest"]);
    Drawing {
        number,
        title: format!("latency over load, {nodes} switches of {hosts} hosts"),
        lines: vec![
            line("shortcuts, degree 4", shortcuts(4)),
            Line::new("the same, fixed paths", shortcuts(4), &[]),
            Line::new("torus, fixed paths", torus, &[]),
            mesh.broken(Broken::Closing),
            line(&format!("shortcuts, degree {degree}"), shortcuts(degree)),
            line(&format!("hypercube, degree {degree}"), cube.to_owned()),
        ],
        remark: "the paper: shortcuts save up to 35 % of a torus, 50 % of a mesh, and accept what the hypercube does",
    }
}

/// Figures 9 to 11. A ring of four is a square, so these tori are hypercubes.
fn of_sizes() -> [Drawing; 3] {
    [
        beside_regular("9", (64, 4), "torus(8x8,4)", (6, "torus(4x4x4,4)")),
        beside_regular("10", (256, 8), "torus(16x16,8)", (8, "torus(4x4x4x4,8)")),
        beside_regular("11", (512, 8), "torus(16x32,8)", (9, "torus(4x4x4x4x2,8)")),
    ]
}

/// Figure 12.
fn of_failures() -> Drawing {
    let lines = [0, 5, 10, 15, 20].map(|percent| {
        let name = format!("{percent} %");
        let line = Line::new(name, "random_shortcut(256,8,8)", &[ADAPTIVE]);
        line.broken(Broken::Percent(percent))
    });
    Drawing {
        number: "12",
        title: "256 switches of degree 8, failed cables".to_owned(),
        lines: lines.to_vec(),
        remark: "the paper: 10 % cost little",
    }
}

/// Figures 13 and 14.
fn of_bases() -> [Drawing; 2] {
    let all = [("13", 64, 6, 4), ("14", 256, 8, 8)];
    all.map(|(number, nodes, degree, hosts)| {
        let notation = format!("random_shortcut({nodes},{degree},{hosts})");
        let lines = ["ring", "torus", "tree"].map(|base| {
            let setting = format!("network.base={base}");
            Line::new(base, notation.as_str(), &[ADAPTIVE, &setting])
        });
        Drawing {
            number,
            title: format!("{nodes} switches of degree {degree} by base"),
            lines: lines.to_vec(),
            remark: "the paper: the base matters less, the larger the network is and the more shortcuts it has",
        }
    })
}

pub fn switches_64() -> Vec<Figure> {
    vec![of_sizes()[0].figure()]
}

pub fn switches_256() -> Vec<Figure> {
    vec![of_sizes()[1].figure()]
}

pub fn switches_512() -> Vec<Figure> {
    vec![of_sizes()[2].figure()]
}

pub fn failures() -> Vec<Figure> {
    vec![of_failures().figure()]
}

pub fn bases() -> Vec<Figure> {
    of_bases().iter().map(Drawing::figure).collect()
}

/// Figures 15 and 16: of each load the fastest, the mean and the slowest of many graphs, as far as all accept it.
pub fn graphs() -> Vec<Figure> {
    let all = [("15", 64, 4, 4), ("16", 256, 8, 8)];
    let made = all.map(|(number, nodes, degree, hosts)| {
        let seeds = (1..=GRAPHS).into_par_iter();
        let found = seeds.map(|seed| {
            let notation = format!("random_shortcut({nodes},{degree},{hosts})");
            let seed = format!("network.seed={seed}");
            Line::new(seed.as_str(), notation, &[ADAPTIVE, &seed]).measured()
        });
        let title = format!("{nodes} switches of degree {degree}, {GRAPHS} graphs");
        let remark = "the paper: all graphs behave alike";
        with_curves(number, &title, spread(&found.collect::<Vec<_>>()), remark)
    });
    made.to_vec()
}

/// Least, mean and greatest of the curves at each load that all of them have.
fn spread(curves: &[Series]) -> Vec<Series> {
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let mean = |values: &[f64]| tenth(values.iter().sum::<f64>() / values.len() as f64);
    let length = curves.iter().map(|curve| curve.points.len()).min();
    let of = |name: &str, pick: &dyn Fn(&[f64]) -> f64| {
        let point = |at: usize| {
            let values: Vec<f64> = curves.iter().map(|curve| curve.points[at].1).collect();
            (LOADS[at], pick(&values))
        };
        Series {
            name: name.to_owned(),
            points: (0..length.unwrap_or(0)).map(point).collect(),
        }
    };
    vec![
        of("fastest", &least),
        of("mean", &mean),
        of("slowest", &most),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All networks of a figure can be built, and those that are set beside each other have as many cables.
    #[test]
    fn every_network_that_is_drawn_can_be_built() {
        let cables = |line: &Line| topology::build(&line.spec()).cables.len();
        for drawing in of_sizes() {
            let [_, _, torus, mesh, shortcuts, cube] = &drawing.lines[..] else {
                panic!("figure {} has six curves", drawing.number);
            };
            assert_eq!(
                cables(torus),
                cables(&drawing.lines[0]),
                "{}",
                torus.notation
            );
            assert_eq!(cables(cube), cables(shortcuts), "{}", cube.notation);
            assert!(
                !mesh
                    .broken
                    .faults(&topology::build(&mesh.spec()))
                    .is_empty()
            );
        }
        let failing = of_failures();
        let all: usize = cables(&failing.lines[0]);
        let failed = |line: &Line| {
            line.broken
                .faults(&topology::build(&line.spec()))
                .parts()
                .count()
        };
        let failed: Vec<usize> = failing.lines.iter().map(failed).collect();
        assert_eq!(
            failed,
            [0, 5, 10, 15, 20].map(|percent| all * percent / 100)
        );
        for drawing in of_bases() {
            assert!(drawing.lines.iter().all(|line| cables(line) > 0));
        }
    }

    #[test]
    fn a_curve_ends_where_the_network_accepts_no_more() {
        let curve = Line::new("ring", "random_shortcut(12,3,2)", &[ADAPTIVE]).measured();
        let loads: Vec<f64> = curve.points.iter().map(|point| point.0).collect();
        assert_eq!(loads, LOADS[..loads.len()]);
        assert!((3..LOADS.len()).contains(&loads.len()), "{loads:?}");
        let grows = |pair: &[(f64, f64)]| pair[0].1 < pair[1].1;
        assert!(curve.points.windows(2).all(grows), "{:?}", curve.points);
    }

    #[test]
    fn the_spread_covers_the_loads_that_all_curves_have() {
        let curve = |points: &[(f64, f64)]| Series {
            name: String::new(),
            points: points.to_vec(),
        };
        let found = spread(&[
            curve(&[(0.02, 30.0), (0.05, 40.0), (0.1, 90.0)]),
            curve(&[(0.02, 33.0), (0.05, 38.0)]),
        ]);
        let points: Vec<_> = found.into_iter().map(|series| series.points).collect();
        let wanted = [
            [(0.02, 30.0), (0.05, 38.0)],
            [(0.02, 31.5), (0.05, 39.0)],
            [(0.02, 33.0), (0.05, 40.0)],
        ];
        assert_eq!(points, wanted);
    }
}
