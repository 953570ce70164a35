//! The columns of the paper's tables.

use serde::Serialize;

/// A column of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    Mkns,
    /// Table 1 speaks of any number of dimensions.
    Torus,
    Torus4d,
    Torus6d,
    FatTree,
}

/// The columns of tables 2 to 7 in the paper's order.
pub const COLUMNS: [Column; 4] = [
    Column::Mkns,
    Column::Torus4d,
    Column::Torus6d,
    Column::FatTree,
];

impl Column {
    /// The paper's heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Mkns => "MKNS",
            Self::Torus => "torus",
            Self::Torus4d => "4-D torus",
            Self::Torus6d => "6-D torus",
            Self::FatTree => "fat tree",
        }
    }
}
