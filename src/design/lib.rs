//! What we will build: the tool-neutral plan between routing and the two descriptions of behaviour
//! (RTL and golden model), with the contract of its blocks.

mod addressing;
mod build;
mod computed_routes;
mod latency;
mod plan;
mod random_blocks;
mod serial_link;
mod supported;

pub use addressing::Addressing;
pub use build::{build, turns_of_kinds};
pub use computed_routes::{ComputedRoutes, RouteSource};
pub use latency::ZeroLoadLatency;
pub use mkns_contract::*;
pub use plan::{BlockInstance, BlocksBetween, Plan};
pub use serial_link::{
    expected_peer, farthest_hosts, farthest_is_sampled, link_rise_cycles, network_hash,
    serial_link, serial_ports,
};
pub use supported::{Purpose, ensure_supported};
