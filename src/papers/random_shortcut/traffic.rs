//! Random shortcuts beside torus, mesh and hypercube of the same degree under uniform traffic, simulated.

use rayon::prelude::*;

use crate::{Cell, Table, TableRow, short_run};
use mkns_spec as spec;
use mkns_topology::{self as topology, Faults, Network, Part};
use mkns_traffic::Pattern;

/// A network and what it is called here.
struct Contender {
    label: &'static str,
    notation: &'static str,
    /// Without the cables that close its rings.
    is_mesh: bool,
    /// The row of the random shortcuts of its size and degree.
    shortcuts: Option<usize>,
}

const fn network(label: &'static str, notation: &'static str) -> Contender {
    Contender {
        label,
        notation,
        is_mesh: false,
        shortcuts: None,
    }
}

const fn beside(shortcuts: usize, contender: Contender) -> Contender {
    Contender {
        shortcuts: Some(shortcuts),
        ..contender
    }
}

const fn mesh(contender: Contender) -> Contender {
    Contender {
        is_mesh: true,
        ..contender
    }
}

/// 64 switches of 4 hosts, 256 switches of 8.
const CONTENDERS: [Contender; 10] = [
    network("64, degree 4, shortcuts", "random_shortcut(64,4,4)"),
    beside(0, network("64, degree 4, torus", "torus(8x8,4)")),
    beside(0, mesh(network("64, degree 4, mesh", "torus(8x8,4)"))),
    network("64, degree 6, shortcuts", "random_shortcut(64,6,4)"),
    beside(3, network("64, degree 6, hypercube", "torus(4x4x4,4)")),
    network("256, degree 4, shortcuts", "random_shortcut(256,4,8)"),
    beside(5, network("256, degree 4, torus", "torus(16x16,8)")),
    beside(5, mesh(network("256, degree 4, mesh", "torus(16x16,8)"))),
    network("256, degree 8, shortcuts", "random_shortcut(256,8,8)"),
    beside(8, network("256, degree 8, hypercube", "torus(4x4x4x4,8)")),
];

/// Flits per host and cycle in a network that is nearly idle.
const IDLE: f64 = 0.01;

/// What a network does.
struct Found {
    hops: f64,
    latency: f64,
    accepted: f64,
}

/// A network with one path per pair, and with a choice of shortest paths.
struct Both {
    fixed: Found,
    adaptive: Found,
}

/// Table 4: of the paper's networks, whose switches take 40 cycles and route adaptively, two percentages are known.
pub fn table() -> Table {
    let contenders = CONTENDERS.par_iter().with_max_len(1);
    let found: Vec<Both> = contenders.map(both).collect();
    let row = |(contender, own): (&Contender, &Both)| {
        let saved = contender
            .shortcuts
            .map(|row| 100.0 * (1.0 - found[row].fixed.latency / own.fixed.latency));
        let cells = [
            format!("{:.3}", own.fixed.hops),
            format!("{:.1}", own.fixed.latency),
            format!("{:.3}", own.fixed.accepted),
            format!("{:.1}", own.adaptive.latency),
            format!("{:.3}", own.adaptive.accepted),
            saved.map_or_else(String::new, |saved| format!("{saved:.0}")),
        ];
        TableRow::new(contender.label, cells.map(Cell::own).to_vec())
    };
    let columns = [
        "blocks on the way",
        "cycles",
        "accepted",
        "adaptive, cycles",
        "adaptive, accepted",
        "saved, %",
    ];
    let title = "latency at load 0.01, load accepted of 1.0, uniform traffic, fixed paths and adaptive routing";
    let rows = CONTENDERS.iter().zip(&found).map(row).collect();
    let remark = "saved: what shortcuts take off this latency; the paper, whose switches take 40 cycles: up to 35 % of a torus, 50 % of a mesh";
    Table::new(4, title, &columns, rows).with_remark(remark)
}

fn both(contender: &Contender) -> Both {
    // A mesh has no rings; tables that avoid failed cables serve it.
    let [fixed, adaptive]: [&[&str]; 2] = match contender.is_mesh {
        true => [
            &["routing=shortest"],
            &["routing=adaptive", "escape=shortest"],
        ],
        false => [&[], &["routing=adaptive"]],
    };
    Both {
        fixed: measured(contender, fixed),
        adaptive: measured(contender, adaptive),
    }
}

fn measured(contender: &Contender, routing: &[&str]) -> Found {
    let routing: Vec<String> = routing.iter().map(|&setting| setting.to_owned()).collect();
    let spec = spec::parse_with(contender.notation, &routing).expect("a valid spec");
    let network = topology::build(&spec);
    let faults = match contender.is_mesh {
        true => closing_cables(&network),
        false => Faults::none(),
    };
    let plan = short_run::plan(&spec, network, faults);
    let run = |load| short_run::run(&plan, Pattern::Uniform, load, short_run::UNIFORM_SETTLES);
    let (idle, full) = (run(IDLE), run(1.0));
    Found {
        hops: idle.hops_mean,
        latency: idle.latency_mean,
        accepted: full.accepted_load,
    }
}

/// The cables between the two ends of a line: all but those between neighbours.
pub fn closing_cables(network: &Network) -> Faults {
    let closes = |number: &u32| {
        let cable = &network.cables[*number as usize];
        let [a, b] = [cable.a, cable.b].map(|end| {
            let coordinates = &network.block(end.block).coordinates;
            coordinates.iter().sum::<u32>()
        });
        a.abs_diff(b) > 1
    };
    let all = 0..network.cables.len() as u32;
    all.filter(closes).map(Part::Cable).collect()
}
