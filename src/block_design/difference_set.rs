//! Difference sets in abelian groups, and the designs that they develop into.
//!
//! A set D of a group develops into the blocks D + g. The sets are computed from their number-theoretic
//! or geometric rule; that they are difference sets is not argued here, the design is verified.

/// A direct product of cyclic groups; element numbers are mixed-radix, first factor fastest.
#[derive(Debug, Clone)]
pub struct Group {
    moduli: Vec<u32>,
}

impl Group {
    /// Z_N.
    pub fn cyclic(order: u32) -> Self {
        Self {
            moduli: vec![order],
        }
    }

    /// The product of cyclic groups of these orders.
    pub fn product(moduli: Vec<u32>) -> Self {
        Self { moduli }
    }

    pub fn order(&self) -> u32 {
        self.moduli.iter().product()
    }

    /// Number of the element with these components, each taken modulo its factor.
    pub fn element(&self, components: &[u32]) -> u32 {
        let factors = self.moduli.iter().zip(components).rev();
        factors.fold(0, |number, (modulus, component)| {
            number * modulus + component % modulus
        })
    }

    fn sum(&self, a: u32, b: u32) -> u32 {
        let (mut a, mut b, mut weight, mut sum) = (a, b, 1, 0);
        for modulus in &self.moduli {
            sum += weight * ((a % modulus + b % modulus) % modulus);
            (a, b, weight) = (a / modulus, b / modulus, weight * modulus);
        }
        sum
    }

    /// The blocks D + g, g in order of number.
    pub fn develop(&self, set: &[u32]) -> Vec<Vec<u32>> {
        let translate = |g| set.iter().map(|d| self.sum(*d, g)).collect();
        (0..self.order()).map(translate).collect()
    }
}

/// The set of x^power, x ≠ 0, modulo a prime: quadratic residues (2), quartic residues (4).
pub fn power_residues(prime: u32, power: u32) -> Vec<u32> {
    let mut residues: Vec<u32> = (1..prime)
        .map(|x| (0..power).fold(1, |value, _| value * x % prime))
        .collect();
    residues.sort_unstable();
    residues.dedup();
    residues
}

/// McFarland's set for a prime q: line i through the origin of Z_q × Z_q stands at i of Z_{q+2},
/// i = 0…q. It has q(q + 1) elements in a group of order q²(q + 2).
pub fn mcfarland(q: u32) -> (Group, Vec<u32>) {
    let group = Group::product(vec![q, q, q + 2]);
    let point = |line: u32, step: u32| {
        if line == q {
            group.element(&[0, step, line])
        } else {
            group.element(&[step, step * line, line])
        }
    };
    let set = (0..=q).flat_map(|line| (0..q).map(move |step| (line, step)));
    let set = set.map(|(line, step)| point(line, step)).collect();
    (group, set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_residues_mod_11_are_those_of_the_data() {
        assert_eq!(power_residues(11, 2), [1, 3, 4, 5, 9]);
        assert_eq!(power_residues(37, 4), [1, 7, 9, 10, 12, 16, 26, 33, 34]);
    }

    #[test]
    fn sums_go_component_by_component() {
        let group = Group::product(vec![3, 3, 5]);
        let (a, b) = (group.element(&[2, 1, 4]), group.element(&[2, 2, 3]));
        assert_eq!(group.sum(a, b), group.element(&[1, 0, 2]));
    }
}
