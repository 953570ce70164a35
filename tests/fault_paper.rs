//! The figures of the VTFTR paper on its own networks, KNS: failed leaves, circles with and without the change of
//! channel, the routes of figure 5, and how likely faults are to part a network.

use mkns::papers::Table;
use mkns::papers::vtftr::{choose, compare, hits_all};
use mkns::routing::fault_sets::FaultSets;
use mkns::routing::survey::survey;
use mkns::routing::survival::Survival;
use mkns::routing::{self, verify};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, BlockRole, Faults, PartClass};

fn vtftr(text: &str) -> NetworkSpec {
    spec::parse_with(text, &["routing=vtftr".to_owned()]).expect("a valid spec")
}

#[test]
fn one_or_two_failed_leaves_cost_at_most_two_switch_hops() {
    let spec = vtftr("KNS(4x4,1)");
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let leaves = PartClass::Adapter.parts(&network);
    let (mut sets, mut longer, mut pairs) = (0, 0, 0);
    for count in [1, 2] {
        let all = FaultSets::all(&leaves, count);
        let found = survey(&survival, &network, &all, count, None, || {}).expect("threads");
        assert_eq!((found.unroutable_pairs, found.cyclic_sets), (0, 0));
        assert!(
            found
                .rerouted_pairs
                .keys()
                .all(|hops| [0, 2].contains(hops))
        );
        sets += found.sets;
        pairs += found.surviving_pairs;
        longer += found.rerouted_pairs.get(&2).copied().unwrap_or(0);
    }
    assert_eq!((sets, pairs - longer, longer), (16 + 120, 25_056, 144));
}

#[test]
fn without_the_change_of_channel_every_set_of_failed_leaves_makes_a_circle() {
    let spec = vtftr("KNS(4x4,1)");
    let network = topology::build(&spec);
    let leaves = PartClass::Adapter.parts(&network);
    let mut circles = [0, 0];
    for sets in [1, 2].map(|count| FaultSets::all(&leaves, count)) {
        for faults in (0..sets.number()).map(|number| sets.set(number)) {
            let mut routing = routing::build(&spec, &network, &faults).expect("routes");
            circles[0] += u32::from(verify::is_cyclic(&spec, &network, &faults, &routing));
            let steps = routing
                .tables
                .iter_mut()
                .flat_map(|tables| &mut tables.step);
            steps.flatten().for_each(|step| *step = false);
            circles[1] += u32::from(verify::is_cyclic(&spec, &network, &faults, &routing));
        }
    }
    assert_eq!(circles, [0, 136]);
}

/// Blocks in the paper's words: leaves by row and column, switches of rows and columns.
fn path(labels: (&str, &str), faulty: &str) -> String {
    let spec = vtftr("KNS(4x4,1)");
    let network = topology::build(&spec);
    let coordinates = |label: &str| {
        let digits: Vec<u32> = label
            .chars()
            .filter_map(|digit| digit.to_digit(10))
            .collect();
        (digits[1], digits[0])
    };
    let names = faulty.split(';').filter(|label| !label.is_empty());
    let names = names.map(|label| {
        let (x, y) = coordinates(label);
        format!("ab_{x}_{y}")
    });
    let names: Vec<String> = names.collect();
    let faults = Faults::named(&network, names.iter().map(String::as_str)).expect("leaves");
    let routing = routing::build(&spec, &network, &faults).expect("routes");
    let host = |label| {
        let (x, y) = coordinates(label);
        x + 4 * y
    };
    let index = network.index_without(&faults);
    let path = routing::trace(&network, &index, &routing, host(labels.0), host(labels.1));
    let hops = path.expect("a path").hops.into_iter().map(|hop| {
        let block = network.block(hop.block);
        match block.role {
            BlockRole::Adapter => format!("{}{}", block.coordinates[1], block.coordinates[0]),
            BlockRole::Switch { dimension: 1 } => block.name.replace("kb_x", "RSW"),
            _ => block.name.replace("kb_y", "CSW"),
        }
    });
    hops.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_routes_of_figure_5_come_out_hop_by_hop() {
    let printed = include_str!("data/vtftr_fig5_routes.csv");
    let mut compared = 0;
    for line in printed.lines().skip(1) {
        let cells: Vec<&str> = line.splitn(4, ',').collect();
        let words = cells[3].trim_matches('"');
        let words = words.split(" (").next().unwrap_or(words);
        let hops: Vec<&str> = words
            .split(" -> ")
            .map(|hop| hop.rsplit('=').next().unwrap_or(hop))
            .collect();
        let ([first, .., last], true) = (&hops[..], hops.len() > 1) else {
            // The third route is dimension order between leaves that the figure does not name.
            assert_eq!(cells[2], "XY");
            assert_eq!(path(("00", "22"), ""), "00 RSW0 02 CSW2 22");
            continue;
        };
        assert_eq!(path((first, last), cells[1]), hops.join(" "));
        compared += 1;
    }
    assert_eq!(compared, 2);
}

fn near(value: f64, expected: f64) {
    assert!(
        (value / expected - 1.0).abs() < 0.003,
        "{value} is not {expected}"
    );
}

#[test]
fn the_papers_probability_is_that_of_one_set_of_places_only() {
    let claims: serde_json::Value =
        serde_json::from_str(include_str!("data/vtftr_claims.json")).expect("claims");
    let (n, k) = (
        claims["n"].as_i64().unwrap() as i128,
        claims["k"].as_i64().unwrap() as i128,
    );
    let printed = choose(n * n - n, k - n) as f64 / choose(n * n, k) as f64;
    near(printed, claims["value"].as_f64().unwrap());
    // What the sentence is about: no column, or neither column nor row, is left without a fault.
    near(hits_all(n, k, false), 6.20e-4);
    near(hits_all(n, k, true), 2.88e-7);
    near(hits_all(n, n, false), 1.83e-6);
    near(hits_all(n, n, true), 2.08e-12);
    let most = claims["full_tolerance_up_to_faults"].as_i64().unwrap() as i128;
    assert_eq!((most, hits_all(n, most, false)), (n - 1, 0.0));
}

/// The formulas beside a count of all sets, where these are few.
#[test]
fn probabilities_are_shares_of_all_sets() {
    let spec = vtftr("KNS(3x3,1)");
    let network = topology::build(&spec);
    let leaves = PartClass::Adapter.parts(&network);
    for count in 1..=9 {
        let sets = FaultSets::all(&leaves, count);
        let hit = |faults: &Faults, dimension: usize| {
            let leaves = network.adapters().iter().zip(0..);
            let failed =
                leaves.filter(|(_, number)| !faults.block_works(topology::BlockId(*number)));
            let mut lines: Vec<u32> = failed
                .map(|(leaf, _)| leaf.coordinates[dimension])
                .collect();
            lines.sort_unstable();
            lines.dedup();
            lines.len() == 3
        };
        let all: Vec<Faults> = (0..sets.number()).map(|number| sets.set(number)).collect();
        let columns = all.iter().filter(|faults| hit(faults, 0)).count();
        let both = all
            .iter()
            .filter(|faults| hit(faults, 0) && hit(faults, 1))
            .count();
        let share = |sets: usize| sets as f64 / all.len() as f64;
        assert!((hits_all(3, count as i128, false) - share(columns)).abs() < 1e-12);
        assert!((hits_all(3, count as i128, true) - share(both)).abs() < 1e-12);
    }
}

/// As long as a column is free of faults all others stay joined: 8 × 8 with up to 7 faults, and more than that
/// where a column happens to be free.
#[test]
fn a_column_without_faults_serves_everybody() {
    let spec = vtftr("KNS(8x8,1)");
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let leaves = PartClass::Adapter.parts(&network);
    for count in [1, 2, 5, 7] {
        let sets = FaultSets::sample(&leaves, count, 40, 3);
        let found = survey(&survival, &network, &sets, count, None, || {}).expect("threads");
        assert_eq!(
            (found.unroutable_pairs, found.cyclic_sets),
            (0, 0),
            "{count} leaves"
        );
    }
    let diagonal = (0..7).map(|at| leaves[at * 9]);
    let found = survival.with(&diagonal.collect());
    assert_eq!(found.refused_sets, 0, "routes");
    assert_eq!((found.unroutable_pairs, found.cyclic_sets), (0, 0));
}

/// What can be said without a simulation; `make test-long` has the rest.
#[test]
fn the_papers_latencies_and_probabilities_stand_beside_ours() {
    let found = compare(&|number| number < 3);
    assert!(found.passed, "{}", found.to_text());
    let counts: Vec<[usize; 3]> = found.tables.iter().map(Table::counts).collect();
    assert_eq!(counts, [[6, 0, 0], [2, 2, 0]], "{}", found.to_text());
}

#[test]
#[ignore = "a minute of simulation: make test-long"]
fn the_papers_losses_of_throughput_stand_beside_ours() {
    let found = compare(&|number| number == 3);
    assert!(found.passed, "{}", found.to_text());
    let cell = |row: usize| found.tables[0].rows[row].cells[0].constructed.as_str();
    let least = |row: usize| cell(row).split("..").next().unwrap_or("").parse::<f64>();
    for (row, printed) in [(3, 1.0), (4, 1.4)] {
        let least = least(row).expect("a number");
        assert!((least - printed).abs() < 1.0, "{}", found.to_text());
    }
}
