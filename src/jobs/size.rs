//! How many runs a matrix may ask for: known before any of them takes memory.

/// Most runs that a file or a command line may ask for.
pub const MOST_RUNS: u64 = 100_000;

/// Runs of a matrix whose axes have these lengths.
///
/// # Errors
/// With what is wrong, where they are more than [`MOST_RUNS`].
pub fn runs_of(lengths: impl IntoIterator<Item = u64>) -> Result<u64, String> {
    let runs = lengths.into_iter().fold(1, u64::saturating_mul);
    match runs <= MOST_RUNS {
        true => Ok(runs),
        false => {
            let at_least = if runs == u64::MAX { "at least " } else { "" };
            Err(format!(
                "the matrix has {at_least}{runs} runs, but it may have at most {MOST_RUNS}"
            ))
        }
    }
}

/// Steps from one number to another, both ends included: `(0.0, 1.0)` by 0.5 is 3. None when there is no step.
///
/// A sweep of far too many steps has `u64::MAX`.
pub fn steps_of((from, to): (f64, f64), step: f64) -> u64 {
    match step > 0.0 && from <= to {
        // A decimal step falls short of the end by a rounding error.
        true => (((to - from) / step * (1.0 + 1e-12) + 1e-9) as u64).saturating_add(1),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_17_a_matrix_is_counted_before_it_is_made() {
        assert_eq!(runs_of([10, 20, 5]), Ok(1000));
        assert_eq!(runs_of([0, u64::MAX]), Ok(0));
        assert_eq!(runs_of([]), Ok(1));
        for lengths in [&[1_000_000_000][..], &[400, 400], &[u64::MAX, 2]] {
            let fact = runs_of(lengths.iter().copied()).expect_err("too many");
            assert!(fact.contains("at most 100000"), "{fact}");
        }
        assert_eq!(steps_of((0.05, 0.6), 0.05), 12);
        assert_eq!(steps_of((0.0, 1.0), 1e-9), 1_000_000_001);
        assert_eq!(steps_of((0.0, 1.0), 1e-300), u64::MAX);
        assert_eq!(steps_of((0.0, 1.0), 0.0), 0);
        assert_eq!(steps_of((0.0, f64::NAN), 0.1), 0);
    }
}
