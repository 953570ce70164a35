//! When a network stands still: packets are under way and nothing moves any more, so that none of them will arrive.
//! They wait for each other in a circle, or blocks have dropped them.

use super::fabric::Fabric;
use super::switch_core::KeySet;

/// Cycles without a flit on any cable and without a delivery after which nothing will move any more. No flight over a
/// cable and no wait for a credit takes as long.
pub const STANDSTILL: u64 = 4_096;

/// Looks for movement.
#[derive(Debug, Default)]
pub struct StandstillDetector {
    /// Cycle of the last movement that was seen.
    moved: u64,
    /// Flits sent on all cables then.
    sent: u64,
    /// Cycle of the last look at the cables.
    looked: u64,
}

impl StandstillDetector {
    /// The cycle since which nothing has moved, when that is long ago. `delivers`: packets arrived since the last call;
    /// `waits`: packets are under way.
    pub fn look<K: KeySet>(
        &mut self,
        fabric: &Fabric<K>,
        delivers: bool,
        waits: bool,
    ) -> Option<u64> {
        let now = fabric.now();
        if delivers || !waits {
            (self.moved, self.looked) = (now, now);
            return None;
        }
        if now - self.looked < STANDSTILL {
            return None;
        }
        self.looked = now;
        let ports = fabric.flits_sent().into_iter().flat_map(|(_, ports)| ports);
        let sent = ports.map(u64::from).sum();
        if sent != self.sent {
            (self.moved, self.sent) = (now, sent);
            return None;
        }
        Some(self.moved)
    }
}
