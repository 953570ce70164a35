//! What is written into the blocks of a network before traffic, and read from them afterwards, all
//! through their control ports.

use crate::cosim::lockstep::Group;
use crate::cosim::random::Random;
use crate::cosim::stimulus::{ControlMaster, NODE_ADDRESS, Write, step_address, table_address};
use crate::design::{BlockInstance, Plan};

use super::wiring::Place;

/// Address of the sticky error bits.
const ERRORS: u32 = 0x18;
/// Address of counter `counter` of PCIe port `port`.
fn pcie_counter(port: u32, counter: u32) -> u32 {
    0x3000 + 0x40 * port + 4 * counter
}
const PACKETS_IN: u32 = 0;
const PACKETS_OUT: u32 = 9;

/// One control master a block.
#[derive(Debug)]
pub struct Masters {
    masters: Vec<ControlMaster>,
    random: Random,
}

/// What the blocks say after the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Readings {
    pub packets_in: u64,
    pub packets_out: u64,
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
        }
    }

    /// Queues the writes of all tables, step bits and node addresses.
    pub fn write_configuration(&mut self, plan: &Plan) {
        for (master, instance) in self.masters.iter_mut().zip(&plan.instances) {
            let adapter = plan.modules[instance.module].kind.has_hosts();
            configuration(instance, adapter).for_each(|write| master.write(write));
        }
    }

    /// Queues the reads of error bits and packet counters.
    pub fn read_totals(&mut self, plan: &Plan) {
        for (master, instance) in self.masters.iter_mut().zip(&plan.instances) {
            master.read(ERRORS);
            for port in 0..plan.modules[instance.module].pcie_ports {
                master.read(pcie_counter(port, PACKETS_IN));
                master.read(pcie_counter(port, PACKETS_OUT));
            }
        }
    }

    /// Sets the control pins of all blocks.
    pub fn drive(&mut self, places: &[Place], groups: &mut [Group]) {
        for (master, place) in self.masters.iter_mut().zip(places) {
            let group = &mut groups[place.group];
            let (words, start) = (
                group.pins.input_words,
                place.instance * group.pins.input_words,
            );
            let inputs = &mut group.inputs[start..start + words];
            master.drive(&group.pins, 0, &mut self.random, inputs);
        }
    }

    /// Takes the control outputs of all blocks.
    pub fn observe(&mut self, places: &[Place], groups: &[Group], readings: &mut Readings) {
        for (block, (master, place)) in self.masters.iter_mut().zip(places).enumerate() {
            let group = &groups[place.group];
            master.observe(&group.pins, group.outputs_of(place.instance));
            let Some(read) = master.finished_read() else {
                continue;
            };
            if read.address == ERRORS {
                if read.data != 0 && readings.errors.is_none() {
                    readings.errors = Some((block, read.data));
                }
            } else if read.address & 0x3f == 4 * PACKETS_IN {
                readings.packets_in += u64::from(read.data);
            } else {
                readings.packets_out += u64::from(read.data);
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
            .position(|master| master.refused_writes() > 0)
    }
}

fn configuration(instance: &BlockInstance, adapter: bool) -> impl Iterator<Item = Write> {
    let tables = instance.tables.tables.iter().enumerate();
    let entries = tables.flat_map(|(table, contents)| {
        contents
            .entries
            .iter()
            .enumerate()
            .map(move |(index, entry)| {
                Write::new(table_address(table, index), u32::from(entry.pack()))
            })
    });
    let rows = instance.tables.step.iter().enumerate();
    let steps = rows.map(|(input, row)| {
        let bits = row.iter().enumerate();
        let word = bits.fold(0, |word, (output, &step)| word | u32::from(step) << output);
        Write::new(step_address(input), word)
    });
    let address = adapter.then(|| Write::new(NODE_ADDRESS, instance.node_address));
    entries.chain(steps).chain(address)
}
