//! The register map of a block's control port (`docs/microarchitecture.md`, section 4) as data.
//!
//! The source of the register table in `docs/ports.md` and of `registers.rdl`. Knows neither format.

use std::ops::RangeInclusive;

use super::address;
use super::block_module::BlockModule;
use super::counters::{core_counters, pcie_counters};
use super::link_registers::link_registers;
use super::register::{Access, Register, field, register};

/// What the register ID of every block reads.
pub const MAGIC: u32 = 0x4D4B_4E53;

/// Values of VERSION that are known: register map 1.0, and 1.1 with a management unit.
pub const VERSIONS: RangeInclusive<u32> = 0x100..=0x101;

/// One group of 32-bit read-only counters per port, groups 0x40 bytes apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterGroup {
    pub name: &'static str,
    /// Byte address of the first group.
    pub address: u32,
    /// Groups: ports of the switch core, or PCIe ports.
    pub count: u32,
    /// Name and meaning of each counter, 4 bytes apart.
    pub counters: &'static [(&'static str, &'static str)],
}

/// A routing table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableWindow {
    /// n of `TABLE n`.
    pub number: u32,
    pub address: u32,
    /// Entries, 4 bytes apart.
    pub entries: u32,
    /// Destination bits that index it.
    pub lsb: u32,
    pub bits: u32,
}

/// What a block knows of every node address, 4 bytes apart: masks of layers, or candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeWindow {
    pub name: &'static str,
    pub address: u32,
    /// Node addresses.
    pub entries: u32,
    /// Destination bits that index it.
    pub lsb: u32,
    pub bits: u32,
    /// Bits of an entry.
    pub width: u32,
    /// What the bits of entry i are.
    pub meaning: &'static str,
}

/// Everything that the control port of one block module reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterMap {
    pub registers: Vec<Register>,
    pub counters: Vec<CounterGroup>,
    pub tables: Vec<TableWindow>,
    /// Of adapter blocks that choose layers.
    pub masks: Option<NodeWindow>,
    /// Of adaptive blocks.
    pub candidates: Option<NodeWindow>,
}

pub fn register_map(module: &BlockModule) -> RegisterMap {
    let ports = module.core_ports();
    let mut counters = vec![CounterGroup {
        name: "COUNTERS",
        address: address::CORE_COUNTERS,
        count: ports,
        counters: core_counters(module),
    }];
    if module.kind.has_hosts() {
        counters.push(CounterGroup {
            name: "PCIE_COUNTERS",
            address: address::PCIE_COUNTERS,
            count: module.pcie_ports,
            counters: pcie_counters(module),
        });
    }
    let tables = module
        .tables
        .iter()
        .zip(0..)
        .map(|(shape, number)| TableWindow {
            number,
            address: address::table(number, 0),
            entries: module.parameters.layers << shape.bits,
            lsb: shape.lsb,
            bits: shape.bits,
        });
    let mut registers = identification(module);
    registers.extend(state(module));
    registers.extend(link_registers(module));
    RegisterMap {
        registers,
        counters,
        tables: tables.collect(),
        masks: module.masks.map(|nodes| NodeWindow {
            name: "MASK",
            address: address::MASKS,
            entries: nodes.entries(),
            lsb: nodes.lsb,
            bits: nodes.bits,
            width: module.parameters.layers,
            meaning: "layers that lead to node address i",
        }),
        candidates: module.candidates().map(|nodes| NodeWindow {
            name: "CANDIDATES",
            address: address::CANDIDATES,
            entries: nodes.entries(),
            lsb: nodes.lsb,
            bits: nodes.bits,
            width: module.network_ports,
            meaning: "ports on shortest paths to node address i",
        }),
    }
}

/// Registers that tell a driver what it is talking to.
fn identification(module: &BlockModule) -> Vec<Register> {
    let block = &module.parameters;
    let queue_flits = if module.kind.is_pok() {
        0
    } else {
        block.queue_flits
    };
    let shape = vec![
        field("NETWORK_PORTS", 7, 0, module.network_ports).means("network ports"),
        field("PCIE_PORTS", 15, 8, module.pcie_ports).means("PCIe ports, one per host"),
        field("VIRTUAL_CHANNELS", 19, 16, block.virtual_channels)
            .means("virtual channels of a link"),
        field("TABLES", 23, 20, module.tables.len() as u32).means("routing tables"),
        field("LAYERS", 27, 24, block.layers).means("routing layers"),
        field("KIND", 31, 28, module.kind.code()).means("0 switch, 1 adapter, 2 POK, 3 terminal"),
    ];
    let sizes = vec![
        field("FLIT_BITS", 9, 0, block.flit_bits).means("bits of a flit"),
        field("RX_BUFFER_FLITS", 19, 10, block.rx_buffer_flits)
            .means("credits of a sender on a virtual channel"),
        field("QUEUE_FLITS", 31, 20, queue_flits).means("flits of a queue"),
    ];
    let whole = |name, reset| vec![field(name, 31, 0, reset)];
    let node = vec![field("ADDRESS", 19, 0, 0)];
    let (node_access, node_meaning) = if module.kind.has_hosts() {
        (
            Access::ReadWrite,
            "own address, stamped as source; reset: of the instance",
        )
    } else {
        (Access::Read, "0: the block has no address")
    };
    let read =
        |name, address, fields, meaning| register(name, address, Access::Read, fields, meaning);
    vec![
        read("ID", address::ID, whole("MAGIC", MAGIC), "the letters MKNS"),
        read(
            "VERSION",
            address::VERSION,
            whole("VERSION", *VERSIONS.start()),
            "register map 1.0",
        ),
        read("BLOCK", address::BLOCK, shape, "what the block is made of"),
        read("SIZES", address::SIZES, sizes, "flit and buffer sizes"),
        register(
            "NODE_ADDRESS",
            address::NODE_ADDRESS,
            node_access,
            node,
            node_meaning,
        ),
    ]
}

/// Bits of ERRORS, bit 0 first: name, and what sets it.
const ERRORS: [(&str, &str); 8] = [
    (
        "NO_ROUTE",
        "a packet was dropped: no valid table entry leads on",
    ),
    (
        "U_TURN",
        "a packet was dropped: its entry leads back to its port, or there is no turn",
    ),
    (
        "LINK_DOWN",
        "a packet was dropped: the link of its entry was down, and no alternate was up",
    ),
    (
        "LINK_DOWN_OUT",
        "a packet was dropped: the link went down when its route was known",
    ),
    (
        "INGRESS_DROP",
        "a host's packet was dropped at the PCIe port; PCIE_COUNTERS have the cause",
    ),
    (
        "EGRESS_FAULT",
        "a damaged packet was handed to a host with tuser = 1",
    ),
    (
        "TIMEOUT_DROP",
        "a packet was dropped: its host refused beats for HOST_TIMEOUT cycles",
    ),
    (
        "FIRST_DROP",
        "the FIRST_DROP registers are filled; clearing arms them again",
    ),
];

/// Registers that tell what happened, and the virtual channel steps.
fn state(module: &BlockModule) -> Vec<Register> {
    let errors = ERRORS
        .into_iter()
        .zip(0..)
        .map(|((name, meaning), bit)| field(name, bit, bit, 0).means(meaning));
    let links = vec![field("UP", module.network_ports - 1, 0, 0)];
    let word = || vec![field("BITS", 31, 0, 0)];
    let read =
        |name, address, fields, meaning| register(name, address, Access::Read, fields, meaning);
    let clear = Access::ReadClear;
    let mut list = vec![
        read("LINK_UP", address::LINK_UP, links, "one bit a network port"),
        register(
            "ERRORS",
            address::ERRORS,
            clear,
            errors.collect(),
            "sticky; write 1 to clear",
        ),
        read(
            "FIRST_DROP_PORT",
            address::FIRST_DROP_PORT,
            word(),
            "input port of the first dropped header",
        ),
        read(
            "FIRST_DROP_HEADER_LOW",
            address::FIRST_DROP_HEADER_LOW,
            word(),
            "its bits 31:0",
        ),
        read(
            "FIRST_DROP_HEADER_HIGH",
            address::FIRST_DROP_HEADER_HIGH,
            word(),
            "its bits 63:32",
        ),
    ];
    let rows = |name, address, access, meaning| Register {
        count: module.core_ports(),
        ..register(
            name,
            address,
            access,
            vec![field("OUTPUTS", module.core_ports() - 1, 0, 0)],
            meaning,
        )
    };
    if module.has_step() {
        list.push(rows(
            "STEP",
            address::STEP,
            Access::ReadWrite,
            "row i, bit o: packets from port i to port o go one virtual channel up",
        ));
    }
    if !module.kind.is_pok() {
        list.push(rows(
            "TURNS",
            address::TURNS,
            Access::Read,
            "row i, bit o: packets may go from port i to port o; reset: of the instance",
        ));
    }
    if module.masks.is_some() {
        let channel = module.virtual_channel_bits() - 1;
        list.push(Register {
            count: module.parameters.layers,
            ..register(
                "LAYER_ENTRY",
                address::LAYER_ENTRY,
                Access::ReadWrite,
                vec![field("CHANNEL", channel, 0, 0)],
                "virtual channel on which packets of layer i start; reset: of the instance",
            )
        });
    }
    list
}
