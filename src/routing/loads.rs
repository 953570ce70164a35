//! What routes make of uniform traffic: how many pairs of adapter blocks each cable carries, and the load of hosts at
//! which the busiest cable is full.

use crate::Routing;
use crate::flat::{Decision, FlatTables, Slot};
use mkns_spec::NetworkSpec;
use mkns_topology::Network;
use rayon::prelude::*;

/// Routes of a network under uniform traffic, every adapter block sending as much to every other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniformLoads {
    /// Cables on the way from one adapter block to another, the mean of all ordered pairs.
    pub mean_cables: f64,
    /// Ordered pairs of adapter blocks over the busiest direction of a cable.
    pub busiest: u64,
}

impl UniformLoads {
    /// Of the first layer; the routes must have passed `verify`.
    pub fn of(spec: &NetworkSpec, network: &Network, routing: &Routing) -> Self {
        let index = network.index();
        let flat = FlatTables::new(&index, network, routing, spec);
        let nodes = network.adapters().len();
        let none = || vec![0_u64; index.slots()];
        let carried = (0..nodes)
            .into_par_iter()
            .fold(none, |mut carried, destination| {
                let address = routing.layout.address_of_node(destination as u32);
                let out = |block| match flat.decide(block, 0, address) {
                    Decision::Forward(slot) => Some((slot, flat.next_block(slot))),
                    Decision::Deliver(_) | Decision::Drop => None,
                };
                // Decided once for all sources whose packets pass the block.
                let out: Vec<Option<(Slot, usize)>> = (0..network.blocks.len()).map(out).collect();
                let sends = |block| block < nodes && block != destination;
                add_ways(&out, sends, &mut carried);
                carried
            });
        let carried = carried.reduce(none, |mut sum, other| {
            sum.iter_mut()
                .zip(other)
                .for_each(|(sum, more)| *sum += more);
            sum
        });
        let pairs = (nodes * (nodes - 1)).max(1);
        Self {
            mean_cables: carried.iter().sum::<u64>() as f64 / pairs as f64,
            busiest: carried.into_iter().max().unwrap_or(0),
        }
    }

    /// Flits per host and cycle at which the busiest cable is full, at most the 1 of a host's own link, when each of
    /// `hosts` sends to all others alike and `per_node` share an adapter block.
    pub fn bound(&self, hosts: usize, per_node: u32) -> f64 {
        let on_busiest = self.busiest * u64::from(per_node).pow(2);
        let others = hosts.saturating_sub(1) as f64;
        (others / on_busiest.max(1) as f64).min(1.0)
    }
}

/// Adds one way from every block that sends along the ways out of blocks, which form no circle. A block is looked at when
/// all that comes into it is known.
fn add_ways(out: &[Option<(Slot, usize)>], sends: impl Fn(usize) -> bool, carried: &mut [u64]) {
    let mut awaited = vec![0_u32; out.len()];
    for (_, next) in out.iter().flatten() {
        awaited[*next] += 1;
    }
    let mut passing: Vec<u64> = (0..out.len())
        .map(|block| u64::from(sends(block)))
        .collect();
    let mut ready: Vec<usize> = (0..out.len())
        .filter(|&block| awaited[block] == 0)
        .collect();
    while let Some(block) = ready.pop() {
        let Some((slot, next)) = out[block] else {
            continue;
        };
        carried[slot as usize] += passing[block];
        passing[next] += passing[block];
        awaited[next] -= 1;
        if awaited[next] == 0 {
            ready.push(next);
        }
    }
}
