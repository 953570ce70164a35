//! A whole co-simulation as a user asks for it; lone blocks and networks are run in files of their own.

mod lone_block;
mod network;
mod pairs;
mod request;

pub(super) use lone_block::check_restricted;
pub use lone_block::{check_block, check_blocks, modules_of};
pub(super) use network::{Network, golden_run, network_options};
pub use network::{check_network, check_network_live};
pub(super) use pairs::Pairs;
pub use pairs::{libraries, members};
pub use request::{Request, SessionError, Silent, Watcher};
pub(super) use request::{replay, replay_of_link, replay_untraced};
