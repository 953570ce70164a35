//! 3.3, ingress: beats of PW bits become pieces of W bits in front of 3.1.

use std::collections::VecDeque;

use mkns_design::BlockModule;

use crate::beat::{is_legal_header, is_legal_payload, low_ones, part};
use crate::note::note;
use crate::{Beat, Data};

/// Entries that the FIFO holds.
const ENTRIES: usize = 2;

/// An entry of the FIFO: a beat and the number of pieces it is made of; or one whole piece.
#[derive(Debug, Clone)]
struct Entry {
    /// tkeep is that of the pieces: 0 when the beat is not legal.
    beat: Beat,
    pieces: usize,
}

/// The piece being gathered, PW < W.
#[derive(Debug, Clone, Default)]
struct Gathering {
    data: Data,
    keep: u64,
    beats: usize,
    /// One of the beats is not legal.
    is_faulty: bool,
}

pub struct IngressWidth {
    /// Bytes of a beat and of a piece.
    beat_bytes: u32,
    piece_bytes: u32,

    fifo: VecDeque<Entry>,
    /// Pieces of the oldest entry that were taken.
    taken: usize,
    tready: bool,
    /// Place in the packet: the next beat is a header.
    expects_header: bool,
    gathering: Gathering,
}

impl IngressWidth {
    /// `None` when PW = W.
    pub fn new(module: &BlockModule) -> Option<Self> {
        let (beat, piece) = (module.parameters.pcie_bits, module.parameters.flit_bits);
        (beat != piece).then(|| Self {
            beat_bytes: beat / 8,
            piece_bytes: piece / 8,
            fifo: VecDeque::new(),
            taken: 0,
            tready: false,
            expects_header: true,
            gathering: Gathering::default(),
        })
    }

    pub fn tready(&self) -> bool {
        self.tready
    }

    /// Nothing waits in it, and it takes beats.
    pub fn is_at_rest(&self) -> bool {
        self.tready && self.fifo.is_empty()
    }

    /// The piece on the input of 3.1: the first of the oldest entry that was not taken.
    pub fn piece(&self) -> Option<Beat> {
        let Entry { beat, pieces } = self.fifo.front()?;
        let is_last_piece = self.taken + 1 == *pieces;
        if *pieces == 1 {
            return Some(beat.clone());
        }
        Some(part(beat, self.taken, self.piece_bytes, is_last_piece))
    }

    /// One cycle: the beat on the host's pins, and the tready of 3.1.
    pub fn clock(&mut self, offered: Option<&Beat>, ingress_tready: bool) {
        let taken = offered.filter(|_| self.tready);
        if ingress_tready && let Some(oldest) = self.fifo.front() {
            self.taken += 1;
            if self.taken == oldest.pieces {
                self.fifo.pop_front();
                self.taken = 0;
            }
        }
        if let Some(beat) = taken {
            let entry = match (self.expects_header, self.beat_bytes > self.piece_bytes) {
                (true, _) => Some(self.header(beat)),
                (false, true) => Some(self.wide_payload(beat)),
                (false, false) => self.gather(beat),
            };
            self.fifo.extend(entry);
            self.expects_header = beat.last;
        }
        self.tready = self.fifo.len() < ENTRIES;
    }

    /// A header is one piece, whatever the widths.
    fn header(&self, beat: &Beat) -> Entry {
        let words = self.beat_bytes.min(self.piece_bytes) as usize / 8;
        let keep = match is_legal_header(beat, self.beat_bytes) {
            true => low_ones(self.piece_bytes),
            false => 0,
        };
        let beat = Beat {
            data: beat.data.part(0, words),
            keep,
            last: beat.last,
            user: beat.user,
        };
        Entry { beat, pieces: 1 }
    }

    /// Payload, PW > W.
    fn wide_payload(&self, beat: &Beat) -> Entry {
        if !is_legal_payload(beat, self.beat_bytes) {
            let keep = 0;
            let beat = Beat {
                keep,
                ..beat.clone()
            };
            return Entry { beat, pieces: 1 };
        }
        let ones = beat.keep.count_ones();
        Entry {
            beat: beat.clone(),
            pieces: ones.div_ceil(self.piece_bytes) as usize,
        }
    }

    /// Payload, PW < W: the piece, when the beat completes it.
    fn gather(&mut self, beat: &Beat) -> Option<Entry> {
        let piece = &mut self.gathering;
        let words = self.beat_bytes as usize / 8;
        piece.data.put(piece.beats * words, words, &beat.data);
        piece.keep |= beat.keep << (piece.beats as u32 * self.beat_bytes);
        piece.is_faulty |= !is_legal_payload(beat, self.beat_bytes);
        piece.beats += 1;
        if !beat.last && piece.beats < (self.piece_bytes / self.beat_bytes) as usize {
            return None;
        }
        let piece = std::mem::take(piece);
        let keep = if piece.is_faulty { 0 } else { piece.keep };
        let beat = Beat {
            data: piece.data,
            keep,
            last: beat.last,
            user: beat.user,
        };
        Some(Entry { beat, pieces: 1 })
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        note(
            text,
            "entries of the FIFO before ingress",
            self.fifo.len(),
            0,
        );
        note(text, "pieces taken of its oldest entry", self.taken, 0);
        note(text, "beats being gathered", self.gathering.beats, 0);
        let place = |is_header| if is_header { "header" } else { "payload" };
        note(
            text,
            "next beat from the host",
            place(self.expects_header),
            place(true),
        );
    }
}
