//! 7: flits inside a link port.

use mkns_cable::Flit;

/// A flit in the ring or at a place, and on its way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Held {
    pub channel: usize,
    pub last: bool,
    pub bad: bool,
    pub data: u64,
}

impl Held {
    pub fn of(flit: &Flit, channels: usize) -> Self {
        Self {
            channel: flit.channel % channels,
            last: flit.last,
            bad: flit.bad,
            data: flit.data,
        }
    }

    pub fn on_pins(self) -> Flit {
        Flit {
            channel: self.channel,
            last: self.last,
            bad: self.bad,
            data: self.data,
        }
    }
}
