//! Packets that arrived, as those who measure see them.

use crate::header::Header;
use crate::traffic::Addresses;

/// A delivery, with what the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrived {
    pub cycle: u64,
    pub source: u32,
    pub destination: u32,
}

impl Arrived {
    /// A packet with this header, taken by compute module `destination` in `cycle`.
    pub fn new(addresses: &Addresses, cycle: u64, destination: u32, header: u64) -> Arrived {
        let source = Header::unpack(header).source;
        Arrived {
            cycle,
            source: addresses.sender(source, destination),
            destination,
        }
    }
}
