//! A master at every control port: reads of all registers, writes that clear errors and change tables.

use super::pair::Pair;
use mkns_design::{Pins, Plan, RegisterMap, register_map};
use mkns_random::Random;
use mkns_topology::BlockId;

struct Master {
    block: BlockId,
    pins: Pins,
    map: RegisterMap,
    /// araddr, awaddr and wdata are held until they are taken.
    reading: bool,
    writing: bool,
}

pub struct Controllers {
    masters: Vec<Master>,
    /// Chances of 100 in a cycle that a master that is idle begins.
    rate: u64,
    /// Tables and node addresses are written, too.
    pub changes_routes: bool,
}

impl Controllers {
    pub fn new(plan: &Plan, random: &mut Random) -> Self {
        let master = |instance: &mkns_design::BlockInstance| {
            let module = &plan.modules[instance.module];
            Master {
                block: instance.block,
                pins: Pins::new(module),
                map: register_map(module),
                reading: false,
                writing: false,
            }
        };
        Self {
            masters: plan.instances.iter().map(master).collect(),
            rate: [0, 1, 20][random.below(3) as usize],
            changes_routes: random.below(4) == 0,
        }
    }

    pub fn drive(&mut self, pair: &mut Pair, random: &mut Random) {
        for master in &mut self.masters {
            let at = master.pins.control_in;
            let block = master.block;
            if !master.reading && random.below(100) < self.rate {
                master.reading = true;
                pair.set(block, at.araddr, 0, 20, master.readable(random));
            }
            if !master.writing && random.below(100) < self.rate {
                master.writing = true;
                let (address, data) = master.writable(random, self.changes_routes);
                pair.set(block, at.awaddr, 0, 20, address);
                pair.set(block, at.wdata, 0, 32, data);
                let strobe = if random.below(8) == 0 { 7 } else { 15 };
                pair.set(block, at.wstrb, 0, 4, strobe);
            }
            pair.set(block, at.arvalid, 0, 1, u64::from(master.reading));
            pair.set(block, at.awvalid, 0, 1, u64::from(master.writing));
            pair.set(block, at.wvalid, 0, 1, u64::from(master.writing));
            pair.set(block, at.bready, 0, 1, random.below(2));
            pair.set(block, at.rready, 0, 1, random.below(2));
        }
    }

    pub fn observe(&mut self, pair: &Pair) {
        for master in &mut self.masters {
            let at = master.pins.control_out;
            master.reading &= pair.get(master.block, at.arready, 0, 1) == 0;
            master.writing &= pair.get(master.block, at.awready, 0, 1) == 0;
        }
    }
}

impl Master {
    /// A register, a counter or anything.
    fn readable(&self, random: &mut Random) -> u64 {
        match random.below(4) {
            0 => {
                let registers = &self.map.registers;
                let register = &registers[random.below(registers.len() as u64) as usize];
                u64::from(register.address) + 4 * random.below(u64::from(register.count))
            }
            1 | 2 => {
                let groups = &self.map.counters;
                let group = &groups[random.below(groups.len() as u64) as usize];
                let port = random.below(u64::from(group.count));
                let counter = random.below(group.counters.len() as u64);
                u64::from(group.address) + 0x40 * port + 4 * counter
            }
            _ => match &self.map.masks {
                Some(masks) if random.below(2) == 0 => {
                    u64::from(masks.address) + 4 * random.below(u64::from(masks.entries))
                }
                _ => random.below(1 << 20),
            },
        }
    }

    /// ERRORS, a table's entry, the node address or a register that cannot be written.
    fn writable(&self, random: &mut Random, tables: bool) -> (u64, u64) {
        const NODE_ADDRESS: u64 = 0x10;
        const ERRORS: u64 = 0x18;
        const LAYER_ENTRY: u64 = 0x4000;
        let windows = &self.map.tables;
        if tables && !windows.is_empty() && random.below(20) == 0 {
            let window = &windows[random.below(windows.len() as u64) as usize];
            let index = random.below(u64::from(window.entries));
            // An output and its alternate, mostly valid ones; packets may turn at them or not.
            let ports = random.below(8) | random.below(8) << 8;
            let entry = 1 << 6 | ports | random.below(2) << 7 | random.below(2) << 13;
            return (u64::from(window.address) + 4 * index, entry);
        }
        if let Some(masks) = self.map.masks.as_ref().filter(|_| tables) {
            match random.below(20) {
                0..=2 => {
                    let index = random.below(u64::from(masks.entries));
                    return (u64::from(masks.address) + 4 * index, random.below(256));
                }
                3 => return (LAYER_ENTRY + 4 * random.below(8), random.below(8)),
                _ => {}
            }
        }
        if tables && random.below(20) == 0 {
            return (NODE_ADDRESS, random.below(1 << 20));
        }
        match random.below(3) {
            0 => (random.below(4) * 4, random.below(1 << 32)),
            _ => (ERRORS, random.below(256)),
        }
    }
}
