//! Blocks without adaptive routing have nothing of it: their netlists, as Yosys elaborates them, are the recorded ones.
//! A fingerprint takes in every cell, its parameters and all wires between cells, but neither names nor order.
//! Who changes a block on purpose records the fingerprints that the test prints. Needs `yosys`.

use std::collections::HashMap;

use crate::common::elaborated::Elaborated;
use crate::common::templates::plain_templates;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Top module, parameters besides its defaults, fingerprint.
const RECORDED: [(&str, &str, &str); 4] = [
    ("switch_block", "", "5d195e2f0f43582f"),
    (
        "switch_block",
        "-set PORTS 4 -set VCS 2",
        "5bbb346e11d78f6d",
    ),
    ("adapter_block", "", "1f7e560626b187db"),
    (
        "adapter_block",
        "-set NETWORK_PORTS 3 -set PORTS 5 -set PCIE_PORTS 2 -set VCS 4 -set TABLES 2",
        "ba24ca68dae99cfb",
    ),
];

/// Wires whose neighbours are told apart by everything that is at most this many cells away.
const ROUNDS: usize = 8;

type Hash = [u8; 32];

/// The templates of the two blocks.
fn sources() -> Vec<(String, String)> {
    plain_templates(&["common", "switch", "adapter"])
}

/// The hash of a list of byte strings.
fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The hash of a set whose members have no order.
fn hash_of_set(mut members: Vec<Hash>) -> Hash {
    members.sort_unstable();
    hash(members.iter().map(Hash::as_slice))
}

/// A cell: what it is, and its pins in the order of their names, by number of the wire.
struct Cell {
    kind: Hash,
    pins: Vec<usize>,
}

/// A flat module: cells, and of every wire what is known of it. Constants are wires, too.
struct Netlist {
    cells: Vec<Cell>,
    wires: Vec<Hash>,
    numbers: HashMap<String, usize>,
}

impl Netlist {
    fn of(module: &Value) -> Self {
        let mut netlist = Self {
            cells: Vec::new(),
            wires: Vec::new(),
            numbers: HashMap::new(),
        };
        let of = |name: &str| module[name].as_object().expect("a flat module");
        for (name, port) in of("ports") {
            for (bit, place) in port["bits"].as_array().expect("bits").iter().zip(0_u64..) {
                let wire = netlist.wire(bit);
                let pin = format!("{name}[{place}]");
                let known = netlist.wires[wire];
                netlist.wires[wire] = hash([known.as_slice(), pin.as_bytes()]);
            }
        }
        for cell in of("cells").values() {
            netlist.add(cell);
        }
        netlist
    }

    /// The number of a wire; a constant is known by its value.
    fn wire(&mut self, bit: &Value) -> usize {
        let next = self.wires.len();
        let number = *self.numbers.entry(bit.to_string()).or_insert(next);
        if number == next {
            let constant = bit.as_str().unwrap_or_default();
            self.wires.push(hash([constant.as_bytes()]));
        }
        number
    }

    fn add(&mut self, cell: &Value) {
        let kind = cell["type"].as_str().expect("a type");
        if kind == "$scopeinfo" {
            return;
        }
        let mut parts = vec![kind.to_owned()];
        let parameters = cell["parameters"].as_object().expect("parameters");
        // A memory's name is no part of its structure.
        let known = parameters.iter().filter(|(name, _)| *name != "MEMID");
        parts.extend(known.map(|(name, value)| format!("{name}={value}")));
        let connections = cell["connections"].as_object().expect("connections");
        let mut pins = Vec::new();
        for (port, bits) in connections {
            let bits = bits.as_array().expect("bits");
            parts.push(format!("{port}:{}", bits.len()));
            pins.extend(bits.iter().map(|bit| self.wire(bit)));
        }
        self.cells.push(Cell {
            kind: hash(parts.iter().map(String::as_bytes)),
            pins,
        });
    }

    /// Every cell with what is at its pins.
    fn cells_seen(&self) -> Vec<Hash> {
        let seen = self.cells.iter().map(|cell| {
            let pins = cell.pins.iter().map(|&wire| self.wires[wire].as_slice());
            hash(std::iter::once(cell.kind.as_slice()).chain(pins))
        });
        seen.collect()
    }

    /// Tells every wire which cells are at it.
    fn look_further(&mut self) {
        let mut met: Vec<Vec<Hash>> = self.wires.iter().map(|&wire| vec![wire]).collect();
        for (cell, seen) in self.cells.iter().zip(self.cells_seen()) {
            for (&wire, pin) in cell.pins.iter().zip(0_u64..) {
                met[wire].push(hash([seen.as_slice(), &pin.to_le_bytes()]));
            }
        }
        self.wires = met.into_iter().map(hash_of_set).collect();
    }

    fn fingerprint(mut self) -> String {
        for _ in 0..ROUNDS {
            self.look_further();
        }
        let seen = hash_of_set(self.cells_seen());
        seen[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn fingerprint(sources: &[(String, String)], top: &str, parameters: &str) -> String {
    let modules = Elaborated::flat(sources, top, parameters);
    let modules: &Map<String, Value> = modules.modules();
    let module = modules.values().next().expect("a module");
    assert_eq!(modules.len(), 1, "{top} is flat");
    Netlist::of(module).fingerprint()
}

#[test]
fn adaptive_0_leaves_the_default_blocks_as_they_were() {
    let sources = sources();
    let found = RECORDED.map(|(top, parameters, _)| fingerprint(&sources, top, parameters));
    assert_eq!(found, RECORDED.map(|(.., recorded)| recorded.to_owned()));
}

#[test]
fn a_fingerprint_tells_one_inverted_wire_and_no_other_name() {
    let with = |good: &str, bad: &str| {
        let mut sources = sources();
        let text = sources.iter_mut().map(|(_, text)| text);
        for text in text.filter(|text| text.contains(good)) {
            *text = text.replace(good, bad);
        }
        fingerprint(&sources, "switch_block", "-set PORTS 2")
    };
    let good = with("", "");
    assert_eq!(with("may_go_on", "runs_on"), good);
    assert_ne!(with("~more & sendable", "more & sendable"), good);
}
