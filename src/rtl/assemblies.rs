//! Switch assemblies found in a network: which six blocks and which inner cables belong together.

use bitvec::vec::BitVec;

use super::literal::Literal;
use mkns_design::Plan;
use mkns_topology::assembly::{LEAVES, SPINES};
use mkns_topology::{BlockId, BlockRole, CableKind, NetworkIndex, PortIndex};

/// Blocks of one assembly.
pub const MEMBERS: usize = (LEAVES + SPINES) as usize;

/// Member names within an assembly, in order.
pub const MEMBER_NAMES: [&str; MEMBERS] = ["leaf0", "leaf1", "leaf2", "leaf3", "spine0", "spine1"];

/// One assembly: leaves 0…3, then spines 0 and 1, in consecutive blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// `ksb_y2`
    pub name: String,
    pub dimension: u8,
    /// Leaf 0.
    pub first: BlockId,
    /// Inner cables by leaf, then by uplink.
    pub inner: Vec<InnerCable>,
}

/// A cable from a leaf to a spine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InnerCable {
    /// Index into the network's cables.
    pub cable: u32,
    /// Member number 0…3 and port of the leaf.
    pub leaf: (usize, PortIndex),
    /// Member number 4…5 and port of the spine.
    pub spine: (usize, PortIndex),
}

impl Assembly {
    /// Whether both have equal wiring inside, whatever the cables' numbers.
    pub fn is_wired_like(&self, other: &Self) -> bool {
        let wiring = |assembly: &Self| -> Vec<_> {
            let inner = assembly.inner.iter();
            inner.map(|cable| (cable.leaf, cable.spine)).collect()
        };
        wiring(self) == wiring(other)
    }

    /// The six blocks.
    pub fn members(&self) -> impl Iterator<Item = BlockId> {
        (self.first.0..).take(MEMBERS).map(BlockId)
    }
}

/// Overrides that turn `switch_assembly` into the one whose leaf 0 is `first`, as the network top
/// sets them; name and value.
pub fn assembly_parameters(plan: &Plan, first: BlockId) -> Vec<(String, String)> {
    let start = first.0 as usize;
    let shape = plan.modules[plan.instances[start].module].tables[0];
    let mut list = vec![
        ("TABLE0_LSB".to_owned(), shape.lsb.to_string()),
        ("TABLE0_BITS".to_owned(), shape.bits.to_string()),
    ];
    let members = plan.instances[start..start + MEMBERS].iter();
    for (instance, name) in members.zip(MEMBER_NAMES.map(str::to_uppercase)) {
        let entries = instance.tables.tables[0].entries.iter();
        let words: Vec<u16> = entries.map(|entry| entry.pack()).collect();
        let table = Literal::words(&words).to_string();
        list.push((format!("{name}_TABLE0_INIT"), table));
        let step: BitVec = instance.tables.step.iter().flatten().collect();
        let step = Literal::bits(&step).to_string();
        list.push((format!("{name}_STEP"), step));
    }
    list
}

/// All assemblies of a plan, in block order.
pub fn find(plan: &Plan, index: &NetworkIndex) -> Vec<Assembly> {
    let blocks = plan.network.blocks.iter().zip(0..);
    let assemblies: Vec<Assembly> = blocks
        .filter_map(|(block, number)| match block.role {
            BlockRole::AssemblyLeaf { dimension, leaf: 0 } => Some(Assembly {
                name: block.name.trim_end_matches("_leaf0").to_owned(),
                dimension,
                first: BlockId(number),
                inner: inner_cables(plan, index, number),
            }),
            _ => None,
        })
        .collect();
    debug_assert!(
        assemblies
            .iter()
            .all(|assembly| assembly.is_wired_like(&assemblies[0])),
        "one module serves all assemblies"
    );
    assemblies
}

fn inner_cables(plan: &Plan, index: &NetworkIndex, first: u32) -> Vec<InnerCable> {
    let leaves = 0..u32::from(LEAVES);
    leaves
        .flat_map(|leaf| {
            let links = index.links(BlockId(first + leaf));
            links.map(move |(port, link)| (leaf, port, link))
        })
        .filter(|(_, _, link)| {
            plan.network.cables[link.cable as usize].kind == CableKind::AssemblyInternal
        })
        .map(|(leaf, port, link)| InnerCable {
            cable: link.cable,
            leaf: (leaf as usize, port),
            spine: ((link.peer.block.0 - first) as usize, link.peer.port),
        })
        .collect()
}
