//! Whoever drives the host pins of a running network.

use super::scoreboard::Scoreboard;
use crate::lockstep::Group;
use mkns_routing::ServedPairs;
use mkns_topology::Part;

/// The hosts of a network. The scoreboard hears of every packet that begins and of every one that ends.
pub trait AttachedHosts {
    /// These hosts begin no more packets.
    fn silence(&mut self, numbers: &[u32]);

    /// From now on packets are sent only where routes lead.
    fn serve(&mut self, served: ServedPairs);

    /// Parts of the network that fail now because hosts ask for it.
    fn failing(&mut self) -> Vec<Part> {
        Vec::new()
    }

    /// Sets the stream inputs of a cycle; `inject`: new packets may start.
    fn drive(&mut self, cycle: u64, inject: bool, groups: &mut [Group], board: &mut Scoreboard);

    /// Takes the stream outputs of the cycle.
    ///
    /// # Errors
    /// The host, and what is wrong with what it received.
    fn observe(
        &mut self,
        cycle: u64,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), (u32, String)>;

    /// No host is in the middle of a packet.
    fn all_idle(&self) -> bool;
}
