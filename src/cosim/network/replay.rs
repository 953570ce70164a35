//! The traffic of a simulation on the RTL: the same sources, beat by beat, and the cycles in which
//! packets leave.
//!
//! Hosts take every beat at once, as in a simulation. Only traffic that does not react to deliveries
//! can be replayed.

use mkns_design::Plan;
use mkns_simulation::measure::Arrived;
use mkns_topology::BlockId;
use mkns_traffic::Traffic;

use super::{Failure, Pair, RunningNetwork};

/// Traffic to replay.
#[derive(Debug)]
pub struct Replay<'a> {
    pub plan: &'a Plan,
    pub traffic: &'a Traffic,
    pub cycles: u64,
}

impl Replay<'_> {
    /// All packets that hosts take, in the order of cycle, source and destination; `devices` makes
    /// the two sides for the blocks of a module.
    pub fn run(
        &self,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Vec<Arrived>, Box<Failure>> {
        let mut network = RunningNetwork::configured(self.plan, 1, devices)?;
        let (mut hosts, shared) = self.traffic.hosts(self.plan);
        let mut arrived = Vec::new();
        for now in 0..self.cycles {
            for host in &mut hosts {
                let place = network.places[host.at.block.0 as usize];
                let group = &mut network.groups[place.group];
                let (pins, inputs) = group.pins_and_inputs(place.instance);
                host.drive(now, pins, inputs);
            }
            network.step()?;
            for host in &mut hosts {
                let place = network.places[host.at.block.0 as usize];
                let group = &network.groups[place.group];
                if let Some(packet) = host.observe(&group.pins, group.outputs_of(place.instance)) {
                    let header = packet.header;
                    arrived.push(Arrived::new(&shared.addresses, now, host.at.host, header));
                }
            }
            network.transfer()?;
        }
        arrived.sort_unstable();
        Ok(arrived)
    }
}
