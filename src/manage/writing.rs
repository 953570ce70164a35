//! How a manager writes: what can change under traffic at once, the rest when hosts have stopped.

use super::ManagerError;
use super::manager::Manager;
use super::route_change::RouteChange;
use super::writes::{take_entry_channels, writes};
use super::{RegisterWrite, Registers, Reroute};
use mkns_contract::address::pcie_counter;
use mkns_contract::counter::{PACKETS_IN, PACKETS_OUT};
use mkns_routing::{Routing, ServedPairs};
use mkns_topology::BlockId;

/// Counters of a PCIe port that stand still when nothing is sent and nothing arrives: packets in, packets out.
const PACKETS: [u32; 2] = [PACKETS_IN, PACKETS_OUT];
/// Readings of all packet counters until hosts that were to stop count as going on.
const READINGS: usize = 1000;

impl Manager {
    /// Nothing has changed but perhaps the hosts, so that what waited for them can be written.
    pub(super) fn retry<R: Registers>(
        &mut self,
        registers: &mut R,
    ) -> Result<Option<RouteChange>, ManagerError<R::Error>> {
        let Some(new) = self.wanted.take() else {
            return Ok(None);
        };
        // In an empty network any order is safe; before, packets may still follow entries that have changed since.
        let mut left = writes(&self.plan, &self.in_use, &new);
        left.retain(|write| self.faults.block_works(write.block));
        let is_done = self.write_drained(&left, &new, registers);
        self.wanted = (!matches!(is_done, Ok(true))).then(|| new.clone());
        if !is_done? {
            return Ok(None);
        }
        take_entry_channels(&mut self.in_use, &new);
        let served = ServedPairs::new(&self.plan.spec, &self.network, &self.faults, &new);
        Ok(Some(RouteChange {
            failed: Vec::new(),
            repaired: Vec::new(),
            writes: left.len(),
            hosts_held: true,
            why_held: None,
            writes_left: 0,
            pairs_without_route: served.working_pairs_without_route(),
            served,
        }))
    }

    /// Writes what can be written now.
    pub(super) fn carry_out<R: Registers>(
        &mut self,
        reroute: &Reroute,
        new: &Routing,
        registers: &mut R,
    ) -> Result<RouteChange, ManagerError<R::Error>> {
        // Whatever ends this early, the rest is not forgotten.
        self.wanted = Some(new.clone());
        self.write_all(&reroute.under_traffic, new, registers)?;
        let held = match &reroute.drain {
            Some(drain) => self.write_drained(&drain.writes, new, registers)?,
            None => false,
        };
        let left = reroute.drain.as_ref().filter(|_| !held);
        let left = left.map_or(0, |drain| drain.writes.len());
        if left == 0 {
            take_entry_channels(&mut self.in_use, new);
            self.wanted = None;
        }
        let served = ServedPairs::new(&self.plan.spec, &self.network, &self.faults, new);
        Ok(RouteChange {
            failed: Vec::new(),
            repaired: Vec::new(),
            writes: reroute.writes().count() - left,
            hosts_held: held,
            why_held: reroute.drain.as_ref().map(|drain| drain.why.clone()),
            writes_left: left,
            pairs_without_route: served.working_pairs_without_route(),
            served,
        })
    }

    /// Writes that need a network without packets; false, and nothing written, when hosts do not stop.
    fn write_drained<R: Registers>(
        &mut self,
        writes: &[RegisterWrite],
        new: &Routing,
        registers: &mut R,
    ) -> Result<bool, ManagerError<R::Error>> {
        if !registers.hold_hosts(true)? {
            return Ok(false);
        }
        let is_empty = self.becomes_empty(registers)?;
        if is_empty {
            self.write_all(writes, new, registers)?;
        }
        registers.hold_hosts(false)?;
        Ok(is_empty)
    }

    fn write_all<R: Registers>(
        &mut self,
        writes: &[RegisterWrite],
        new: &Routing,
        registers: &mut R,
    ) -> Result<(), ManagerError<R::Error>> {
        for write in writes {
            self.write(registers, write.block, write.address, write.value)?;
            write.take(&mut self.in_use, new);
        }
        Ok(())
    }

    pub(super) fn write<R: Registers>(
        &mut self,
        registers: &mut R,
        block: BlockId,
        address: u32,
        value: u32,
    ) -> Result<(), ManagerError<R::Error>> {
        self.ensure_identified(block, registers)?;
        if let Some(audit) = &mut self.audit {
            audit.forget(block, address);
        }
        match registers.write(block, address, value)? {
            true => Ok(()),
            false => Err(ManagerError::Refused {
                block: self.name(block),
                address,
            }),
        }
    }

    /// Waits until no host has sent or received anything between two readings of all packet counters; false when they
    /// go on.
    fn becomes_empty<R: Registers>(&self, registers: &mut R) -> Result<bool, R::Error> {
        let counters_of = |block| {
            let module = self.module(block);
            let ports = (0..module.pcie_ports).filter(|_| module.kind.has_hosts());
            let counters = ports.flat_map(|port| PACKETS.map(|it| pcie_counter(port, it)));
            counters.map(move |address| (block, address))
        };
        let counters: Vec<(BlockId, u32)> =
            self.network.block_ids().flat_map(counters_of).collect();
        let mut before = None;
        for _ in 0..READINGS {
            let now = registers.read_many(&counters)?;
            if before.as_ref() == Some(&now) {
                return Ok(true);
            }
            before = Some(now);
        }
        Ok(false)
    }
}
