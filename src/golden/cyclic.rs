//! "The first n at or after a pointer, cyclically."

/// The first of `start`, `start` + 1, …, `count` − 1, 0, … `start` − 1 that `fits`.
pub fn first_at_or_after(
    start: usize,
    count: usize,
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    (start..count).chain(0..start).find(|&n| fits(n))
}

/// The numbers of the bits of `set` that are 1: from `start` on, then those below it.
pub fn members_from(start: usize, set: u128) -> impl Iterator<Item = usize> {
    let below = set & ((1 << start) - 1);
    members(set & !below).chain(members(below))
}

/// The numbers of the bits of `set` that are 1, in ascending order.
fn members(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (lowest < 128).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::members_from;

    #[test]
    fn members_from_the_start_come_before_those_below_it() {
        let set = 1 << 3 | 1 << 70 | 1 << 127;
        let from = |start| members_from(start, set).collect::<Vec<_>>();
        assert_eq!(from(0), [3, 70, 127]);
        assert_eq!(from(70), [70, 127, 3]);
        assert_eq!(from(71), [127, 3, 70]);
        assert_eq!(members_from(5, 0).next(), None);
    }
}
