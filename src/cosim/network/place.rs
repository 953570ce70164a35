//! Where a block of a network stands among the groups.

/// Where a block's words are.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub group: usize,
    pub instance: usize,
}
