//! Section 4: the events that the counters of a PCIe port count, and their bits in ERRORS.

/// A counter of a PCIe port; its number on the page is its place here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PcieCounter {
    PacketsIn,
    Keep,
    Reserved,
    /// With `PATHS` *unreachable*.
    Layer,
    Destination,
    OverLength,
    TooShort,
    TooLong,
    Aborted,
    PacketsOut,
    CrcFault,
    LengthFault,
    Bad,
    TimeoutDrops,
}

impl PcieCounter {
    /// As section 4 calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PacketsIn => "packets in",
            Self::Keep => "keep",
            Self::Reserved => "reserved",
            Self::Layer => "layer",
            Self::Destination => "destination",
            Self::OverLength => "over length",
            Self::TooShort => "too short",
            Self::TooLong => "too long",
            Self::Aborted => "aborted",
            Self::PacketsOut => "packets out",
            Self::CrcFault => "crc fault",
            Self::LengthFault => "length fault",
            Self::Bad => "bad",
            Self::TimeoutDrops => "timeout drops",
        }
    }
}

/// Counters of a PCIe port.
pub const PCIE_COUNTERS: usize = 14;

impl PcieCounter {
    /// The bit of ERRORS that the event sets, as a mask; 0 when it is none.
    pub fn error(self) -> u32 {
        match self {
            Self::PacketsIn | Self::PacketsOut => 0,
            Self::CrcFault | Self::LengthFault | Self::Bad => 1 << 5,
            Self::TimeoutDrops => 1 << 6,
            _ => 1 << 4,
        }
    }
}
