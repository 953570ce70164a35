//! What a core has on its ports in a cycle, and what it reports: the same for the switch core
//! (section 1) and for splitter and combiner (section 6).

use super::flit::Flit;

/// A set of ports, or of a port's channels: bit p stands for number p.
pub type Bits = u32;

/// The input pins of a cycle, port by port.
#[derive(Debug, Clone, Default)]
pub struct CoreInputs {
    /// The flit that arrives.
    pub rx: Vec<Option<Flit>>,
    /// Credits that come back, bit v.
    pub tx_credit: Vec<Bits>,
    /// Ports whose link is up.
    pub link_up: Bits,
}

/// A dropped header, for the first-drop register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drop {
    /// The input port that it came by.
    pub port: usize,
    /// Its low 64 bits.
    pub header: u64,
}

/// What happened in a cycle, as the control port wants to know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreEvents {
    /// Bits of ERRORS (section 4).
    pub errors: u32,
    /// Of the lowest input that dropped a header.
    pub first_drop: Option<Drop>,
}
