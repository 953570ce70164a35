//! Failed parts and the routes round them: the table of the VTFTR algorithm's reading for MKNS, by `mkns faults`, and
//! planes that outlast what fails.
//!
//! The figures are those of an enumeration apart from this program (`tests/data/vtftr_mkns.csv`).

use std::collections::BTreeMap;
use std::num::NonZero;

use mkns::routing::fault_sets::FaultSets;
use mkns::routing::survey::{Survey, survey};
use mkns::routing::survival::Survival;
use mkns::routing::{self, Routing};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, Faults, Network, Part, PartClass};

fn spec(text: &str, engine: &str) -> NetworkSpec {
    spec::parse_with(text, &[format!("routing={engine}")]).expect("a valid spec")
}

/// The parts of the classes with these names, with `+` between them, or of all.
fn parts(network: &Network, classes: &str) -> Vec<Part> {
    let named =
        |class: &PartClass| classes == "all" || classes.split('+').any(|name| name == class.name());
    let classes = PartClass::ALL.into_iter().filter(named);
    classes.flat_map(|class| class.parts(network)).collect()
}

/// All sets of `count` parts, or `sample` of them.
fn counts(text: &str, engine: &str, classes: &str, count: usize, sample: Option<u64>) -> Survey {
    let spec = spec(text, engine);
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let parts = parts(&network, classes);
    let sets = match sample {
        Some(number) => FaultSets::sample(&parts, count, number, 1),
        None => FaultSets::all(&parts, count),
    };
    survey(&survival, &network, &sets, count, None, || {}).expect("threads")
}

/// One line of the table of the enumeration.
struct Printed<'a> {
    network: &'a str,
    /// Engine, classes, count, sets, surviving pairs, rerouted, unroutable pairs.
    cells: Vec<&'a str>,
}

impl<'a> Printed<'a> {
    fn all(text: &'a str) -> Vec<Self> {
        let line = |line: &'a str| {
            let (network, cells) = line[1..].split_once("\",").expect("a quoted network");
            let cells = cells.split(',').collect();
            Self { network, cells }
        };
        text.lines().skip(1).map(line).collect()
    }

    fn number(&self, column: usize) -> u64 {
        self.cells[column].parse().expect("a number")
    }

    /// The enumeration leaves the pairs that are led another way of equal length out where there are four failed blocks.
    fn rerouted(&self) -> BTreeMap<i64, u64> {
        let each = self.cells[5].split_whitespace().map(|each| {
            let (hops, pairs) = each.split_once(':').expect("hops and pairs");
            (hops.parse().expect("hops"), pairs.parse().expect("pairs"))
        });
        each.collect()
    }
}

#[test]
fn the_table_of_the_enumeration_comes_out() {
    let table = include_str!("data/vtftr_mkns.csv");
    assert_eq!(Printed::all(table).len(), 11);
    for row in Printed::all(table) {
        let (engine, classes, count) = (row.cells[0], row.cells[1], row.number(2) as usize);
        let found = counts(row.network, engine, classes, count, None);
        let what = format!("{engine}, {count} of {classes}");
        assert_eq!(found.sets, row.number(3), "{what}");
        assert_eq!(found.surviving_pairs, row.number(4), "{what}");
        assert_eq!(found.unroutable_pairs, row.number(6), "{what}");
        assert_eq!((found.cyclic_sets, found.cut_pairs), (0, 0), "{what}");
        let mut rerouted = found.rerouted_pairs;
        if !row.rerouted().contains_key(&0) {
            rerouted.remove(&0);
        }
        assert_eq!(rerouted, row.rerouted(), "{what}");
    }
}

/// The enumeration drew its sets with a generator of its own, so counts differ as much as draws do.
#[test]
fn drawn_sets_give_what_the_enumeration_drew() {
    let triples = counts("MKNS(1,4x4,2,1)", "vtftr", "all", 3, Some(1_200));
    assert!(triples.drawn && triples.sets == 1_200);
    assert_eq!((triples.unroutable_pairs, triples.cyclic_sets), (0, 0));
    let share = |survey: &Survey, hops: i64| {
        let pairs = survey.rerouted_pairs.get(&hops).copied().unwrap_or(0);
        pairs as f64 / survey.surviving_pairs as f64
    };
    // 9,056 and 7,678 of 259,324 pairs.
    assert!((share(&triples, 1) - 0.0349).abs() < 0.003);
    assert!((share(&triples, 2) - 0.0296).abs() < 0.003);
    assert!(share(&triples, 4) < 0.0002);
    let quadruples = counts("MKNS(1,4x4,2,1)", "vtftr", "all", 4, Some(800));
    // 105 of 167,086 pairs without a route, and 24 without a cable; never a circle.
    let unroutable = quadruples.unroutable_pairs - quadruples.cut_pairs;
    assert!((1..400).contains(&unroutable), "{unroutable}");
    assert_eq!(quadruples.cyclic_sets, 0);
    assert!(quadruples.example.is_some_and(|parts| parts.len() == 4));
}

#[test]
fn counts_do_not_depend_on_threads() {
    let spec = spec("MKNS(1,3x3,2,1)", "vtftr");
    let network = topology::build(&spec);
    let survival = Survival::new(&spec, &network).expect("routes");
    let sets = FaultSets::sample(&parts(&network, "all"), 3, 300, 7);
    let on = |threads| {
        survey(&survival, &network, &sets, 3, NonZero::new(threads), || {}).expect("threads")
    };
    assert_eq!(on(1), on(3));
}

/// A network of planes, its routes while it is whole, and its parts.
fn planes(text: &str) -> (NetworkSpec, Network, Routing, Vec<Part>) {
    let spec = spec(text, "planes");
    let network = topology::build(&spec);
    let whole = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let parts = parts(&network, "all");
    (spec, network, whole, parts)
}

#[test]
fn planes_outlast_two_failed_parts_of_any_class_by_masks_alone() {
    for (count, sets, pairs) in [(1, 60, 13_920), (2, 1_770, 396_720)] {
        let found = counts("MKNS(1,4x4,2,1)", "planes", "all", count, None);
        assert_eq!((found.sets, found.surviving_pairs), (sets, pairs));
        assert_eq!((found.unroutable_pairs, found.cyclic_sets), (0, 0));
    }
    let (spec, network, whole, parts) = planes("MKNS(1,4x4,2,1)");
    let sets = FaultSets::all(&parts, 2);
    for number in 0..sets.number() {
        let routing = routing::build(&spec, &network, &sets.set(number)).expect("routes");
        assert!(
            routing.tables == whole.tables,
            "tables change in set {number}"
        );
    }
}

/// Two blocks of a row have their mesh cable in common in two planes, so that three failures can cut them off.
#[test]
fn three_failed_parts_leave_planes_short_within_a_row_only() {
    let (spec, network, _, parts) = planes("MKNS(1,4x4,2,1)");
    let sets = FaultSets::all(&parts, 3);
    let mut unserved = 0;
    for number in (0..sets.number()).step_by(23) {
        let faults = sets.set(number);
        let routing = routing::build(&spec, &network, &faults).expect("routes");
        let paths = routing.paths.as_ref().expect("masks");
        let adapters = network.adapters();
        let works = |block: usize| faults.block_works(topology::BlockId(block as u32));
        for from in (0..adapters.len()).filter(|block| works(*block)) {
            for to in (0..adapters.len()).filter(|block| works(*block)) {
                let address = routing.layout.address_of(to as u32);
                if paths.mask(from, routing.layout.node_address(address)) == 0 {
                    unserved += 1;
                    let row = |block: usize| adapters[block].coordinates[1];
                    assert_eq!(row(from), row(to), "set {number}: {from} to {to}");
                }
            }
        }
    }
    assert!(unserved > 0, "some triple leaves a pair of a row unserved");
}

#[test]
fn a_thousand_random_sets_of_up_to_six_leave_every_pair_of_8_by_10_a_plane() {
    let mut sets = 0;
    for count in 1..=6 {
        let found = counts("MKNS(2,8x10,2,1)", "planes", "all", count, Some(168));
        assert_eq!(
            (found.unroutable_pairs, found.cyclic_sets),
            (0, 0),
            "{count} parts"
        );
        sets += found.sets;
    }
    assert!(sets >= 1_000);
}

/// Packets of a pair whose path works may overtake each other when the pair is given another.
#[test]
fn numbers_b3_pairs_that_change_a_path_that_works_are_counted() {
    let found = counts("MKNS(1,3x3,2,1)", "shortest", "all", 1, None);
    let rerouted: u64 = found.rerouted_pairs.values().sum();
    assert_eq!((rerouted, found.moved_pairs), (252, 26));
    let kept = counts("MKNS(1,3x3,2,1)", "dimension_order", "all", 1, None);
    assert_eq!(kept.moved_pairs, 0);
}
