//! What a card counts of one of its hosts.

use std::io;

use mkns_contract::{MAGIC, address, counter};

use crate::xdma_driver::XdmaDevice;

/// Packets of a port since the last reset of the card. All counts wrap at 2^32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct PortCounters {
    /// Taken from the host.
    pub sent: u32,
    /// Packets of the host that the network did not take, for whatever reason.
    pub refused: u32,
    /// Handed to the buffer of the host.
    pub received: u32,
    /// Of these, dropped because they were damaged on their way.
    pub damaged: u32,
    /// Of these, dropped because the host did not read and its buffer was full.
    pub dropped: u32,
    /// 1 while a packet waits for the host to read it.
    pub waiting: u32,
}

impl PortCounters {
    /// Of the host at PCIe port `port` of block 0, read over the card's window of registers.
    pub(crate) fn read(registers: &mut dyn XdmaDevice, port: u32) -> io::Result<Self> {
        let mut word = |address: u32| registers.word(u64::from(address));
        if word(address::ID)? != MAGIC {
            let words = "no block answers there: the card has no control port, or is in reset";
            return Err(io::Error::other(words));
        }
        let refused = counter::REFUSED.map(|number| word(address::pcie_counter(port, number)));
        let refused = refused.collect::<Result<Vec<u32>, _>>()?;
        Ok(Self {
            sent: word(address::pcie_counter(port, counter::PACKETS_IN))?,
            refused: refused.into_iter().fold(0, u32::wrapping_add),
            received: word(address::pcie_counter(port, counter::PACKETS_OUT))?,
            waiting: word(address::host_buffer(port, 0))?,
            damaged: word(address::host_buffer(port, 1))?,
            dropped: word(address::host_buffer(port, 2))?,
        })
    }
}
