//! A whole co-simulation as a user asks for it; lone blocks and networks are run in files of their own.

mod lone_block;
mod network;
mod pairs;
mod request;

pub use lone_block::modules_of;
pub(super) use lone_block::run_block;
pub(super) use network::{golden_run, network_options, run_instances, run_networks};
pub use pairs::{Pairs, libraries, members};
pub use request::{Request, RunListener, SessionError, Silent};
pub(super) use request::{each_pattern, replay, replay_of_link, replay_untraced, run_recorded};
