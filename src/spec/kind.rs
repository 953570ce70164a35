//! What every kind of network must say about itself, and how each is read.
//!
//! A kind is a variant of [`NetworkKind`] whose parameters implement [`Kind`], and a [`Reader`] in
//! [`READERS`] for its notation and its table in a file. `docs/network-kinds.md` lists the steps.

use super::findings::Findings;
use super::legal::DEFAULT_PORTS;
use super::notation::Arguments;
use super::schema::NetworkEntry;
use super::table::Table;
use super::{NetworkKind, distributed_switch, fat_tree, grid, mkns};

/// The parameters of one kind of network.
pub trait Kind {
    /// The canonical notation; it implies the default number of ports.
    fn notation(&self) -> String;

    /// M: compute modules (VMs) per adapter block.
    fn vms_per_node(&self) -> u32;

    /// d: network ports of a block.
    fn ports(&self) -> u32;

    /// Ports of the smallest switch core, PCIe-side ports of an adapter block included where that is
    /// the smallest.
    fn smallest_core(&self) -> u32 {
        self.ports()
    }

    /// d where the notation says nothing else.
    fn default_ports(&self) -> u32 {
        DEFAULT_PORTS
    }

    /// Address fields behind the PCIe port: name and number of values of each coordinate, or one
    /// node number where tables are flat.
    fn node_fields(&self) -> Vec<(&'static str, u32)>;

    /// Virtual channels without which routes could deadlock.
    fn virtual_channels(&self) -> u32 {
        1
    }

    /// Reports everything that is wrong with the parameters.
    fn validate(&self, findings: &mut Findings);

    /// The table that spells the network out in a file.
    fn table(&self) -> NetworkEntry;

    /// The notation as a name, `mkns_2_8x4_2_0`; `_d8` follows when d is not the default.
    fn default_name(&self) -> String {
        let name = self.notation().to_lowercase();
        let name = name.replace(['(', ','], "_").replace(')', "");
        if self.ports() == self.default_ports() {
            name
        } else {
            format!("{name}_d{}", self.ports())
        }
    }
}

/// How one kind is read.
pub struct Reader {
    /// `kind` in a file; the notation takes any letter case.
    pub name: &'static str,
    /// The name as messages print it.
    pub title: &'static str,
    /// How to write the notation.
    pub form: &'static str,
    /// Legal numbers of arguments, and what they are.
    pub counts: &'static [usize],
    pub arguments: &'static str,
    /// The arguments of a notation; `None` when its numbers cannot be told.
    pub notation: fn(&Arguments, &mut Findings) -> Option<NetworkKind>,
    /// The table of a file, `kind` already read; `None` when something is missing or of a wrong type.
    pub table: fn(&mut Table, &mut Findings) -> Option<NetworkKind>,
}

/// All kinds; the first is that of a table without `kind`.
pub const READERS: [Reader; 8] = [
    mkns::READER,
    grid::TORUS,
    grid::KNS,
    grid::HYPERX,
    fat_tree::READER,
    distributed_switch::MULTI_RING,
    distributed_switch::HYPERCUBE,
    distributed_switch::BLOCK_DESIGN,
];

/// `8x4x4`.
pub fn x_list(values: &[u32]) -> String {
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    values.join("x")
}
