//! How the blocks of a simulated network are stepped, which has no effect on results.

/// Blocks whose state stays in the caches of a core from one batch to the next, about.
const BLOCKS_IN_CACHE: usize = 250;

/// How the blocks of a network are stepped.
#[derive(Debug, Clone, Copy)]
pub struct Stepping {
    /// Parts that threads step side by side.
    pub parts: usize,
    /// A part of more blocks is prefetched; one that is the whole network is stepped in long batches.
    pub blocks_in_cache: usize,
}

impl Stepping {
    /// In parts, as caches of the usual size like it.
    pub fn in_parts(parts: usize) -> Stepping {
        Stepping {
            parts,
            blocks_in_cache: BLOCKS_IN_CACHE,
        }
    }
}
