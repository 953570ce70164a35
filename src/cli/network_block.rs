//! Switch or adapter block of a network, for the verbs that take one of the two.

use clap::ValueEnum;

use super::CommandError;
use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_diag::Code;

/// A block around a switch core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NetworkBlock {
    Switch,
    Adapter,
}

impl NetworkBlock {
    /// Its module in the plan; a usage error when the network has none.
    pub fn module(self, plan: &Plan) -> Result<&BlockModule, CommandError> {
        let (kind, other) = match self {
            Self::Switch => (ModuleKind::Switch, "adapter"),
            Self::Adapter => (ModuleKind::Adapter, "switch"),
        };
        let found = plan.modules.iter().find(|module| module.kind == kind);
        found.ok_or_else(|| {
            let fact = format!("the network has no {} block", kind.name());
            let remedy = format!("use `--block {other}`, or give another network");
            CommandError::new(Code::NoSuchBlock, fact, remedy)
        })
    }
}
