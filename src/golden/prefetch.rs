//! Tells the processor which memory will be needed soon, so that the waits for several cache lines
//! overlap. Has no effect on results, and none at all on processors without such an instruction.

/// Bytes that a cache fetches at a time.
const LINE: usize = 64;

/// All of a value.
#[inline]
pub fn prefetch<T: ?Sized>(value: &T) {
    prefetch_share(value, 0, 1);
}

/// Share number `share` of `shares` about equal ones of a value: a processor waits when it has asked
/// for too many lines at a time.
#[inline]
pub fn prefetch_share<T: ?Sized>(value: &T, share: u64, shares: u64) {
    let first = std::ptr::from_ref(value).cast::<u8>();
    let lines = size_of_val(value).div_ceil(LINE) as u64;
    for number in share * lines / shares..(share + 1) * lines / shares {
        line(first.wrapping_add(number as usize * LINE));
    }
}

/// The cache line of an element; nothing when there is no such element.
#[inline]
pub fn prefetch_at<T>(list: &[T], place: usize) {
    if let Some(value) = list.get(place) {
        line(std::ptr::from_ref(value).cast());
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn line(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees and faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn line(_: *const u8) {}
