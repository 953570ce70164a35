//! Arithmetic in the finite field of a small prime power.
//!
//! Elements are numbers 0…q − 1; with q = p^n the base-p digits of one are the coefficients of a polynomial, and
//! products are taken modulo a polynomial for which some element generates all others.

/// GF(q).
#[derive(Debug, Clone)]
pub struct Field {
    prime: u32,
    degree: u32,
    /// Coefficients of the modulus below its leading one, packed as an element.
    modulus: u32,
    /// Powers 0…q − 2 of a generator.
    powers: Vec<u32>,
}

impl Field {
    /// The field of q elements, q a prime power.
    pub fn new(order: u32) -> Self {
        let prime = (2..=order).find(|p| order.is_multiple_of(*p)).unwrap_or(2);
        let degree = order.ilog(prime);
        assert_eq!(prime.pow(degree), order, "the order is a prime power");
        let mut field = Self {
            prime,
            degree,
            modulus: 0,
            powers: Vec::new(),
        };
        for modulus in 0..order {
            field.modulus = modulus;
            for generator in 1..order {
                let powers = field.powers_of(generator);
                if powers.len() as u32 == order - 1 {
                    field.powers = powers;
                    return field;
                }
            }
        }
        unreachable!("every field has a generator")
    }

    /// Number of elements.
    pub fn order(&self) -> u32 {
        self.powers.len() as u32 + 1
    }

    /// Power `exponent` of a generator.
    pub fn power(&self, exponent: u32) -> u32 {
        self.powers[exponent as usize % self.powers.len()]
    }

    pub fn add(&self, a: u32, b: u32) -> u32 {
        self.combine(a, b, |a, b| a + b)
    }

    pub fn subtract(&self, a: u32, b: u32) -> u32 {
        self.combine(a, b, |a, b| a + self.prime - b)
    }

    pub fn multiply(&self, a: u32, b: u32) -> u32 {
        let top = self.prime.pow(self.degree - 1);
        let mut product = 0;
        // Horner's rule over the digits of a, the highest first.
        for place in (0..self.degree).rev() {
            let carry = product / top;
            let shifted = product % top * self.prime;
            product = self.subtract(shifted, self.scale(self.modulus, carry));
            let digit = a / self.prime.pow(place) % self.prime;
            product = self.add(product, self.scale(b, digit));
        }
        product
    }

    /// `element` + … + `element`, `times` times.
    fn scale(&self, element: u32, times: u32) -> u32 {
        (0..times).fold(0, |sum, _| self.add(sum, element))
    }

    fn combine(&self, a: u32, b: u32, digit: impl Fn(u32, u32) -> u32) -> u32 {
        let places = (0..self.degree).map(|place| self.prime.pow(place));
        let of = |value: u32, place: u32| value / place % self.prime;
        places
            .map(|place| digit(of(a, place), of(b, place)) % self.prime * place)
            .sum()
    }

    /// The different powers of an element, from the zeroth on; none when they do not come round to 1.
    fn powers_of(&self, element: u32) -> Vec<u32> {
        let mut powers = vec![1];
        loop {
            let next = self.multiply(powers[powers.len() - 1], element);
            match next {
                1 => return powers,
                _ if next == 0 || powers.contains(&next) => return Vec::new(),
                _ => powers.push(next),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn products_distribute_and_every_element_but_zero_has_an_inverse() {
        for order in [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25] {
            let field = Field::new(order);
            assert_eq!(field.order(), order);
            for a in 0..order {
                for b in 0..order {
                    let product = field.multiply(a, b);
                    assert_eq!(product, field.multiply(b, a), "{order}: {a} {b}");
                    let c = (a * 3 + b) % order;
                    let sum = field.add(product, field.multiply(a, c));
                    assert_eq!(field.multiply(a, field.add(b, c)), sum, "{order}: {a} {b}");
                    assert_eq!(field.add(field.subtract(a, b), b), a);
                }
                let inverse = (1..order).any(|b| field.multiply(a, b) == 1);
                assert_eq!(inverse, a != 0, "{order}: {a}");
            }
        }
    }
}
