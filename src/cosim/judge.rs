//! Who says what the outputs of a network's blocks have to be.

use serde::Serialize;

use mkns_simulation::RouteSource;

/// How the two sides of a network's blocks are made.
#[derive(Debug, Clone, Copy)]
pub struct Sides {
    /// Power-up values of the RTL.
    pub seed: u64,
    /// Where the judge takes its routes from.
    pub routes: RouteSource,
    pub judge: Judge,
    /// Threads that the blocks are dealt out to.
    pub threads: usize,
}

impl Sides {
    /// Judged by the fast model with computed routes, on one thread.
    pub fn fast(seed: u64) -> Self {
        Self {
            seed,
            routes: RouteSource::Arithmetic,
            judge: Judge::Fast,
            threads: 1,
        }
    }
}

/// The model that a network is compared with, block by block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The reference (`mkns-golden`), as lone blocks are judged.
    Reference,
    /// The model of `mkns sim` on pins: faster, and held to the reference by tests.
    Fast,
}

impl Judge {
    /// Block-cycles up to which the reference is worth its time when nobody says.
    const SHORT: u64 = 2_000_000;

    /// The judge of a run of so many block-cycles when nobody says.
    pub fn of_run(block_cycles: u64) -> Self {
        match block_cycles <= Self::SHORT {
            true => Self::Reference,
            false => Self::Fast,
        }
    }
}
