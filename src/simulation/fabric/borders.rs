//! What crosses the borders of a rank: packed for the ranks beyond them, and counted.

use std::ops::Range;

use serde::Serialize;

use super::arrived::Arrived;
use super::border_bytes::{pack, pack_arrived, unpack, unpack_arrived};
use super::rank_share::RankShare;
use super::thread_share::ThreadShare;
use super::wires::{InputSlot, Message, Slots};
use crate::ranks::RankCommunicator;
use crate::switch_core::KeySet;

/// What crosses the borders of a rank.
#[derive(Debug)]
pub struct Borders {
    rank: usize,
    ranks: usize,
    /// Parts of this rank; all ranks have as many.
    pub own: Range<u16>,
    /// Ranks with a cable to this one.
    neighbours: Vec<usize>,
    /// First ports of the blocks of every part of this rank.
    inlets: Vec<Vec<InputSlot>>,
    slots: Slots,
    /// By rank, packets of its hosts that arrived here.
    notices: Vec<Vec<u8>>,
    /// Bytes of messages of flits and credits, and of notices, that were sent.
    sent: (u64, u64),
}

/// The share of a rank in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RankReport {
    pub blocks: u64,
    /// Blocks with cables to other ranks.
    pub border_blocks: u64,
    /// Ranks with cables to this one.
    pub neighbours: u64,
    /// Bytes that it has sent because flits and credits crossed its borders.
    pub border_bytes: u64,
    /// Bytes that it has sent because packets of other ranks' hosts arrived.
    pub notice_bytes: u64,
    /// Model state and buffers, bytes.
    pub model_bytes: u64,
}

impl Borders {
    pub fn new<K: KeySet>(share: &RankShare<'_>, parts: &[ThreadShare<K>]) -> Borders {
        let of_rank = |part: u16| usize::from(part) / share.own.len();
        let mut neighbours: Vec<usize> = parts
            .iter()
            .flat_map(ThreadShare::peers)
            .map(of_rank)
            .collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours.retain(|&other| other != share.rank);
        let inlets = |(part, first): (u16, usize)| {
            let blocks = share.members[usize::from(part - share.own.start)].len();
            let places = &share.places[first..first + blocks];
            places.iter().map(|place| place.input_slot).collect()
        };
        let inlets = match share.ranks {
            1 => Vec::new(),
            _ => share.parts().map(inlets).collect(),
        };
        Borders {
            rank: share.rank,
            ranks: share.ranks,
            neighbours,
            inlets,
            slots: share.slots,
            notices: vec![Vec::new(); share.ranks],
            sent: (0, 0),
            own: share.own.clone(),
        }
    }

    fn rank_of(&self, part: u16) -> usize {
        usize::from(part) / self.own.len()
    }

    /// Takes messages to other ranks out of outboxes.
    pub fn pack<K: KeySet>(&mut self, parts: &mut [ThreadShare<K>]) -> Vec<(usize, Vec<u8>)> {
        let neighbours = self.neighbours.iter();
        let mut outgoing: Vec<(usize, Vec<u8>)> =
            neighbours.map(|&rank| (rank, Vec::new())).collect();
        for outbox in parts.iter_mut().map(|part| &mut part.outbox) {
            let is_own = |message: &Message| self.own.contains(&message.to.part);
            outbox.sort_by_key(|message| message.to.part);
            for messages in outbox.chunk_by(|a, b| a.to.part == b.to.part) {
                let part = messages[0].to.part;
                if !is_own(&messages[0]) {
                    let rank = self.rank_of(part);
                    let bytes = outgoing.iter_mut().find(|(other, _)| *other == rank);
                    let bytes = &mut bytes.expect("a neighbour").1;
                    pack(bytes, part, messages, self.slots);
                }
            }
            outbox.retain(is_own);
        }
        self.sent.0 += outgoing
            .iter()
            .map(|(_, bytes)| bytes.len() as u64)
            .sum::<u64>();
        outgoing
    }

    /// Takes apart what another rank packed: for which of this rank's parts each message is.
    pub fn unpack(&self, bytes: &[u8], mut accept: impl FnMut(usize, Message)) {
        let own = |part: u16| usize::from(part - self.own.start);
        let inlets = |part| &self.inlets[own(part)][..];
        unpack(bytes, self.slots, inlets, |message| {
            accept(own(message.to.part), message);
        });
    }

    /// Notes for a rank that a packet of one of its hosts arrived here.
    pub fn note(&mut self, rank: usize, arrived: &Arrived) {
        pack_arrived(&mut self.notices[rank], arrived);
    }

    /// How many ranks have a cable to this one.
    pub fn neighbours(&self) -> usize {
        self.neighbours.len()
    }

    /// Bytes sent so far: of flits and credits, and of notices.
    pub fn sent(&self) -> (u64, u64) {
        self.sent
    }

    /// What packets of this rank's hosts arrived on others.
    pub fn exchange_notices(
        &mut self,
        ranks: &dyn RankCommunicator,
        deliveries: &mut Vec<Arrived>,
    ) {
        let others = (0..self.ranks).filter(|&other| other != self.rank);
        let notices = &mut self.notices;
        let outgoing: Vec<_> = others
            .map(|rank| (rank, std::mem::take(&mut notices[rank])))
            .collect();
        self.sent.1 += outgoing
            .iter()
            .map(|(_, bytes)| bytes.len() as u64)
            .sum::<u64>();
        for (_, bytes) in ranks.exchange(outgoing, &mut || {}) {
            deliveries.extend(unpack_arrived(&bytes));
        }
    }
}
