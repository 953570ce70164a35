//! The train itself.

use std::fmt;

use serde::Serialize;

/// Local addresses in the order in which they are used: the branch of each cascade's splitter, then
/// the output of the spine switch. On the way down no address is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Train(pub Vec<u32>);

impl Train {
    /// The train as a destination address: `bits` bits each, the first lowest (section 6 of
    /// `docs/microarchitecture.md`).
    pub fn packed(&self, bits: u32) -> u32 {
        let addresses = self.0.iter().rev();
        addresses.fold(0, |packed, address| packed << bits | address)
    }
}

impl fmt::Display for Train {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&addresses.join("."))
    }
}
