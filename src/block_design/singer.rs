//! Singer's difference sets: the points of a hyperplane of the projective geometry PG(d, q).
//!
//! The field of q^(d+1) elements is written as powers of a primitive element α. The points are α^i for
//! i modulo N = (q^(d+1) − 1)/(q − 1), the hyperplane is where the trace to the field of q is zero.

/// Exponents modulo N of the hyperplane of PG(`dimension`, q), q = `prime`^`degree`.
pub fn hyperplane(prime: u32, degree: u32, dimension: u32) -> Vec<u32> {
    let q = prime.pow(degree);
    let powers = powers_of_primitive_element(prime, degree * (dimension + 1));
    let order = powers.len();
    let points = order as u32 / (q - 1);
    let trace_is_zero = |exponent: &u32| {
        let mut conjugate = *exponent as usize;
        let mut trace = vec![0; powers[0].len()];
        for _ in 0..=dimension {
            for (sum, digit) in trace.iter_mut().zip(&powers[conjugate]) {
                *sum = (*sum + digit) % prime;
            }
            conjugate = conjugate * q as usize % order;
        }
        trace.iter().all(|digit| *digit == 0)
    };
    (0..points).filter(trace_is_zero).collect()
}

/// q as prime and exponent, if it is a prime power.
pub fn prime_power(q: u32) -> Option<(u32, u32)> {
    let prime = (2..=q).find(|divisor| q.is_multiple_of(*divisor))?;
    let mut degree = 0;
    let mut rest = q;
    while rest.is_multiple_of(prime) {
        rest /= prime;
        degree += 1;
    }
    (rest == 1).then_some((prime, degree))
}

/// All powers α^0, α^1, … of a primitive element of the field of prime^degree elements, as
/// coefficients of polynomials in α over the prime field, constant first.
fn powers_of_primitive_element(prime: u32, degree: u32) -> Vec<Vec<u32>> {
    let order = prime.pow(degree) as usize - 1;
    // Candidates for α^degree, low coefficients of a monic polynomial negated.
    (1..=order as u32)
        .map(|number| digits(number, prime, degree))
        .find_map(|top| full_cycle(&top, prime, order))
        .expect("every finite field has a primitive element")
}

/// Powers of α where α^degree = `top`, if they pass through all `order` non-zero elements.
fn full_cycle(top: &[u32], prime: u32, order: usize) -> Option<Vec<Vec<u32>>> {
    let mut one = vec![0; top.len()];
    one[0] = 1;
    let mut powers = vec![one.clone()];
    loop {
        let last = &powers[powers.len() - 1];
        let carry = last[top.len() - 1];
        let next: Vec<u32> = (0..top.len())
            .map(|i| (carry * top[i] + if i > 0 { last[i - 1] } else { 0 }) % prime)
            .collect();
        if next == one {
            return (powers.len() == order).then_some(powers);
        }
        // Not invertible: the powers never come back to one.
        if powers.len() >= order {
            return None;
        }
        powers.push(next);
    }
}

/// Base-`base` digits, lowest first.
fn digits(number: u32, base: u32, count: u32) -> Vec<u32> {
    (0..count).map(|i| number / base.pow(i) % base).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyperplanes_have_the_size_that_geometry_says() {
        // Points of PG(d − 1, q): (q^d − 1)/(q − 1).
        for (q, dimension, size) in [(2, 2, 3), (4, 2, 5), (9, 2, 10), (2, 3, 7), (3, 3, 13)] {
            let (prime, degree) = prime_power(q).expect("a prime power");
            assert_eq!(hyperplane(prime, degree, dimension).len(), size, "q = {q}");
        }
    }

    #[test]
    fn prime_powers_are_told_from_other_numbers() {
        assert_eq!([1, 6, 10, 12].map(prime_power), [None; 4]);
        assert_eq!(prime_power(9), Some((3, 2)));
        assert_eq!(prime_power(11), Some((11, 1)));
    }
}
