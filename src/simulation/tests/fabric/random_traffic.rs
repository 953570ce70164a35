//! Traffic of all kinds that a simulation has.

use mkns_design::Plan;
use mkns_random::Random;
use mkns_traffic::{
    Addresses, Injection, Lengths, Pattern, PlannedPacket, PlannedTraffic, Traffic,
};

/// Random traffic that suits a plan.
pub fn random_traffic(plan: &Plan, random: &mut Random) -> Traffic {
    let block = &plan.spec.block;
    let longest = (8191 / (block.flit_bits / 8) + 1).min(block.max_packet_flits);
    let (one, other) = (length(longest, random), length(longest, random));
    let lengths = match random.below(2) {
        0 => Lengths::Fixed(one),
        _ => Lengths::Between(one.min(other), one.max(other)),
    };
    let pattern = pattern(plan, random);
    let planned = match pattern {
        Pattern::Trace => planned(plan, longest, random),
        _ => PlannedTraffic::new(),
    };
    let injection = match random.below(8) {
        0 => Injection::Bursts {
            packets: [1.0, 2.5, 6.0][random.below(3) as usize],
        },
        1 => Injection::Window {
            packets: [1, 2, 5][random.below(3) as usize],
        },
        _ => Injection::Random,
    };
    Traffic {
        pattern,
        injection,
        lengths,
        load: [0.02, 0.1, 0.3, 0.6, 1.0][random.below(5) as usize],
        seed: random.below(u64::MAX),
        plan: planned,
    }
}

/// Short ones, the longest ones and all others.
fn length(longest: u32, random: &mut Random) -> u32 {
    match random.below(4) {
        0 => longest,
        1 => random.between(1, longest.into()) as u32,
        _ => random.between(1, longest.min(5).into()) as u32,
    }
}

fn pattern(plan: &Plan, random: &mut Random) -> Pattern {
    let host = random.below(plan.network.hosts.len() as u64) as u32;
    let pattern = match random.below(13) {
        0 => Pattern::Permutation,
        1 => Pattern::Transpose,
        2 => Pattern::BitReversal,
        3 => Pattern::BitComplement,
        4 => Pattern::Neighbour,
        5 => Pattern::AllToAll,
        6 => Pattern::Broadcast { root: host },
        7..=9 => Pattern::HotSpot {
            host,
            share: [0.1, 0.5][random.below(2) as usize],
        },
        10 => Pattern::Trace,
        _ => Pattern::Uniform,
    };
    match pattern.suits(plan) {
        true => pattern,
        false => Pattern::Uniform,
    }
}

/// A trace: every host sends now and then, sometimes several packets at once.
fn planned(plan: &Plan, longest: u32, random: &mut Random) -> PlannedTraffic {
    let addresses = Addresses::new(plan);
    let hosts = addresses.hosts();
    let pause = [3, 30, 150][random.below(3) as usize];
    let mut packets = |from: u32| {
        let mut cycle = 0;
        let mut all = Vec::new();
        while all.len() < 200 {
            cycle += random.below(pause);
            let destination = random.below(hosts.into()) as u32;
            if addresses.has_path(from, destination) {
                all.push(PlannedPacket {
                    cycle,
                    destination,
                    flits: length(longest, random),
                });
            }
        }
        all
    };
    (0..hosts).map(&mut packets).collect()
}
