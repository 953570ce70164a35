//! Pieces of flit width made into the beats of a host, behind an egress (section 3.3 of
//! `docs/microarchitecture.md`). Not used when the widths are equal.

use super::egress::OutputBeat;
use mkns_design::BlockModule;

/// Words of the widest beat.
const WORDS: usize = 8;

/// A beat, or the part of one that has been gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pins {
    data: [u64; WORDS],
    keep: u64,
    last: bool,
    user: bool,
}

#[derive(Debug, Clone)]
pub struct EgressWidth {
    /// KP
    beat_bytes: usize,
    /// KB
    piece_bytes: usize,
    /// The register behind the host's pins.
    pins: Option<Pins>,
    /// The next piece is a header.
    at_header: bool,
    /// Beats of the piece that are done (PW < W), or pieces gathered (PW > W).
    lane: usize,
    gathered: [u64; WORDS],
}

impl EgressWidth {
    /// None when beats are as wide as flits.
    pub fn new(module: &BlockModule) -> Option<EgressWidth> {
        let parameters = &module.parameters;
        (parameters.pcie_bits != parameters.flit_bits).then_some(EgressWidth {
            beat_bytes: parameters.pcie_bits as usize / 8,
            piece_bytes: parameters.flit_bits as usize / 8,
            pins: None,
            at_header: true,
            lane: 0,
            gathered: [0; WORDS],
        })
    }

    /// Whether a cycle in which the egress holds no piece changes nothing.
    pub fn is_at_rest(&self) -> bool {
        self.pins.is_none()
    }

    /// The beat on the host's pins.
    pub fn beat(&self) -> Option<OutputBeat<'_>> {
        self.pins.as_ref().map(|pins| OutputBeat {
            data: &pins.data[..self.beat_bytes / 8],
            keep: pins.keep,
            last: pins.last,
            user: pins.user,
        })
    }

    /// The clock edge, with the piece in the egress's register; returns whether the piece is taken.
    pub fn step(&mut self, piece: Option<OutputBeat<'_>>, host_ready: bool) -> bool {
        let can_load = self.pins.is_none() || host_ready;
        if can_load {
            self.pins = None;
        }
        let Some(piece) = piece else {
            return false;
        };
        if self.beat_bytes < self.piece_bytes {
            can_load && self.load_part(&piece)
        } else {
            self.gather(&piece, can_load)
        }
    }

    /// PW < W: the pins take the next part of the piece; returns whether it was the last.
    fn load_part(&mut self, piece: &OutputBeat<'_>) -> bool {
        let beats = if self.at_header {
            1
        } else {
            (piece.keep.count_ones() as usize).div_ceil(self.beat_bytes)
        };
        let ends = self.lane + 1 == beats;
        let first = self.lane * self.beat_bytes;
        let words = self.beat_bytes / 8;
        let mut data = [0; WORDS];
        data[..words].copy_from_slice(&piece.data[first / 8..][..words]);
        self.pins = Some(Pins {
            data,
            keep: piece.keep >> first & self.all_keep(),
            last: piece.last && ends,
            user: piece.user && ends,
        });
        self.lane += 1;
        if ends {
            self.end_piece(piece.last);
        }
        ends
    }

    /// PW > W: the piece is gathered, or completes a beat for the pins when they can be loaded.
    fn gather(&mut self, piece: &OutputBeat<'_>, can_load: bool) -> bool {
        let lanes = self.beat_bytes / self.piece_bytes;
        let completes = self.at_header || piece.last || self.lane + 1 == lanes;
        if completes && !can_load {
            return false;
        }
        let first = self.lane * self.piece_bytes;
        self.gathered[first / 8..][..piece.data.len()].copy_from_slice(piece.data);
        self.lane += 1;
        if completes {
            let below = ((1u128 << first) - 1) as u64;
            let whole = self.at_header || !piece.last || piece.user;
            self.pins = Some(Pins {
                data: std::mem::replace(&mut self.gathered, [0; WORDS]),
                keep: if whole {
                    self.all_keep()
                } else {
                    below | piece.keep << first
                },
                last: piece.last,
                user: piece.user,
            });
            self.end_piece(piece.last);
        }
        true
    }

    fn end_piece(&mut self, last: bool) {
        self.lane = 0;
        self.at_header = last;
    }

    fn all_keep(&self) -> u64 {
        u64::MAX >> (64 - self.beat_bytes)
    }
}
