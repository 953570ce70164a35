//! How much of a design is looked at.

use super::sources::{Source, block_sources, network_sources};
use mkns_design::Plan;
use mkns_diag::Diagnostic;

/// How much of a design is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Its block modules.
    Blocks,
    /// These, and the modules of the network around them.
    Network,
}

impl Scope {
    /// What would be generated.
    pub(super) fn sources(self, plan: &Plan) -> Result<Vec<Source>, Vec<Diagnostic>> {
        match self {
            Self::Blocks => Ok(block_sources(plan)),
            Self::Network => network_sources(plan),
        }
    }
}
