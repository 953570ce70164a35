//! All blocks of a network with cables and scoreboard, moved on cycle by cycle: reset, configuration
//! through the control ports, and one cycle with hosts.

mod audit;
mod control_ports;
mod exercise;
mod failures;
mod fault_injection;
mod fault_injector;
mod flooded;
mod in_band;
mod managed;
mod outside;
mod serial;

use super::group_slot::places;

use super::attached_hosts::AttachedHosts;
use super::network_cables::NetworkCables;
use super::scoreboard::Scoreboard;
use super::serial_cables::set_block_number;
use super::setup::{Masters, Readings};
use super::single_model::SingleModel;
use super::worker_pool::{Partition, WorkerPool, partitions};
use super::{GroupSlot, Pair};
use crate::block::UNKNOWN;
use crate::lockstep::{Difference, Group};
use crate::mismatch::{Failure, FailureKind};
use fault_injector::FaultInjector;
use mkns_contract::address::UNNUMBERED;
use mkns_design::Plan;
use mkns_topology::BlockId;

/// Cycles within which the last packet has to arrive after the last one was sent, per block on the
/// way far more than any queue holds.
const DRAIN: u64 = 200_000;
/// Cycles of reset at the start.
const RESET: u64 = 3;
/// Where there are link ports.
const LINK_RESET: u64 = 16;

/// What a group shows after a cycle.
enum Finding {
    /// The number of the group, and where it differs.
    Difference(usize, Difference),
    /// An assertion of the RTL.
    Stop(String),
}

/// All blocks, cables and the scoreboard.
pub struct RunningNetwork<'a> {
    plan: &'a Plan,
    pub groups: Vec<Group>,
    /// Place of each block.
    pub places: Vec<GroupSlot>,
    /// Whose blocks each group has.
    partitions: Vec<Partition>,
    worker_pool: WorkerPool,
    cables: NetworkCables,
    board: Scoreboard,
    masters: Masters,
    readings: Readings,
    /// All blocks in one model; none when each group has its own devices. The links between groups
    /// then carry what the golden blocks send.
    single: Option<&'a mut SingleModel>,
    fault_injector: Option<FaultInjector>,
    pub cycle: u64,
}

impl<'a> RunningNetwork<'a> {
    pub fn new(
        plan: &'a Plan,
        partitions: Vec<Partition>,
        group: &mut dyn FnMut(usize, &[BlockId]) -> Group,
        single: Option<&'a mut SingleModel>,
    ) -> Self {
        let places = places(plan, &partitions);
        let mut groups: Vec<Group> = (partitions.iter())
            .map(|partition| group(partition.module, &partition.blocks))
            .collect();
        let beat_bytes = plan.spec.block.pcie_bits / 8;
        let mut cables = NetworkCables::new(plan, &places, &mut groups);
        for (number, cable) in plan.network.cables.iter().enumerate() {
            if !plan.faults.cable_works(&plan.network, number as u32) {
                cables.set_cable_up(cable, false, &mut groups);
            }
        }
        Self {
            cables,
            board: Scoreboard::of(plan, beat_bytes),
            masters: Masters::new(plan),
            readings: Readings::default(),
            single,
            fault_injector: None,
            plan,
            groups,
            places,
            worker_pool: WorkerPool::new(&partitions),
            partitions,
            cycle: 0,
        }
    }

    /// A network of single blocks after reset, its tables written; `devices` makes the two sides for
    /// blocks of a module, `threads` clock them.
    pub fn configured(
        plan: &'a Plan,
        threads: usize,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Self, Box<Failure>> {
        let mut network = Self::unconfigured(plan, threads, devices, false)?;
        network.configure()?;
        network.raise_links()?;
        Ok(network)
    }

    /// A network of single blocks after reset, with nothing but its links: no board has the number of its block.
    pub fn powered_up(
        plan: &'a Plan,
        threads: usize,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Self, Box<Failure>> {
        let mut network = Self::unconfigured(plan, threads, devices, true)?;
        network.raise_links()?;
        Ok(network)
    }

    fn unconfigured(
        plan: &'a Plan,
        threads: usize,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        is_unnumbered: bool,
    ) -> Result<Self, Box<Failure>> {
        let mut group = |module: usize, blocks: &[BlockId]| {
            let pair = devices(module, blocks);
            Group::new(&plan.modules[module], blocks.len(), pair.rtl, pair.golden)
        };
        let mut network = RunningNetwork::new(plan, partitions(plan, threads), &mut group, None);
        for place in network.places.iter().filter(|_| is_unnumbered) {
            set_block_number(place, UNNUMBERED.into(), &mut network.groups);
        }
        network.reset()?;
        Ok(network)
    }

    pub fn reset(&mut self) -> Result<(), Box<Failure>> {
        let last = match self.cables.serial.is_empty() {
            true => RESET,
            false => LINK_RESET,
        };
        for cycle in 0..=last {
            for group in &mut self.groups {
                let rst = group.pins.rst;
                for instance in 0..group.count {
                    group.inputs_of(instance)[rst] = u64::from(cycle < last);
                }
            }
            if cycle < last {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Tables, step bits and node addresses through the control ports.
    fn configure(&mut self) -> Result<(), Box<Failure>> {
        self.masters.write_configuration(self.plan);
        self.control()?;
        match self.masters.refused() {
            None => Ok(()),
            Some(block) => Err(self.failure(
                FailureKind::Contract,
                block,
                "the block refuses a write of its tables, step bits or node address".to_owned(),
            )),
        }
    }

    /// Lets the control masters finish what is queued.
    fn control(&mut self) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        while !self.masters.idle() {
            self.masters.drive(&self.places, &mut self.groups);
            self.step()?;
            self.masters
                .observe(&self.places, &self.groups, &mut self.readings);
            self.transfer()?;
            if self.cycle > patience {
                let note = "a control port does not answer".to_owned();
                return Err(self.failure(FailureKind::Contract, 0, note));
            }
        }
        // One more drive takes the last valid and ready off the pins.
        self.masters.drive(&self.places, &mut self.groups);
        Ok(())
    }

    /// One cycle with hosts.
    fn traffic(&mut self, hosts: &mut dyn AttachedHosts, inject: bool) -> Result<(), Box<Failure>> {
        hosts.drive(self.cycle, inject, &mut self.groups, &mut self.board);
        self.fail_now(hosts.failing());
        self.drive_faults();
        if let Some(fault_injector) = &mut self.fault_injector {
            hosts.silence(&std::mem::take(&mut fault_injector.silenced));
        }
        self.step()?;
        self.observe_control_traffic();
        if self.single.is_some() {
            self.note_beats();
        }
        hosts
            .observe(self.cycle, &mut self.groups, &mut self.board)
            .map_err(|(host, note)| {
                let block = self.plan.network.hosts[host as usize].block.0 as usize;
                self.failure(FailureKind::Scoreboard, block, note)
            })?;
        self.transfer()
    }

    /// Keeps track of the packets that hosts receive, for the report of a difference.
    fn note_beats(&mut self) {
        for (block, place) in self.places.iter().enumerate() {
            let group = &self.groups[place.group];
            let first = place.instance * group.pins.input_words;
            let inputs = &group.inputs[first..first + group.pins.input_words];
            let outputs = group.outputs_of(place.instance);
            let wires = self.cables.wires(block);
            wires.observe_hosts(&group.pins, inputs, outputs);
        }
    }

    /// One cycle of all blocks, compared.
    pub fn step(&mut self) -> Result<(), Box<Failure>> {
        let compare = self.cycle >= UNKNOWN;
        if let Some(single) = &mut self.single {
            single.step(&mut self.groups, &self.places);
            if let Some(message) = single.stopped() {
                let mut failure = self.failure(FailureKind::Assertion, 0, message);
                failure.block = self.plan.network.name.clone();
                return Err(failure);
            }
        }
        self.worker_pool.step(&mut self.groups, self.cycle, compare);
        if let Some(failure) = self.first_failure() {
            return Err(failure);
        }
        self.cycle += 1;
        Ok(())
    }

    /// What went wrong in this cycle at the block with the lowest number.
    fn first_failure(&mut self) -> Option<Box<Failure>> {
        let mut found = Vec::new();
        for (number, (group, partition)) in self.groups.iter().zip(&self.partitions).enumerate() {
            if let Some((instance, message)) = group.stopped() {
                found.push((partition.blocks[instance], Finding::Stop(message)));
            } else if let Some(difference) = group.difference {
                let block = partition.blocks[difference.instance];
                found.push((block, Finding::Difference(number, difference)));
            }
        }
        let (block, finding) = found.into_iter().min_by_key(|(block, _)| *block)?;
        Some(match finding {
            Finding::Difference(number, difference) => self.divergence(number, difference),
            Finding::Stop(message) => {
                self.failure(FailureKind::Assertion, block.0 as usize, message)
            }
        })
    }

    pub fn transfer(&mut self) -> Result<(), Box<Failure>> {
        let moved = self.cables.transfer(&mut self.groups);
        moved.map_err(|fault| self.protocol_violation(fault))
    }
}
