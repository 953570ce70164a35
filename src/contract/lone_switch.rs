//! A switch block by itself, whose table leads destination n to port n: what benches and tests are made of.

use mkns_routing::{AddressLayout, BlockTables, DimensionTable, TableEntry, Turns};
use mkns_spec::BlockParameters;
use mkns_topology::PortIndex;

use super::block_module::{BlockModule, ModuleKind, TableShape};

/// Bits of the destination that name an output port.
const PORT_BITS: u32 = 5;

/// Switch block with `ports` ports.
pub fn switch_module(ports: u32, parameters: BlockParameters) -> BlockModule {
    BlockModule {
        kind: ModuleKind::Switch,
        network_ports: ports,
        pcie_ports: 0,
        pok: None,
        tables: vec![TableShape {
            lsb: 0,
            bits: PORT_BITS,
        }],
        masks: None,
        serial_ports: 0,
        route_channels: 1,
        turns: Turns::between_all(ports, ports),
        alternates: true,
        parameters,
        layout: AddressLayout { fields: Vec::new() },
    }
}

/// Tables of [`switch_module`], which lead destination n to port n.
pub fn switch_tables(module: &BlockModule) -> BlockTables {
    let ports = module.core_ports() as usize;
    let layer: Vec<TableEntry> = (0..1 << PORT_BITS)
        .map(|port| TableEntry::to(PortIndex(port)))
        .collect();
    BlockTables {
        tables: vec![DimensionTable {
            field: 0,
            entries: layer.repeat(module.parameters.layers as usize),
        }],
        step: vec![vec![false; ports]; ports],
        candidates: Vec::new(),
    }
}
