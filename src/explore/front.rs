//! Networks that no other beats in everything: the Pareto front, and what is close to it.

use super::Figures;

/// By how much the bound of a network may rise before it counts as close to the front. Simulated throughput falls short
/// of the bound by different amounts: a torus delivers less of it than an MKNS.
pub const CLOSE: f64 = 0.15;
/// Drawn graphs whose numbers differ by less are alike.
pub const ALIKE: f64 = 0.02;

/// Where a network stands among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParetoStanding {
    /// No other is as good in cost, mean path and throughput.
    Unbeaten,
    /// A drawn graph that would be unbeaten, and is like another unbeaten one, whose place this is.
    Like(usize),
    /// It would be unbeaten if its bound on throughput were higher by [`CLOSE`].
    Close,
    Beaten,
    /// It has no mean path to compare.
    NotCompared,
}

/// By network, its standing.
pub fn standings(networks: &[&Figures]) -> Vec<ParetoStanding> {
    let ranks: Vec<Option<[f64; 3]>> = networks.iter().map(|figures| figures.ranks()).collect();
    let compared: Vec<usize> = (0..ranks.len()).filter(|&at| ranks[at].is_some()).collect();
    let rows: Vec<[f64; 3]> = ranks.iter().copied().flatten().collect();
    let mut standings = vec![ParetoStanding::NotCompared; networks.len()];
    for &at in &compared {
        let raised = networks[at].ranks_at(1.0 + CLOSE);
        let beaten = raised.is_none_or(|raised| rows.iter().any(|other| beats(other, &raised)));
        standings[at] = if beaten {
            ParetoStanding::Beaten
        } else {
            ParetoStanding::Close
        };
    }
    let mut first: Vec<usize> = Vec::new();
    for at in front(&rows).into_iter().map(|row| compared[row]) {
        let like = first
            .iter()
            .find(|&&other| are_alike(networks[other], networks[at]));
        standings[at] = like.map_or(ParetoStanding::Unbeaten, |&other| {
            ParetoStanding::Like(other)
        });
        if like.is_none() {
            first.push(at);
        }
    }
    standings
}

/// Whether two are drawn graphs of one family whose differences are those of the draw.
fn are_alike(a: &Figures, b: &Figures) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= ALIKE * a.abs().max(b.abs());
    let numbers = |figures: &Figures| {
        [
            Some(figures.cost_per_host()),
            figures.mean_cables,
            figures.throughput_bound,
        ]
    };
    a.drawn_family().is_some()
        && a.drawn_family() == b.drawn_family()
        && numbers(a)
            .into_iter()
            .flatten()
            .zip(numbers(b).into_iter().flatten())
            .all(|(a, b)| near(a, b))
}

/// Places of the rows that no other row equals or beats in every number while beating it in one. Smaller numbers are
/// better; of equal rows the first stays.
fn front<const N: usize>(rows: &[[f64; N]]) -> Vec<usize> {
    let stays = |&at: &usize| {
        let is_first = !rows[..at].contains(&rows[at]);
        is_first && !rows.iter().any(|other| beats(other, &rows[at]))
    };
    (0..rows.len()).filter(stays).collect()
}

fn beats<const N: usize>(a: &[f64; N], b: &[f64; N]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b) && a != b
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
