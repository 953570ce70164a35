//! `management_unit`: lockstep with the golden model, with links, a control port and a host around it that do what they
//! like.

mod host;
mod messages;
mod network;
mod report;
mod run;
mod slave;
mod surroundings;
mod top;

pub use network::ManagedNetwork;
pub use report::ManagementReport;
pub use run::{ManagementRun, management_model, management_top};
pub use top::management_pins;
