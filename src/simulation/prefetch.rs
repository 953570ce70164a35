//! Tells the processor which memory will be needed soon, so that the waits for several cache lines
//! overlap. Has no effect on results, and none at all on processors without such an instruction.

use std::ops::Range;

/// Bytes that a cache fetches at a time.
const LINE: usize = 64;

/// All of a value.
#[inline]
pub fn prefetch<T: ?Sized>(value: &T) {
    lines(value, 0..size_of_val(value).div_ceil(LINE));
}

/// Part number `PART` of `PARTS` about equal ones of a value.
#[inline]
pub fn prefetch_part<const PART: usize, const PARTS: usize, T>(value: &T) {
    let all = size_of::<T>().div_ceil(LINE);
    lines(value, PART * all / PARTS..(PART + 1) * all / PARTS);
}

#[inline]
fn lines<T: ?Sized>(value: &T, numbers: Range<usize>) {
    let first = std::ptr::from_ref(value).cast::<u8>();
    numbers.for_each(|number| line(first.wrapping_add(number * LINE)));
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
#[expect(unsafe_code, reason = "an instruction of one kind of processor")]
fn line(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program sees and faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
fn line(_: *const u8) {}
