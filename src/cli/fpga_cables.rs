//! Cables of a block that becomes a node, and how a node is refused.

use super::CommandError;
use mkns_design::{Plan, serial_link};
use mkns_diag::Code;
use mkns_fpga::{NodeLink, NodePeer};
use mkns_topology::{BlockId, CableKind, End};

/// Cables of a block, by port.
pub fn links(plan: &Plan, block: BlockId) -> Result<Vec<NodeLink>, CommandError> {
    let mut links = Vec::new();
    for cable in &plan.network.cables {
        let ends: [(End, End); 2] = [(cable.a, cable.b), (cable.b, cable.a)];
        for (own, peer) in ends.into_iter().filter(|(own, _)| own.block == block) {
            if cable.kind == CableKind::Simplex {
                let fact = "the block has cables for one direction".to_owned();
                return Err(refused(fact, "give a network with duplex cables"));
            }
            if plan.spec.is_managed_in_band() && serial_link(&plan.spec, cable).is_none() {
                let name = &plan.network.block(block).name;
                let fact = format!("port {} of {name} has a cable that is not serial", own.port);
                let remedy =
                    "leave `link.dimensions` out: messages reach a board through its serial cables";
                return Err(refused(fact, remedy));
            }
            links.push(NodeLink {
                port: own.port.0,
                peer: Some(NodePeer {
                    block: plan.network.block(peer.block).name.clone(),
                    number: peer.block.0,
                    port: peer.port.0,
                }),
                is_first_end: own == cable.a,
            });
        }
    }
    links.sort_by_key(|link| link.port);
    Ok(links)
}

pub fn refused(fact: String, remedy: &str) -> CommandError {
    CommandError::new(Code::NodeDoesNotFitBoard, fact, remedy)
}
