//! Why an interface cannot be made.

use std::io;

use mkns_host::PortError;

#[derive(Debug, thiserror::Error)]
pub enum InterfaceError {
    /// The system refused something.
    #[error("cannot {action}: {cause}")]
    System { action: String, cause: io::Error },
    /// The port refused something.
    #[error(transparent)]
    Port(#[from] PortError),
}

impl InterfaceError {
    pub(crate) fn system<E: Into<io::Error>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        let action = action.into();
        move |cause| Self::System {
            action,
            cause: cause.into(),
        }
    }
}
