//! Why a run in which parts fail has no result.

use std::convert::Infallible;

use mkns_diag::Diagnostic;
use mkns_manage::ManagerError;

/// Why a run ends early.
#[derive(Debug, Clone)]
pub enum LiveError {
    /// The engine has no routes for what is left.
    NoRoutes(Box<Diagnostic>),
    /// New routes need a turn that a block does not have, in words.
    MissingTurn(String),
    /// A manager over the cables cannot go on, in words.
    OverCables(String),
    /// Packets still stand in the network so long after the last one was sent.
    NoRest,
}

/// Why a manager at the control ports gives up.
pub(super) fn gives_up(error: ManagerError<Infallible>) -> LiveError {
    match error {
        ManagerError::NoRoutes(why) => LiveError::NoRoutes(why),
        ManagerError::MissingTurn { .. } => LiveError::MissingTurn(error.to_string()),
        other => unreachable!("the blocks are those of the plan: {other}"),
    }
}
