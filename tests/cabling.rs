//! The plan of cables: the paper's racks of a Slim Fly, every cable of every kind once, lengths as measured by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mkns::cabling::{
    FloorLayout, FloorPlan, Millimetres, Plan, check, racks_svg, read_back, read_floor_plan,
};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, Network};

use crate::common::bless::matches_recorded;

/// One of every kind.
const KINDS: [&str; 13] = [
    "MKNS(2,4,2,1)",
    "MKNS(2,8x4,2,0)",
    "MKNS(1,3x20,2,2)",
    "torus(4x4x4)",
    "KNS(8x10,2)",
    "HyperX(8x4,2)",
    "fat_tree(5x10,2)",
    "multi_ring(3,2)",
    "hypercube(3)",
    "block_design(7,4,2)",
    "slim_fly(5,4)",
    "random_shortcut(16,4,2)",
    "dln(16,2,2)",
];

fn network_of(notation: &str) -> (NetworkSpec, Network) {
    let spec = spec::parse(notation).unwrap_or_else(|found| panic!("{notation}: {found:?}"));
    let network = topology::build(&spec);
    (spec, network)
}

fn planned(notation: &str, floor: FloorPlan) -> (Network, FloorLayout, Plan) {
    let (spec, network) = network_of(notation);
    let floor_layout =
        FloorLayout::new(&spec, &network, floor).expect("the racks hold the network");
    let plan = Plan::new(&network, &floor_layout);
    (network, floor_layout, plan)
}

#[test]
fn the_racks_of_slim_fly_5_are_those_of_the_paper() {
    let (_, _, plan) = planned("slim_fly(5,4)", FloorPlan::default());
    assert_eq!(plan.totals.cables, 175);
    assert_eq!(plan.totals.cables_within_racks, 75);
    assert_eq!(plan.racks.len(), 5);
    for rack in &plan.racks {
        assert_eq!((rack.blocks.len(), rack.cables_within), (10, 15));
        for label in &rack.blocks {
            let a = label.split(' ').nth(1).expect("a label (s, a, b)");
            assert_eq!(a, rack.rack.to_string(), "{label}");
        }
    }
    assert_eq!(plan.rack_pairs.len(), 10);
    assert!(plan.rack_pairs.iter().all(|pair| pair.cables == 10));
}

/// The list of edges was made apart from this program.
#[test]
fn the_cables_of_slim_fly_5_are_those_of_the_list() {
    let text = std::fs::read_to_string("tests/data/slimfly_q5_edges.csv").expect("the list");
    let listed: BTreeMap<[String; 2], bool> = text
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let label = |cells: &[&str]| format!("AB({})", cells.join(" "));
            let mut ends = [label(&cells[..3]), label(&cells[3..6])];
            ends.sort();
            (ends, cells[6] != "inter-rack")
        })
        .collect();
    let (_, _, plan) = planned("slim_fly(5,4)", FloorPlan::default());
    let cables = plan.cables.iter().map(|cable| {
        let mut ends = [cable.a.clone(), cable.b.clone()];
        ends.sort();
        (ends, cable.is_within_rack())
    });
    assert_eq!(cables.collect::<BTreeMap<_, _>>(), listed);
}

#[test]
fn q_racks_of_2q_blocks_for_every_q() {
    for q in [3u32, 4, 7, 8, 9, 11, 13, 16, 17, 19, 25] {
        let (_, _, plan) = planned(&format!("slim_fly({q},2)"), FloorPlan::default());
        assert_eq!(plan.racks.len() as u32, q);
        assert!(
            plan.racks
                .iter()
                .all(|rack| rack.blocks.len() as u32 == 2 * q)
        );
        // y = m·x + c: q cables from (0, a, ·) to (1, b, ·) and q from (0, b, ·) to (1, a, ·).
        assert!(plan.rack_pairs.iter().all(|pair| pair.cables == 2 * q));
    }
}

#[test]
fn every_kind_has_every_cable_once_and_its_plan_is_a_right_read_back() {
    for notation in KINDS {
        let (network, floor_layout, plan) = planned(notation, FloorPlan::default());
        assert_eq!(plan.cables.len(), network.cables.len(), "{notation}");
        let bought: u32 = plan.bill.iter().map(|line| line.cables).sum();
        assert_eq!(bought as usize, network.cables.len(), "{notation}");
        let stands: BTreeSet<&String> = plan.racks.iter().flat_map(|rack| &rack.blocks).collect();
        assert_eq!(stands.len(), network.blocks.len(), "{notation}");
        let json = serde_json::to_string(&plan).expect("a plan is JSON");
        for text in [plan.to_csv(), json, topology::export::cables_csv(&network)] {
            let found = read_back("plan", &text, &network).expect("a read-back");
            assert!(check(&network, &floor_layout, &found).passed, "{notation}");
        }
    }
}

/// Two rows of two racks with two blocks each: every length is a sum of a few numbers.
#[test]
fn lengths_are_those_of_the_floor_plan() {
    let text = "rows = 2\nracks_per_row = 2\nblocks_per_rack = 2\nrow_pitch = 3\nrack_pitch = 1\n\
                rack_height = 2.5\nblock_height = 0.5\nslack = 0.25\nlengths = [1, 5, 9]\n";
    let floor = read_floor_plan("floor.toml", text).expect("a floor plan");
    let (_, _, plan) = planned("MKNS(1,8,1,1)", floor);
    let between = |a: u32, b: u32| {
        let (a, b) = (format!("AB({a} 0 0 0)"), format!("AB({b} 0 0 0)"));
        let cable = plan
            .cables
            .iter()
            .find(|cable| cable.a == a && cable.b == b);
        let cable = cable.expect("a mesh joins all");
        (cable.length_mm.0, cable.class_mm.map(|class| class.0))
    };
    // One slot apart.
    assert_eq!(between(0, 1), (500 + 250, Some(1000)));
    // Blocks in slot 0 are 0.25 m above the floor, 2.25 m below the tray; in slot 1 1.75 m below it.
    assert_eq!(between(0, 2), (2250 + 1000 + 2250 + 250, Some(9000)));
    assert_eq!(between(1, 3), (1750 + 1000 + 1750 + 250, Some(5000)));
    assert_eq!(between(0, 4), (2250 + 3000 + 2250 + 250, Some(9000)));
    // One rack on and one row on.
    assert_eq!(between(1, 6), (1750 + 1000 + 3000 + 2250 + 250, Some(9000)));
    let sum: u64 = plan.cables.iter().map(|cable| cable.length_mm.0).sum();
    assert_eq!(plan.totals.length_mm, Millimetres(sum));
}

#[test]
fn a_cable_longer_than_all_is_in_the_bill_as_such() {
    let floor = read_floor_plan("f", "blocks_per_rack = 4\nlengths = [1]\n").expect("valid");
    let (_, _, plan) = planned("MKNS(1,8,1,1)", floor);
    let last = plan.bill.last().expect("cables");
    assert_eq!((last.class_mm, last.cables), (None, 16));
    assert!(plan.to_text().contains("  longer     16  "));
}

#[test]
fn a_floor_plan_is_refused_with_every_value_that_is_wrong() {
    let text = "rows = 0\nrack_pitch = -1\nlengths = [2, 1]\n";
    let found = read_floor_plan("f.toml", text).expect_err("three faults");
    let fields: Vec<&str> = found.iter().map(|one| one.place.field.as_str()).collect();
    assert_eq!(fields, ["rows", "rack_pitch", "lengths"]);
    let (spec, network) = network_of("slim_fly(5,4)");
    let low = "rack_height = 0.4\nrows = 1\nracks_per_row = 2\n";
    let floor = read_floor_plan("f.toml", low).expect("values in their ranges");
    let found = FloorLayout::new(&spec, &network, floor).expect_err("too low, too few");
    let fields: Vec<&str> = found.iter().map(|one| one.place.field.as_str()).collect();
    assert_eq!(fields, ["rack_height", "rows"]);
    assert!(found.iter().all(|one| one.place.source == "f.toml"));
}

#[test]
fn the_picture_of_the_page_is_what_is_drawn() {
    let (network, floor_layout, plan) = planned("slim_fly(5,4)", FloorPlan::default());
    let svg = racks_svg(&network, &floor_layout, &plan);
    matches_recorded(Path::new("docs/pictures/racks_slim_fly_5.svg"), &svg);
}

#[test]
fn the_picture_shows_every_rack_and_block() {
    for notation in KINDS {
        let (network, floor_layout, plan) = planned(notation, FloorPlan::default());
        let svg = racks_svg(&network, &floor_layout, &plan);
        let document = roxmltree::Document::parse(&svg).expect("the picture is XML");
        let words: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        for block in &network.blocks {
            let label = format!("  {}", block.label());
            assert!(words.iter().any(|words| words.ends_with(&label)), "{label}");
        }
        let arcs = document
            .descendants()
            .filter(|node| node.has_tag_name("path"));
        assert_eq!(arcs.count(), plan.totals.cables_within_racks, "{notation}");
    }
}
