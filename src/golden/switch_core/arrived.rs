//! 1.8, Arrival: what `arrived[i]` holds.

use crate::Flit;
use crate::core_counters::Cause;

/// A flit to which 1.2 applies: one on the rx pins, or in adaptive blocks one in `arrived[i]`.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub flit: Flit,
    /// It came while its link was down.
    pub cut_off: bool,
    /// Of a header in `arrived[i]`.
    pub lookup: Option<Lookup>,
}

/// What the tables said while the header was on the rx pins.
#[derive(Debug, Clone, Copy)]
pub struct Lookup {
    /// Rule 2 of 1.2
    pub route: Result<usize, Cause>,
    pub candidates: u32,
    pub served: bool,
}

impl Arrival {
    /// A flit on the rx pins of a block that looks it up there.
    pub fn on_pins(flit: Flit) -> Self {
        Self {
            flit,
            cut_off: false,
            lookup: None,
        }
    }
}
