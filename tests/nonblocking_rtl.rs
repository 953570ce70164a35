//! Permutations through the verilated RTL of a whole distributed switch: none waits, every output equals
//! the golden model, and RTL that differs is reported instead of a verdict about waiting.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::{plan, quick_models};
use mkns::cosim::{Failure, SessionError, Silent, lockstep_network};
use mkns::golden::PermutationBench;
use mkns::routing::nonblocking::{Effort, LoadResult, PacketTimes, run};
use mkns::rtl::render_sources;
use mkns::spec::NetworkKind;
use mkns::topology::distributed_switch::switch_of;

/// All permutations of 4 terminals, few loads of other sorts and of larger switches.
const EFFORT: Effort = Effort {
    exhaustive_terminals: 4,
    ..Effort::new(10, 1)
};

/// Drives all loads through sources; what the loads did and how the RTL compared.
fn drive(
    notation: &str,
    edit: impl Fn(&str, String) -> String,
) -> (Vec<LoadResult>, Result<u64, Box<Failure>>) {
    let plan = plan(notation);
    let NetworkKind::DistributedSwitch(kind) = &plan.spec.kind else {
        panic!("{notation} is a distributed switch");
    };
    let sources: Vec<(String, String)> = render_sources(&plan)
        .into_iter()
        .map(|(name, text)| (name.clone(), edit(&name, text)))
        .collect();
    let models = quick_models(&sources);
    let mut rtl = match lockstep_network(&plan, &models, 1, &Silent) {
        Ok(rtl) => rtl,
        Err(SessionError::Failed(failure)) => panic!("{failure}"),
        Err(SessionError::Simulator(error)) => panic!("{error}"),
    };
    let mut bench = PermutationBench::new(&mut rtl, &plan, kind.local_address_bits());
    let loads = run(&switch_of(kind), &mut bench, kind.trunks(), EFFORT, &|_| {});
    (loads, rtl.finish())
}

#[test]
fn every_permutation_of_four_crosses_the_rtl_without_waiting() {
    let (loads, compared) = drive("hypercube(2)", |_, text| text);
    assert!(loads.iter().all(|load| load.passed), "{loads:?}");
    assert!(loads[0].exhaustive && loads[0].driven == 24);
    let cycles = compared.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(cycles > 24 * 8);
    let [_, in_turns, own_order, all_to_all] = &loads[..] else {
        panic!("four sorts of loads: {loads:?}");
    };
    assert_eq!(
        in_turns.measured,
        exactly(2),
        "m packet times through POK_m"
    );
    assert!(own_order.failed > 0, "packets wait: {own_order:?}");
    assert_eq!(all_to_all.measured, exactly(6), "m(m + 1)");
}

#[test]
fn parallel_terminals_pass_an_m_permutation_through_the_rtl_at_once() {
    let (loads, compared) = drive("hypercube(3,1,1)", |_, text| text);
    assert!(loads.iter().all(|load| load.passed), "{loads:?}");
    let [_, homogeneous, all_to_all] = &loads[..] else {
        panic!("three sorts of loads: {loads:?}");
    };
    assert_eq!(homogeneous.measured, exactly(1));
    assert_eq!(all_to_all.measured, exactly(4), "m + 1");
    assert!(compared.is_ok());
}

fn exactly(times: u64) -> Option<PacketTimes> {
    Some(PacketTimes {
        least: times,
        most: times,
    })
}

#[test]
fn rtl_that_leaves_the_address_train_as_it_is_differs() {
    let (good, bad) = (
        "is_header ? {{FIELD_BITS{1'b0}}, data[19:FIELD_BITS]} : data[19:0]",
        "data[19:0]",
    );
    let (_, compared) = drive("hypercube(2)", |_, text| text.replace(good, bad));
    let failure = compared.expect_err("the splitter forwards another header");
    assert!(failure.to_string().contains("tx_data"), "{failure}");
}
