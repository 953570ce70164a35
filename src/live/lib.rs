//! The hosts of a running network as Unix sockets: other programs send and receive packets there, and say what fails.
//!
//! Two threads work on it. The network's own thread asks every few cycles for packets and hands over those that arrived
//! ([`LiveServer`] as [`mkns_traffic::OutsideHosts`]); a second one reads and writes the sockets. What they exchange is
//! in `mailbox.rs`. `mkns-host` is the other end of the sockets.

mod answers;
mod clients;
mod command;
mod control;
mod directory;
mod error;
mod folder;
mod mailbox;
mod server;
mod socket_thread;
mod token;
mod totals;
mod window;

pub use command::ask;
pub use error::LiveError;
pub use server::LiveServer;
pub use totals::SocketTotals;
pub use window::LiveWindow;
