//! What stops a manager.

use mkns_diag::Diagnostic;

/// Why a manager cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ManagerError<E> {
    /// The way to the blocks failed.
    #[error("{0}")]
    Registers(E),
    /// A block is not the one of the plan.
    #[error("{block}: {register} reads {found:#010x}, the spec's block has {expected:#010x}")]
    Foreign {
        block: String,
        register: &'static str,
        expected: u32,
        found: u32,
    },
    /// A block has no turn that routes need.
    #[error("{block} has no turn from port {from} to port {to}, which the routes may need")]
    MissingTurn {
        block: String,
        from: usize,
        to: usize,
    },
    /// No block answers, so nothing is known of any link.
    #[error("no block answers a read")]
    NobodyAnswers,
    /// A block that works refuses a write.
    #[error("{block} does not accept a write to {address:#07x}")]
    Refused { block: String, address: u32 },
    /// A register has changed, and this manager has not written it.
    #[error(
        "{block}: the register at {address:#07x} has changed from {expected:#x} to {found:#x}: another manager is at work, or the block was reset"
    )]
    Overwritten {
        block: String,
        address: u32,
        expected: u32,
        found: u32,
    },
    /// The engine has no routes for what is left.
    #[error("{}", .0.fact)]
    NoRoutes(Box<Diagnostic>),
}

impl<E> From<E> for ManagerError<E> {
    fn from(error: E) -> Self {
        Self::Registers(error)
    }
}
