//! A Linux network interface on a port of an MKNS network: IPv4 and IPv6 datagrams over its packets.
//!
//! A TUN device takes datagrams from the system; each is cut into segments, one packet each ([`segment`]), and put
//! together again at the other end ([`Reassembly`]). IP addresses follow from the numbers of the hosts
//! ([`IpAddresses`]). `docs/reference/interface.md` defines the format.

mod addresses;
mod counters;
mod error;
mod reassembly;
mod relay;
mod segment;
mod tun;

pub use addresses::{IpAddresses, Ipv4Network};
pub use counters::{CounterValues, Counters};
pub use error::InterfaceError;
pub use reassembly::{Assembled, Reassembly};
pub use relay::{Relay, Settings};
pub use segment::{HEADER_BYTES, LEAST_MTU, MOST_MTU, segments};
pub use tun::Tun;
