//! Which parameters no design can have, and the theorem that says so.
//!
//! Everything but the projective plane of order 10 is evaluated here by code; that one was ruled out by
//! a computer search (Lam, Thiel & Swiercz 1989), which nobody repeats for a spec file.

use std::fmt;

use super::Parameters;
use super::hilbert::{prime_divisors, solvable_at, solvable_in_reals};

/// Why there is no design to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Not 1 ≤ σ ≤ m.
    Sigma(Parameters),
    /// N ≠ m(m − 1)/σ + 1: counting the pairs that hold one element.
    Count(Parameters),
    /// N is even and m − σ no square (Schützenberger 1949).
    EvenWithoutSquare(Parameters),
    /// z² = (m − σ)x² + (−1)^((N−1)/2)·σ·y² has no solution, because it has none at `place`
    /// (Bruck & Ryser 1949, Chowla & Ryser 1950).
    BruckRyserChowla {
        parameters: Parameters,
        place: PlaceOfRationals,
    },
    /// The projective plane of order 10 (Lam, Thiel & Swiercz 1989).
    Lam1989(Parameters),
    /// No theorem known here forbids it, and no construction known here yields it.
    NotConstructed(Parameters),
}

/// A place of the rationals at which an equation has no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceOfRationals {
    Reals,
    Prime(i64),
}

/// The theorem that rules the parameters out, if one known here does.
pub fn refuted(parameters: Parameters) -> Option<Refusal> {
    let (elements, block_size, sigma) = parameters.numbers();
    if sigma == 0 || sigma > block_size {
        return Some(Refusal::Sigma(parameters));
    }
    let pairs = u64::from(block_size) * u64::from(block_size - 1);
    if u64::from(sigma) * (u64::from(elements).saturating_sub(1)) != pairs || elements == 0 {
        return Some(Refusal::Count(parameters));
    }
    let order = i64::from(parameters.order());
    if order == 0 {
        return None;
    }
    if elements.is_multiple_of(2) {
        let is_square = (0..=order).any(|root| root * root == order);
        return (!is_square).then_some(Refusal::EvenWithoutSquare(parameters));
    }
    if let Some(place) = unsolvable_place(elements, order, i64::from(sigma)) {
        return Some(Refusal::BruckRyserChowla { parameters, place });
    }
    let is_plane_of_order_10 = (elements, block_size, sigma) == (111, 11, 1);
    is_plane_of_order_10.then_some(Refusal::Lam1989(parameters))
}

/// A place where the equation of Bruck, Ryser and Chowla for odd N has no solution.
fn unsolvable_place(elements: u32, order: i64, sigma: i64) -> Option<PlaceOfRationals> {
    let signed = if elements % 4 == 1 { sigma } else { -sigma };
    if !solvable_in_reals(order, signed) {
        return Some(PlaceOfRationals::Reals);
    }
    let mut primes = prime_divisors(2 * order * sigma).into_iter();
    // Odd primes first: a failure there is easier to follow. The number of failures is even.
    let two_last = primes.next().expect("2 divides");
    primes
        .chain([two_last])
        .find(|prime| !solvable_at(*prime, order, signed))
        .map(PlaceOfRationals::Prime)
}

impl Refusal {
    /// The parameters that were asked for.
    pub fn parameters(self) -> Parameters {
        match self {
            Self::Sigma(parameters)
            | Self::Count(parameters)
            | Self::EvenWithoutSquare(parameters)
            | Self::BruckRyserChowla { parameters, .. }
            | Self::Lam1989(parameters)
            | Self::NotConstructed(parameters) => parameters,
        }
    }

    /// Whether it is proved that no such design exists.
    pub fn is_proof(self) -> bool {
        !matches!(self, Self::NotConstructed(_))
    }

    /// The N for which m and σ may have a design; `None` when σ does not divide m(m − 1).
    pub fn elements_that_count(self) -> Option<u32> {
        let (_, block_size, sigma) = self.parameters().numbers();
        let pairs = block_size.checked_mul(block_size.checked_sub(1)?)?;
        (sigma > 0 && pairs.is_multiple_of(sigma)).then(|| pairs / sigma + 1)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.parameters();
        let (elements, block_size, sigma) = parameters.numbers();
        write!(f, "{parameters} ")?;
        match self {
            Self::Sigma(_) => write!(f, "needs 1 ≤ σ ≤ m, here σ = {sigma} and m = {block_size}"),
            Self::Count(_) => match self.elements_that_count() {
                Some(wanted) => write!(
                    f,
                    "cannot exist: counting pairs, N = m(m - 1)/σ + 1 gives {wanted}"
                ),
                None => write!(
                    f,
                    "cannot exist: counting pairs, N = m(m - 1)/σ + 1 is no whole number for m = {block_size}, σ = {sigma}"
                ),
            },
            Self::EvenWithoutSquare(_) => write!(
                f,
                "cannot exist: N = {elements} is even and m - σ = {} is no square (Schützenberger; \
                 Bruck-Ryser-Chowla theorem)",
                parameters.order()
            ),
            Self::BruckRyserChowla { place, .. } => {
                let sign = if elements % 4 == 1 { "+" } else { "-" };
                let order = parameters.order();
                let place = match place {
                    PlaceOfRationals::Reals => "in the reals".to_owned(),
                    PlaceOfRationals::Prime(prime) => format!("modulo powers of {prime}"),
                };
                write!(
                    f,
                    "cannot exist: z² = {order}x² {sign} {sigma}y² has only the zero solution {place} \
                     (Bruck-Ryser-Chowla theorem)"
                )
            }
            Self::Lam1989(_) => f.write_str(
                "cannot exist: it would be a projective plane of order 10, ruled out by computer search \
                 (Lam, Thiel and Swiercz 1989)",
            ),
            Self::NotConstructed(_) => f.write_str(
                "is not constructed: no theorem that mkns knows forbids it, but no construction that \
                 mkns knows yields it",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_without_design_in_tables_6_and_7_are_named() {
        let theorem = |n, m, sigma| refuted(Parameters::new(n, m, sigma));
        for (n, m, sigma, prime) in [(43, 7, 1, 3), (29, 8, 2, 3)] {
            let place = match theorem(n, m, sigma) {
                Some(Refusal::BruckRyserChowla { place, .. }) => place,
                other => panic!("B({n},{m},{sigma}): {other:?}"),
            };
            assert_eq!(place, PlaceOfRationals::Prime(prime));
        }
        for (n, m) in [(22, 7), (46, 10)] {
            assert!(matches!(
                theorem(n, m, 2),
                Some(Refusal::EvenWithoutSquare(_))
            ));
        }
        assert!(matches!(theorem(111, 11, 1), Some(Refusal::Lam1989(_))));
        assert!(matches!(theorem(8, 4, 2), Some(Refusal::Count(_))));
        assert!(matches!(theorem(7, 4, 0), Some(Refusal::Sigma(_))));
        assert!(matches!(theorem(7, 4, 5), Some(Refusal::Sigma(_))));
    }

    #[test]
    fn projective_planes_of_order_1_and_2_mod_4_need_a_sum_of_two_squares() {
        // The theorem of Bruck and Ryser in its own words, for planes.
        let is_sum = |n: u32| (0..=n).any(|a| (0..=n).any(|b| a * a + b * b == n));
        for order in 2..=40 {
            let plane = Parameters::new(order * order + order + 1, order + 1, 1);
            let ruled_out = matches!(refuted(plane), Some(Refusal::BruckRyserChowla { .. }));
            assert_eq!(
                ruled_out,
                matches!(order % 4, 1 | 2) && !is_sum(order),
                "{order}"
            );
        }
    }
}
