//! What the paper's tables print, and the networks behind their cells as far as they can be told
//! (verification notes 1.1 to 1.4).

use super::Column;
use mkns_spec::{
    BlockParameters, Dimension, EngineClaims, Family, FatTreeSpec, GridSpec, Join, MknsSpec,
    NetworkKind, NetworkSpec,
};
use mkns_topology::formulas::{Meshes, Quantity, formula};
use mkns_topology::metrics::{self, Measured};

/// Printed cells: tables 2 to 7, rows by hosts, columns in the paper's order.
pub const PRINTED: [[[u64; 4]; 5]; 6] = [
    [
        [1, 4, 3, 2],
        [2, 6, 5, 4],
        [3, 7, 6, 4],
        [5, 12, 7, 6],
        [7, 21, 14, 8],
    ],
    [
        [2, 4, 3, 2],
        [3, 8, 5, 4],
        [4, 11, 8, 4],
        [8, 22, 13, 6],
        [12, 41, 19, 8],
    ],
    [
        [7, 8, 6, 16],
        [10, 8, 10, 16],
        [8, 8, 10, 20],
        [9, 8, 12, 20],
        [10, 8, 12, 20],
    ],
    [
        [4, 16, 8, 8],
        [16, 32, 32, 32],
        [40, 64, 32, 80],
        [400, 420, 320, 800],
        [4000, 2662, 2000, 8000],
    ],
    [
        [28, 32, 12, 16],
        [160, 192, 80, 128],
        [360, 640, 336, 320],
        [4400, 6720, 4374, 3200],
        [52000, 63888, 49152, 48000],
    ],
    [
        [80, 128, 96, 56],
        [320, 512, 384, 264],
        [880, 1280, 960, 640],
        [9600, 12800, 9600, 9600],
        [104_000, 128_000, 96000, 128_000],
    ],
];

/// The networks of one row.
pub struct Machine {
    pub hosts: u32,
    /// K; dimension 2 of the 64-host machine is a direct mesh, all others have switch blocks.
    mkns: &'static [u32],
    torus_4d: &'static [u32],
    /// Empty where no single torus fits the printed cells.
    torus_6d: &'static [u32],
    /// End points below a switch of each level, as far as 20 fit.
    fat_tree: &'static [u32],
}

/// All rows.
pub const MACHINES: [Machine; 5] = [
    Machine {
        hosts: 16,
        mkns: &[8],
        torus_4d: &[2, 2, 2, 2],
        torus_6d: &[2, 2, 2],
        fat_tree: &[16],
    },
    Machine {
        hosts: 64,
        mkns: &[8, 4],
        torus_4d: &[2, 2, 4, 4],
        torus_6d: &[2, 2, 2, 2, 2],
        fat_tree: &[16, 4],
    },
    Machine {
        hosts: 160,
        mkns: &[8, 10],
        torus_4d: &[2, 4, 4, 5],
        torus_6d: &[2, 2, 2, 2, 5],
        fat_tree: &[20, 8],
    },
    Machine {
        hosts: 1600,
        mkns: &[8, 10, 10],
        torus_4d: &[5, 6, 7, 8],
        torus_6d: &[],
        fat_tree: &[20, 20, 4],
    },
    Machine {
        hosts: 16000,
        mkns: &[8, 10, 10, 10],
        torus_4d: &[11, 11, 11, 12],
        torus_6d: &[4, 4, 4, 4, 4, 8],
        fat_tree: &[20, 20, 40],
    },
];

/// Ports of the paper's fat tree switches.
const FAT_TREE_PORTS: u32 = 40;

impl Machine {
    /// The network of a column, as a graph only: the paper's 40-port switches, and tori with more
    /// datelines than blocks have virtual channels, are no machines that blocks are built for.
    pub fn spec(&self, column: Column) -> Option<NetworkSpec> {
        let kind = match column {
            Column::Mkns => NetworkKind::Mkns(self.mkns_spec()),
            Column::Torus => return None,
            Column::Torus4d => torus(1, 8, self.torus_4d)?,
            Column::Torus6d => torus(2, 12, self.torus_6d)?,
            Column::FatTree => NetworkKind::FatTree(FatTreeSpec {
                ports: FAT_TREE_PORTS,
                ..FatTreeSpec::new(1, self.fat_tree.to_vec(), None)
            }),
        };
        Some(NetworkSpec {
            name: "paper".to_owned(),
            routing: EngineClaims::of(&kind).name.to_owned(),
            escape: None,
            kind,
            block: BlockParameters::default(),
            link: None,
        })
    }

    fn mkns_spec(&self) -> MknsSpec {
        let join = |at: usize| match (at, self.hosts) {
            (0, _) | (1, 64) => Join::DirectMesh,
            _ => Join::SwitchBlock,
        };
        let sizes = self.mkns.iter().enumerate();
        let dimensions = sizes.map(|(at, &size)| Dimension {
            size,
            join: join(at),
        });
        MknsSpec {
            vms_per_node: 2,
            ports: 10,
            dimensions: dimensions.collect(),
        }
    }

    /// The paper's formula for a column that has a network.
    pub fn formula(&self, column: Column, quantity: Quantity) -> Option<u64> {
        let kind = self.spec(column)?.kind;
        match (&kind, quantity) {
            (NetworkKind::FatTree(_), _) => Some(self.fat_tree_formula(quantity)),
            // 2n is the number of ports of the device, whatever the dimensions that it is used for.
            (NetworkKind::Grid(torus), Quantity::Ports) => {
                let nodes = formula(&kind, Quantity::AdapterBlocks, Meshes::Counted)?;
                Some(u64::from(torus.ports) * nodes)
            }
            _ => formula(&kind, quantity, Meshes::AsSwitchBlocks),
        }
    }

    /// Table 1 with d = 40 and N = hosts: the logarithm of N to base d/2 is rounded up.
    fn fat_tree_formula(&self, quantity: Quantity) -> u64 {
        let (nodes, half) = (u64::from(self.hosts), u64::from(FAT_TREE_PORTS / 2));
        let levels = (1..).find(|&levels| half.pow(levels) >= nodes);
        let levels = u64::from(levels.expect("powers grow without limit"));
        match quantity {
            Quantity::Diameter | Quantity::SpanningTreeDiameter => 2 * levels,
            Quantity::Connectivity => half,
            Quantity::Bisection => nodes / 2,
            Quantity::Cables => nodes * levels,
            Quantity::Ports => 2 * nodes * levels,
            Quantity::Hosts | Quantity::AdapterBlocks | Quantity::SwitchBlocks => nodes,
        }
    }

    /// The formulas that need only n = 6, N = hosts / 2 and the longest ring, which is 5 judging by the
    /// printed bisection: all that is left for the 6-D torus of 1600 hosts.
    pub fn formula_without_network(&self, quantity: Quantity) -> Option<u64> {
        let nodes = u64::from(self.hosts / 2);
        match quantity {
            Quantity::Connectivity => Some(12),
            Quantity::Bisection => Some(2 * nodes / 5),
            Quantity::Cables => Some(6 * nodes),
            Quantity::Ports => Some(12 * nodes),
            _ => None,
        }
    }
}

/// What the graph has. Of fat tree switches only ports with a cable count: how many stay free depends on
/// how the topmost switches are shared.
pub fn measured(spec: &NetworkSpec, quantity: Quantity) -> Measured {
    let (counted, ends) = match (&spec.kind, quantity) {
        (NetworkKind::FatTree(_), Quantity::Ports) => (Quantity::Cables, 2),
        _ => (quantity, 1),
    };
    let measured = metrics::measured(spec, counted);
    Measured {
        value: ends * measured.value,
        ..measured
    }
}

fn torus(vms_per_node: u32, ports: u32, sizes: &[u32]) -> Option<NetworkKind> {
    let spec = GridSpec {
        ports,
        ..GridSpec::new(Family::Torus, vms_per_node, sizes.to_vec())
    };
    (!sizes.is_empty()).then_some(NetworkKind::Grid(spec))
}
