//! Networks that no other beats in everything: the Pareto front.

/// Places of the rows that no other row equals or beats in every number while beating it in one. Smaller numbers are
/// better; of equal rows the first stays.
pub fn front<const N: usize>(rows: &[[f64; N]]) -> Vec<usize> {
    let beats = |a: &[f64; N], b: &[f64; N]| a.iter().zip(b).all(|(a, b)| a <= b) && a != b;
    let stays = |&at: &usize| {
        let is_first = !rows[..at].contains(&rows[at]);
        is_first && !rows.iter().any(|other| beats(other, &rows[at]))
    };
    (0..rows.len()).filter(stays).collect()
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn beaten_and_repeated_rows_go() {
        let rows = [
            [1.0, 5.0],
            [2.0, 2.0],
            [2.0, 3.0],
            [5.0, 1.0],
            [2.0, 2.0],
            [5.0, 1.5],
        ];
        assert_eq!(front(&rows), [0, 1, 3]);
        assert_eq!(front::<2>(&[]), Vec::<usize>::new());
    }
}
