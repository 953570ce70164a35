//! Where the hosts of a network are on the packed words of its groups, and their beats there.

use super::group_slot::GroupSlot;
use crate::lockstep::Group;
use mkns_design::{Plan, StreamBeat};

#[derive(Debug, Clone, Copy)]
struct HostPins {
    place: GroupSlot,
    port: usize,
}

/// The pins of all hosts, by the numbers of the hosts.
#[derive(Debug)]
pub struct AllHostPins {
    hosts: Vec<HostPins>,
    /// Places of the adapter blocks and their first host.
    adapters: Vec<(GroupSlot, u32)>,
}

/// Beats that move in this cycle between an adapter block and its hosts.
#[derive(Debug, Clone, Copy)]
pub struct MovedBeats {
    /// Host at port 0.
    pub first_host: u32,
    /// Ports whose host takes a beat.
    pub taken: u64,
    /// Ports that take a beat of their host.
    pub accepted: u64,
}

impl AllHostPins {
    pub fn new(plan: &Plan, places: &[GroupSlot]) -> Self {
        let attached = &plan.network.hosts;
        let hosts = attached.iter().map(|at| HostPins {
            place: places[at.block.0 as usize],
            port: usize::from(at.pcie_port),
        });
        let first_ports = attached.iter().filter(|at| at.pcie_port == 0);
        Self {
            hosts: hosts.collect(),
            adapters: first_ports
                .map(|at| (places[at.block.0 as usize], at.host))
                .collect(),
        }
    }

    pub fn count(&self) -> usize {
        self.hosts.len()
    }

    pub fn adapters(&self) -> usize {
        self.adapters.len()
    }

    /// What moves at an adapter block, by its number among them.
    pub fn moved(&self, adapter: usize, groups: &mut [Group]) -> MovedBeats {
        let (place, first_host) = self.adapters[adapter];
        let group = &mut groups[place.group];
        let (ingress, egress) = (group.pins.ingress, group.pins.egress);
        let outputs = group.outputs_of(place.instance);
        let (ready, valid) = (outputs[ingress.ready], outputs[egress.valid]);
        let inputs = group.inputs_of(place.instance);
        MovedBeats {
            first_host,
            taken: valid & inputs[egress.ready],
            accepted: ready & inputs[ingress.valid],
        }
    }

    /// A host is ready to take beats, or not.
    pub fn set_ready(&self, host: usize, groups: &mut [Group], ready: bool) {
        let HostPins { place, port } = self.hosts[host];
        let (pins, inputs) = groups[place.group].pins_and_inputs(place.instance);
        pins.set_ready(&pins.egress, inputs, port, ready);
    }

    /// A host offers a beat, or nothing.
    pub fn offer(&self, host: usize, groups: &mut [Group], beat: Option<&StreamBeat>) {
        let HostPins { place, port } = self.hosts[host];
        let (pins, inputs) = groups[place.group].pins_and_inputs(place.instance);
        pins.set_beat(&pins.ingress, inputs, port, beat);
    }

    /// The beat that is offered to a host.
    pub fn offered_to(&self, host: usize, groups: &[Group]) -> Option<StreamBeat> {
        let HostPins { place, port } = self.hosts[host];
        let group = &groups[place.group];
        let pins = &group.pins;
        pins.beat(&pins.egress, group.outputs_of(place.instance), port)
    }
}
