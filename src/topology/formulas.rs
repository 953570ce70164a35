//! The paper's formulas, as printed: for MKNS, torus and fat tree.
//!
//! The paper knows no direct mesh in dimensions 2…4: it takes every such dimension for one with
//! switch blocks. [`Meshes::Counted`] applies the extension of the verification notes instead: a mesh
//! dimension adds 1 to the diameter, K−1 to the connectivity, its own cables, and no switch block.
//! Knows the spec only, no graph.

use mkns_spec::{Dimension, Family, FatTreeSpec, GridSpec, Join, MknsSpec, NetworkKind};

/// How a direct mesh in dimension 2…4 enters a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meshes {
    /// As if it had switch blocks: the formula as printed.
    AsSwitchBlocks,
    /// As the mesh that it is.
    Counted,
}

/// A number that a formula gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Hosts,
    AdapterBlocks,
    SwitchBlocks,
    Diameter,
    SpanningTreeDiameter,
    Connectivity,
    Bisection,
    Cables,
    Ports,
}

impl Quantity {
    /// What `mkns info` and the comparison with the paper call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Hosts => "hosts",
            Self::AdapterBlocks => "adapter blocks",
            Self::SwitchBlocks => "switch blocks",
            Self::Diameter => "diameter",
            Self::SpanningTreeDiameter => "tree diameter",
            Self::Connectivity => "connectivity",
            Self::Bisection => "bisection",
            Self::Cables => "cables",
            Self::Ports => "ports",
        }
    }
}

/// The formula of a kind of network; `None` where nobody printed one.
pub fn formula(kind: &NetworkKind, quantity: Quantity, meshes: Meshes) -> Option<u64> {
    match kind {
        NetworkKind::Mkns(mkns) => Some(Formulas::new(mkns, meshes).value(quantity)),
        NetworkKind::Grid(grid) if grid.family == Family::Torus => torus(grid, quantity),
        NetworkKind::Grid(_)
        | NetworkKind::DistributedSwitch(_)
        | NetworkKind::SlimFly(_)
        | NetworkKind::RandomShortcut(_)
        | NetworkKind::Loop(_) => None,
        NetworkKind::FatTree(tree) => fat_tree(tree, quantity),
    }
}

/// The n-dimensional torus of N nodes; each term of the diameter is rounded down.
fn torus(spec: &GridSpec, quantity: Quantity) -> Option<u64> {
    let sizes = || spec.sizes.iter().map(|&size| u64::from(size));
    let (nodes, dimensions) = (sizes().product::<u64>(), spec.sizes.len() as u64);
    Some(match quantity {
        Quantity::Hosts => nodes * u64::from(spec.vms_per_node),
        Quantity::AdapterBlocks => nodes,
        Quantity::SwitchBlocks => 0,
        Quantity::Diameter => sizes().map(|size| size / 2).sum(),
        Quantity::SpanningTreeDiameter => sizes().map(|size| size - 1).sum(),
        Quantity::Connectivity => 2 * dimensions,
        Quantity::Bisection => 2 * nodes / sizes().max()?,
        Quantity::Cables => dimensions * nodes,
        Quantity::Ports => 2 * dimensions * nodes,
    })
}

/// The fat tree of d-port switches whose levels have as many ports up as down, d/2; L levels above N
/// adapter blocks. The paper's N is the number of end points, which here are adapter blocks.
fn fat_tree(spec: &FatTreeSpec, quantity: Quantity) -> Option<u64> {
    let (nodes, levels) = (u64::from(spec.nodes()), spec.levels() as u64);
    let half = u64::from(spec.ports / 2);
    let regular = spec.down.iter().chain(&spec.up);
    if regular.into_iter().any(|&ports| u64::from(ports) != half) {
        return None;
    }
    Some(match quantity {
        Quantity::Hosts => nodes * u64::from(spec.vms_per_node),
        Quantity::AdapterBlocks => nodes,
        Quantity::SwitchBlocks => levels * nodes / half,
        Quantity::Diameter | Quantity::SpanningTreeDiameter => 2 * levels,
        Quantity::Connectivity => half,
        Quantity::Bisection => nodes / 2,
        Quantity::Cables => nodes * levels,
        Quantity::Ports => 2 * nodes * levels,
    })
}

/// The formulas for one MKNS spec.
#[derive(Debug, Clone, Copy)]
struct Formulas<'a> {
    spec: &'a MknsSpec,
    meshes: Meshes,
}

impl<'a> Formulas<'a> {
    fn new(spec: &'a MknsSpec, meshes: Meshes) -> Self {
        Self { spec, meshes }
    }

    fn value(self, quantity: Quantity) -> u64 {
        match quantity {
            Quantity::Hosts => self.hosts(),
            Quantity::AdapterBlocks => self.adapter_blocks(),
            Quantity::SwitchBlocks => self.switch_blocks(),
            Quantity::Diameter => self.diameter(),
            Quantity::SpanningTreeDiameter => self.spanning_tree_diameter(),
            Quantity::Connectivity => self.connectivity(),
            Quantity::Bisection => self.bisection(),
            Quantity::Cables => self.cables(),
            Quantity::Ports => self.ports(),
        }
    }

    /// N: adapter blocks, Π K.
    fn adapter_blocks(self) -> u64 {
        let sizes = self.spec.dimensions.iter().map(|dimension| dimension.size);
        sizes.map(u64::from).product()
    }

    /// N_hosts = m·N.
    fn hosts(self) -> u64 {
        u64::from(self.spec.vms_per_node) * self.adapter_blocks()
    }

    /// N_KB = Σ v·(lines of the dimension); v = 1 for a switch block, 6 for an assembly.
    fn switch_blocks(self) -> u64 {
        self.sum(|dimension, lines| match dimension.join {
            Join::DirectMesh => lines * u64::from(!self.counts_as_mesh(dimension)),
            Join::SwitchBlock => lines,
            Join::SwitchAssembly => 6 * lines,
        })
    }

    /// D = 1 + Σ 2·S.
    fn diameter(self) -> u64 {
        let further = self.sum(|dimension, _| match dimension.join {
            Join::DirectMesh => 2 - u64::from(self.counts_as_mesh(dimension)),
            Join::SwitchBlock => 2,
            Join::SwitchAssembly => 4,
        });
        1 + further
    }

    /// D_od = 2 for one dimension, else 4·(n − 1).
    fn spanning_tree_diameter(self) -> u64 {
        match self.spec.dimensions.len() as u64 {
            1 => 2,
            n => 4 * (n - 1),
        }
    }

    /// C = (K1 − 1) + (n − 1).
    fn connectivity(self) -> u64 {
        let further = self.sum(|dimension, _| match self.counts_as_mesh(dimension) {
            true => u64::from(dimension.size) - 1,
            false => 1,
        });
        u64::from(self.spec.dimensions[0].size) - 1 + further
    }

    /// B = N/2, rounded down.
    fn bisection(self) -> u64 {
        self.adapter_blocks() / 2
    }

    /// NCC = K1·(K1 − 1)/2 for each line of dimension 1, and N for each further dimension; cables
    /// inside assemblies are not counted.
    fn cables(self) -> u64 {
        let mesh = |size: u32| u64::from(size) * u64::from(size - 1) / 2;
        let first = self.spec.dimensions[0].size;
        let further = self.sum(|dimension, lines| match self.counts_as_mesh(dimension) {
            true => lines * mesh(dimension.size),
            false => self.adapter_blocks(),
        });
        mesh(first) * self.adapter_blocks() / u64::from(first) + further
    }

    /// NP = d·(N_KB + N).
    fn ports(self) -> u64 {
        u64::from(self.spec.ports) * (self.switch_blocks() + self.adapter_blocks())
    }

    fn counts_as_mesh(self, dimension: Dimension) -> bool {
        dimension.join == Join::DirectMesh && self.meshes == Meshes::Counted
    }

    /// Sum over dimensions 2…N of a function of the dimension and its number of lines.
    fn sum(self, term: impl Fn(Dimension, u64) -> u64) -> u64 {
        let further = self.spec.dimensions.iter().skip(1);
        let lines = |dimension: &Dimension| self.adapter_blocks() / u64::from(dimension.size);
        further
            .map(|dimension| term(*dimension, lines(dimension)))
            .sum()
    }
}
