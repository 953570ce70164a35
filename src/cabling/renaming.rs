//! Which part each block plays when a cabling is an image of the plan: whose tables it needs, and which of its ports
//! stand for which.

use std::collections::BTreeMap;

use super::{Socket, Way};
use mkns_topology::{Network, PortIndex};
use serde::Serialize;

/// A block that is not its own image, or whose cables are in other ports than planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockRenaming {
    pub block: String,
    /// The block of the plan whose part it plays: whose tables it needs.
    pub plays: String,
    /// Ports that differ from the plan.
    pub ports: Vec<PortChange>,
}

/// A port of the plan and the one that its cable is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PortChange {
    pub planned: u8,
    pub is: u8,
}

/// The blocks that change, when `image` (by block as found, the block of the plan) makes the found cables the planned.
pub(crate) fn parts(
    network: &Network,
    planned: &[[Socket; 2]],
    found: &[[Socket; 2]],
    image: &[usize],
) -> Vec<BlockRenaming> {
    let mut between: BTreeMap<Ends, Vec<Ports>> = BTreeMap::new();
    let own_name: Vec<usize> = (0..image.len()).collect();
    for ends in planned {
        let (key, ports) = oriented(*ends, &own_name);
        between.entry(key).or_default().push(ports);
    }
    let mut changes: Vec<Vec<PortChange>> = vec![Vec::new(); image.len()];
    let mut rest = Vec::new();
    // Of parallel cables those that are in their own ports are taken first.
    for ends in found {
        let (key, ports) = oriented(*ends, image);
        let open = between.entry(key).or_default();
        match open.iter().position(|planned| *planned == ports) {
            Some(at) => drop(open.swap_remove(at)),
            None => rest.push((key, ports)),
        }
    }
    let mut block_of = vec![0; image.len()];
    for (block, &part) in image.iter().enumerate() {
        block_of[part] = block;
    }
    for (key, ports) in rest {
        let open = between.get_mut(&key).and_then(Vec::pop);
        let planned = open.expect("the image has as many cables between two blocks as the plan");
        for side in 0..2 {
            if planned[side] != ports[side] {
                changes[block_of[key.0[side]]].push(PortChange {
                    planned: planned[side].0,
                    is: ports[side].0,
                });
            }
        }
    }
    let label = |block: usize| network.blocks[block].label();
    let parts = changes.into_iter().enumerate().map(|(block, mut ports)| {
        ports.sort_by_key(|change| change.planned);
        BlockRenaming {
            block: label(block),
            plays: label(image[block]),
            ports,
        }
    });
    parts
        .filter(|part| part.block != part.plays || !part.ports.is_empty())
        .collect()
}

/// Two blocks of the plan, the lower first unless the cable has one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ends([usize; 2], Way);

type Ports = [PortIndex; 2];

fn oriented([a, b]: [Socket; 2], image: &[usize]) -> (Ends, Ports) {
    let of = |socket: Socket| (image[socket.end.block.0 as usize], socket.end.port);
    let (mut one, mut other) = (of(a), of(b));
    if a.way == Way::Both && other.0 < one.0 {
        (one, other) = (other, one);
    }
    (Ends([one.0, other.0], a.way), [one.1, other.1])
}
