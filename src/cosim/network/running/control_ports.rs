//! The control ports of a network under lockstep: each access takes the cycles that AXI4-Lite takes, while hosts send.

use super::RunningNetwork;
use crate::mismatch::Failure;
use crate::network::attached_hosts::AttachedHosts;
use crate::stimulus::Write;
use mkns_manage::Registers;
use mkns_topology::BlockId;

/// The control ports of a network with its hosts.
pub(super) struct ControlPorts<'a, 'b> {
    pub network: &'a mut RunningNetwork<'b>,
    pub hosts: &'a mut dyn AttachedHosts,
    /// Hosts may begin packets.
    pub sending: bool,
}

impl Registers for ControlPorts<'_, '_> {
    type Error = Box<Failure>;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        self.network.masters.answer = None;
        self.network.masters.of(block.0 as usize).read(address);
        loop {
            self.network.traffic(self.hosts, self.sending)?;
            if let Some(answer) = self.network.masters.answer.take() {
                return Ok((answer.response == 0).then_some(answer.data));
            }
        }
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        let number = block.0 as usize;
        let master = self.network.masters.of(number);
        let refused = master.refused_writes;
        master.write(Write::new(address, value));
        while !self.network.masters.of(number).idle() {
            self.network.traffic(self.hosts, self.sending)?;
        }
        Ok(self.network.masters.of(number).refused_writes == refused)
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Self::Error> {
        self.sending = !stop;
        Ok(true)
    }
}
