//! Packets that may get lost carry their number in the first word of their payload, so that what arrives says which one
//! it is.

use std::collections::VecDeque;

/// The numbers of a host's packets: 1, 2, …
#[derive(Debug, Default)]
pub struct Numbers {
    begun: u32,
    /// Of the packets begun and not yet delivered, in their order.
    under_way: VecDeque<u32>,
}

impl Numbers {
    /// A packet begins; what it carries.
    pub fn begin(&mut self) -> u64 {
        self.begun += 1;
        self.under_way.push_back(self.begun);
        self.begun.into()
    }

    /// Packets begun.
    pub fn begun(&self) -> u32 {
        self.begun
    }

    /// A packet arrived: its place among those under way; none when it is not among them.
    pub fn arrived(&mut self, number: u32) -> Option<usize> {
        let place = self.under_way.binary_search(&number).ok()?;
        self.under_way.remove(place);
        Some(place)
    }

    /// Numbers of the packets begun and not yet delivered.
    pub fn missing(&self) -> impl Iterator<Item = u32> + '_ {
        self.under_way.iter().copied()
    }
}
