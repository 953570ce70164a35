//! Specs for tests: `MKNS(M,K,N,S)` built directly.

use mkns::spec::{BlockParameters, Dimension, Join, MknsSpec, NetworkKind, NetworkSpec};

/// `MKNS(hosts, sizes)` with blocks of this many ports; `joins` per dimension 2…N.
pub fn mkns_with_ports(ports: u32, hosts: u32, sizes: &[u32], joins: &[Join]) -> NetworkSpec {
    assert_eq!(joins.len() + 1, sizes.len());
    let joins = std::iter::once(Join::DirectMesh).chain(joins.iter().copied());
    let dimensions = sizes.iter().zip(joins);
    let network = MknsSpec {
        vms_per_node: hosts,
        ports,
        dimensions: dimensions
            .map(|(&size, join)| Dimension { size, join })
            .collect(),
    };
    let network = NetworkKind::Mkns(network);
    NetworkSpec::from_parts(network, BlockParameters::default()).expect("a valid spec")
}
