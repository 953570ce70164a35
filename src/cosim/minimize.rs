//! The shortest list that still fails, by delta debugging (Zeller & Hildebrandt, "Simplifying and
//! isolating failure-inducing input", IEEE TSE 28(2), 2002). Knows nothing of what the items are.

/// A part of `items`, in their order, that still `fails` and of which no single item can be left out;
/// less thorough when `fails` has been asked `patience` times. `items` themselves have to fail.
pub fn minimize<T: Clone>(
    items: Vec<T>,
    patience: usize,
    mut fails: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut kept = items;
    let mut asked = 0;
    let mut part = kept.len().div_ceil(2).max(1);
    while !kept.is_empty() {
        let before = kept.len();
        let mut start = 0;
        while start < kept.len() {
            if asked == patience {
                return kept;
            }
            asked += 1;
            let end = (start + part).min(kept.len());
            let rest = [&kept[..start], &kept[end..]].concat();
            if fails(&rest) {
                kept = rest;
            } else {
                start = end;
            }
        }
        if part == 1 && kept.len() == before {
            break;
        }
        part = (part / 2).max(1);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// Where all of some culprits are needed, they are what is left.
        #[test]
        fn what_is_needed_is_all_that_is_left(
            count in 1usize..300,
            picks in vec(any::<prop::sample::Index>(), 1..6),
        ) {
            let culprits: Vec<usize> = picks.iter().map(|pick| pick.index(count)).collect();
            let mut wanted = culprits.clone();
            wanted.sort_unstable();
            wanted.dedup();
            let fails = |list: &[usize]| culprits.iter().all(|culprit| list.contains(culprit));
            prop_assert_eq!(minimize((0..count).collect(), usize::MAX, fails), wanted);
        }

        /// Whatever the failure is: the result fails, and without any one item it does not.
        #[test]
        fn no_single_item_can_be_left_out(items in vec(0u32..50, 1..60), limit in 1u32..200) {
            let fails = |list: &[u32]| list.iter().sum::<u32>() >= limit;
            prop_assume!(fails(&items));
            let left = minimize(items, usize::MAX, fails);
            prop_assert!(fails(&left));
            for place in 0..left.len() {
                let mut fewer = left.clone();
                fewer.remove(place);
                prop_assert!(!fails(&fewer));
            }
        }
    }

    #[test]
    fn patience_ends_the_search() {
        let mut asked = 0;
        let left = minimize((0..100).collect(), 3, |list: &[u32]| {
            asked += 1;
            list.contains(&7)
        });
        assert_eq!(asked, 3);
        assert!(left.contains(&7) && left.len() < 100);
    }
}
