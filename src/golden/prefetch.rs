//! Tells the processor which memory will be needed soon, so that the waits for several cache lines
//! overlap. Has no effect on results, and none at all on processors without such an instruction.

/// Bytes that a cache fetches at a time.
const LINE: usize = 64;

/// All of a value.
#[inline]
pub fn prefetch<T: ?Sized>(value: &T) {
    let first = std::ptr::from_ref(value).cast::<u8>();
    let mut offset = 0;
    while offset < size_of_val(value) {
        line(first.wrapping_add(offset));
        offset += LINE;
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
