//! What is asked of a network after its traffic: error bits and counters of all blocks have to agree
//! with the scoreboard, packet by packet.

use super::RunningNetwork;
use crate::mismatch::{Failure, FailureKind};

impl RunningNetwork<'_> {
    /// Error bits and packet counters have to agree with the scoreboard.
    pub(super) fn read_back(&mut self) -> Result<(), Box<Failure>> {
        self.masters
            .read_totals(self.plan, self.fault_injector.is_some());
        self.control()?;
        if let (Some((block, bits)), None) = (self.readings.errors, &self.fault_injector) {
            let note = format!("the error bits are {bits:#x} after traffic without errors");
            return Err(self.failure(FailureKind::Scoreboard, block, note));
        }
        match self.miscounted() {
            Some(note) if self.plan.spec.block.counters => {
                Err(self.failure(FailureKind::Scoreboard, 0, note))
            }
            _ => Ok(()),
        }
    }

    /// Where counters and scoreboard disagree.
    fn miscounted(&self) -> Option<String> {
        let (totals, read) = (self.board.totals(), &self.readings);
        let (bad, lost) = (self.board.bad, self.board.lost());
        let out = totals.packets_received + bad;
        let let_in = totals.packets_sent - read.unreachable.min(totals.packets_sent);
        if (read.packets_in, read.packets_out) != (let_in, out) {
            return Some(format!(
                "the blocks counted {} packets in, {} unreachable and {} out",
                read.packets_in, read.unreachable, read.packets_out
            ));
        }
        if (read.faulty, read.timeout_drops) != (bad, 0) {
            return Some(format!(
                "the hosts took {bad} packets marked bad, the blocks counted {} and {} dropped by \
                 timeout",
                read.faulty, read.timeout_drops
            ));
        }
        let on_cables = (self.fault_injector.as_ref())
            .map_or(0, |fault_injector| fault_injector.losses.balance());
        let on_cables = on_cables + self.cables.serial.balance();
        let dropped = read.dropped + read.unreachable;
        let explained = dropped as i64 + on_cables;
        (explained != lost as i64).then(|| {
            format!(
                "{lost} packets are lost; the blocks counted {} drops, and cables lost {on_cables} \
                 more than were counted twice",
                dropped
            )
        })
    }
}
