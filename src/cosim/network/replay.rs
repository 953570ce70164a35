//! The traffic of a simulation on the RTL: the same sources, beat by beat, and the cycles in which
//! packets leave.
//!
//! Hosts take every beat at once, as in a simulation. Only traffic that does not react to deliveries
//! can be replayed.

use mkns_design::Plan;
use mkns_design::{Data, StreamBeat, mask};
use mkns_simulation::measure::Arrived;
use mkns_topology::BlockId;
use mkns_traffic::{Hosts, Source, Traffic};

use super::{Failure, Group, GroupSlot, Pair, RunningNetwork};

/// Traffic to replay.
#[derive(Debug)]
pub struct Replay<'a> {
    pub plan: &'a Plan,
    pub traffic: &'a Traffic,
    pub cycles: u64,
}

/// A source and the packet that its host is receiving.
#[derive(Debug)]
struct ReplayHost {
    host: u32,
    place: GroupSlot,
    port: usize,
    source: Source,
    receiving: Option<u64>,
}

impl Replay<'_> {
    /// All packets that hosts take, in the order of cycle, source and destination; `devices` makes
    /// the two sides for the blocks of a module.
    pub fn run(
        &self,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Vec<Arrived>, Box<Failure>> {
        let mut network = RunningNetwork::configured(self.plan, 1, devices)?;
        let Hosts {
            sources, addresses, ..
        } = self.traffic.hosts(self.plan);
        let terminals = self.plan.network.terminals.iter();
        let mut hosts: Vec<ReplayHost> = terminals
            .zip(sources)
            .map(|(terminal, source)| ReplayHost {
                host: terminal.host,
                place: network.places[terminal.block.0 as usize],
                port: usize::from(terminal.pcie_port),
                source,
                receiving: None,
            })
            .collect();
        let mut arrived = Vec::new();
        for now in 0..self.cycles {
            for host in &mut hosts {
                host.drive(now, &mut network.groups);
            }
            network.step()?;
            for host in &mut hosts {
                if let Some(header) = host.observe(&mut network.groups) {
                    arrived.push(Arrived::new(&addresses, now, host.host, header));
                }
            }
            network.transfer()?;
        }
        arrived.sort_unstable();
        Ok(arrived)
    }
}

impl ReplayHost {
    /// Puts the beat of a cycle on the pins.
    fn drive(&mut self, now: u64, groups: &mut [Group]) {
        let group = &mut groups[self.place.group];
        let beat = self.source.beat(now).map(|beat| StreamBeat {
            data: Data::of(&[beat.word]),
            keep: mask(beat.bytes as usize),
            last: beat.last,
            user: false,
        });
        let (pins, inputs) = group.pins_and_inputs(self.place.instance);
        pins.set_ready(&pins.egress, inputs, self.port, true);
        pins.set_beat(&pins.ingress, inputs, self.port, beat.as_ref());
    }

    /// Takes what is on the pins; the header of a packet that ends.
    fn observe(&mut self, groups: &mut [Group]) -> Option<u64> {
        let group = &mut groups[self.place.group];
        let (pins, inputs) = group.pins_and_inputs(self.place.instance);
        let offered = pins.beat(&pins.ingress, inputs, self.port);
        let pins = &group.pins;
        let outputs = group.outputs_of(self.place.instance);
        if offered.is_some() && outputs[pins.ingress.ready] >> self.port & 1 == 1 {
            self.source.beat_taken();
        }
        let beat = pins.beat(&pins.egress, outputs, self.port)?;
        let header = *self.receiving.get_or_insert(beat.data.low());
        beat.last.then(|| {
            self.receiving = None;
            header
        })
    }
}
