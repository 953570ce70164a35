//! The fast model of messages beside lockstep: references on both sides bring the same network up in about as many cycles,
//! with as many messages and writes.

use super::in_band::{plan, run};
use mkns::simulation::live::{IdleRun, LiveExperiment};
use mkns::simulation::measure::WarmUp;
use mkns::topology::{BlockId, Faults, Part};
use mkns::traffic::Traffic;

const OWN: BlockId = BlockId(0);

/// How far cycles may be from those of lockstep, in percent. There all links count their slots in step, so that messages of
/// a manager wait for fewer than the mean; between boards with clocks of their own they do not.
const TOLERANCE: u64 = 10;

fn are_near(found: u64, expected: u64) -> bool {
    100 * found.abs_diff(expected) <= TOLERANCE * expected
}

#[test]
fn a_bring_up_takes_the_cycles_of_lockstep() {
    let plan = plan("MKNS(1,3x2,2,1)");
    let summary = run(&plan, &[], (0.0, 6_000));
    let summary = summary.unwrap_or_else(|failure| panic!("{failure}"));
    let live = summary.live.expect("a manager");
    let expected = live.in_band.expect("it was brought up over its cables");
    let quiet = IdleRun {
        plan: &plan,
        from: OWN,
        failures: &[],
    };
    let found = quiet.run().expect("it is brought up").in_band;
    assert_eq!(found.bring_up, expected.bring_up);
    let rounds = [found.round, expected.round].map(|round| round.expect("a look"));
    assert_eq!(rounds[0].messages, rounds[1].messages);
    for (found, expected) in [
        (found.bring_up_cycles, expected.bring_up_cycles),
        (rounds[0].cycles, rounds[1].cycles),
    ] {
        assert!(are_near(found, expected), "{found} and {expected}");
    }
}

/// What was written leads packets: nothing is lost but by the cable that fails, and routes avoid it then.
#[test]
fn a_network_that_was_brought_up_carries_traffic_and_is_repaired() {
    let plan = plan("MKNS(2,3x3,2,1)");
    let name = Part::Cable(0).name(&plan.network);
    let faults = Faults::named(&plan.network, [name.as_str()]).expect("a part");
    let part = faults.parts().next().expect("one part");
    let experiment = LiveExperiment {
        plan: &plan,
        traffic: Traffic::uniform(0.2, 9, 1),
        warm_up: WarmUp::Cycles(0),
        cycles: 60_000,
        parts: 1,
        failures: &[(part, 10_000)],
        managed: None,
        in_band: Some(OWN),
    };
    let report = experiment.run(&|_| {}).expect("routes");
    assert_eq!(report.history.repairs.len(), 1, "{report:?}");
    let totals = report.totals;
    assert_eq!(totals.sent, totals.received + totals.bad + totals.lost);
    assert!(totals.received > 1_000, "{totals:?}");
    let (first, last) = (&report.periods[0], report.periods.last().expect("a period"));
    // What is under way when the cable fails is lost.
    assert!(first.lost < 5 && last.lost == 0, "{:?}", report.periods);
    let in_band = report.in_band.expect("it was brought up over its cables");
    assert_eq!(in_band.counts.unanswered, 0, "{in_band:?}");
}
