//! The turns that packets make with the tables of a routing, or while tables of several are mixed.

use mkns_topology::{Block, BlockId, End, Network, NetworkIndex, PortIndex};

use super::{BlockTables, Routing, TableEntry, Turns};

/// By block, the turns that packets of hosts make with these tables: on any layer, by ports and by alternates.
///
/// While tables are rewritten, entries of the old and the new ones meet: the turns of several routings contain those of
/// packets that each block sends on by any of them. The routings are of one spec.
pub fn used_by_tables(
    network: &Network,
    index: &NetworkIndex,
    routings: &[&Routing],
) -> Vec<Turns> {
    let blocks = network.block_ids();
    let of_block = |block| Turns::none(core_ports(network.block(block)) as u32);
    let mut turns: Vec<Turns> = blocks.map(of_block).collect();
    let Some(first) = routings.first() else {
        return turns;
    };
    let layers = first.tables.iter().map(|tables| layers(tables, first));
    let layers = layers.max().unwrap_or(0);
    for destination in &network.hosts {
        let address = first.layout.address_of(destination.host);
        for layer in 0..layers {
            let outputs = |block: BlockId| {
                let of_routing = |outputs: Outputs, routing: &&Routing| {
                    let tables = &routing.tables[block.0 as usize];
                    let entry = tables.lookup(&routing.layout, layer, address);
                    entry.map_or(outputs, |entry| outputs.with(entry))
                };
                routings.iter().fold(Outputs::default(), of_routing)
            };
            let mut seen = vec![false; network.blocks.len()];
            let sources = network.hosts.iter().map(|host| host.block);
            let mut pending: Vec<BlockId> = sources.collect();
            while let Some(block) = pending.pop() {
                if std::mem::replace(&mut seen[block.0 as usize], true) {
                    continue;
                }
                for port in outputs(block).ports() {
                    let end = End {
                        block,
                        port: PortIndex(port as u8),
                    };
                    let Some(link) = index.sends_to(end) else {
                        continue;
                    };
                    let (next, from) = (link.peer.block, usize::from(link.peer.port.0));
                    let turns = &mut turns[next.0 as usize];
                    let ports = 1_u32.checked_shl(turns.rows.len() as u32);
                    let exist = ports.unwrap_or(0).wrapping_sub(1);
                    turns.rows[from] |= outputs(next).from(from) & exist;
                    pending.push(next);
                }
            }
        }
    }
    turns
}

/// Where the entries of a block for one destination lead, bit o: ports and alternates.
#[derive(Debug, Clone, Copy, Default)]
struct Outputs {
    all: u32,
    /// Also packets that came in there.
    back: u32,
}

impl Outputs {
    /// And where another entry leads; ports that no hardware has lead nowhere.
    fn with(self, entry: TableEntry) -> Self {
        let ports = [Some(entry.port), entry.alternate].into_iter().flatten();
        let bits = ports.filter_map(|port| 1_u32.checked_shl(port.into()));
        let bits = bits.fold(0, |all, bit| all | bit);
        Self {
            all: self.all | bits,
            back: self.back | if entry.allow_uturn { bits } else { 0 },
        }
    }

    /// Where packets of one input go: back to it only where the entry allows it.
    fn from(self, input: usize) -> u32 {
        let own = 1_u32.checked_shl(input as u32).unwrap_or(0);
        self.all & !own | self.back & own
    }

    /// The numbers of all ports.
    fn ports(self) -> impl Iterator<Item = u32> {
        (0..u32::BITS).filter(move |port| self.all >> port & 1 == 1)
    }
}

/// Ports of a block's core.
pub fn core_ports(block: &Block) -> usize {
    usize::from(block.network_ports) + usize::from(block.pcie_ports)
}

/// Layers of a block's tables; 0 without tables.
fn layers(tables: &BlockTables, routing: &Routing) -> u32 {
    let of_table = |table: &crate::DimensionTable| {
        let depth = routing.layout.fields[table.field].depth().max(1);
        table.entries.len() as u32 / depth
    };
    tables.tables.iter().map(of_table).max().unwrap_or(0)
}
