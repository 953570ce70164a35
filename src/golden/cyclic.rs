//! "The first n at or after a pointer, cyclically."

/// The first of `start`, `start` + 1, …, `count` − 1, 0, … `start` − 1 that `fits`.
pub fn first_at_or_after(
    start: usize,
    count: usize,
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    (start..count).chain(0..start).find(|&n| fits(n))
}
