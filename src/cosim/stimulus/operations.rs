//! Which control operations a run performs: random ones under traffic, whole images at rest.
//!
//! Knows the register map's addresses; what they answer is for the golden model to say.

use mkns_contract::BlockModule;
use mkns_contract::address::{self, ERRORS, NODE_ADDRESS};
use mkns_random::Random;

use super::aim::Aim;
use super::control::{ControlMaster, Write};

/// Turns of counters that a read takes when its own comes at once, with some to spare.
const TURNS_OF_A_READ: usize = 8;

/// Masks that are read at rest, and candidates, at most.
const NODES_READ: u32 = 64;

/// Entries of each routing table that are read at rest, at most.
const ENTRIES_READ: usize = 16;

/// Draws control operations for one block module.
#[derive(Debug)]
pub struct Operations {
    readable: Vec<u32>,
    core_ports: u32,
    has_address: bool,
    /// Masks and layers of a block that chooses layers.
    choice: Option<(u32, u32)>,
    /// Entries of the candidate table of an adaptive block.
    candidates: Option<u32>,
    /// Something answers.
    enabled: bool,
    /// Tables and step bits stay as they are.
    configured: bool,
    tables_written: bool,
}

impl Operations {
    /// For a block whose tables hold nothing yet.
    pub fn new(module: &BlockModule) -> Self {
        let core_ports = module.core_ports();
        let mut readable: Vec<u32> = (0..=0x24).step_by(4).collect();
        readable
            .extend((0..core_ports).flat_map(|port| [address::step(port), address::turns(port)]));
        let candidates = module.candidates().map(|nodes| nodes.entries());
        let core_counters = if candidates.is_some() { 12 } else { 9 };
        readable.extend(counters((core_ports, core_counters), module.pcie_ports));
        let nodes = candidates.unwrap_or(0).min(NODES_READ);
        readable.extend((0..nodes).map(address::candidates));
        let layers = module.parameters.layers;
        let choice = (module.masks).map(|masks| (masks.entries(), layers));
        if let Some((masks, layers)) = choice {
            readable.extend((0..layers).map(address::layer_entry));
            readable.extend((0..masks.min(NODES_READ)).map(address::mask));
        } else {
            // Refused.
            readable.extend([address::layer_entry(0), address::mask(0)]);
        }
        Self {
            readable,
            core_ports,
            has_address: module.kind.has_hosts(),
            choice,
            candidates,
            enabled: module.parameters.control_port,
            configured: false,
            tables_written: false,
        }
    }

    /// For a block whose tables hold what they need.
    pub fn keep_configuration(&mut self) {
        self.configured = true;
    }

    /// At rest: new step bits, the first time all tables; `look`: everything is read.
    pub fn configure(
        &mut self,
        look: bool,
        control: &mut ControlMaster,
        aim: &mut Aim,
        random: &mut Random,
    ) {
        if !self.enabled {
            return;
        }
        if look {
            self.readable
                .iter()
                .for_each(|&address| control.read(address));
        }
        if look {
            // Whatever the tables hold by now.
            for table in 0..aim.table_count() {
                (0..aim.depth(table).min(ENTRIES_READ))
                    .for_each(|index| control.read(address::table(table as u32, index as u32)));
            }
        }
        if self.configured {
            return;
        }
        if !self.tables_written {
            self.tables_written = true;
            for table in 0..aim.table_count() {
                for index in 0..aim.depth(table) {
                    self.write_entry(table, index, control, aim, random);
                }
            }
            let nodes = self.candidates.unwrap_or(0);
            (0..nodes).for_each(|node| control.write(candidates_write(node, random)));
            if let Some((masks, layers)) = self.choice {
                (0..masks).for_each(|node| control.write(mask_write(node, random)));
                (0..layers).for_each(|layer| control.write(entry_write(layer, random)));
            }
        }
        let density = *random.pick(&[0, 100, 500]);
        // Blocks without step bits refuse the writes.
        for input in 0..self.core_ports {
            let row = (0..self.core_ports).fold(0, |row, output| {
                row | u32::from(random.chance(density)) << output
            });
            control.write(Write::new(address::step(input), row));
        }
    }

    /// Under traffic: a random register is read as soon as the last one has been.
    pub fn poll(&self, control: &mut ControlMaster, aim: &Aim, random: &mut Random) {
        if self.enabled && control.idle() {
            control.read(self.read_address(aim, random));
        }
    }

    /// Under traffic: one random operation, unless the master is busy enough.
    pub fn queue_one(&self, control: &mut ControlMaster, aim: &mut Aim, random: &mut Random) {
        if !self.enabled || !control.idle() && random.chance(900) {
            return;
        }
        if random.chance(500) {
            control.read(self.read_address(aim, random));
        } else if let Some((masks, layers)) = self.choice
            && random.chance(250)
        {
            // So that a mask is read while one is written; at an odd address there is none to wait for.
            let odd = u32::from(random.chance(250));
            control.read(address::mask(random.below(masks.into()) as u32) + odd);
            control.write(match random.chance(800) {
                true => mask_write(random.below(masks.into()) as u32, random),
                false => entry_write(random.below(layers.into()) as u32, random),
            });
        } else if let Some(nodes) = self.candidates
            && random.chance(250)
        {
            let node = random.below(nodes.into()) as u32;
            control.write(candidates_write(node, random));
        } else if !self.configured && aim.table_count() > 0 && random.chance(650) {
            let table = random.below(aim.table_count() as u64) as usize;
            let index = random.below(aim.depth(table) as u64) as usize;
            self.write_entry(table, index, control, aim, random);
        } else {
            control.write(self.odd_write(aim, random));
        }
    }

    fn read_address(&self, aim: &Aim, random: &mut Random) -> u32 {
        let near = near(*random.pick(&self.readable), random);
        match random.below(26) {
            // Often, or other events hide which one has set a bit.
            22..=25 => ERRORS,
            20..=21 => near,
            0 => random.below(1 << 20) as u32,
            1 => self.readable[0] + random.below(0x40) as u32,
            2 => address::CORE_COUNTERS + 4 * random.below(0x400) as u32,
            3 => address::PCIE_COUNTERS + 4 * random.below(0x400) as u32,
            4 => address::TABLES + 4 * random.below(0x4000) as u32,
            6..=7 if aim.table_count() > 0 => random_table_address(aim, random),
            5 => choice_address(random),
            8 if self.candidates.is_some() => address::CANDIDATES + 4 * random.below(0x1400) as u32,
            _ => *random.pick(&self.readable),
        }
    }

    /// Writes that are refused, or that change something other than a table entry in use. Never the step
    /// bits, which must not change under traffic.
    fn odd_write(&self, aim: &Aim, random: &mut Random) -> Write {
        let data = random.bits() as u32;
        let mut write = match random.below(10) {
            0 if self.has_address => Write::new(NODE_ADDRESS, data),
            0..=2 => Write::new(ERRORS, data & random.bits() as u32),
            3 if self.choice.is_none() && random.chance(500) => {
                Write::new(choice_address(random), data)
            }
            3 => Write::new(4 * random.below(12) as u32, data),
            4 => Write::new(
                address::CORE_COUNTERS + 4 * random.below(0x800) as u32,
                data,
            ),
            5..=6 => Write::new(no_entry(aim, random), data),
            7 => Write::new(near(self.writable(aim, random), random), data),
            _ => Write {
                strobe: random.below(15) as u8,
                ..Write::new(self.writable(aim, random), data)
            },
        };
        if random.chance(60) {
            write.address |= random.between(1, 3) as u32;
        }
        let is_step = write.address >> 12 == address::STEP >> 12;
        let is_table = write.address >= address::TABLES;
        if is_step || is_table && self.configured {
            write.strobe &= 7;
        }
        write
    }

    /// An address that may be written.
    fn writable(&self, aim: &Aim, random: &mut Random) -> u32 {
        match random.below(4) {
            0 => ERRORS,
            1 => NODE_ADDRESS,
            2 if aim.table_count() > 0 => random_table_address(aim, random),
            _ => address::step(random.below(self.core_ports.into()) as u32),
        }
    }

    fn write_entry(
        &self,
        table: usize,
        index: usize,
        control: &mut ControlMaster,
        aim: &mut Aim,
        random: &mut Random,
    ) {
        let entry = aim.random_entry(table, random);
        aim.write(table, index, entry);
        let upper = random.bits() as u32 & 0xffff_0000;
        control.write(Write::new(
            address::table(table as u32, index as u32),
            u32::from(entry) | upper,
        ));
    }
}

/// Any mask, now and then an empty one; bits that no layer has are written, too.
fn mask_write(node: u32, random: &mut Random) -> Write {
    let any = random.bits() as u32;
    let empty = random.chance(100);
    Write::new(address::mask(node), if empty { any & !0xff } else { any })
}

/// Any ports, mostly several; bits above the ports are written, too.
fn candidates_write(node: u32, random: &mut Random) -> Write {
    let any = random.bits() as u32;
    let ports = match random.below(4) {
        0 => any & random.bits() as u32,
        1 => any | random.bits() as u32,
        _ => any,
    };
    Write::new(address::candidates(node), ports)
}

/// Any channel.
fn entry_write(layer: u32, random: &mut Random) -> Write {
    Write::new(address::layer_entry(layer), random.bits() as u32)
}

/// Addresses of all counters, so that each comes soon after the one before when they are read in this order: a
/// read waits for its counter's turn, and takes some cycles from there.
fn counters((core_ports, core_counters): (u32, u32), pcie_ports: u32) -> Vec<u32> {
    let page = |base: u32, ports: u32, count: u32| {
        (0..count).flat_map(move |c| {
            (0..ports).map(move |port| base + address::COUNTER_STRIDE * port + 4 * c)
        })
    };
    let by_turn: Vec<u32> = page(address::CORE_COUNTERS, core_ports, core_counters)
        .chain(page(address::PCIE_COUNTERS, pcie_ports, 14))
        .collect();
    let from = |start: usize| by_turn.iter().copied().skip(start).step_by(TURNS_OF_A_READ);
    (0..TURNS_OF_A_READ).flat_map(from).collect()
}

/// A register of layer choice, of a block that may have none.
fn choice_address(random: &mut Random) -> u32 {
    match random.chance(500) {
        true => address::layer_entry(random.below(16) as u32),
        false => address::mask(random.below(1 << 8) as u32),
    }
}

/// The address with one of its bits changed.
fn near(address: u32, random: &mut Random) -> u32 {
    address ^ 1 << random.below(20)
}

/// The address of an entry of a block that has tables.
fn random_table_address(aim: &Aim, random: &mut Random) -> u32 {
    let table = random.below(aim.table_count() as u64) as usize;
    address::table(table as u32, random.below(aim.depth(table) as u64) as u32)
}

/// An address among those of the tables that is not of an entry: behind the end, or of no table.
fn no_entry(aim: &Aim, random: &mut Random) -> u32 {
    let table = random.below(8) as usize;
    let depth = if table < aim.table_count() {
        aim.depth(table)
    } else {
        0
    };
    let index = match random.chance(500) {
        true => depth,
        false => random.between(depth as u64, 0xfff) as usize,
    };
    address::table(table as u32, index.min(0xfff) as u32)
}
