//! A network that powers up empty, is brought up from the window of one block, and is repaired over its own cables:
//! references on both sides.

use mkns::cosim::{
    CableFaultPlan, Failure, FaultPlan, LiveFaults, NetworkRun, NetworkSummary, Pair,
    PlannedFailure, golden_network_device,
};
use mkns::design::{self, Plan};
use mkns::topology::{BlockId, Faults};
use mkns::traffic::{OfferedPackets, Pattern};

pub fn plan(notation: &str) -> Plan {
    // Flat tables have no closed form: routes are those that are written.
    let settings = [
        "routing=up_down",
        "link.kind=serial",
        "link.management=in_band",
    ];
    let spec = mkns::spec::parse_with(notation, &settings.map(str::to_owned));
    design::build(&spec.expect("a valid spec")).expect("the network can be built")
}

pub fn run(
    plan: &Plan,
    failures: &[(&str, u64)],
    (bit_error_rate, cycles): (f64, u64),
) -> Result<NetworkSummary, Box<Failure>> {
    let failures = failures.iter().map(|&(name, cycle)| {
        let faults = Faults::named(&plan.network, [name]).expect("a part");
        let part = faults.parts().next().expect("one part");
        PlannedFailure { part, cycle }
    });
    let run = NetworkRun {
        cables: CableFaultPlan {
            bit_error_rate,
            ..CableFaultPlan::default()
        },
        traffic: Pattern::Uniform,
        load: 300,
        cycles,
        seed: 3,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: Some(LiveFaults {
            failures: failures.collect(),
            managed: None,
            in_band: Some(BlockId(0)),
        }),
        threads: 1,
    };
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: None,
    };
    run.run(plan, &mut devices, &mut |_| {})
}

#[test]
fn one_window_brings_a_network_up_and_repairs_it() {
    let plan = plan("MKNS(1,3x2,2,1)");
    let cable = plan
        .network
        .cables
        .iter()
        .position(|cable| cable.a.block == BlockId(0));
    let cable = mkns::topology::Part::Cable(cable.expect("a cable") as u32).name(&plan.network);
    // A pulled plug is noticed after 8,192 cycles of silence.
    let summary = run(&plan, &[(&cable, 1_000)], (1e-5, 14_000));
    let summary = summary.unwrap_or_else(|failure| panic!("{failure}"));
    let live = summary.live.expect("a part failed");
    assert_eq!(live.history.repairs.len(), 1, "{live:?}");
    assert!(live.exact_packets > 100, "{live:?}");
    let in_band = live.in_band.expect("it was brought up over its cables");
    assert_eq!(in_band.bring_up.blocks, plan.network.blocks.len());
    assert_eq!(in_band.bring_up.numbered, plan.network.blocks.len());
    assert!(in_band.bring_up.missing.is_empty());
    assert_eq!(in_band.counts.unanswered, 0, "{in_band:?}");
    assert!(in_band.counts.attempts.len() <= 20);
    assert!(in_band.repair_messages[0] > 0);
}
