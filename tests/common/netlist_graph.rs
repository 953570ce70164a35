//! An elaborated design without hierarchy, as a graph: nets, the cells that drive them, and registers with the path
//! and name that programs of FPGA makers give them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::declared::Declared;
use super::elaborated::Elaborated;

/// A bit of a register, or a memory as a whole.
pub struct Register {
    /// Instances from the top, with `/`; `.` for the top.
    pub path: String,
    /// Module without parameters.
    pub module: String,
    pub name: String,
    /// None where the register is no vector, and for memories.
    pub bit: Option<usize>,
    pub is_memory: bool,
    pub clock: usize,
}

/// What a cell's inputs are for.
pub enum Kind {
    /// Holds these registers, from the lowest output bit up.
    State(Vec<usize>),
    /// Reads the memory of that number without a clock.
    ReadPort(usize),
    /// Every output bit depends on the bits of the same place, and on `S` as a whole.
    Bitwise,
    Inverter,
    Logic,
    /// A module without a source: a core or a cell of the FPGA.
    Foreign,
    /// A block of a network without a source: one register of its clock, which takes all and gives all.
    Block(usize),
}

pub struct Cell {
    pub kind: Kind,
    /// Bits by port, the clock left out for cells with state.
    pub inputs: Vec<(String, Vec<Option<usize>>)>,
}

/// Nets are numbers; those that are one have one number.
#[derive(Default)]
pub struct Graph {
    /// Path and module of every instance.
    pub instances: Vec<(String, String)>,
    pub registers: Vec<Register>,
    pub cells: Vec<Cell>,
    /// By net: the cell and the bit of its output.
    pub drivers: HashMap<usize, (usize, usize)>,
    same: Vec<usize>,
    outputs: Vec<(usize, usize, usize)>,
    memories: HashMap<String, usize>,
    declared: Declared,
}

type Bits = Vec<Option<usize>>;

impl Graph {
    /// The design below `top`.
    pub fn of(sources: &[(String, String)], top: &str) -> Self {
        let design = Elaborated::below(sources, top);
        let mut graph = Self {
            declared: Declared::of(sources),
            ..Self::default()
        };
        graph.instance(design.modules(), top, ".", &mut HashMap::new());
        graph.join();
        graph
    }

    /// Adds a module with its instances; `nets` holds the nets of its ports, by the module's own numbers.
    fn instance(
        &mut self,
        modules: &Map<String, Value>,
        name: &str,
        path: &str,
        nets: &mut HashMap<u64, usize>,
    ) {
        let module = &modules[name];
        let original = module["attributes"]["hdlname"].as_str().unwrap_or(name);
        let original = original.trim_start_matches('\\').to_owned();
        if path != "." {
            self.instances.push((path.to_owned(), original.clone()));
        }
        let names = self.register_names(module, &original);
        let place = (path, original.as_str());
        for cell in module["cells"].as_object().expect("cells").values() {
            if let Some("$memwr_v2") = cell["type"].as_str() {
                self.memory(cell, place, nets);
            }
        }
        for (instance, cell) in module["cells"].as_object().expect("cells") {
            let kind = cell["type"].as_str().expect("a type");
            if modules.contains_key(kind) {
                let path = match path {
                    "." => instance.clone(),
                    _ => format!("{path}/{instance}"),
                };
                let mut inner = self.ports(&modules[kind], cell, nets);
                self.instance(modules, kind, &path, &mut inner);
            } else {
                self.cell(kind, cell, place, &names, nets);
            }
        }
    }

    /// Nets of an instance's ports, by the numbers of its module.
    fn ports(
        &mut self,
        module: &Value,
        cell: &Value,
        nets: &mut HashMap<u64, usize>,
    ) -> HashMap<u64, usize> {
        let mut inner = HashMap::new();
        for (port, about) in module["ports"].as_object().expect("ports") {
            let outside = self.bits(&cell["connections"][port], nets);
            let inside = about["bits"].as_array().into_iter().flatten();
            for (inside, outside) in inside.zip(outside) {
                let (Some(inside), Some(outside)) = (inside.as_u64(), outside) else {
                    continue;
                };
                match inner.get(&inside) {
                    Some(&net) => self.unite(net, outside),
                    None => drop(inner.insert(inside, outside)),
                }
            }
        }
        inner
    }

    /// Nets of a connection; none for constants.
    fn bits(&mut self, connection: &Value, nets: &mut HashMap<u64, usize>) -> Bits {
        let bits = connection.as_array().into_iter().flatten();
        bits.map(|bit| {
            let net = *nets.entry(bit.as_u64()?).or_insert_with(|| {
                self.same.push(self.same.len());
                self.same.len() - 1
            });
            Some(net)
        })
        .collect()
    }

    fn cell(
        &mut self,
        kind: &str,
        cell: &Value,
        place: (&str, &str),
        names: &HashMap<u64, (String, Option<usize>)>,
        nets: &mut HashMap<u64, usize>,
    ) {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        let mut clock = None;
        for (port, connection) in cell["connections"].as_object().expect("connections") {
            let bits = self.bits(connection, nets);
            let is_output = match cell["port_directions"][port].as_str() {
                Some(direction) => direction == "output",
                // Yosys does not know the ports of foreign modules: whatever nothing else drives is an output.
                None => true,
            };
            match port.as_str() {
                "CLK" if kind.contains("dff") || kind == "$memwr_v2" => clock = bits[0],
                "clk" if kind.ends_with("_block") => clock = bits[0],
                _ if is_output => outputs.extend(bits),
                _ => inputs.push((port.clone(), bits)),
            }
        }
        let number = self.cells.len();
        let kind = match kind {
            "$memwr_v2" => Kind::State(vec![self.memories[&memory_path(cell, place.0)]]),
            "$memrd_v2" | "$memrd" => {
                match self.memories.get(&memory_path(cell, place.0)) {
                    Some(&memory) => Kind::ReadPort(memory),
                    // Nothing writes it.
                    None => Kind::Logic,
                }
            }
            _ if kind.contains("dff") => {
                let clock = clock.expect("a clock that is no constant");
                let bits = cell["connections"]["Q"].as_array().expect("an output");
                let registers = bits.iter().map(|bit| {
                    let name = bit.as_u64().and_then(|bit| names.get(&bit)).cloned();
                    let (name, bit) = name.unwrap_or(("$".to_owned(), None));
                    self.registers.push(Register {
                        path: place.0.to_owned(),
                        module: place.1.to_owned(),
                        name,
                        bit,
                        is_memory: false,
                        clock,
                    });
                    self.registers.len() - 1
                });
                Kind::State(registers.collect())
            }
            "$not" => Kind::Inverter,
            "$logic_not" if inputs[0].1.len() == 1 => Kind::Inverter,
            "$and" | "$or" | "$xor" | "$xnor" | "$mux" | "$pos" | "$tribuf" => Kind::Bitwise,
            _ if kind.starts_with('$') => Kind::Logic,
            "adapter_block" | "switch_block" => {
                let bits = outputs.clone();
                inputs.push(("all".to_owned(), bits));
                self.registers.push(Register {
                    path: place.0.to_owned(),
                    module: place.1.to_owned(),
                    name: "block".to_owned(),
                    bit: None,
                    is_memory: false,
                    clock: clock.expect("a clock"),
                });
                Kind::Block(self.registers.len() - 1)
            }
            _ => Kind::Foreign,
        };
        for (bit, net) in outputs.into_iter().enumerate() {
            self.outputs.extend(net.map(|net| (net, number, bit)));
        }
        self.cells.push(Cell { kind, inputs });
    }

    /// A memory with the clock of its writing port.
    fn memory(&mut self, cell: &Value, place: (&str, &str), nets: &mut HashMap<u64, usize>) {
        let path = memory_path(cell, place.0);
        let clock = self.bits(&cell["connections"]["CLK"], nets)[0];
        if self.memories.contains_key(&path) {
            return;
        }
        self.memories.insert(path.clone(), self.registers.len());
        self.registers.push(Register {
            path: place.0.to_owned(),
            module: place.1.to_owned(),
            name: path.rsplit('/').next().expect("a name").to_owned(),
            bit: None,
            is_memory: true,
            clock: clock.expect("a clock that is no constant"),
        });
    }

    /// Declared registers of a module by the numbers of their bits: name and place.
    fn register_names(
        &self,
        module: &Value,
        original: &str,
    ) -> HashMap<u64, (String, Option<usize>)> {
        let mut names = HashMap::new();
        for (name, net) in module["netnames"].as_object().expect("names") {
            // Registers of a generate block have its name in front.
            let last = name.rsplit('.').next().expect("a name");
            let Some(is_vector) = self.declared.register(original, last) else {
                continue;
            };
            let bits = net["bits"].as_array().expect("bits").iter();
            let first = net["offset"].as_u64().unwrap_or(0) as usize;
            for (bit, place) in bits.zip(first..) {
                let bit = bit.as_u64();
                names.extend(bit.map(|bit| (bit, (name.clone(), is_vector.then_some(place)))));
            }
        }
        names
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.same[a] = b;
    }

    /// The number of a net that all that are one with it have.
    pub fn root(&self, mut net: usize) -> usize {
        while self.same[net] != net {
            net = self.same[net];
        }
        net
    }

    /// Gives nets that are one the same number everywhere.
    fn join(&mut self) {
        let roots: Vec<usize> = (0..self.same.len()).map(|net| self.root(net)).collect();
        for register in &mut self.registers {
            register.clock = roots[register.clock];
        }
        for cell in &mut self.cells {
            for net in cell.inputs.iter_mut().flat_map(|(_, bits)| bits).flatten() {
                *net = roots[*net];
            }
        }
        for &(net, cell, bit) in &self.outputs {
            let is_foreign = matches!(self.cells[cell].kind, Kind::Foreign | Kind::Block(_));
            match is_foreign {
                true => drop(self.drivers.entry(roots[net]).or_insert((cell, bit))),
                false => drop(self.drivers.insert(roots[net], (cell, bit))),
            }
        }
    }
}

fn memory_path(cell: &Value, path: &str) -> String {
    let name = cell["parameters"]["MEMID"].as_str().expect("a memory");
    format!("{path}/{}", name.trim_start_matches('\\'))
}
