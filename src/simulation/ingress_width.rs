//! Beats of a host made into pieces of flit width, in front of an ingress (section 3.3 of
//! `docs/microarchitecture.md`). Not used when the widths are equal.

use std::collections::VecDeque;

use super::beat::Beat;
use mkns_design::BlockModule;

/// Entries of the FIFO.
const CAPACITY: usize = 2;
/// Words of the widest beat and piece.
const WORDS: usize = 8;

/// A piece of flit width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    data: [u64; WORDS],
    keep: u64,
    last: bool,
    user: bool,
}

#[derive(Debug, Clone)]
pub struct IngressWidth {
    /// KP
    beat_bytes: usize,
    /// KB
    piece_bytes: usize,
    /// An entry holds the pieces of it that have not been taken.
    fifo: VecDeque<VecDeque<Piece>>,
    ready: bool,
    /// The next beat is a header.
    at_header: bool,
    gathered: Gathered,
}

/// The piece that narrow beats are filling.
#[derive(Debug, Clone, Default)]
struct Gathered {
    data: [u64; WORDS],
    keep: u64,
    beats: usize,
    all_legal: bool,
}

impl Gathered {
    fn nothing() -> Gathered {
        Gathered {
            all_legal: true,
            ..Gathered::default()
        }
    }
}

impl IngressWidth {
    /// None when beats are as wide as flits.
    pub fn new(module: &BlockModule) -> Option<IngressWidth> {
        let parameters = &module.parameters;
        (parameters.pcie_bits != parameters.flit_bits).then(|| IngressWidth {
            beat_bytes: parameters.pcie_bits as usize / 8,
            piece_bytes: parameters.flit_bits as usize / 8,
            fifo: VecDeque::with_capacity(CAPACITY),
            ready: false,
            at_header: true,
            gathered: Gathered::nothing(),
        })
    }

    /// Whether a cycle without a beat changes nothing.
    pub fn is_at_rest(&self) -> bool {
        self.fifo.is_empty() && self.ready
    }

    /// The tready register on the host's pins.
    pub fn ready(&self) -> bool {
        self.ready
    }

    /// The piece on the ingress's input in this cycle.
    pub fn offered(&self) -> Option<Beat<'_>> {
        let piece = self.fifo.front()?.front()?;
        Some(Beat {
            data: &piece.data[..self.piece_bytes / 8],
            keep: piece.keep,
            last: piece.last,
            user: piece.user,
        })
    }

    /// The clock edge; `taken`: the ingress took the offered piece.
    pub fn step(&mut self, beat: Option<Beat<'_>>, taken: bool) {
        if taken {
            let entry = self.fifo.front_mut().expect("a piece was offered");
            entry.pop_front();
            if entry.is_empty() {
                self.fifo.pop_front();
            }
        }
        if let Some(beat) = beat.filter(|_| self.ready) {
            self.take(&beat);
        }
        self.ready = self.fifo.len() < CAPACITY;
    }

    fn take(&mut self, beat: &Beat<'_>) {
        let is_header = self.at_header;
        self.at_header = beat.last;
        let legal = self.is_legal(beat, is_header);
        let all_keep = ones(self.piece_bytes);
        if is_header {
            let keep = if legal { all_keep } else { 0 };
            let piece = self.piece_at(beat, 0, keep, beat.last, beat.user);
            self.fifo.push_back(VecDeque::from([piece]));
        } else if self.beat_bytes < self.piece_bytes {
            self.gather(beat, legal);
        } else {
            let pieces = self.split(beat, legal);
            self.fifo.push_back(pieces);
        }
    }

    fn is_legal(&self, beat: &Beat<'_>, is_header: bool) -> bool {
        let all = beat.keep == ones(self.beat_bytes);
        let without_hole = beat.keep.trailing_ones() == beat.keep.count_ones();
        match (is_header, beat.last) {
            (true, last) => beat.keep & 0xFF == 0xFF && without_hole && (last || all),
            (false, true) => beat.keep != 0 && without_hole,
            (false, false) => all,
        }
    }

    /// The piece made of a beat's bytes from `first` on.
    fn piece_at(&self, beat: &Beat<'_>, first: usize, keep: u64, last: bool, user: bool) -> Piece {
        let mut data = [0; WORDS];
        let words = self.piece_bytes.min(self.beat_bytes) / 8;
        data[..words].copy_from_slice(&beat.data[first / 8..][..words]);
        Piece {
            data,
            keep,
            last,
            user: user && last,
        }
    }

    fn split(&self, beat: &Beat<'_>, legal: bool) -> VecDeque<Piece> {
        if !legal {
            return VecDeque::from([self.piece_at(beat, 0, 0, beat.last, beat.user)]);
        }
        let count = (beat.keep.count_ones() as usize).div_ceil(self.piece_bytes);
        let piece = |number: usize| {
            let first = number * self.piece_bytes;
            let keep = beat.keep >> first & ones(self.piece_bytes);
            let last = beat.last && number + 1 == count;
            self.piece_at(beat, first, keep, last, beat.user)
        };
        (0..count).map(piece).collect()
    }

    fn gather(&mut self, beat: &Beat<'_>, legal: bool) {
        let gathered = &mut self.gathered;
        let first = gathered.beats * self.beat_bytes;
        gathered.data[first / 8..][..beat.data.len()].copy_from_slice(beat.data);
        gathered.keep |= beat.keep << first;
        gathered.all_legal &= legal;
        gathered.beats += 1;
        if beat.last || gathered.beats * self.beat_bytes == self.piece_bytes {
            let whole = std::mem::replace(gathered, Gathered::nothing());
            self.fifo.push_back(VecDeque::from([Piece {
                data: whole.data,
                keep: if whole.all_legal { whole.keep } else { 0 },
                last: beat.last,
                user: beat.last && beat.user,
            }]));
        }
    }
}

/// The low `count` ≤ 64 bits.
fn ones(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}
