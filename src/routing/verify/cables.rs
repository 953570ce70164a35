//! Are the cables a graph: every port at most one cable, every end a real port, hosts in place.

use std::collections::BTreeMap;

use super::{Check, Violations};
use mkns_topology::{BlockRole, CableKind, End, Network};

pub fn check(network: &Network) -> Check {
    let mut faults = Violations::default();
    // By port and whether it sends or receives there.
    let mut plugged: BTreeMap<(End, bool), usize> = BTreeMap::new();
    for (number, cable) in network.cables.iter().enumerate() {
        let one_way = cable.kind == CableKind::Simplex;
        if cable.a >= cable.b && !one_way {
            faults.add(|| format!("cable {number} does not run from a lower to a higher end"));
        }
        if cable.a.block == cable.b.block {
            faults.add(|| format!("cable {number} joins a block to itself"));
        }
        for (end, is_a) in [(cable.a, true), (cable.b, false)] {
            let Some(block) = network.blocks.get(end.block.0 as usize) else {
                faults.add(|| {
                    format!(
                        "cable {number} ends at block {}, of which there is none",
                        end.block.0
                    )
                });
                continue;
            };
            let (name, port) = (&block.name, end.port);
            if end.port.0 >= block.network_ports {
                faults.add(|| {
                    format!("cable {number} ends at {name} port {port}, of which there is none")
                });
            }
            let used = [true, false]
                .into_iter()
                .filter(|sends| !one_way || *sends == is_a);
            let others = used.filter_map(|sends| plugged.insert((end, sends), number));
            if let Some(other) = others.min() {
                faults.add(|| format!("cables {other} and {number} share {name} port {port}"));
            }
        }
    }
    check_index(network, &mut faults);
    check_hosts(network, &mut faults);
    let (cables, hosts) = (network.cables.len(), network.hosts.len());
    let examined = format!("{cables} cables, {hosts} terminals: ends in range, no port used twice");
    faults.into_check("cables", examined)
}

/// What the other side sees must be the same cable.
fn check_index(network: &Network, faults: &mut Violations) {
    let index = network.index();
    for (number, cable) in network.cables.iter().enumerate() {
        let source = |end| index.receives_from(end).map(|link| link.peer);
        let there = index.peer(cable.a) == Some(cable.b) && source(cable.b) == Some(cable.a);
        let back = index.peer(cable.b) == Some(cable.a) && source(cable.a) == Some(cable.b);
        if !there || !back && cable.kind != CableKind::Simplex {
            faults.add(|| format!("cable {number} is not seen alike from both of its ends"));
        }
    }
}

fn check_hosts(network: &Network, faults: &mut Violations) {
    let mut expected = 0;
    for (number, block) in network.blocks.iter().enumerate() {
        for pcie_port in 0..block.pcie_ports {
            let found = network.hosts.get(expected).is_some_and(|host| {
                host.host as usize == expected
                    && host.block.0 as usize == number
                    && host.pcie_port == pcie_port
                    && block.role == BlockRole::Adapter
            });
            if !found {
                faults.add(|| format!("host {expected} is not at {} PCI{pcie_port}", block.name));
            }
            expected += 1;
        }
    }
    if network.hosts.len() != expected {
        let count = network.hosts.len();
        faults.add(|| format!("{count} terminals for {expected} PCIe ports"));
    }
}
