//! Requests over the cables: numbers that let no write be carried out twice, routes around failed cables, repetitions,
//! and keys.

use std::collections::{BTreeMap, BTreeSet};

use mkns_topology::{BlockId, End};

use super::cable_map::CableMap;
use super::counts::MessageCounts;
use super::message::{LONGEST_ROUTE, Request, Verdict, Words, is_notice};
use super::notices::Notices;
use super::patience::Patience;
use super::window::Window;
use crate::Registers;

/// Messages for one request until it is given up.
const ATTEMPTS: usize = 20;
/// Messages without an answer after which another route is tried.
const PER_ROUTE: usize = 4;
/// Requesters of reads have this bit, so that an answer to a write is none to a read. The unit judges writes only.
const READS: u32 = 0x8000;

/// Sends messages through the window of one board.
#[derive(Debug, Clone)]
pub struct Messenger {
    pub(super) window: Window,
    /// The block of that board.
    pub(super) own: BlockId,
    pub(super) map: CableMap,
    requester: u32,
    reads: u16,
    /// The sequence of the last write to each block.
    writes: BTreeMap<BlockId, u16>,
    /// 0 without keys.
    pub(super) key: u64,
    /// Blocks that have the key.
    pub(super) keyed: BTreeSet<BlockId>,
    /// A block whose comparison with the plan goes on: nothing is written to it.
    pub(super) unproven: Option<BlockId>,
    pub(super) counts: MessageCounts,
    pub(super) notices: Notices,
    pub(super) patience: Patience,
}

/// Why a manager cannot go on over its cables.
#[derive(Debug, thiserror::Error)]
pub enum InBandError<E> {
    /// The way to the board with the window failed.
    #[error("{0}")]
    Port(E),
    #[error("block {} has another key", .0.0)]
    WrongKey(BlockId),
    /// A later write of the same requester was carried out.
    #[error("block {} has carried out a later write of this manager's requester: another manager is at work", .0.0)]
    TwoManagers(BlockId),
    #[error("a write to port {} of block {} would close the manager's only route to some block", .0.port, .0.block.0)]
    ClosesRoute(End),
    #[error("block {} is more than {LONGEST_ROUTE} links away, which a message cannot pass", .0.0)]
    TooFar(BlockId),
    #[error("block {} was not compared with the plan", .0.0)]
    NotCompared(BlockId),
}

impl<E> InBandError<E> {
    /// The block that it is about.
    pub fn block(&self) -> Option<BlockId> {
        match self {
            Self::Port(_) => None,
            Self::ClosesRoute(end) => Some(end.block),
            Self::WrongKey(block)
            | Self::TwoManagers(block)
            | Self::TooFar(block)
            | Self::NotCompared(block) => Some(*block),
        }
    }
}

impl<E> From<E> for InBandError<E> {
    fn from(error: E) -> Self {
        Self::Port(error)
    }
}

impl Messenger {
    /// A messenger at block `own`, whose control port is that of `board` in the registers that it is given. Its
    /// requester has 11 bits; managers that differ in the lowest four do not disturb each other.
    pub fn new(own: BlockId, board: BlockId, requester: u16) -> Self {
        Self {
            window: Window::new(board),
            own,
            map: CableMap::new(own),
            requester: u32::from(requester) & !READS,
            reads: 0,
            writes: BTreeMap::new(),
            key: 0,
            keyed: BTreeSet::new(),
            unproven: None,
            counts: MessageCounts::default(),
            notices: Notices::default(),
            patience: Patience::default(),
        }
    }

    /// Sets this key in every block that it brings up.
    pub fn with_key(self, key: u64) -> Self {
        Self { key, ..self }
    }

    /// All blocks have the key already.
    pub(super) fn assume_keys(&mut self, blocks: impl Iterator<Item = BlockId>) {
        if self.key != 0 {
            self.keyed.extend(blocks);
        }
    }

    pub fn counts(&self) -> &MessageCounts {
        &self.counts
    }

    /// Reads a register of another block; none when it does not answer or has no such register.
    pub(super) fn read<R: Registers>(
        &mut self,
        port: &mut R,
        block: BlockId,
        address: u32,
    ) -> Result<Option<u32>, InBandError<R::Error>> {
        let request = self.read_request(address);
        let verdict = self.ask(port, block, request, 0)?;
        Ok(verdict.and_then(Verdict::value))
    }

    /// The next read, without its route.
    pub(super) fn read_request(&mut self, address: u32) -> Request {
        self.reads = self.reads.wrapping_add(1);
        Request {
            is_write: false,
            number: (self.requester | READS) << 16 | u32::from(self.reads),
            route: Vec::new(),
            key: 0,
            address,
            data: 0,
        }
    }

    /// Writes a register of another block with the first of these keys that it accepts, which is returned; none when the
    /// block does not answer or refuses.
    pub(super) fn write<R: Registers>(
        &mut self,
        port: &mut R,
        block: BlockId,
        (address, data): (u32, u32),
        keys: &[u64],
    ) -> Result<Option<u64>, InBandError<R::Error>> {
        // One sequence for each block: reads in between make no write old.
        let sequence = self.writes.entry(block).or_default();
        *sequence = sequence.wrapping_add(1);
        let mut request = Request {
            is_write: true,
            number: self.requester << 16 | u32::from(*sequence),
            route: Vec::new(),
            key: 0,
            address,
            data,
        };
        for &key in keys {
            request.key = key;
            match self.ask(port, block, request.clone(), 0)? {
                Some(Verdict::WrongKey) => {}
                Some(Verdict::OldNumber) => {
                    return Err(InBandError::TwoManagers(block));
                }
                Some(Verdict::Done(_)) => return Ok(Some(key)),
                _ => return Ok(None),
            }
        }
        Err(InBandError::WrongKey(block))
    }

    /// Sends a request, of which `sent` messages were sent before, until it is answered; none when no route is left, or
    /// nobody answers.
    pub(super) fn ask<R: Registers>(
        &mut self,
        port: &mut R,
        block: BlockId,
        mut request: Request,
        mut sent: usize,
    ) -> Result<Option<Verdict>, InBandError<R::Error>> {
        let mut avoided = BTreeSet::new();
        let mut on_route = 0usize;
        let verdict = loop {
            let Some(route) = self.map.route(block, &avoided) else {
                break None;
            };
            if route.len() > LONGEST_ROUTE {
                return Err(InBandError::TooFar(block));
            }
            if route != request.route {
                on_route = 0;
            }
            request.route = route;
            if sent == ATTEMPTS {
                break None;
            }
            (sent, on_route) = (sent + 1, on_route + 1);
            match self.attempt(port, &request, sent == 1)? {
                Some(Verdict::NoLink(end)) => self.map.set_up(end, false),
                Some(verdict) => break Some(verdict),
                None if on_route.is_multiple_of(PER_ROUTE) => avoided.extend(&request.route),
                None => {}
            }
        };
        self.counts.note(sent, verdict.is_some());
        Ok(verdict)
    }

    /// One message, and the answer to it or to one before it with the same number.
    fn attempt<R: Registers>(
        &mut self,
        port: &mut R,
        request: &Request,
        is_first: bool,
    ) -> Result<Option<Verdict>, R::Error> {
        let links = request.route.len() as u32;
        let mut looks = self.patience.looks(links);
        let state = self.window.becomes_free(port, looks)?;
        // A notice may have come since the last answer.
        self.note_message(port, state)?;
        if state.is_none() || !self.window.send(port, &request.words())? {
            return Ok(None);
        }
        while let Some(answer) = self.window.receive(port, &mut looks)? {
            if let Some(verdict) = request.verdict(&answer) {
                if is_first {
                    self.patience.answered(links, looks);
                }
                return Ok(Some(verdict));
            }
            self.note(&answer);
        }
        self.patience.grows();
        Ok(None)
    }

    /// Whether a notice has come; a message that is there is taken.
    pub(super) fn has_news<R: Registers>(&mut self, port: &mut R) -> Result<bool, R::Error> {
        let state = self.window.becomes_free(port, 1)?;
        self.note_message(port, state)?;
        Ok(self.notices.have_come())
    }

    /// Takes the message that is there, if MANAGEMENT says so, while no answer is waited for.
    fn note_message<R: Registers>(
        &mut self,
        port: &mut R,
        state: Option<u32>,
    ) -> Result<(), R::Error> {
        if state.is_some_and(Window::has_message)
            && let Some(words) = self.window.take(port)?
        {
            self.note(&words);
        }
        Ok(())
    }

    /// A message came that answers nothing.
    pub(super) fn note(&mut self, words: &Words) {
        if is_notice(words[0]) {
            self.notices.come(BlockId(words[7]));
        }
    }
}
