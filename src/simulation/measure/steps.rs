//! Steps of a network under traffic: what arrives, what hosts learn of it, the warm-up.

use super::warm_up::{Detector, Finding, PERIOD, WarmUp};
use crate::fabric::{Arrived, Fabric, Stepping};
use crate::ranks::{RankCommunicator, SingleRank};
use crate::switch_core::KeySet;
use mkns_design::{Plan, RouteSource};
use mkns_traffic::{Packet, Traffic};

/// Evaluates an expression with the smallest key sets that fit all blocks of a plan.
macro_rules! with_keys {
    ($plan:expr, $keys:ident => $result:expr) => {
        if $crate::fabric::Fabric::<u32>::fits($plan) {
            type $keys = u32;
            $result
        } else if $crate::fabric::Fabric::<u64>::fits($plan) {
            type $keys = u64;
            $result
        } else {
            type $keys = u128;
            $result
        }
    };
}
pub(crate) use with_keys;

/// All packets that hosts take in the first `cycles` cycles, in the order of cycle, source and
/// destination.
pub fn deliveries(plan: &Plan, traffic: &Traffic, cycles: u64, parts: usize) -> Vec<Arrived> {
    with_keys!(plan, K => all_deliveries::<K>(plan, traffic, cycles, parts))
}

fn all_deliveries<K: KeySet>(
    plan: &Plan,
    traffic: &Traffic,
    cycles: u64,
    parts: usize,
) -> Vec<Arrived> {
    let mut fabric = Fabric::<K>::new(
        plan,
        RouteSource::Tables,
        traffic,
        Stepping::in_parts(parts),
    );
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    let mut unused = Detector::default();
    while fabric.now() < cycles {
        step_on(
            &SingleRank,
            &mut fabric,
            cycles,
            &mut batch,
            |latency, _, _| unused.add(latency),
        );
        all.extend(&batch);
    }
    all.sort_unstable();
    all
}

/// A batch of cycles on several ranks; tells the latency of every packet that a host of this one had sent.
pub(crate) fn step_on<K: KeySet>(
    ranks: &dyn RankCommunicator,
    fabric: &mut Fabric<K>,
    end: u64,
    deliveries: &mut Vec<Arrived>,
    mut record: impl FnMut(u64, &Packet, &Arrived),
) {
    fabric.step_on(end, ranks, deliveries);
    if fabric.reacts() {
        // They come block by block; hosts react to them in the order of their cycles.
        deliveries.sort_unstable();
    }
    for (place, arrived) in deliveries.iter().enumerate() {
        fabric.prefetch_sources(&deliveries[place..]);
        let packet = fabric
            .delivered(arrived)
            .expect("only packets that were sent arrive");
        if fabric.reacts() {
            // The sender has a place in its window.
            let known = arrived.cycle + fabric.reaction();
            fabric.source_mut(arrived.source).free_window(known);
        }
        record(arrived.cycle - packet.created, &packet, arrived);
    }
    pass_on(fabric);
}

/// Lets a network warm up, which forgets that it was empty; returns whether latencies settled.
pub(crate) fn warm_up_on<K: KeySet>(
    ranks: &dyn RankCommunicator,
    fabric: &mut Fabric<K>,
    until: WarmUp,
) -> bool {
    let mut deliveries = Vec::new();
    let mut detector = Detector::default();
    let mut period_end = PERIOD;
    loop {
        let end = match until {
            WarmUp::Cycles(cycles) if fabric.now() >= cycles => return true,
            WarmUp::Cycles(cycles) => cycles,
            WarmUp::Automatic => period_end,
        };
        step_on(ranks, fabric, end, &mut deliveries, |latency, _, _| {
            detector.add(latency)
        });
        if until == WarmUp::Automatic && fabric.now() == period_end {
            period_end += PERIOD;
            match detector.end_period(ranks) {
                Finding::GoOn => {}
                finding => return finding == Finding::Settled,
            }
        }
    }
}

/// Receivers pass broadcasts on.
fn pass_on<K: KeySet>(fabric: &mut Fabric<K>) {
    for (arrived, flits) in fabric.take_taken() {
        for child in 0..fabric.children_of(arrived.destination).len() {
            let destination = fabric.children_of(arrived.destination)[child];
            let created = arrived.cycle + fabric.reaction();
            fabric.source_mut(arrived.destination).add(Packet {
                destination,
                flits,
                created,
            });
        }
    }
}
