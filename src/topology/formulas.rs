//! The paper's formulas for MKNS (digest 0.7), as printed.
//!
//! The paper knows no direct mesh in dimensions 2…4: it takes every such dimension for one with
//! switch blocks. [`Meshes::Counted`] applies the extension of the verification notes instead: a mesh
//! dimension adds 1 to the diameter, K−1 to the connectivity, its own cables, and no switch block.
//! Knows the spec only, no graph.

use crate::spec::{Dimension, Join, MknsSpec};

/// How a direct mesh in dimension 2…4 enters a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meshes {
    /// As if it had switch blocks: the formula as printed.
    AsSwitchBlocks,
    /// As the mesh that it is.
    Counted,
}

/// The formulas for one spec.
#[derive(Debug, Clone, Copy)]
pub struct Formulas<'a> {
    spec: &'a MknsSpec,
    meshes: Meshes,
}

impl<'a> Formulas<'a> {
    pub fn new(spec: &'a MknsSpec, meshes: Meshes) -> Self {
        Self { spec, meshes }
    }

    /// N: adapter blocks, Π K.
    pub fn adapter_blocks(self) -> u64 {
        let sizes = self.spec.dimensions.iter().map(|dimension| dimension.size);
        sizes.map(u64::from).product()
    }

    /// N_VM = m·N.
    pub fn compute_modules(self) -> u64 {
        u64::from(self.spec.vms_per_node) * self.adapter_blocks()
    }

    /// N_KB = Σ v·(lines of the dimension); v = 1 for a switch block, 6 for an assembly.
    pub fn switch_blocks(self) -> u64 {
        self.sum(|dimension, lines| match dimension.join {
            Join::DirectMesh => lines * u64::from(!self.counts_as_mesh(dimension)),
            Join::SwitchBlock => lines,
            Join::SwitchAssembly => 6 * lines,
        })
    }

    /// D = 1 + Σ 2·S.
    pub fn diameter(self) -> u64 {
        let further = self.sum(|dimension, _| match dimension.join {
            Join::DirectMesh => 2 - u64::from(self.counts_as_mesh(dimension)),
            Join::SwitchBlock => 2,
            Join::SwitchAssembly => 4,
        });
        1 + further
    }

    /// D_od = 2 for one dimension, else 4·(n − 1).
    pub fn spanning_tree_diameter(self) -> u64 {
        match self.spec.dimensions.len() as u64 {
            1 => 2,
            n => 4 * (n - 1),
        }
    }

    /// C = (K1 − 1) + (n − 1).
    pub fn connectivity(self) -> u64 {
        let further = self.sum(|dimension, _| match self.counts_as_mesh(dimension) {
            true => u64::from(dimension.size) - 1,
            false => 1,
        });
        u64::from(self.spec.dimensions[0].size) - 1 + further
    }

    /// B = N/2, rounded down.
    pub fn bisection(self) -> u64 {
        self.adapter_blocks() / 2
    }

    /// NCC = K1·(K1 − 1)/2 for each line of dimension 1, and N for each further dimension; cables
    /// inside assemblies are not counted.
    pub fn cables(self) -> u64 {
        let mesh = |size: u32| u64::from(size) * u64::from(size - 1) / 2;
        let first = self.spec.dimensions[0].size;
        let further = self.sum(|dimension, lines| match self.counts_as_mesh(dimension) {
            true => lines * mesh(dimension.size),
            false => self.adapter_blocks(),
        });
        mesh(first) * self.adapter_blocks() / u64::from(first) + further
    }

    /// NP = d·(N_KB + N).
    pub fn ports(self) -> u64 {
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
