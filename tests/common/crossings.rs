//! Ways between the clocks of an elaborated design: every register that takes something of another clock's registers.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use super::netlist_graph::{Graph, Kind, Register};

/// A register of one clock that a register of another takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crossing {
    pub from: usize,
    pub to: usize,
}

/// A design and the ways between its clocks.
pub struct Crossings {
    graph: Graph,
    /// Nets that each register takes, and those of its data.
    taken: HashMap<usize, Vec<usize>>,
    data: HashMap<usize, usize>,
    pub all: BTreeSet<Crossing>,
}

/// First registers of synchronizers, by module and name.
const FIRST_STAGES: [(&str, &str); 4] = [
    ("link_synchronizer", "stage_1"),
    ("bit_synchroniser", "level_1"),
    ("axis_async_fifo", "write_gray_m_1"),
    ("axis_async_fifo", "read_gray_s_1"),
];

/// Registers that are still while another clock reads them.
const HELD: [(&str, &str); 6] = [
    ("link_box", "box_word"),
    ("link_memory", "memory"),
    ("link_messages", "memory"),
    ("axis_async_fifo", "memory"),
    ("link_registers", "expected_peer"),
    ("link_registers", "reg_index"),
];

impl Crossings {
    pub fn of(sources: &[(String, String)], top: &str) -> Self {
        let graph = Graph::of(sources, top);
        let (taken, data) = taken(&graph);
        let mut crossings = Self {
            graph,
            taken,
            data,
            all: BTreeSet::new(),
        };
        crossings.all = crossings.find();
        crossings
    }

    /// What is wrong with the ways themselves: none may lead anywhere but to a synchronizer, unless the word is held; and
    /// there is no logic in front of a synchronizer.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for crossing in &self.all {
            let (from, to) = (self.register(crossing.from), self.register(crossing.to));
            if !is_one_of(&FIRST_STAGES, to) && !is_one_of(&HELD, from) {
                let (from, to) = (self.name(crossing.from), self.name(crossing.to));
                faults.push(format!("no synchronizer between {from} and {to}"));
            }
        }
        for (number, register) in self.graph.registers.iter().enumerate() {
            if is_one_of(&FIRST_STAGES, register) && self.has_logic(number) {
                faults.push(format!("logic in front of {}", self.name(number)));
            }
        }
        faults
    }

    /// Bits of a Gray code: ways to a synchronizer with several bits.
    pub fn is_gray(&self, crossing: &Crossing) -> bool {
        let to = self.register(crossing.to);
        let same = |other: &Register| other.path == to.path && other.name == to.name;
        let is_wide = || {
            self.graph
                .registers
                .iter()
                .filter(|other| same(other))
                .count()
                > 1
        };
        is_one_of(&FIRST_STAGES, to) && is_wide()
    }

    pub fn is_of_memory(&self, crossing: &Crossing) -> bool {
        self.register(crossing.from).is_memory
    }

    pub fn is_first_stage(&self, number: usize) -> bool {
        is_one_of(&FIRST_STAGES, self.register(number))
    }

    pub fn register(&self, number: usize) -> &Register {
        &self.graph.registers[number]
    }

    /// Registers of the same clock that this one takes.
    pub fn sources_in_its_clock(&self, number: usize) -> HashSet<usize> {
        let clock = self.register(number).clock;
        let sources = self.sources(&self.taken[&number]);
        let same = sources
            .into_iter()
            .filter(|&from| self.register(from).clock == clock);
        same.collect()
    }

    /// Path, name and bit of a register.
    pub fn name(&self, number: usize) -> String {
        let register = self.register(number);
        let bit = register
            .bit
            .map(|bit| format!("[{bit}]"))
            .unwrap_or_default();
        format!("{}/{}{bit}", register.path, register.name)
    }

    /// Instances and registers as tests/data/crossing_stubs.tcl reads them.
    pub fn listed(&self) -> String {
        let mut lines = String::new();
        for (path, module) in &self.graph.instances {
            let _ = writeln!(lines, "instance {path} {module}");
        }
        for (number, register) in self.graph.registers.iter().enumerate() {
            let kind = if register.is_memory {
                "memory"
            } else {
                "register"
            };
            let bit = register.bit.map_or("-".to_owned(), |bit| bit.to_string());
            let Register { path, name, .. } = register;
            let _ = writeln!(lines, "{kind} {number} {path} {name} {bit}");
        }
        lines
    }

    fn find(&self) -> BTreeSet<Crossing> {
        let clocks = clocks(&self.graph);
        let mut all = BTreeSet::new();
        for (&to, nets) in &self.taken {
            let own = self.register(to).clock;
            let is_foreign = |net: &usize| {
                clocks
                    .get(net)
                    .is_some_and(|set| set.iter().any(|clock| *clock != own))
            };
            let nets: Vec<usize> = nets.iter().copied().filter(is_foreign).collect();
            let sources = self.sources(&nets).into_iter();
            let foreign = sources.filter(|&from| self.register(from).clock != own);
            all.extend(foreign.map(|from| Crossing { from, to }));
        }
        all
    }

    /// Registers that these nets depend on.
    fn sources(&self, nets: &[usize]) -> HashSet<usize> {
        let mut found = HashSet::new();
        let mut seen = HashSet::new();
        let mut pending = nets.to_vec();
        while let Some(net) = pending.pop() {
            if !seen.insert(net) {
                continue;
            }
            let Some(&(cell, bit)) = self.graph.drivers.get(&net) else {
                continue;
            };
            match &self.graph.cells[cell].kind {
                Kind::State(registers) => drop(found.insert(registers[bit])),
                Kind::Block(register) => drop(found.insert(*register)),
                Kind::Foreign => {}
                kind => {
                    if let Kind::ReadPort(memory) = kind {
                        found.insert(*memory);
                    }
                    pending.extend(inputs_of(&self.graph, cell, bit));
                }
            }
        }
        found
    }

    /// Whether the data of a register comes through more than inverters.
    fn has_logic(&self, number: usize) -> bool {
        let mut pending: Vec<usize> = self.data.get(&number).copied().into_iter().collect();
        while let Some(net) = pending.pop() {
            let Some(&(cell, bit)) = self.graph.drivers.get(&net) else {
                continue;
            };
            match self.graph.cells[cell].kind {
                Kind::State(_) | Kind::Block(_) | Kind::Foreign => {}
                Kind::Inverter => pending.extend(inputs_of(&self.graph, cell, bit)),
                _ => return true,
            }
        }
        false
    }
}

fn is_one_of(list: &[(&str, &str)], register: &Register) -> bool {
    list.contains(&(register.module.as_str(), register.name.as_str()))
}

/// Nets that an output bit depends on.
fn inputs_of(graph: &Graph, cell: usize, bit: usize) -> Vec<usize> {
    let cell = &graph.cells[cell];
    let is_bitwise = matches!(cell.kind, Kind::Bitwise | Kind::Inverter);
    let inputs = cell
        .inputs
        .iter()
        .flat_map(|(port, bits)| match is_bitwise && port != "S" {
            // What is shorter goes on with its highest bit.
            true => &bits[bit.min(bits.len() - 1)..=bit.min(bits.len() - 1)],
            false => &bits[..],
        });
    inputs.copied().flatten().collect()
}

/// Nets that each register takes, and that of its data.
fn taken(graph: &Graph) -> (HashMap<usize, Vec<usize>>, HashMap<usize, usize>) {
    let mut taken: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut data = HashMap::new();
    for cell in &graph.cells {
        let registers = match &cell.kind {
            Kind::State(registers) => registers,
            Kind::Block(register) => &vec![*register],
            _ => continue,
        };
        for (bit, &register) in registers.iter().enumerate() {
            let nets = taken.entry(register).or_default();
            for (port, bits) in &cell.inputs {
                match port.as_str() {
                    "D" => {
                        data.extend(bits[bit].map(|net| (register, net)));
                        nets.extend(bits[bit]);
                    }
                    _ => nets.extend(bits.iter().copied().flatten()),
                }
            }
        }
    }
    (taken, data)
}

/// Clocks of the registers that each net depends on.
fn clocks(graph: &Graph) -> HashMap<usize, BTreeSet<usize>> {
    let mut outputs: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for (&net, &(cell, bit)) in &graph.drivers {
        outputs.entry(cell).or_default().push((net, bit));
    }
    let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, cell) in graph.cells.iter().enumerate() {
        let nets = cell.inputs.iter().flat_map(|(_, bits)| bits).flatten();
        for net in nets {
            readers.entry(*net).or_default().push(number);
        }
    }
    let mut clocks: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    let mut pending: Vec<usize> = (0..graph.cells.len()).collect();
    while let Some(number) = pending.pop() {
        for &(net, bit) in outputs.get(&number).into_iter().flatten() {
            let set: BTreeSet<usize> = match &graph.cells[number].kind {
                Kind::State(registers) => [graph.registers[registers[bit]].clock].into(),
                Kind::Block(register) => [graph.registers[*register].clock].into(),
                Kind::Foreign => BTreeSet::new(),
                kind => {
                    let inputs = inputs_of(graph, number, bit);
                    let inputs = inputs.iter().filter_map(|net| clocks.get(net));
                    let memory = match kind {
                        Kind::ReadPort(memory) => Some(graph.registers[*memory].clock),
                        _ => None,
                    };
                    inputs.flatten().copied().chain(memory).collect()
                }
            };
            if !set.is_empty() && clocks.get(&net) != Some(&set) {
                clocks.insert(net, set);
                pending.extend(readers.get(&net).into_iter().flatten());
            }
        }
    }
    clocks
}
