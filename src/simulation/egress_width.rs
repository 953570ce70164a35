//! Pieces of flit width made into the beats of a host, behind an egress (section 3.3 of
//! `docs/microarchitecture.md`). Not used when the widths are equal. Hosts take every beat at once, and payloads fill
//! their flits.

use super::egress::OutputBeat;
use mkns_design::BlockModule;

#[derive(Debug, Clone)]
pub struct EgressWidth {
    /// Beats of a piece of payload, or 1.
    beats: u32,
    /// Pieces of a beat of payload, or 1.
    pieces: u32,
    /// The beat on the host's pins.
    pub beat: Option<OutputBeat>,
    /// The next piece is a header.
    at_header: bool,
    /// Beats of the piece that are done, or pieces gathered.
    lane: u32,
    /// Low word of the beat that is gathered.
    word: u64,
}

impl EgressWidth {
    /// None when beats are as wide as flits.
    pub fn new(module: &BlockModule) -> Option<EgressWidth> {
        let parameters = &module.parameters;
        let (beat, piece) = (parameters.pcie_bits, parameters.flit_bits);
        (beat != piece).then_some(EgressWidth {
            beats: (piece / beat).max(1),
            pieces: (beat / piece).max(1),
            beat: None,
            at_header: true,
            lane: 0,
            word: 0,
        })
    }

    /// Whether a cycle in which the egress holds no piece changes nothing.
    pub fn is_at_rest(&self) -> bool {
        self.beat.is_none()
    }

    /// The clock edge, with the piece in the egress's register; returns whether the piece is taken.
    pub fn step(&mut self, piece: Option<OutputBeat>) -> bool {
        self.beat = None;
        let Some(piece) = piece else {
            return false;
        };
        if self.lane == 0 {
            self.word = piece.word;
        }
        self.lane += 1;
        let is_taken = self.at_header || self.lane >= self.beats;
        if self.at_header || piece.last || self.lane >= self.pieces {
            self.beat = Some(OutputBeat {
                word: std::mem::take(&mut self.word),
                last: piece.last && is_taken,
                user: piece.user && is_taken,
            });
        }
        if is_taken && self.beat.is_some() {
            self.lane = 0;
            self.at_header = piece.last;
        }
        is_taken
    }
}
