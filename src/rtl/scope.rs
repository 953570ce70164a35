//! How much of a design is looked at.

use super::sources::{Source, block_sources, link_sources, network_sources};
use mkns_design::Plan;
use mkns_diag::Diagnostic;

/// How much of a design is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Its block modules.
    Blocks,
    /// These, and the modules of the network around them.
    Network,
    /// The ports of its serial links.
    Links,
}

impl Scope {
    /// What would be generated.
    pub(super) fn sources(self, plan: &Plan) -> Result<Vec<Source>, Vec<Diagnostic>> {
        match self {
            Self::Blocks => Ok(block_sources(plan)),
            Self::Network => network_sources(plan),
            Self::Links => Ok(link_sources()),
        }
    }
}
