//! The wiring of a distributed full switch, stage by stage.

use super::base;
use super::placement::{Placement, place};
use super::stage::Stage;
use mkns_block_design::BlockDesign;

/// What the wiring of every stage follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Structure {
    /// 2-D full multi-ring, N = m² (`docs/design/sources.md`, quasi-complete digraphs, a).
    MultiRing,
    /// 2-D generalised m-ary hypercube, N = m² (quasi-complete digraphs, b).
    Hypercube,
    /// Symmetric block design B(N, m, σ) (block designs).
    BlockDesign(BlockDesign),
}

/// A distributed full switch of k cascades.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedSwitch {
    structure: Structure,
    ports: u32,
    stages: Vec<Stage>,
    placements: Vec<Placement>,
}

impl DistributedSwitch {
    /// The switch of `ports`×`ports` spine switches (m ≥ 2) and `cascades` ≥ 1 cascades. The m of a
    /// block design is its own.
    pub fn new(structure: Structure, ports: u32, cascades: u32) -> Self {
        let base = match &structure {
            Structure::MultiRing => base::multi_ring(ports),
            Structure::Hypercube => base::hypercube(ports),
            Structure::BlockDesign(design) => base::block_design(design),
        };
        let mut placements = Vec::new();
        let mut stages = vec![base];
        for _ in 1..cascades {
            let (base, inner) = (&stages[0], &stages[stages.len() - 1]);
            let placement = place(base, inner.terminals() % ports);
            stages.push(base.extended(inner.terminals(), &placement.elements));
            placements.push(placement);
        }
        Self {
            structure,
            ports,
            stages,
            placements,
        }
    }

    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// m: ports of a spine switch and branches of a POK.
    pub fn ports(&self) -> u32 {
        self.ports
    }

    /// k: cascades of POK units.
    pub fn cascades(&self) -> u32 {
        self.stages.len() as u32
    }

    /// N: copies that every stage joins; terminals of one cascade.
    pub fn copies(&self) -> u32 {
        self.stages[0].copies()
    }

    /// R_k: terminals.
    pub fn terminals(&self) -> u32 {
        self.stage(1).terminals()
    }

    /// σ: channel-disjoint paths between any two different terminals, at least.
    pub fn disjoint_paths(&self) -> u32 {
        match &self.structure {
            Structure::MultiRing | Structure::Hypercube => 1,
            Structure::BlockDesign(design) => design.parameters().sigma,
        }
    }

    /// Whether both directions of a channel run in one cable: terminals and switches are joined alike
    /// for sending and receiving. Digraphs (multi-ring, hypercube) need simplex ports.
    pub fn is_duplex(&self) -> bool {
        matches!(self.structure, Structure::BlockDesign(_))
    }

    /// How the units of `cascade` (1 = next to the terminals, k = next to the spine) are attached to
    /// what lies behind them.
    pub fn stage(&self, cascade: u32) -> &Stage {
        &self.stages[(self.cascades() - cascade) as usize]
    }

    /// Number of copies, each a switch of its own, that the units of `cascade` belong to.
    pub fn copies_at(&self, cascade: u32) -> u32 {
        self.copies().pow(cascade - 1)
    }

    /// Number of m×m switches.
    pub fn spine_switches(&self) -> u32 {
        self.copies().pow(self.cascades())
    }

    /// What fills the last, partial group of ports in each extension, from the innermost outwards.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }
}
