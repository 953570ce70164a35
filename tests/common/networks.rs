//! Networks that laws are held to: any of 10-port blocks, the paper's machines, small random ones.

use mkns::spec::{Join, NetworkKind, NetworkSpec, SerialLink};
use proptest::prelude::*;

use super::specs::mkns_with_ports;

/// `MKNS(hosts, sizes)` with 10-port blocks; `joins` per dimension 2…N.
pub fn mkns(vms_per_node: u32, sizes: &[u32], joins: &[Join]) -> NetworkSpec {
    mkns_with_ports(10, vms_per_node, sizes, joins)
}

/// The five machines of the paper's tables: hosts and spec.
pub fn paper_machines() -> Vec<(u32, NetworkSpec)> {
    use Join::{DirectMesh, SwitchBlock as Kb};
    vec![
        (16, mkns(2, &[8], &[])),
        (64, mkns(2, &[8, 4], &[DirectMesh])),
        (160, mkns(2, &[8, 10], &[Kb])),
        (1600, mkns(2, &[8, 10, 10], &[Kb, Kb])),
        (16000, mkns(2, &[8, 10, 10, 10], &[Kb, Kb, Kb])),
    ]
}

/// Small valid specs of all kinds: at most 5 adapter blocks a line, 9 on an assembly.
pub fn small_specs() -> impl Strategy<Value = NetworkSpec> {
    let line = (0..3u8, 2..=9u32);
    (
        4..=12u32,
        1..=3u32,
        2..=5u32,
        prop::collection::vec(line, 0..=3),
    )
        .prop_map(|(ports, hosts, first, lines)| {
            let first = first.min(ports - 2);
            // Ports for direct meshes beyond one each: d−2…d that no dimension owns, and what
            // dimension 1 leaves free of 1…d−3.
            let mut spare = 3 - lines.len() as u32 + (ports - 3) - (first - 1);
            let mut sizes = vec![first];
            let mut joins = Vec::new();
            for (join, size) in lines {
                let (join, size) = match join {
                    0 => (Join::DirectMesh, size.min(spare + 2).min(4)),
                    2 if ports % 2 == 0 => (Join::SwitchAssembly, size.min(2 * ports)),
                    _ => (Join::SwitchBlock, size.min(ports).min(4)),
                };
                if join == Join::DirectMesh {
                    spare -= size - 2;
                }
                sizes.push(size);
                joins.push(join);
            }
            mkns_with_ports(ports, hosts, &sizes, &joins)
        })
}

/// [`small_specs`], some of them with serial cables in some dimensions, assemblies left out, of all flights.
pub fn small_specs_with_links() -> impl Strategy<Value = NetworkSpec> {
    let links = (any::<bool>(), 1..32u32, 1..=73u32, 1..=2u32);
    (small_specs(), links).prop_map(|(mut spec, (is_serial, wanted, flight, channels))| {
        let NetworkKind::Mkns(mkns) = &spec.kind else {
            unreachable!("small specs are MKNS");
        };
        let lines = mkns.dimensions.iter().zip(1..);
        let dimensions: Vec<u32> = lines
            .filter(|(line, number)| wanted >> number & 1 == 1 && line.join != Join::SwitchAssembly)
            .map(|(_, number)| number)
            .collect();
        if is_serial && !dimensions.is_empty() {
            spec.block.virtual_channels = channels;
            spec.link = Some(SerialLink {
                dimensions,
                flight_words: flight,
                receive_flits: 223,
                ..SerialLink::default()
            });
        }
        spec
    })
}
