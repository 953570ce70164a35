//! What a host does with an MKNS network: open a port, send packets, receive packets.
//!
//! A port is named by a URL: `live:/run/net/host_3` is a host of a network that `mkns live` runs, `xdma:/dev/xdma0` is a
//! card with Xilinx' XDMA core, `litepcie:/dev/litepcie0` a channel of one with LitePCIe. A packet goes to an address of 20 bits and carries up to as many bytes as the packets of
//! the network hold.
//!
//! ```no_run
//! use std::time::Duration;
//! let port = mkns_host::Port::open("live:/run/net/host_3")?;
//! port.send(0x00002, 0, b"hello")?;
//! if let Some(answer) = port.receive(Some(Duration::from_secs(1)))? {
//!     println!("{} bytes from {:#07x}", answer.payload.len(), answer.source);
//! }
//! # Ok::<(), mkns_host::PortError>(())
//! ```

mod arrivals;
mod error;
mod ffi;
mod litepcie;
mod litepcie_driver;
mod litepcie_run;
mod live;
mod page_buffer;
mod port;
mod port_counters;
mod url;
pub mod wire;
mod xdma;
mod xdma_driver;

pub use error::PortError;
pub use litepcie_driver::{BufferCounts, Direction, LinuxLitePcie, LitePcieDevice, LitePcieDriver};
pub use live::{CONTROL, LiveInformation};
pub use port::Port;
pub use port_counters::PortCounters;
pub use rustix::fs::OFlags;
pub use url::PortUrl;
pub use wire::{MOST_PAYLOAD, ReceivedPacket};
pub use xdma_driver::{LinuxXdma, XdmaDevice, XdmaDriver};
