//! What `mkns sim` measures is what the RTL does: the same packets leave both in the same cycles.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::{plan, quick_models};
use mkns::cosim::{Failure, LockstepNetwork, SessionError, Silent, lockstep_network};
use mkns::design::{Pins, Plan};
use mkns::golden::NetworkOnPins;
use mkns::rtl::render_sources;
use mkns::simulation::measure::{Arrived, deliveries};
use mkns::traffic::{Injection, Lengths, Pattern, Traffic};

/// All packets that hosts take from the RTL in the first `cycles` cycles of traffic, in the order of cycle, source and
/// destination. Every output is compared with the golden model on the way.
fn deliveries_of_rtl(
    plan: &Plan,
    mut rtl: LockstepNetwork<'_>,
    traffic: &Traffic,
    cycles: u64,
) -> Result<Vec<Arrived>, Box<Failure>> {
    let (mut hosts, shared) = traffic.hosts(plan);
    let modules = plan.instances.iter().map(|instance| instance.module);
    let pins: Vec<Pins> = modules
        .map(|module| Pins::new(&plan.modules[module]))
        .collect();
    let mut arrived = Vec::new();
    for now in 0..cycles {
        for host in &mut hosts {
            let block = host.at.block;
            host.drive(now, &pins[block.0 as usize], rtl.inputs_mut(block));
        }
        rtl.step();
        for host in &mut hosts {
            let block = host.at.block;
            if let Some(packet) = host.observe(&pins[block.0 as usize], rtl.outputs(block)) {
                let packet = Arrived::new(&shared.addresses, now, host.at.host, packet.header);
                arrived.push(packet);
            }
        }
    }
    rtl.finish()?;
    arrived.sort_unstable();
    Ok(arrived)
}

/// Compares `cycles` cycles of a network; returns the number of packets.
fn compare(notation: &str, traffic: &Traffic, cycles: u64) -> usize {
    let plan = plan(notation);
    let models = quick_models(&render_sources(&plan));
    let rtl = lockstep_network(&plan, &models, traffic.seed, &Silent);
    let rtl = rtl.unwrap_or_else(|error| match error {
        SessionError::Failed(failure) => panic!("{notation}: {failure}"),
        SessionError::Simulator(error) => panic!("{notation}: {error}"),
    });
    let of_rtl = deliveries_of_rtl(&plan, rtl, traffic, cycles);
    let of_rtl = of_rtl.unwrap_or_else(|failure| panic!("{notation}: {failure}"));
    let simulated = deliveries(&plan, traffic, cycles, 2);
    assert_eq!(simulated.len(), of_rtl.len(), "{notation}");
    let differs = simulated.iter().zip(&of_rtl).find(|(sim, rtl)| sim != rtl);
    assert_eq!(differs, None, "{notation}");
    let another = Traffic {
        seed: traffic.seed + 1,
        ..traffic.clone()
    };
    assert_ne!(deliveries(&plan, &another, cycles, 1), of_rtl, "{notation}");
    of_rtl.len()
}

#[test]
fn three_networks_deliver_the_same_packets_in_the_same_cycles() {
    let uniform = Traffic {
        lengths: Lengths::Between(1, 17),
        ..Traffic::uniform(0.45, 9, 11)
    };
    assert!(compare("MKNS(2,4,2,1)", &uniform, 1500) > 500);
    let bursts = Traffic {
        injection: Injection::Bursts { packets: 4.0 },
        pattern: Pattern::HotSpot {
            host: 7,
            share: 0.1,
        },
        ..Traffic::uniform(0.3, 9, 12)
    };
    assert!(compare("MKNS(2,8x4,2,0)", &bursts, 1000) > 500);
    assert!(compare("MKNS(2,8x10,2,1)", &Traffic::uniform(0.5, 9, 13), 600) > 1000);
}

#[test]
fn a_distributed_switch_delivers_the_same_packets_in_the_same_cycles() {
    let uniform = Traffic {
        lengths: Lengths::Between(1, 17),
        ..Traffic::uniform(0.6, 9, 14)
    };
    assert!(compare("hypercube(3)", &uniform, 2000) > 500);
}
