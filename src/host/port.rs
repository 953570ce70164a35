//! A port of whatever kind.

use std::sync::Arc;
use std::time::Duration;

use crate::litepcie::{LitePciePort, MOST_PACKETS};
use crate::litepcie_driver::{LinuxLitePcie, LitePcieDriver};
use crate::live::{LivePort, MOST_MESSAGE};
use crate::xdma::XdmaPort;
use crate::xdma_driver::{LinuxXdma, XdmaDriver};
use crate::{LiveInformation, PortCounters, PortError, PortUrl, ReceivedPacket, wire};

/// An open port. Several threads may use it: one that sends and one that receives do not wait for each other.
#[derive(Debug)]
pub struct Port(Kind);

#[derive(Debug)]
enum Kind {
    Live(LivePort),
    Xdma(XdmaPort),
    LitePcie(LitePciePort),
}

impl Port {
    /// Opens the port with this URL.
    ///
    /// # Errors
    /// When there is no such port, it is in use, or the caller may not open it.
    pub fn open(url: &str) -> Result<Self, PortError> {
        Self::at(&url.parse()?)
    }

    /// Opens a port.
    ///
    /// # Errors
    /// As for [`Port::open`].
    pub fn at(url: &PortUrl) -> Result<Self, PortError> {
        Ok(Self(match url {
            PortUrl::Live(path) => Kind::Live(LivePort::open(path)?),
            PortUrl::Xdma { path, channel } => {
                Kind::Xdma(XdmaPort::open(Arc::new(LinuxXdma(path.clone())), *channel)?)
            }
            PortUrl::LitePcie { path, channel } => {
                let driver = LinuxLitePcie {
                    path: path.clone(),
                    channel: *channel,
                };
                Kind::LitePcie(LitePciePort::open(&driver)?)
            }
        }))
    }

    /// Opens a channel of a card with LitePCIe whose device this is.
    ///
    /// # Errors
    /// As for [`Port::open`].
    pub fn of_litepcie(driver: &dyn LitePcieDriver) -> Result<Self, PortError> {
        Ok(Self(Kind::LitePcie(LitePciePort::open(driver)?)))
    }

    /// Opens a channel of a card whose devices are these.
    ///
    /// # Errors
    /// As for [`Port::open`].
    pub fn of_driver(driver: Arc<dyn XdmaDriver>, channel: u32) -> Result<Self, PortError> {
        Ok(Self(Kind::Xdma(XdmaPort::open(driver, channel)?)))
    }

    /// Sends a packet to an address, and waits while the port is busy. `layer` is 0 unless the network has several.
    ///
    /// # Errors
    /// When a value does not fit the header, or the port is closed.
    pub fn send(&self, destination: u32, layer: u32, payload: &[u8]) -> Result<(), PortError> {
        self.send_all([(destination, layer, payload)])
    }

    /// Sends packets, each with its destination, layer and payload; several at a time where the port can take them so.
    ///
    /// # Errors
    /// As for [`Port::send`]; packets before the one that is refused may have been sent.
    pub fn send_all<'a>(
        &self,
        packets: impl IntoIterator<Item = (u32, u32, &'a [u8])>,
    ) -> Result<(), PortError> {
        let longest = match self.0 {
            Kind::Live(_) => MOST_MESSAGE,
            Kind::LitePcie(_) => MOST_PACKETS,
            // One write is one packet there.
            Kind::Xdma(_) => 0,
        };
        let mut message = Vec::new();
        for (destination, layer, payload) in packets {
            if !message.is_empty() && message.len() + wire::HEADER_BYTES + payload.len() > longest {
                self.write(&message)?;
                message.clear();
            }
            wire::append(&mut message, destination, layer, payload)?;
        }
        match message.is_empty() {
            true => Ok(()),
            false => self.write(&message),
        }
    }

    /// The next packet that arrives; none when none does in time. Without a limit it waits for ever.
    ///
    /// # Errors
    /// When the port is closed, or what comes is no packet.
    pub fn receive(&self, patience: Option<Duration>) -> Result<Option<ReceivedPacket>, PortError> {
        match &self.0 {
            Kind::Live(port) => port.receive(patience),
            Kind::Xdma(port) => port.receive(patience),
            Kind::LitePcie(port) => port.receive(patience),
        }
    }

    /// What the network says of itself; cards say nothing.
    pub fn information(&self) -> Option<LiveInformation> {
        match &self.0 {
            Kind::Live(port) => Some(port.information()),
            Kind::Xdma(_) | Kind::LitePcie(_) => None,
        }
    }

    /// What the card or the running network counts of this port.
    ///
    /// # Errors
    /// When the card has no window of registers, or no block answers there.
    pub fn counters(&self) -> Result<PortCounters, PortError> {
        match &self.0 {
            Kind::Live(port) => port.counters(),
            Kind::Xdma(port) => port.counters(),
            Kind::LitePcie(port) => port.counters(),
        }
    }

    fn write(&self, packets: &[u8]) -> Result<(), PortError> {
        match &self.0 {
            Kind::Live(port) => port.send(packets),
            Kind::Xdma(port) => port.send(packets),
            Kind::LitePcie(port) => port.send(packets),
        }
    }
}
