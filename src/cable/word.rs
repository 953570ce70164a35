//! What the wrappers of all kinds of lines carry.

/// A word of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// A control word.
    pub control: bool,
    pub data: u64,
}
