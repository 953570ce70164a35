//! Packets that arrived, as those who measure see them.

use super::host::Delivery;
use mkns_contract::Header;
use mkns_traffic::Addresses;

/// A delivery, with what the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrived {
    pub cycle: u64,
    pub source: u32,
    pub destination: u32,
    /// Where packets have numbers.
    pub number: u32,
    /// Cut by a cable that failed.
    pub bad: bool,
}

impl Arrived {
    /// A whole packet with this header and without a number, taken by host `destination` in `cycle`.
    pub fn new(addresses: &Addresses, cycle: u64, destination: u32, header: u64) -> Arrived {
        let source = Header::unpack(header).source;
        Arrived {
            cycle,
            source: addresses.sender(source, destination),
            destination,
            number: 0,
            bad: false,
        }
    }

    /// A packet that a host took.
    pub fn of(addresses: &Addresses, delivery: &Delivery) -> Arrived {
        let &Delivery {
            cycle,
            host,
            header,
            number,
            bad,
        } = delivery;
        Arrived {
            number,
            bad,
            ..Arrived::new(addresses, cycle, host, header)
        }
    }
}
