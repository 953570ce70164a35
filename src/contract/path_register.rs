//! What a control port can write in a block's data path.

/// A register or an entry of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRegister {
    /// A row of STEP, bit o.
    Step { row: usize },
    /// A row of TURNS, bit o; read only.
    Turns { row: usize },
    /// An entry of TABLE n.
    Table { n: usize, index: usize },
    /// The mask of node address a.
    Mask { a: usize },
    /// The candidates of node address a.
    Candidates { a: usize },
    /// LAYER_ENTRY of layer l.
    Entry { l: usize },
}
