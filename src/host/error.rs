//! What can go wrong at a port.

use std::io;

/// Why a port cannot be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// The URL names no port.
    #[error(
        "`{url}` names no port: {fact}; write live:/FOLDER/host_N, xdma:/dev/xdma0 or litepcie:/dev/litepcie0"
    )]
    Url { url: String, fact: String },
    /// The system refused something.
    #[error("cannot {action}: {cause}")]
    System { action: String, cause: io::Error },
    /// The other side has closed the port.
    #[error("the port is closed: the network has ended, or another program has taken the port")]
    Closed,
    /// A packet that no network carries.
    #[error("{field} is {value}; it has to be at most {most}")]
    OutOfRange {
        field: &'static str,
        value: u64,
        most: u64,
    },
    /// The card has sent packets that did not arrive, such as while its driver was switched off.
    #[error("{packets} packets were lost between the card and this program")]
    Missing { packets: u32 },
    /// What was received is no packet.
    #[error("what the port received is no packet: {0}")]
    Damaged(String),
}

impl PortError {
    /// An error of the system while it was to do something.
    pub(crate) fn system<E: Into<io::Error>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        let action = action.into();
        move |cause| Self::System {
            action,
            cause: cause.into(),
        }
    }
}
