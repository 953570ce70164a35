//! What hosts have created: all of it is offered, whether a route leads to the destination or not.

use std::ops::{Add, Sub};

/// Sums over packets that were created.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Created {
    pub packets: u64,
    pub flits: u64,
    /// Flits of packets that go to the host that created them.
    pub flits_to_self: u64,
    /// Of these packets those that no route leads to their destination for: their hosts do not send them.
    pub packets_without_route: u64,
    pub flits_without_route: u64,
}

impl Created {
    /// Counts a packet of host `host`, given its destination and flits.
    pub fn count(&mut self, host: u32, (destination, flits): (u32, u64), has_route: bool) {
        self.packets += 1;
        self.flits += flits;
        if destination == host {
            self.flits_to_self += flits;
        }
        if !has_route {
            self.packets_without_route += 1;
            self.flits_without_route += flits;
        }
    }

    /// All of them, in one order.
    pub fn numbers(&mut self) -> [&mut u64; 5] {
        let Self {
            packets,
            flits,
            flits_to_self,
            packets_without_route,
            flits_without_route,
        } = self;
        [
            packets,
            flits,
            flits_to_self,
            packets_without_route,
            flits_without_route,
        ]
    }

    fn with(mut self, mut other: Self, change: fn(u64, u64) -> u64) -> Self {
        for (own, other) in self.numbers().into_iter().zip(other.numbers()) {
            *own = change(*own, *other);
        }
        self
    }
}

impl Add for Created {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with(other, |own, other| own + other)
    }
}

impl Sub for Created {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        self.with(earlier, |own, earlier| own - earlier)
    }
}

impl std::iter::Sum for Created {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}
