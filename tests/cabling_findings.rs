//! What a check makes of plugs without a link, half-known cables, and cables that the plan does not have.

use mkns::cabling::{FloorLayout, FloorPlan, check, read_back};
use mkns::spec;
use mkns::topology;
use serde_json::Value;

fn list<'a>(result: &'a Value, key: &str) -> &'a Vec<Value> {
    result[key].as_array().expect("a list")
}

/// What a check says of the plan of a network with some lines put in the place of others.
fn checked(notation: &str, without: &[&str], with: &[&str]) -> Value {
    let spec = spec::parse(notation).expect("a valid notation");
    let network = topology::build(&spec);
    let floor_layout = FloorLayout::new(&spec, &network, FloorPlan::default()).expect("racks");
    let plan = topology::export::cables_csv(&network);
    let mut lines = plan.lines().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells[..4].join(",")
    });
    let head = lines.next().expect("a head") + ",state";
    let kept: Vec<String> = lines
        .filter(|line| !without.contains(&line.as_str()))
        .collect();
    assert_eq!(kept.len() + without.len(), network.cables.len());
    let with = with.iter().map(|line| (*line).to_owned());
    let text: Vec<String> = [head].into_iter().chain(kept).chain(with).collect();
    let found = read_back("lines", &text.join("\n"), &network).expect("a read-back");
    serde_json::to_value(check(&network, &floor_layout, &found)).expect("JSON")
}

/// Numbers of wrong, missing and dead cables, and of moves.
fn counts(result: &Value) -> [usize; 4] {
    let moves = result["moves"].as_u64().expect("a number") as usize;
    let [wrong, missing, dead] = ["wrong", "missing", "dead"].map(|key| list(result, key).len());
    [wrong, missing, dead, moves]
}

#[test]
fn half_known_and_unplanned_cables_are_told_apart() {
    const MESH: &str = "MKNS(1,4,1,1)";
    let first = "AB(0 0 0 0),0,AB(1 0 0 0),0";
    let back = "AB(1 0 0 0),0,AB(0 0 0 0),0";
    let last = "AB(2 0 0 0),2,AB(3 0 0 0),2";
    let extra = "AB(0 0 0 0),5,AB(1 0 0 0),5";
    for (without, with, expected) in [
        (vec![], vec![], [0, 0, 0, 0]),
        // Seen from both ends.
        (vec![], vec![back], [0, 0, 0, 0]),
        // A plug in a port that the plan leaves free.
        (vec![], vec!["AB(0 0 0 0),5,,"], [0, 0, 1, 1]),
        // One end only is known, and a new cable is needed.
        (vec![first], vec!["AB(0 0 0 0),0,,"], [0, 0, 1, 3]),
        // One direction works.
        (vec![], vec!["AB(1 0 0 0),0,,"], [0, 0, 1, 4]),
        (vec![], vec![extra], [1, 0, 0, 2]),
        // The extra cable becomes the missing one.
        (vec![last], vec![extra], [1, 1, 0, 2]),
        // A dead cable in the wrong ports, and a missing one.
        (
            vec![last],
            vec!["AB(0 0 0 0),5,AB(1 0 0 0),5,dead"],
            [0, 1, 1, 4],
        ),
        // One end in a port that the plan leaves free: the cable is there.
        (
            vec![first],
            vec!["AB(0 0 0 0),0,AB(1 0 0 0),5"],
            [1, 0, 0, 1],
        ),
    ] {
        let result = checked(MESH, &without, &with);
        assert_eq!(counts(&result), expected, "{without:?} {with:?} {result:#}");
        assert_eq!(result["passed"], expected == [0; 4]);
    }
}

/// Of two ways to mend an exchange the one is taken in which the long cable becomes the long one.
#[test]
fn cables_are_not_asked_to_grow() {
    let one = "AB(0 0 0),0,AB(0 0 1),1";
    let other = "AB(0 3 0),2,AB(1 0 0),5";
    let wrong = ["AB(0 0 0),0,AB(0 3 0),2", "AB(0 0 1),1,AB(1 0 0),5"];
    let result = checked("slim_fly(5,4)", &[one, other], &wrong);
    assert_eq!(counts(&result), [2, 0, 0, 2]);
    let steps = list(&result, "steps");
    assert!(
        steps.iter().all(|step| step["may_be_short"] == false),
        "{result:#}"
    );
}

/// Where cables have one direction a port may hold two: one that it sends by, one that it receives by.
#[test]
fn cables_of_one_direction_have_an_order_of_ends() {
    const RING: &str = "multi_ring(3)";
    let network = topology::build(&spec::parse(RING).expect("a valid notation"));
    let plan = topology::export::cables_csv(&network);
    let line = plan.lines().nth(1).expect("a cable");
    let cells: Vec<&str> = line.split(',').collect();
    let [a, port_a, b, port_b] = cells[..4] else {
        panic!("four columns");
    };
    let own = format!("{a},{port_a},{b},{port_b}");
    let [sends, receives] = [format!("{a},{port_a},,"), format!(",,{b},{port_b}")];
    let result = checked(RING, &[&own], &[&receives]);
    assert_eq!(counts(&result), [0, 0, 1, 3], "{result:#}");
    let result = checked(RING, &[&own], &[&sends, &receives]);
    assert_eq!(counts(&result), [0, 0, 1, 4], "{result:#}");
    let found = checked(RING, &[&own], &[]);
    assert_eq!(counts(&found), [0, 1, 0, 2], "{found:#}");
}
