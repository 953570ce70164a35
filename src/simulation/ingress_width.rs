//! Beats of a host made into pieces of flit width, in front of an ingress (section 3.3 of
//! `docs/microarchitecture.md`). Not used when the widths are equal. All beats of a simulation are legal.

use std::collections::VecDeque;

use super::flit::Piece;
use mkns_design::BlockModule;
use mkns_traffic::OfferedBeat;

/// Entries of the FIFO.
const CAPACITY: usize = 2;

/// Pieces that have not been taken.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Low word of the next one; those after it are 0.
    word: u64,
    pieces: u32,
    /// The last of them is the last one of its packet.
    last: bool,
}

#[derive(Debug, Clone)]
pub struct IngressWidth {
    /// KP
    beat_bytes: u32,
    /// KB
    piece_bytes: u32,
    fifo: VecDeque<Entry>,
    /// The tready register on the host's pins.
    pub ready: bool,
    /// The next beat is a header.
    at_header: bool,
    /// Bytes of the piece that narrow beats are filling, and its low word.
    gathered: (u32, u64),
}

impl IngressWidth {
    /// None when beats are as wide as flits.
    pub fn new(module: &BlockModule) -> Option<IngressWidth> {
        let parameters = &module.parameters;
        (parameters.pcie_bits != parameters.flit_bits).then(|| IngressWidth {
            beat_bytes: parameters.pcie_bits / 8,
            piece_bytes: parameters.flit_bits / 8,
            fifo: VecDeque::with_capacity(CAPACITY),
            ready: false,
            at_header: true,
            gathered: (0, 0),
        })
    }

    /// Whether a cycle without a beat changes nothing.
    pub fn is_at_rest(&self) -> bool {
        self.fifo.is_empty() && self.ready
    }

    /// The piece on the ingress's input in this cycle.
    pub fn offered(&self) -> Option<Piece> {
        let &Entry { word, pieces, last } = self.fifo.front()?;
        Some(Piece {
            word,
            last: last && pieces == 1,
        })
    }

    /// The clock edge; `taken`: the ingress took the offered piece.
    pub fn step(&mut self, beat: Option<OfferedBeat>, taken: bool) {
        if taken {
            let entry = self.fifo.front_mut().expect("a piece was offered");
            (entry.word, entry.pieces) = (0, entry.pieces - 1);
            if entry.pieces == 0 {
                self.fifo.pop_front();
            }
        }
        if let Some(beat) = beat.filter(|_| self.ready) {
            self.take(&beat);
        }
        self.ready = self.fifo.len() < CAPACITY;
    }

    fn take(&mut self, beat: &OfferedBeat) {
        let OfferedBeat { word, last, bytes } = *beat;
        let is_header = std::mem::replace(&mut self.at_header, last);
        let entry = |word, pieces| Entry { word, pieces, last };
        if is_header {
            self.fifo.push_back(entry(word, 1));
        } else if self.beat_bytes > self.piece_bytes {
            let pieces = bytes.div_ceil(self.piece_bytes);
            self.fifo.push_back(entry(word, pieces));
        } else {
            if self.gathered.0 == 0 {
                self.gathered.1 = word;
            }
            self.gathered.0 += self.beat_bytes;
            if last || self.gathered.0 == self.piece_bytes {
                let (_, word) = std::mem::take(&mut self.gathered);
                self.fifo.push_back(entry(word, 1));
            }
        }
    }
}
