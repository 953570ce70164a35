//! A step of a network that several ranks simulate: blocks that send to other ranks go first, and while their messages
//! are under way all others follow.

use super::arrived::Arrived;
use super::borders::RankReport;
use super::{Fabric, FabricBlock, for_all};
use crate::ranks::RankCommunicator;
use crate::switch_core::KeySet;

/// About so often ranks tell each other which packets have arrived.
const NOTICE_CYCLES: u64 = 256;

impl<K: KeySet> Fabric<K> {
    /// Steps this rank's blocks up to cycle `end`, the end of a batch on all ranks.
    pub(super) fn step_ranked(
        &mut self,
        end: u64,
        asked: u64,
        ranks: &dyn RankCommunicator,
        deliveries: &mut Vec<Arrived>,
    ) {
        let delays = self.delays;
        for_all(&mut self.parts, |part| part.step_border(delays, end));
        let outgoing = self.borders.pack(&mut self.parts);
        let parts = &mut self.parts;
        let incoming = ranks.exchange(outgoing, &mut || {
            for_all(parts, |part| part.step_inner(delays, end));
        });
        self.exchange();
        let (parts, borders) = (&mut self.parts, &self.borders);
        for (_, bytes) in incoming {
            borders.unpack(&bytes, |part, message| parts[part].accept(message));
        }
        let begun = std::mem::replace(&mut self.now, end);
        self.collect(deliveries);
        let (hosts, borders) = (&self.hosts, &mut self.borders);
        deliveries.retain(|arrived| match hosts.other_rank(arrived.source) {
            Some(rank) => {
                borders.note(rank, arrived);
                false
            }
            None => true,
        });
        // Statistics can wait, hosts that react cannot.
        if self.reacts || end == asked || end / NOTICE_CYCLES != begun / NOTICE_CYCLES {
            self.borders.exchange_notices(ranks, deliveries);
        }
    }

    /// The share of this rank so far.
    pub fn share(&self) -> RankReport {
        let own = &self.borders.own;
        let is_border =
            |block: &&FabricBlock<K>| block.neighbours().any(|peer| !own.contains(&peer.part));
        let memory = self.memory();
        let (border_bytes, notice_bytes) = self.borders.sent();
        RankReport {
            blocks: self.blocks().count() as u64,
            border_blocks: self.blocks().filter(is_border).count() as u64,
            neighbours: self.borders.neighbours() as u64,
            border_bytes,
            notice_bytes,
            model_bytes: (memory.state + memory.buffers) as u64,
        }
    }
}
