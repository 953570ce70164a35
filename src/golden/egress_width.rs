//! 3.3, egress: pieces of W bits behind 3.2 become beats of PW bits.

use mkns_design::BlockModule;

use crate::beat::{low_ones, part};
use crate::note::note;
use crate::{Beat, Data};

pub struct EgressWidth {
    /// Bytes of a beat and of a piece.
    beat_bytes: u32,
    piece_bytes: u32,

    /// The second register.
    pins: Option<Beat>,
    /// The next piece is a header.
    expects_header: bool,
    /// PW < W: beats of the piece that were on the pins.
    lane: usize,
    /// PW > W: pieces gathered, and their data.
    gathered: usize,
    gathered_data: Data,
}

impl EgressWidth {
    /// `None` when PW = W.
    pub fn new(module: &BlockModule) -> Option<Self> {
        let (beat, piece) = (module.parameters.pcie_bits, module.parameters.flit_bits);
        (beat != piece).then(|| Self {
            beat_bytes: beat / 8,
            piece_bytes: piece / 8,
            pins: None,
            expects_header: true,
            lane: 0,
            gathered: 0,
            gathered_data: Data::default(),
        })
    }

    pub fn pins(&self) -> Option<&Beat> {
        self.pins.as_ref()
    }

    /// Nothing is on the pins. (Gathered pieces wait for the next piece.)
    pub fn is_at_rest(&self) -> bool {
        self.pins.is_none()
    }

    /// The tready that 3.2 sees, when its register holds `piece`.
    pub fn takes(&self, piece: &Beat, host_ready: bool) -> bool {
        let can_load = self.pins.is_none() || host_ready;
        match self.beat_bytes < self.piece_bytes {
            true => can_load && self.lane + 1 == self.beats(piece),
            false => can_load || !self.completes(piece),
        }
    }

    /// One cycle: the piece in the register of 3.2, and tready of the pins.
    pub fn clock(&mut self, piece: Option<&Beat>, host_ready: bool) {
        let can_load = self.pins.is_none() || host_ready;
        if can_load {
            self.pins = None;
        }
        let Some(piece) = piece else { return };
        let was_taken = match self.beat_bytes < self.piece_bytes {
            true => can_load && self.send_lane(piece),
            false if !self.completes(piece) => self.gather(piece),
            false => can_load && self.send_gathered(piece),
        };
        if was_taken {
            self.expects_header = piece.last;
        }
    }

    /// PW < W: beats of a piece.
    fn beats(&self, piece: &Beat) -> usize {
        match self.expects_header {
            true => 1,
            false => piece.keep.count_ones().div_ceil(self.beat_bytes) as usize,
        }
    }

    /// PW < W: the pins take beat `lane` of the piece. Whether it was its last one.
    fn send_lane(&mut self, piece: &Beat) -> bool {
        let is_last_beat = self.lane + 1 == self.beats(piece);
        self.pins = Some(part(piece, self.lane, self.beat_bytes, is_last_beat));
        self.lane = if is_last_beat { 0 } else { self.lane + 1 };
        is_last_beat
    }

    /// PW > W: the piece completes a beat.
    fn completes(&self, piece: &Beat) -> bool {
        let pieces_of_a_beat = (self.beat_bytes / self.piece_bytes) as usize;
        self.expects_header || piece.last || self.gathered + 1 == pieces_of_a_beat
    }

    /// PW > W: the piece is put to the gathered ones.
    fn gather(&mut self, piece: &Beat) -> bool {
        let words = self.piece_bytes as usize / 8;
        self.gathered_data
            .put(self.gathered * words, words, &piece.data);
        self.gathered += 1;
        true
    }

    /// PW > W: the pins take the beat that the piece completes.
    fn send_gathered(&mut self, piece: &Beat) -> bool {
        let bytes_before = self.gathered as u32 * self.piece_bytes;
        self.gather(piece);
        let data = std::mem::take(&mut self.gathered_data);
        let keep = match !piece.last || piece.user || self.expects_header {
            true => low_ones(self.beat_bytes),
            false => low_ones(bytes_before) | piece.keep << bytes_before,
        };
        self.pins = Some(Beat {
            data,
            keep,
            last: piece.last,
            user: piece.user,
        });
        self.gathered = 0;
        true
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        note(text, "lane", self.lane, 0);
        note(text, "gathered pieces", self.gathered, 0);
        let place = |is_header| if is_header { "header" } else { "payload" };
        note(
            text,
            "next piece to the host",
            place(self.expects_header),
            place(true),
        );
    }
}
