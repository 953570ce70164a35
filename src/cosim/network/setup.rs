//! What is written into the blocks of a network before traffic, and read from them afterwards, all
//! through their control ports.

use crate::lockstep::Group;
use crate::stimulus::{ControlMaster, ReadBack, Write};
use mkns_contract::address::{self, ERRORS, core_counter, pcie_counter};
use mkns_contract::configuration;
use mkns_contract::counter::{DROPS, FAULTS, PACKETS_IN, PACKETS_OUT, TIMEOUT_DROPS, UNREACHABLE};
use mkns_design::Plan;
use mkns_manage::configuration_with;
use mkns_random::Random;

use super::group_slot::GroupSlot;

/// One control master a block.
#[derive(Debug)]
pub struct Masters {
    masters: Vec<ControlMaster>,
    random: Random,
    /// The read that was answered last, for who waits for it.
    pub answer: Option<ReadBack>,
}

/// What the blocks say after the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Readings {
    pub packets_in: u64,
    pub packets_out: u64,
    /// Packets that cores dropped, all causes.
    pub dropped: u64,
    /// Packets handed over with tuser.
    pub faulty: u64,
    pub timeout_drops: u64,
    /// Packets that blocks did not let in, because no layer leads to their destination.
    pub unreachable: u64,
    /// The first block that saw an error, and its error bits.
    pub errors: Option<(usize, u32)>,
}

impl Masters {
    /// Masters with nothing to do.
    pub fn new(plan: &Plan) -> Self {
        let masters = plan.instances.iter().map(|_| ControlMaster::default());
        Self {
            masters: masters.collect(),
            random: Random::new(0),
            answer: None,
        }
    }

    /// Queues the writes of all peers of serial links, tables, step bits, masks, entry channels and node addresses.
    pub fn write_configuration(&mut self, plan: &Plan) {
        let index = plan.network.index();
        for (master, instance) in self.masters.iter_mut().zip(&plan.instances) {
            let module = &plan.modules[instance.module];
            let choice = instance.layer_choice.as_ref();
            let choice = choice.map(|choice| (&choice.masks[..], &choice.entry_channels[..]));
            let routes = configuration(module, &instance.tables, choice);
            let routes = routes.map(|(target, value)| (target.address(), value));
            for (address, value) in configuration_with(plan, &index, instance.block, routes) {
                master.write(Write::new(address, value));
            }
        }
    }

    /// Queues the reads of error bits and packet counters, with `losses` also of those of drops and
    /// faults.
    pub fn read_totals(&mut self, plan: &Plan, losses: bool) {
        for (master, instance) in self.masters.iter_mut().zip(&plan.instances) {
            let module = &plan.modules[instance.module];
            master.read(ERRORS);
            for port in 0..module.pcie_ports {
                master.read(pcie_counter(port, PACKETS_IN));
                master.read(pcie_counter(port, PACKETS_OUT));
            }
            if !losses {
                continue;
            }
            for port in 0..module.core_ports() {
                DROPS.for_each(|counter| master.read(core_counter(port, counter)));
            }
            for port in 0..module.pcie_ports {
                FAULTS.for_each(|counter| master.read(pcie_counter(port, counter)));
                master.read(pcie_counter(port, TIMEOUT_DROPS));
                if module.masks.is_some() {
                    master.read(pcie_counter(port, UNREACHABLE));
                }
            }
        }
    }

    /// The master of a block.
    pub fn of(&mut self, block: usize) -> &mut ControlMaster {
        &mut self.masters[block]
    }

    /// Sets the control pins of all blocks.
    pub fn drive(&mut self, places: &[GroupSlot], groups: &mut [Group]) {
        for (master, place) in self.masters.iter_mut().zip(places) {
            let group = &mut groups[place.group];
            let (pins, inputs) = group.pins_and_inputs(place.instance);
            master.drive(pins, 0, &mut self.random, inputs);
        }
    }

    /// Takes the control outputs of all blocks.
    pub fn observe(&mut self, places: &[GroupSlot], groups: &[Group], readings: &mut Readings) {
        for (block, (master, place)) in self.masters.iter_mut().zip(places).enumerate() {
            let group = &groups[place.group];
            master.observe(&group.pins, group.outputs_of(place.instance));
            let Some(read) = master.finished_read() else {
                continue;
            };
            self.answer = Some(read);
            let counter = (read.address & 0x3f) / 4;
            let count = u64::from(read.data);
            match read.address & !0xfff {
                address::CORE_COUNTERS if DROPS.contains(&counter) => readings.dropped += count,
                address::PCIE_COUNTERS if counter == PACKETS_IN => readings.packets_in += count,
                address::PCIE_COUNTERS if counter == PACKETS_OUT => readings.packets_out += count,
                address::PCIE_COUNTERS if FAULTS.contains(&counter) => readings.faulty += count,
                address::PCIE_COUNTERS if counter == TIMEOUT_DROPS => {
                    readings.timeout_drops += count
                }
                address::PCIE_COUNTERS if counter == UNREACHABLE => readings.unreachable += count,
                _ if read.address == ERRORS && read.data != 0 => {
                    readings.errors.get_or_insert((block, read.data));
                }
                _ => {}
            }
        }
    }

    /// Nothing left to do.
    pub fn idle(&self) -> bool {
        self.masters.iter().all(ControlMaster::idle)
    }

    /// The first block that refused a write.
    pub fn refused(&self) -> Option<usize> {
        self.masters
            .iter()
            .position(|master| master.refused_writes > 0)
    }
}
