//! Constant-time questions about a [`Network`]: where a port sends to, and what it hears from.
//!
//! Built once per network; a network that is changed afterwards needs a new index.

use super::components::leaders;
use super::{BlockId, CableKind, End, Faults, Network, PortIndex};

/// The cable at a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortCable {
    /// Index into [`Network::cables`].
    pub cable: u32,
    /// The other end.
    pub peer: End,
}

/// Adjacency by block and port. On bidirectional cables both directions lead to the same peer.
#[derive(Debug, Clone)]
pub struct NetworkIndex {
    /// What each port sends to.
    links: Vec<Option<PortCable>>,
    /// What each port receives from, where there are simplex cables.
    sources: Option<Vec<Option<PortCable>>>,
    /// First slot of each block in `links`, and the total at the end.
    offsets: Vec<u32>,
}

impl Network {
    /// Adjacency index of the network as it is now.
    pub fn index(&self) -> NetworkIndex {
        NetworkIndex::new(self, &Faults::none(), |_| true)
    }

    /// Adjacency index of some blocks; all others look as if they had no ports.
    pub fn index_of(&self, wanted: impl Fn(BlockId) -> bool) -> NetworkIndex {
        NetworkIndex::new(self, &Faults::none(), wanted)
    }

    /// Adjacency index of what works: ports whose cables have failed look empty.
    pub fn index_without(&self, faults: &Faults) -> NetworkIndex {
        NetworkIndex::new(self, faults, |_| true)
    }
}

impl NetworkIndex {
    /// Index of all cables. Where cables contradict each other (`mkns check` reports that) the last
    /// one wins; ends that do not exist are left out.
    fn new(network: &Network, faults: &Faults, wanted: impl Fn(BlockId) -> bool) -> Self {
        let mut offsets = vec![0];
        let mut total = 0;
        for (id, block) in network.block_ids().zip(&network.blocks) {
            if wanted(id) {
                total += u32::from(block.network_ports);
            }
            offsets.push(total);
        }
        let mut cables = network.cables.iter();
        let has_simplex = cables.any(|cable| cable.kind == CableKind::Simplex);
        let mut index = Self {
            links: vec![None; total as usize],
            sources: has_simplex.then(|| vec![None; total as usize]),
            offsets,
        };
        for (number, cable) in network.cables.iter().enumerate() {
            if !faults.is_empty() && !faults.cable_works(network, number as u32) {
                continue;
            }
            for (from, to) in cable.directions() {
                if let Some(slot) = index.slot(from) {
                    index.links[slot] = Some(PortCable {
                        cable: number as u32,
                        peer: to,
                    });
                }
                if let (Some(slot), Some(sources)) = (index.slot(to), &mut index.sources) {
                    sources[slot] = Some(PortCable {
                        cable: number as u32,
                        peer: from,
                    });
                }
            }
        }
        index
    }

    /// Place of a block's port among all network ports of the network, in block order: a dense
    /// number for per-port arrays. `None` when there is no such port.
    pub fn slot(&self, end: End) -> Option<usize> {
        let block = end.block.0 as usize;
        let first = *self.offsets.get(block)?;
        let next = *self.offsets.get(block + 1)?;
        let slot = first + u32::from(end.port.0);
        (slot < next).then_some(slot as usize)
    }

    /// Number of network ports in the whole network: the range of [`Self::slot`].
    pub fn slots(&self) -> usize {
        self.links.len()
    }

    /// Number of the first port of a block in [`Self::slot`].
    pub fn first_slot(&self, block: BlockId) -> usize {
        self.offsets[block.0 as usize] as usize
    }

    /// The port with number `slot`.
    pub fn end_of(&self, slot: usize) -> End {
        let block = self
            .offsets
            .partition_point(|&first| first as usize <= slot)
            - 1;
        End {
            block: BlockId(block as u32),
            port: PortIndex((slot - self.offsets[block] as usize) as u8),
        }
    }

    /// The cable that a port sends to and its other end; `None` when nothing is plugged in.
    pub fn sends_to(&self, end: End) -> Option<PortCable> {
        self.link(end)
    }

    /// The cable that a port receives from and its other end.
    pub fn receives_from(&self, end: End) -> Option<PortCable> {
        self.all_sources()[self.slot(end)?]
    }

    /// The cable at a port and its other end; `None` when nothing is plugged in. With simplex cables
    /// the one that the port sends to.
    pub fn link(&self, end: End) -> Option<PortCable> {
        self.links[self.slot(end)?]
    }

    /// The other end of the cable by which a port sends.
    pub fn peer(&self, end: End) -> Option<End> {
        self.link(end).map(|link| link.peer)
    }

    /// The cables by which a block sends, in port order.
    pub fn links(&self, block: BlockId) -> impl Iterator<Item = (PortIndex, PortCable)> + '_ {
        of_block(&self.links[self.slots_of(block)])
    }

    /// The cables by which a block receives, in port order.
    pub fn sources(&self, block: BlockId) -> impl Iterator<Item = (PortIndex, PortCable)> + '_ {
        of_block(&self.all_sources()[self.slots_of(block)])
    }

    /// For every block the first block of those that it hangs together with.
    pub fn parts(&self, network: &Network) -> Vec<usize> {
        let blocks = network.block_ids();
        let pairs = blocks.flat_map(|block| {
            let links = self.links(block);
            links.map(move |(_, link)| (block.0 as usize, link.peer.block.0 as usize))
        });
        leaders(network.blocks.len(), pairs)
    }

    /// By port, what it receives from.
    fn all_sources(&self) -> &[Option<PortCable>] {
        self.sources.as_ref().unwrap_or(&self.links)
    }

    fn slots_of(&self, block: BlockId) -> std::ops::Range<usize> {
        let first = self.offsets[block.0 as usize] as usize;
        first..self.offsets[block.0 as usize + 1] as usize
    }
}

fn of_block(links: &[Option<PortCable>]) -> impl Iterator<Item = (PortIndex, PortCable)> + '_ {
    let ports = links.iter().enumerate();
    ports.filter_map(|(port, link)| link.map(|link| (PortIndex(port as u8), link)))
}
