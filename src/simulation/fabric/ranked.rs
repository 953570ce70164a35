//! A step of a network that several ranks simulate: blocks that send to other ranks go first, and while their messages
//! are under way all others follow.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::arrived::Arrived;
use super::border::{pack, pack_arrived, unpack, unpack_arrived};
use super::part::Part;
use super::piece::Piece;
use super::wires::{Inlet, Message, Slots};
use super::{Fabric, FabricBlock};
use crate::ranks::Ranks;
use crate::switch_core::KeySet;

/// About so often ranks tell each other which packets have arrived.
const NOTICE_CYCLES: u64 = 256;

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
    inlets: Vec<Vec<Inlet>>,
    slots: Slots,
    /// By rank, packets of its hosts that arrived here.
    notices: Vec<Vec<u8>>,
    /// Bytes of messages of flits and credits, and of notices, that were sent.
    sent: (u64, u64),
}

/// The share of a rank in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
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
    pub fn new<K: KeySet>(piece: &Piece<'_>, parts: &[Part<K>]) -> Borders {
        let of_rank = |part: u16| usize::from(part) / piece.own.len();
        let mut neighbours: Vec<usize> = parts.iter().flat_map(Part::peers).map(of_rank).collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        neighbours.retain(|&other| other != piece.rank);
        let inlets = |(part, first): (u16, usize)| {
            let blocks = piece.members[usize::from(part - piece.own.start)].len();
            let places = &piece.places[first..first + blocks];
            places.iter().map(|place| place.inlet).collect()
        };
        let inlets = match piece.ranks {
            1 => Vec::new(),
            _ => piece.parts().map(inlets).collect(),
        };
        Borders {
            rank: piece.rank,
            ranks: piece.ranks,
            neighbours,
            inlets,
            slots: piece.slots,
            notices: vec![Vec::new(); piece.ranks],
            sent: (0, 0),
            own: piece.own.clone(),
        }
    }

    fn rank_of(&self, part: u16) -> usize {
        usize::from(part) / self.own.len()
    }

    /// Takes messages to other ranks out of outboxes.
    fn pack<K: KeySet>(&mut self, parts: &mut [Part<K>]) -> Vec<(usize, Vec<u8>)> {
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

    /// What packets of this rank's hosts arrived on others.
    fn exchange_notices(&mut self, ranks: &dyn Ranks, deliveries: &mut Vec<Arrived>) {
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

impl<K: KeySet> Fabric<K> {
    /// Steps this rank's blocks up to cycle `end`, the end of a batch on all ranks.
    pub(super) fn step_ranked(
        &mut self,
        end: u64,
        asked: u64,
        ranks: &dyn Ranks,
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
        let first = self.borders.own.start;
        let (parts, inlets) = (&mut self.parts, &self.borders.inlets);
        for (_, bytes) in incoming {
            let inlets = |part: u16| &inlets[usize::from(part - first)][..];
            unpack(&bytes, self.borders.slots, inlets, |message| {
                parts[usize::from(message.to.part - first)].accept(message);
            });
        }
        let begun = std::mem::replace(&mut self.now, end);
        self.collect(deliveries);
        let (hosts, borders) = (&self.hosts, &mut self.borders);
        deliveries.retain(|arrived| match hosts.other_rank(arrived.source) {
            Some(rank) => {
                pack_arrived(&mut borders.notices[rank], arrived);
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
    pub fn share(&self) -> Share {
        let own = &self.borders.own;
        let is_border =
            |block: &&FabricBlock<K>| block.neighbours().any(|peer| !own.contains(&peer.part));
        let memory = self.memory();
        Share {
            blocks: self.blocks().count() as u64,
            border_blocks: self.blocks().filter(is_border).count() as u64,
            neighbours: self.borders.neighbours.len() as u64,
            border_bytes: self.borders.sent.0,
            notice_bytes: self.borders.sent.1,
            model_bytes: (memory.state + memory.buffers) as u64,
        }
    }
}

/// Does a step for all parts, on different threads.
fn for_all<K: KeySet>(parts: &mut [Part<K>], step: impl Fn(&mut Part<K>) + Send + Sync) {
    match parts {
        [part] => step(part),
        _ => parts.par_iter_mut().with_max_len(1).for_each(step),
    }
}
