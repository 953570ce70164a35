//! The Hilbert symbol: whether z² = a·x² + b·y² has a solution at one place of the rationals.
//!
//! By the theorem of Hasse and Minkowski the equation has a solution in whole numbers, not all zero,
//! exactly when it has one at every place (Serre, A Course in Arithmetic, chapters III and IV).

/// Whether z² = a·x² + b·y² has a non-zero solution in the reals.
pub fn solvable_in_reals(a: i64, b: i64) -> bool {
    a > 0 || b > 0
}

/// Whether z² = a·x² + b·y² (a, b ≠ 0) has a non-zero solution in the p-adic numbers, p prime.
pub fn solvable_at(prime: i64, a: i64, b: i64) -> bool {
    let (alpha, u) = split(prime, a);
    let (beta, v) = split(prime, b);
    let odd_sign = if prime == 2 {
        let half = |unit: i64| (unit.rem_euclid(4) - 1) / 2;
        let eighth = |unit: i64| i64::from(matches!(unit.rem_euclid(8), 3 | 5));
        half(u) * half(v) + alpha * eighth(v) + beta * eighth(u)
    } else {
        let half = (prime - 1) / 2;
        let non_residue = |unit: i64| i64::from(!is_square(prime, unit));
        alpha * beta * half + beta * non_residue(u) + alpha * non_residue(v)
    };
    odd_sign % 2 == 0
}

/// value = prime^exponent · unit.
fn split(prime: i64, value: i64) -> (i64, i64) {
    let (mut exponent, mut unit) = (0, value);
    while unit % prime == 0 {
        exponent += 1;
        unit /= prime;
    }
    (exponent, unit)
}

/// Whether `unit`, no multiple of the odd `prime`, is a square modulo it.
fn is_square(prime: i64, unit: i64) -> bool {
    let wanted = unit.rem_euclid(prime);
    (1..prime).any(|root| root * root % prime == wanted)
}

/// Prime divisors of a positive number, ascending.
pub fn prime_divisors(mut value: i64) -> Vec<i64> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= value {
        if value % divisor == 0 {
            primes.push(divisor);
            while value % divisor == 0 {
                value /= divisor;
            }
        }
        divisor += 1;
    }
    if value > 1 {
        primes.push(value);
    }
    primes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second statement that knows no symbol: tries small numbers.
    fn has_small_solution(a: i64, b: i64) -> bool {
        let root = |value: i64| (value as f64).sqrt().round() as i64;
        (0..=60).any(|x| {
            (0..=60).any(|y| {
                let value = a * x * x + b * y * y;
                (x, y) != (0, 0) && value >= 0 && root(value) * root(value) == value
            })
        })
    }

    #[test]
    fn local_solutions_everywhere_mean_a_solution_in_whole_numbers() {
        for a in 1..=14 {
            for b in (-14_i64..=14).filter(|b| *b != 0) {
                let primes = prime_divisors(2 * a * b.abs());
                let everywhere =
                    solvable_in_reals(a, b) && primes.iter().all(|prime| solvable_at(*prime, a, b));
                assert_eq!(everywhere, has_small_solution(a, b), "a = {a}, b = {b}");
            }
        }
    }
}
