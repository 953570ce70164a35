//! The graph against the paper: cables port for port, block counts, names, ports of every family.

use std::collections::BTreeSet;

use crate::common::networks::{mkns, paper_machines, small_specs};
use mkns::spec::Join;
use mkns::topology::{self, CableKind, End, Network, PortIndex};
use proptest::prelude::*;

fn names(network: &Network) -> BTreeSet<&str> {
    network
        .blocks
        .iter()
        .map(|block| block.name.as_str())
        .collect()
}

#[test]
fn the_machine_of_figure_1_is_cabled_as_printed() {
    let network = topology::build(&mkns(2, &[4, 4], &[Join::SwitchBlock]));
    let golden = include_str!("data/golden_mkns_4x4_cables.csv");
    let in_the_paper = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        for end in [0, 2] {
            // the paper counts the ports of adapter blocks from 1
            if cells[end].starts_with("AB") {
                let index: u32 = cells[end + 1].parse().expect("a port");
                cells[end + 1] = (index + 1).to_string();
            }
        }
        cells.join(",") + "\n"
    };
    let cables = topology::export::cables_csv(&network);
    assert_eq!(cables.lines().map(in_the_paper).collect::<String>(), golden);
}

#[test]
fn block_cable_and_port_counts_match_the_published_structure() {
    let golden = include_str!("data/golden_mkns_structure.csv");
    for ((hosts, spec), row) in paper_machines().into_iter().zip(golden.lines().skip(1)) {
        let network = topology::build(&spec);
        let adapters = network.adapters().len();
        let ports: u32 = network
            .blocks
            .iter()
            .map(|b| u32::from(b.network_ports))
            .sum();
        let row: Vec<&str> = row.split(',').collect();
        let counts = [
            hosts as usize,
            adapters,
            network.blocks.len() - adapters,
            network.cables.len(),
            ports as usize,
        ];
        let printed: [usize; 5] =
            [row[0], row[3], row[4], row[5], row[6]].map(|cell| cell.parse().unwrap());
        assert_eq!(counts, printed);
        assert_eq!(network.hosts.len(), hosts as usize);
    }
}

#[test]
fn switch_blocks_are_named_after_their_line() {
    let network = topology::build(&mkns(1, &[2, 3, 2], &[Join::SwitchBlock; 2]));
    let names = names(&network);
    assert!(names.contains("ab_1_2_1_0") && names.contains("kb_y1_1") && names.contains("kb_z1_2"));
    let kb = network.block_named("kb_z1_2").unwrap();
    assert_eq!(network.block(kb).coordinates, [1, 2, 0, 0]);
    assert_eq!(network.block(kb).label(), "KB Z1_2");
    assert_eq!(network.block_named("KB Z1_2"), Some(kb));
    let adapter = network.block_named("AB(1 2 1 0)").unwrap();
    let end = End {
        block: adapter,
        port: PortIndex(8),
    };
    let peer = network.index().peer(end).unwrap();
    assert_eq!(
        (peer.block, peer.port),
        (kb, PortIndex(1)),
        "port 9 leads to dimension 3"
    );
}

#[test]
fn an_assembly_is_four_leaves_and_two_spines_with_twenty_internal_cables() {
    let network = topology::build(&mkns(1, &[3, 20], &[Join::SwitchAssembly]));
    let internal = |c: &&topology::Cable| c.kind == CableKind::AssemblyInternal;
    assert_eq!(network.cables.iter().filter(internal).count(), 3 * 20);
    assert_eq!(network.blocks.len(), 60 + 3 * 6);
    let index = network.index();
    for spine in ["ksb_y0_spine0", "ksb_y2_spine1"] {
        let spine = network.block_named(spine).unwrap();
        assert_eq!(index.links(spine).count(), 10, "every spine port is used");
    }
    let leaf = network.block_named("ksb_y1_leaf2").unwrap();
    assert_eq!(network.block(leaf).label(), "KSb Y1 leaf 2");
    let below = index
        .peer(End {
            block: leaf,
            port: PortIndex(3),
        })
        .unwrap();
    assert_eq!(network.block(below.block).coordinates, [1, 13, 0, 0]);
}

#[test]
fn a_direct_mesh_in_dimension_2_takes_its_own_port_then_the_unused_ones() {
    let network = topology::build(&mkns(2, &[8, 4], &[Join::DirectMesh]));
    let index = network.index();
    // Paper ports 8, 9, 10 are the mesh ports 1, 2, 3 of dimension 2: from y = 1 to 0, 2, 3.
    let from = network.block_named("ab_5_1_0_0").unwrap();
    let reached = [7, 8, 9].map(|port| {
        let peer = index
            .peer(End {
                block: from,
                port: PortIndex(port),
            })
            .unwrap();
        (network.block(peer.block).coordinates[1], peer.port.0 + 1)
    });
    assert_eq!(reached, [(0, 8), (2, 9), (3, 9)]);
    // Two meshes and small K1: dimension 2 gets 8 and 10, then free ports of dimension 1.
    let network = topology::build(&mkns(1, &[3, 5, 2], &[Join::DirectMesh; 2]));
    let index = network.index();
    let used: Vec<u8> = index
        .links(topology::BlockId(0))
        .map(|(port, _)| port.0 + 1)
        .collect();
    assert_eq!(used, [1, 2, 3, 4, 8, 9, 10]);
}

proptest! {
    #[test]
    fn every_port_carries_at_most_one_cable_and_names_are_unique(spec in small_specs()) {
        let network = topology::build(&spec);
        prop_assert_eq!(names(&network).len(), network.blocks.len());
        let mut ends = BTreeSet::new();
        for cable in &network.cables {
            prop_assert!(cable.a < cable.b);
            for end in [cable.a, cable.b] {
                prop_assert!(ends.insert(end), "two cables at {:?}", end);
                prop_assert!(end.port.0 < network.block(end.block).network_ports);
            }
        }
    }

    #[test]
    fn hosts_are_numbered_by_node_and_pcie_port(spec in small_specs()) {
        let network = topology::build(&spec);
        for (number, host) in network.hosts.iter().enumerate() {
            let per_node = u32::from(network.blocks[0].pcie_ports);
            prop_assert_eq!(host.host as usize, number);
            prop_assert_eq!(host.block.0 * per_node + u32::from(host.pcie_port), number as u32);
        }
    }
}
