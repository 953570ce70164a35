//! A switch block by itself, whose table leads destination n to port n: what benches and tests are made of.

use mkns_routing::{AddressLayout, BlockTables, DimensionTable, TableEntry};
use mkns_spec::BlockParameters;
use mkns_topology::PortIndex;

use super::block_module::{BlockModule, ModuleKind, TableShape};

/// Bits of the destination that name an output port.
const PORT_BITS: u32 = 5;

/// Switch block with `ports` ports.
pub fn switch_module(ports: u32, parameters: BlockParameters) -> BlockModule {
    let mut module = BlockModule {
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
        uturns: false,
        parameters,
        layout: AddressLayout { fields: Vec::new() },
    };
    module.uturns = module.needs_uturns(&switch_tables(&module));
    module
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cores_turn_packets_in_any_case() {
        let uturns = |ports: u32| switch_module(ports, BlockParameters::default()).uturns;
        assert_eq!([1, 2, 3, 10].map(uturns), [true, true, false, false]);
    }
}
