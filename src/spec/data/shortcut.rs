//! Networks of a regular base and shortcuts: random ones (random shortcut topologies), or the distributed loop
//! network whose chords halve the ring again and again (`docs/design/sources.md`).

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Serialize;

use super::kind::{Kind, schema_of_kind};
use super::limits::Limits;

/// Adapter blocks.
pub(crate) const SHORTCUT_NODES: Limits = Limits::Range(4, 4096);
/// Network ports of an adapter block.
pub(crate) const DEGREE: Limits = Limits::Range(3, 24);
/// Graphs that the best is chosen from.
pub(crate) const BEST_OF: Limits = Limits::Range(1, 1000);
/// K of a distributed loop network.
pub(crate) const CHORDS: Limits = Limits::Range(1, 11);

/// What the shortcuts are added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Base {
    Ring,
    /// Two-dimensional, as square as the number of blocks allows.
    Torus,
    Hypercube,
    /// Binary.
    Tree,
}

/// How shortcuts are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Every block gets as many cables as `degree` says.
    Uniform,
    /// Blocks have as many cables as `degree` says on the average.
    Average,
}

/// A network with random shortcuts spelled out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "RandomShortcutTable", deny_unknown_fields)]
#[schemars(transform = schema_of_kind("random_shortcut"))]
pub struct RandomShortcutSpec {
    /// N: adapter blocks.
    #[schemars(range(min = 4, max = 4096))]
    pub nodes: u32,
    /// Cables of an adapter block, those of the base included.
    #[schemars(range(min = 3, max = 24))]
    pub degree: u32,
    /// M: hosts per adapter block, 1 when absent.
    #[schemars(with = "Option<u32>", range(min = 1, max = 8))]
    pub vms_per_node: u32,
    /// What shortcuts are added to, `ring` when absent.
    #[schemars(with = "Option<Base>")]
    pub base: Base,
    /// How they are drawn, `uniform` when absent.
    #[schemars(with = "Option<Method>")]
    pub method: Method,
    /// Decides all random choices, 1 when absent.
    #[schemars(with = "Option<u32>")]
    pub seed: u32,
    /// Graphs of which the one of the least diameter is taken, 1 when absent.
    #[schemars(with = "Option<u32>", range(min = 1, max = 1000))]
    pub best_of: u32,
}

/// A distributed loop network spelled out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LoopTable", deny_unknown_fields, transform = schema_of_kind("dln"))]
pub struct LoopSpec {
    /// N: adapter blocks.
    #[schemars(range(min = 4, max = 4096))]
    pub nodes: u32,
    /// K: chords of N/2, N/4, … N/2^K.
    #[schemars(range(min = 1, max = 11))]
    pub chords: u32,
    /// M: hosts per adapter block, 1 when absent.
    #[schemars(with = "Option<u32>", range(min = 1, max = 8))]
    pub vms_per_node: u32,
}

impl Base {
    pub(crate) const ALL: [Self; 4] = [Self::Ring, Self::Torus, Self::Hypercube, Self::Tree];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Torus => "torus",
            Self::Hypercube => "hypercube",
            Self::Tree => "tree",
        }
    }

    /// Most cables of a block of the base.
    pub(crate) fn degree(self, nodes: u32) -> u32 {
        match self {
            Self::Ring => 2,
            Self::Torus => 4,
            Self::Hypercube => nodes.ilog2(),
            Self::Tree => 3,
        }
    }
}

impl Method {
    pub(crate) const ALL: [Self; 2] = [Self::Uniform, Self::Average];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Average => "average",
        }
    }
}

impl RandomShortcutSpec {
    /// Uniform shortcuts on a ring, seed 1, the first graph.
    pub fn new(nodes: u32, degree: u32, vms_per_node: u32) -> Self {
        Self {
            nodes,
            degree,
            vms_per_node,
            base: Base::Ring,
            method: Method::Uniform,
            seed: 1,
            best_of: 1,
        }
    }
}

impl LoopSpec {
    /// The blocks that a chord or ring cable joins to block 0, each once, in order of their cables.
    pub fn offsets(&self) -> Vec<u32> {
        let mut offsets = vec![1];
        for chord in 1..=self.chords {
            let offset = self.nodes.checked_shr(chord).unwrap_or(0);
            if offset > 1 && !offsets.contains(&offset) {
                offsets.push(offset);
            }
        }
        offsets
    }

    /// Cables of a block: a chord to the opposite block counts once, all others twice.
    pub fn degree(&self) -> u32 {
        let ends = |offset: &u32| if 2 * offset == self.nodes { 1 } else { 2 };
        self.offsets().iter().map(ends).sum()
    }

    /// Most cables between two blocks; all blocks are alike. 0 for sizes that validation refuses: it comes later.
    pub fn diameter(&self) -> u32 {
        if self.nodes == 0 || self.nodes > 1 << 20 || self.chords > 32 {
            return 0;
        }
        let offsets = self.offsets();
        let mut distance = vec![u32::MAX; self.nodes as usize];
        distance[0] = 0;
        let mut reached = VecDeque::from([0]);
        let mut farthest = 0;
        while let Some(block) = reached.pop_front() {
            farthest = distance[block as usize];
            for offset in &offsets {
                for next in [block + offset, block + self.nodes - offset] {
                    let next = next % self.nodes;
                    if distance[next as usize] == u32::MAX {
                        distance[next as usize] = farthest + 1;
                        reached.push_back(next);
                    }
                }
            }
        }
        farthest
    }
}

impl Kind for RandomShortcutSpec {
    fn notation(&self) -> String {
        let (nodes, degree, hosts) = (self.nodes, self.degree, self.vms_per_node);
        format!("random_shortcut({nodes},{degree},{hosts})")
    }

    fn notation_says_all(&self) -> bool {
        *self == Self::new(self.nodes, self.degree, self.vms_per_node)
    }

    fn default_name(&self) -> String {
        let (nodes, degree, hosts) = (self.nodes, self.degree, self.vms_per_node);
        let mut name = format!("random_shortcut_{nodes}_{degree}_{hosts}");
        if self.base != Base::Ring {
            name += &format!("_{}", self.base.name());
        }
        if self.method != Method::Uniform {
            name += &format!("_{}", self.method.name());
        }
        if self.best_of != 1 {
            name += &format!("_best{}", self.best_of);
        }
        match self.seed {
            1 => name,
            seed => format!("{name}_seed{seed}"),
        }
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.degree
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        vec![("node", self.nodes)]
    }

    /// Those of the base, then the others.
    fn cable_dimensions(&self) -> u32 {
        2
    }
}

impl Kind for LoopSpec {
    fn notation(&self) -> String {
        let (nodes, chords, hosts) = (self.nodes, self.chords, self.vms_per_node);
        format!("dln({nodes},{chords},{hosts})")
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.degree()
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        vec![("node", self.nodes)]
    }

    /// Those of the base, then the others.
    fn cable_dimensions(&self) -> u32 {
        2
    }
}
