//! How a network says what went wrong: the block, the port, the packet and the cycle.

use super::RunningNetwork;
use crate::lockstep::Difference;
use crate::mismatch::{Failure, FailureKind};
use crate::network::protocol_violation::{ProtocolViolation, ViolationKind};
use crate::open_packets::OnWire;
use crate::port_signal::PinGroup;
use mkns_topology::BlockId;

impl RunningNetwork<'_> {
    pub(super) fn lost(&self) -> Box<Failure> {
        let (block, note) = match self.board.flows.first_missing() {
            Some(packet) => (
                self.plan.network.hosts[packet.destination as usize].block.0 as usize,
                format!(
                    "{} packets are lost, the first is number {} from host {} to host {}",
                    self.board.flows.missing(),
                    packet.sequence,
                    packet.source,
                    packet.destination
                ),
            ),
            None => {
                let missing = self.cables.credits_in_use();
                (0, format!("{missing} credits do not return"))
            }
        };
        self.failure(FailureKind::Scoreboard, block, note)
    }

    pub(super) fn protocol_violation(&self, fault: ProtocolViolation) -> Box<Failure> {
        let what = match fault.kind {
            ViolationKind::NoCredit => "sends a flit without a credit",
            ViolationKind::StrayCredit => "is given a credit that it has not spent",
            ViolationKind::LateFlit => "sends a flit although its link has been down for 15 cycles",
        };
        let note = format!("port {} {what} on channel {}", fault.port, fault.channel);
        self.failure(FailureKind::Contract, fault.block.0 as usize, note)
    }

    pub(super) fn divergence(&mut self, number: usize, difference: Difference) -> Box<Failure> {
        let id = self.partitions[number].blocks[difference.instance];
        let block = self.plan.network.block(id);
        let group = &self.groups[number];
        let identify = |wire: &OnWire| self.board.identify(wire);
        let wires = self.cables.wires(id.0 as usize);
        let mut failure = wires.divergence(group, difference, self.cycle, &block.name, identify);
        if let Some(single) = &self.single {
            failure.state = single.describe(id);
            if let Some(PinGroup::Host(port)) = failure.block_port {
                let host = id.0 as usize * group.pins.hosts + port;
                failure.note = format!("host port of host {host}");
            }
        }
        failure
    }

    pub(super) fn failure(&self, kind: FailureKind, block: usize, note: String) -> Box<Failure> {
        let place = self.places[block];
        let name = &self.plan.network.blocks[block].name;
        let mut failure = Failure::sentence(kind, name, self.cycle, note);
        failure.state = match &self.single {
            Some(single) => single.describe(BlockId(block as u32)),
            None => self.groups[place.group].describe(place.instance),
        };
        failure
    }
}
