//! 3.1–3.3: what tkeep of a beat may be.

use crate::Beat;

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

/// 3.1 *keep*, 3.3 *legal*, of a header beat of `bytes` bytes.
pub fn is_legal_header(beat: &Beat, bytes: u32) -> bool {
    beat.keep & 0xff == 0xff && !has_hole(beat.keep) && (beat.last || beat.keep == low_ones(bytes))
}

/// 3.1 *keep*, 3.3 *legal*, of a payload beat of `bytes` bytes.
pub fn is_legal_payload(beat: &Beat, bytes: u32) -> bool {
    match beat.last {
        false => beat.keep == low_ones(bytes),
        true => beat.keep != 0 && !has_hole(beat.keep),
    }
}

/// 3.3: part `number` of a beat that is cut into parts of `bytes` bytes.
pub fn part(beat: &Beat, number: usize, bytes: u32, is_last: bool) -> Beat {
    let words = bytes as usize / 8;
    Beat {
        data: beat.data.part(number * words, words),
        keep: beat.keep >> (number as u32 * bytes) & low_ones(bytes),
        last: beat.last && is_last,
        user: beat.user && is_last,
    }
}
