//! The blocks that one thread steps.

use std::ops::Range;

use super::block::FabricBlock;
use super::delays::Delays;
use super::host::Delivery;
use super::neighbours::Neighbours;
use super::outgoing::SendTargets;
use super::prefetcher::Prefetcher;
use super::wires::{Content, Message, Slots, Wires};
use crate::switch_core::KeySet;

/// Most blocks of a group: their state stays in the caches of a core while all go on.
const GROUP: usize = 16;

/// Blocks of the network, by ascending number.
#[derive(Debug)]
pub struct ThreadShare<K: KeySet> {
    pub number: u16,
    /// Numbers of the blocks in the network.
    pub ids: Vec<u32>,
    pub blocks: Vec<FabricBlock<K>>,
    pub wires: Wires<K>,
    /// Blocks that send to other ranks, and all others.
    border: Vec<u32>,
    inner: Vec<u32>,
    /// For other parts.
    pub outbox: Vec<Message>,
    pub deliveries: Vec<Delivery>,
    /// Whether its state does not stay in the caches of a core.
    pub is_large: bool,
    neighbours: Neighbours,
    /// Groups of neighbours one after the other: the first block of each, and the number of blocks.
    groups: Vec<u32>,
}

impl<K: KeySet> ThreadShare<K> {
    /// A part before its first cycle.
    pub fn new(
        number: u16,
        ids: Vec<u32>,
        blocks: Vec<FabricBlock<K>>,
        wires: Wires<K>,
        is_large: bool,
    ) -> Self {
        let neighbours = if is_large {
            Neighbours::of_part(number, &blocks, wires.slots)
        } else {
            Neighbours::default()
        };
        ThreadShare {
            number,
            ids,
            border: Vec::new(),
            inner: Vec::new(),
            groups: groups(&blocks, wires.slots),
            is_large,
            neighbours,
            blocks,
            wires,
            outbox: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    /// Bytes of the state besides the blocks and what is on the wires.
    pub fn bytes(&self) -> usize {
        let numbers = [&self.groups, &self.ids, &self.border, &self.inner];
        let numbers = numbers.map(Vec::capacity).iter().sum::<usize>();
        numbers * size_of::<u32>() + self.neighbours.bytes()
    }

    /// All blocks up to cycle `end`, each as far at a time as its neighbours allow. For a part that is
    /// the whole network.
    pub fn run(&mut self, delays: Delays, end: u64) {
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for group in 1..self.groups.len() {
                let blocks = self.groups[group - 1] as usize..self.groups[group] as usize;
                while self.advance_group(blocks.clone(), delays, end) {}
                is_done &= self.blocks[blocks].iter().all(|block| block.now == end);
            }
        }
    }

    /// Steps each block of a group once; returns whether any went on.
    fn advance_group(&mut self, blocks: Range<usize>, delays: Delays, end: u64) -> bool {
        let advanced = blocks.filter(|&number| self.advance(number, delays, end));
        advanced.count() > 0
    }

    /// Steps a block up to cycle `end`, or as far as its neighbours allow; returns whether it went on.
    fn advance(&mut self, number: usize, delays: Delays, end: u64) -> bool {
        let Some(end) = self.allowed_end(number, delays, end) else {
            return false;
        };
        self.step_block(number, |ahead| Some(number + 1 + ahead), delays, end);
        true
    }

    /// How far a block may go on, cycle `end` at most; none when it may not.
    #[inline]
    fn allowed_end(&self, number: usize, delays: Delays, mut end: u64) -> Option<u64> {
        let now = self.blocks[number].now;
        for &neighbour in self.neighbours.of(number) {
            end = end.min(self.blocks[neighbour as usize].now + delays.lookahead());
        }
        (end > now).then_some(end)
    }

    /// All blocks up to cycle `end`.
    pub fn step(&mut self, delays: Delays, end: u64) {
        for number in 0..self.blocks.len() {
            self.step_block(number, |ahead| Some(number + 1 + ahead), delays, end);
        }
    }

    /// Parts `own` are of this rank: blocks that send to no others may be stepped later.
    pub fn find_border(&mut self, own: Range<u16>) {
        let is_border =
            |block: &FabricBlock<K>| block.neighbours().any(|peer| !own.contains(&peer.part));
        let numbers = (0..self.blocks.len() as u32).zip(&self.blocks);
        let (border, inner): (Vec<_>, Vec<_>) = numbers.partition(|(_, block)| is_border(block));
        let numbers = |all: Vec<(u32, _)>| all.into_iter().map(|(number, _)| number).collect();
        (self.border, self.inner) = (numbers(border), numbers(inner));
    }

    /// Numbers of the parts that its blocks send to.
    pub fn peers(&self) -> impl Iterator<Item = u16> {
        self.blocks
            .iter()
            .flat_map(FabricBlock::neighbours)
            .map(|peer| peer.part)
    }

    /// Blocks that send to other ranks up to cycle `end`.
    pub fn step_border(&mut self, delays: Delays, end: u64) {
        let border = std::mem::take(&mut self.border);
        self.step_these(&border, delays, end);
        self.border = border;
    }

    /// All other blocks.
    pub fn step_inner(&mut self, delays: Delays, end: u64) {
        let inner = std::mem::take(&mut self.inner);
        self.step_these(&inner, delays, end);
        self.inner = inner;
    }

    /// Blocks with these numbers, ascending.
    fn step_these(&mut self, numbers: &[u32], delays: Delays, end: u64) {
        for (place, &number) in numbers.iter().enumerate() {
            let next = |ahead| Some(*numbers.get(place + 1 + ahead)? as usize);
            self.step_block(number as usize, next, delays, end);
        }
    }

    /// What comes from another part.
    pub fn accept(&mut self, message: Message) {
        let Message { to, slot, content } = message;
        match content {
            Content::Flit(flit) => self.wires.put_flit(&to, slot as usize, flit),
            Content::Credit(channel) => self.wires.put_credit(&to, slot as usize, channel.into()),
        }
    }

    /// A block up to cycle `end`; those that come next are prefetched, the first of them `next(0)`.
    #[inline]
    fn step_block(
        &mut self,
        number: usize,
        next: impl Fn(usize) -> Option<usize>,
        delays: Delays,
        end: u64,
    ) {
        let (blocks, later) = self.blocks.split_at_mut(number + 1);
        let block = &mut blocks[number];
        let mut out = SendTargets {
            part: self.number,
            wires: &mut self.wires,
            outbox: &mut self.outbox,
            deliveries: &mut self.deliveries,
        };
        if self.is_large {
            let ahead = |ahead| later.get(next(ahead)? - number - 1);
            let prefetcher = Prefetcher::new(std::array::from_fn(ahead), self.number);
            block.run_prefetching(end, delays, &mut out, &prefetcher);
        } else {
            block.run(end, delays, &mut out);
        }
    }
}

/// Where groups begin: blocks of which each is a neighbour of the one before, such as a line that is a mesh.
fn groups<K: KeySet>(blocks: &[FabricBlock<K>], slots: Slots) -> Vec<u32> {
    let mut starts = vec![0];
    for (number, block) in (1..).zip(&blocks[1..]) {
        let first = *starts.last().expect("one at least");
        let mut neighbours = block.neighbours();
        let follows = neighbours.any(|peer| peer.block(slots) + 1 == number as usize);
        if !follows || (number - first) as usize >= GROUP {
            starts.push(number);
        }
    }
    starts.push(blocks.len() as u32);
    starts
}
