//! What changes in a network that runs: cables fail, hosts fall silent, a manager reads and writes registers.
//!
//! All of it happens between two cycles of the whole network.

use std::sync::Arc;

use super::Fabric;
use super::block::{FabricBlock, ports_below};
use super::register_files::{RegisterFiles, RegisterTarget};
use crate::switch_core::KeySet;
use mkns_design::{PathRegister, Plan};
use mkns_routing::ServedPairs;
use mkns_topology::{BlockId, Cable, End};
use mkns_traffic::Source;

/// PCIe counters of a port.
const PACKETS_IN: usize = 0;
const PACKETS_OUT: usize = 9;

impl<K: KeySet> Fabric<K> {
    /// From the first packet on, packets carry numbers: some may get lost.
    pub fn number_packets(&mut self) {
        self.for_all_sources(Source::number_packets);
    }

    /// The cable goes down for good.
    pub fn cut(&mut self, cable: &Cable) {
        for End { block, port } in [cable.a, cable.b] {
            self.block_mut(block).link_up &= !(1 << port.0);
        }
    }

    /// Packets begin no more, or again.
    pub fn hold(&mut self, stop: bool) {
        self.for_all_sources(|source| source.hold(stop));
    }

    /// From now on hosts send where these pairs have a path; gives the number of packets that hosts had created and
    /// never send.
    pub fn serve(&mut self, served: ServedPairs) -> u64 {
        self.shared.addresses = Arc::new(self.shared.addresses.serving(served));
        let addresses = Arc::clone(&self.shared.addresses);
        let mut left = 0;
        self.for_all_sources(|source| left += source.serve(&addresses) as u64);
        left
    }

    /// Reads a register; none when there is none, or none that is simulated.
    pub fn read(&self, files: &RegisterFiles, id: BlockId, address: u32) -> Option<u32> {
        let block = self.block(id);
        match files.place(id, address)? {
            RegisterTarget::Fixed(value) => Some(value),
            RegisterTarget::NodeAddress => Some(block.node_address),
            RegisterTarget::LinkUp => Some(block.link_up & ports_below(block.links.network_ports)),
            RegisterTarget::PcieCounter { port, counter } => match counter {
                PACKETS_IN => Some(block.hosts[port].source().begun()),
                PACKETS_OUT => Some(block.hosts[port].taken),
                _ => None,
            },
            _ => None,
        }
    }

    /// All blocks lose what leads packets, as if they had just powered up.
    pub fn empty_tables(&mut self, plan: &Plan, files: &RegisterFiles) {
        for id in plan.network.block_ids() {
            for address in files.route_addresses(id) {
                self.write(files, id, address, 0);
            }
        }
    }

    /// Writes a table entry, candidates, a row of step bits, a mask, an entry channel, or the address of a node, which has
    /// to be the planned one; false when there is none.
    pub fn write(&mut self, files: &RegisterFiles, id: BlockId, address: u32, value: u32) -> bool {
        let register = match files.place(id, address) {
            Some(RegisterTarget::Path(register)) => register,
            Some(RegisterTarget::NodeAddress) => return self.block(id).node_address == value,
            _ => return false,
        };
        let block = self.block_mut(id);
        match register {
            PathRegister::Mask { a } => block.change_masks(|masks| masks.write_mask(a, value)),
            PathRegister::Entry { l } => block.change_masks(|masks| masks.write_entry(l, value)),
            _ => block.core.write(register, value),
        }
    }

    /// Room of the adaptive channels of each block, of networks with adaptive blocks.
    #[cfg(test)]
    pub fn room_by_block(&self) -> impl Iterator<Item = (u32, Vec<u16>)> {
        let ids = self.parts.iter().flat_map(|part| part.ids.iter().copied());
        ids.zip(self.blocks()).map(|(id, block)| {
            let ports = 0..block.links.network_ports as usize;
            let core = block.core.switch();
            let room = |port| core.and_then(|core| core.room(port));
            (id, ports.filter_map(room).collect())
        })
    }

    /// Whether nothing moves any more, as long as no host begins a packet.
    pub fn is_at_rest(&self) -> bool {
        let parts = self.parts.iter();
        parts.clone().all(|part| part.wires.is_empty())
            && self.blocks().all(FabricBlock::is_at_rest)
    }

    /// Changes the sources of all hosts.
    fn for_all_sources(&mut self, mut change: impl FnMut(&mut Source)) {
        for block in self.parts.iter_mut().flat_map(|part| &mut part.blocks) {
            for port in 0..block.hosts.len() {
                change(block.host_mut(port).source_mut());
            }
        }
    }

    fn block(&self, id: BlockId) -> &FabricBlock<K> {
        let (part, block) = self.place_of_block(id);
        &self.parts[part].blocks[block]
    }

    fn block_mut(&mut self, id: BlockId) -> &mut FabricBlock<K> {
        let (part, block) = self.place_of_block(id);
        &mut self.parts[part].blocks[block]
    }

    /// Part and place in it.
    fn place_of_block(&self, id: BlockId) -> (usize, usize) {
        let places = self.parts.iter().map(|part| part.ids.binary_search(&id.0));
        let found = places
            .enumerate()
            .find_map(|(part, place)| Some((part, place.ok()?)));
        found.expect("a network on one rank")
    }
}

impl<K: KeySet> FabricBlock<K> {
    /// Changes masks or entry channels, which all hosts of the block share; false when there are none, or `change`
    /// finds none.
    fn change_masks(
        &mut self,
        change: impl Fn(&mut crate::layer_choice::LayerMasks) -> bool,
    ) -> bool {
        let hosts = self.hosts.iter_mut();
        let mut shared = hosts.map_while(|host| host.port.ingress.shared_masks_mut());
        let Some(first) = shared.next() else {
            return false;
        };
        let is_done = change(Arc::make_mut(first));
        shared.for_each(|other| *other = Arc::clone(first));
        is_done
    }
}
