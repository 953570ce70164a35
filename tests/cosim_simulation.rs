//! What `mkns sim` measures is what the RTL does: the same packets leave both in the same cycles.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::{plan, quick_models};
use mkns::cosim::{SessionError, Silent, deliveries_of_rtl};
use mkns::rtl::render_sources;
use mkns::simulation::measure::deliveries;
use mkns::traffic::{Injection, Lengths, Pattern, Traffic};

/// Compares `cycles` cycles of a network; returns the number of packets.
fn compare(notation: &str, traffic: &Traffic, cycles: u64) -> usize {
    let plan = plan(notation);
    let models = quick_models(&render_sources(&plan));
    let of_rtl = deliveries_of_rtl(&plan, &models, traffic, cycles, &Silent);
    let of_rtl = of_rtl.unwrap_or_else(|error| match error {
        SessionError::Failed(failure) => panic!("{notation}: {failure}"),
        SessionError::Simulator(error) => panic!("{notation}: {error}"),
    });
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
