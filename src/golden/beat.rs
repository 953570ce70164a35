//! 3.1–3.3: what a PCIe-side stream carries in a cycle.

use mkns_design::StreamBeat;

use crate::Data;

/// A valid beat on the pins of a stream, `s_axis_pcie_*` or `m_axis_pcie_*`; a piece of one in 3.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Beat {
    pub data: Data,
    /// tkeep: one bit a byte.
    pub keep: u64,
    pub last: bool,
    pub user: bool,
}

/// tkeep with the low `bytes` bits 1: all ones of a beat that wide.
pub fn low_ones(bytes: u32) -> u64 {
    match bytes {
        64.. => u64::MAX,
        _ => (1 << bytes) - 1,
    }
}

/// 3.1: a 0 below a 1.
pub fn has_hole(keep: u64) -> bool {
    keep != low_ones(keep.count_ones())
}

impl From<StreamBeat> for Beat {
    fn from(beat: StreamBeat) -> Self {
        Self {
            data: Data(beat.data),
            keep: beat.keep,
            last: beat.last,
            user: beat.user,
        }
    }
}

impl From<Beat> for StreamBeat {
    fn from(beat: Beat) -> Self {
        Self {
            data: beat.data.0,
            keep: beat.keep,
            last: beat.last,
            user: beat.user,
        }
    }
}

impl Beat {
    /// 3.1 *keep*, 3.3 *legal*, of a header beat of `bytes` bytes.
    pub fn is_legal_header(&self, bytes: u32) -> bool {
        self.keep & 0xff == 0xff
            && !has_hole(self.keep)
            && (self.last || self.keep == low_ones(bytes))
    }

    /// 3.1 *keep*, 3.3 *legal*, of a payload beat of `bytes` bytes.
    pub fn is_legal_payload(&self, bytes: u32) -> bool {
        match self.last {
            false => self.keep == low_ones(bytes),
            true => self.keep != 0 && !has_hole(self.keep),
        }
    }
}
