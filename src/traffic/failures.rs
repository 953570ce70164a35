//! What hosts of a network in which parts fail are told: that packets get lost, to wait, to fall silent.

use std::sync::Arc;

use super::injection::Clock;
use super::{Addresses, Packet, Source};

impl Source {
    /// From the first packet on, packets of two flits and more carry a number.
    pub fn number_packets(&mut self) {
        self.numbers = Some(Box::default());
    }

    pub fn has_numbers(&self) -> bool {
        self.numbers.is_some()
    }

    /// Packets begun, where they have numbers.
    pub fn begun(&self) -> u32 {
        self.numbers.as_ref().map_or(0, |numbers| numbers.begun())
    }

    /// The packet with this number arrived, or a part of it that says so; none when it had already, or the number is
    /// nobody's.
    pub fn arrived(&mut self, number: u32) -> Option<Packet> {
        let place = self.numbers.as_mut()?.arrived(number)?;
        self.under_way.remove(place)
    }

    /// Numbers of the packets begun and not yet delivered.
    pub fn missing(&self) -> impl Iterator<Item = u32> + '_ {
        self.numbers.iter().flat_map(|numbers| numbers.missing())
    }

    /// Packets begin no more, or again; they are created all the same.
    pub fn hold(&mut self, stop: bool) {
        self.is_held = stop;
    }

    /// For good: nothing begins any more; gives the number of packets that were created and never will.
    pub fn silence(&mut self) -> usize {
        self.clock = Clock::silent();
        let left = self.waiting.len();
        self.waiting.clear();
        left
    }

    /// From now on there are packets only where `addresses` have a path; gives the number of those that were created
    /// and never begin.
    pub fn serve(&mut self, addresses: &Arc<Addresses>) -> usize {
        self.addresses = Arc::clone(addresses);
        let (host, before) = (self.host(), self.waiting.len());
        self.waiting
            .retain(|packet| addresses.has_path(host, packet.destination));
        before - self.waiting.len()
    }
}
