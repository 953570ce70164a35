//! One route, block by block, as the tables give it.

use std::fmt;

use super::Routing;
use mkns_topology::{BlockId, BlockRole, End, Network, NetworkIndex, PortIndex};

/// One block of a route; port indices as in the tables (PCIe ports follow the network ports).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisitedBlock {
    pub block: BlockId,
    pub in_port: u8,
    pub out_port: u8,
}

/// The route between two hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub from_host: u32,
    pub to_host: u32,
    pub hops: Vec<VisitedBlock>,
}

/// Why a packet does not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RouteFault {
    #[error("no valid table entry for the destination")]
    NoRoute,
    #[error("the table names network port index {0}, where no cable is plugged in")]
    NoCable(u8),
    #[error("the packet is delivered at the wrong PCIe port")]
    WrongHost,
    #[error("the packet comes back to a block it has passed")]
    Loop,
}

/// Follows the tables of layer 0 from one host to another (numbers in range). On a fault
/// the blocks passed so far and where it happened come back with it.
pub fn trace(
    network: &Network,
    index: &NetworkIndex,
    routing: &Routing,
    from_host: u32,
    to_host: u32,
) -> Result<Path, (RouteFault, BlockId)> {
    let address = routing.layout.address_of(to_host);
    let from = network.hosts[from_host as usize];
    let to = network.hosts[to_host as usize];
    let mut at = from.block;
    let mut in_port = network.block(at).network_ports + from.pcie_port;
    let mut hops: Vec<VisitedBlock> = Vec::new();
    loop {
        if hops.iter().any(|hop| hop.block == at) {
            return Err((RouteFault::Loop, at));
        }
        let block = network.block(at);
        let entry = routing.tables[at.0 as usize].lookup(&routing.layout, 0, address);
        let out_port = entry.ok_or((RouteFault::NoRoute, at))?.port;
        hops.push(VisitedBlock {
            block: at,
            in_port,
            out_port,
        });
        if out_port >= block.network_ports {
            if (at, out_port - block.network_ports) != (to.block, to.pcie_port) {
                return Err((RouteFault::WrongHost, at));
            }
            return Ok(Path {
                from_host,
                to_host,
                hops,
            });
        }
        let end = End {
            block: at,
            port: PortIndex(out_port),
        };
        let peer = index.peer(end).ok_or((RouteFault::NoCable(out_port), at))?;
        (at, in_port) = (peer.block, peer.port.0);
    }
}

impl Path {
    /// The route in the paper's words: `PCI0 → AB(0 0 0 0) out 2 → in 1 AB(2 0 0 0) → PCI1`.
    pub fn describe(&self, network: &Network) -> String {
        let mut out = String::new();
        for (step, hop) in self.hops.iter().enumerate() {
            let block = network.block(hop.block);
            let [input, output] =
                [hop.in_port, hop.out_port].map(|port| hop.port_name(network, port));
            let label = block.label();
            out += &if step == 0 {
                format!("{input} → {label}")
            } else {
                format!("in {input} {label}")
            };
            let last = step + 1 == self.hops.len();
            out += &if last {
                format!(" → {output}")
            } else {
                format!(" out {output} → ")
            };
        }
        out
    }
}

impl VisitedBlock {
    /// The name of a port of this hop's block: its index, or `PCI0`.
    pub fn port_name(&self, network: &Network, port: u8) -> PortName {
        let block = network.block(self.block);
        if block.role == BlockRole::Adapter && port >= block.network_ports {
            PortName::Pcie(port - block.network_ports)
        } else {
            PortName::Network(PortIndex(port))
        }
    }
}

/// A port as reports print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortName {
    Network(PortIndex),
    Pcie(u8),
}

impl fmt::Display for PortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(number) => write!(f, "{number}"),
            Self::Pcie(number) => write!(f, "PCI{number}"),
        }
    }
}
