//! What a block regression reaches is counted by place and by behaviour; a short one reaches less.
#![cfg(feature = "cosim")]

use crate::common::smallest::smallest_plan;
use mkns::campaign::coverage::{Coverage, Kind};
use mkns::cosim::Silent;
use mkns::design::ModuleKind;
use mkns::rtl::render_sources;

fn covered(cycles: u64) -> Coverage {
    let mut coverage = Coverage::default();
    let plan = smallest_plan();
    let sources = render_sources(&plan);
    let added = coverage.add(&plan, &sources, ModuleKind::Switch, (cycles, 1), &Silent);
    added.expect("no run differs");
    coverage
}

#[test]
#[ignore = "takes most of a minute: make test-long"]
fn longer_runs_reach_more_lines_branches_toggles_and_points() {
    let (short, long) = (covered(40), covered(16_000));
    for kind in [Kind::Line, Kind::Branch, Kind::Toggle] {
        let (few, many) = (short.share(kind, None), long.share(kind, None));
        assert_eq!(few.all, many.all, "{kind:?}");
        assert!(few.covered < many.covered, "{kind:?}: {few:?}, {many:?}");
    }
    assert!(short.share_of_points().covered < long.share_of_points().covered);
    // Four ports, one channel: every port sends to every other.
    let pairs = long
        .points
        .iter()
        .filter(|(name, _)| name.contains(": from port "));
    assert_eq!(pairs.clone().count(), 12);
    let missed: Vec<_> = pairs.filter(|(_, count)| **count == 0).collect();
    assert!(missed.is_empty(), "{missed:?}");
    // Of the crossbar only the link behind the or, which is for more ports.
    let sources = render_sources(&smallest_plan());
    let (_, crossbar) =
        (sources.iter().find(|(name, _)| name == "crossbar.v")).expect("a crossbar");
    let statement = |line: &str| line.contains("&& LINK_BEHIND != 0");
    let first = 1 + crossbar.lines().position(statement).expect("the link");
    for place in long.missed(Kind::Line) {
        let line = place.line as usize;
        assert!(
            place.file != "crossbar.v" || (first..first + 6).contains(&line),
            "{place:?}"
        );
    }
    for file in ["select_chain.v", "accept_bank.v"] {
        let share = long.share(Kind::Line, Some(file));
        assert!(
            share.all > 0 && share.percent() == 100.0,
            "{file}: {share:?}"
        );
    }
    // One channel: the bit that would say which is 0 for ever, as the entries of tables that are not there.
    assert!(long.left_out(Kind::Toggle) > 0);
    let missed = |name: &str| {
        let mut places = long.missed(Kind::Toggle);
        places.any(|place| place.file == "route_lookup.v" && place.what.starts_with(name))
    };
    assert!(!missed("entry4["), "a missing table is left out");
    assert!(
        long.missed(Kind::Branch)
            .all(|place| place.file.ends_with(".v") && place.line > 0)
    );
}
