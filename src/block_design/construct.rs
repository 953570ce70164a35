//! Finds the construction for given parameters.
//!
//! Families are tried in a fixed order, so the blocks and their numbering are stable. A family that claims
//! parameters must deliver: what it yields is verified, and a failure is a bug of this module.

use super::difference_set::{Group, mcfarland, power_residues};
use super::{BlockDesign, Construction, Parameters, Refusal, refuted};
use super::{gewirtz, incidence_lists, singer};

/// A design of these parameters, or why there is none to be had.
pub fn construct(parameters: Parameters) -> Result<BlockDesign, Refusal> {
    if let Some(refusal) = refuted(parameters) {
        return Err(refusal);
    }
    let (construction, blocks) = blocks(parameters)
        .or_else(|| complement(parameters))
        .ok_or(Refusal::NotConstructed(parameters))?;
    let design = BlockDesign::new(parameters, construction, blocks);
    Ok(design.unwrap_or_else(|fault| panic!("{parameters} by {construction}: {fault}")))
}

type Found = (Construction, Vec<Vec<u32>>);

/// Blocks by the first family that has these parameters.
fn blocks(parameters: Parameters) -> Option<Found> {
    let families = [
        listed,
        trivial,
        projective_geometry,
        residues,
        lines_over_a_group,
        neighbourhoods,
    ];
    families.iter().find_map(|family| family(parameters))
}

fn complement(parameters: Parameters) -> Option<Found> {
    let (_, blocks) = blocks(parameters.complement()?)?;
    let rest = |block: &Vec<u32>| {
        let outside = |element: &u32| !block.contains(element);
        (0..parameters.elements).filter(outside).collect()
    };
    let blocks = blocks.iter().map(rest).collect();
    Some((Construction::Complement, blocks))
}

fn listed(parameters: Parameters) -> Option<Found> {
    use Construction::{IncidenceList, PaperTable};
    let (elements, block_size, sigma) = parameters.numbers();
    match (elements, block_size, sigma) {
        (7, 4, 2) => Some((PaperTable, widened(&incidence_lists::B_7_4_2))),
        (25, 9, 3) => Some((IncidenceList, widened(&incidence_lists::B_25_9_3))),
        (31, 10, 3) => Some((IncidenceList, widened(&incidence_lists::B_31_10_3))),
        _ => None,
    }
}

fn widened<const SIZE: usize>(list: &[[u8; SIZE]]) -> Vec<Vec<u32>> {
    list.iter()
        .map(|block| block.map(u32::from).to_vec())
        .collect()
}

fn trivial(parameters: Parameters) -> Option<Found> {
    let elements = parameters.elements;
    if parameters.block_size == elements {
        let all: Vec<u32> = (0..elements).collect();
        return Some((Construction::Full, vec![all; elements as usize]));
    }
    if parameters.block_size + 1 != elements {
        return None;
    }
    let without = |missing: u32| {
        (0..elements)
            .filter(|element| *element != missing)
            .collect()
    };
    let blocks = (0..elements).rev().map(without).collect();
    Some((Construction::MissingOne, blocks))
}

/// m = (q^d − 1)/(q − 1) elements of a hyperplane of PG(d, q); q = m − 1 in a plane.
fn projective_geometry(parameters: Parameters) -> Option<Found> {
    let points =
        |q: u32, count: u32| (0..count).try_fold(0_u32, |n, _| n.checked_mul(q)?.checked_add(1));
    for dimension in 2..=15 {
        for q in 2..parameters.block_size {
            let sizes = [dimension + 1, dimension, dimension - 1].map(|count| points(q, count));
            let wanted = [parameters.elements, parameters.block_size, parameters.sigma];
            if sizes != wanted.map(Some) {
                continue;
            }
            let (prime, degree) = singer::prime_power(q)?;
            let set = singer::hyperplane(prime, degree, dimension);
            let blocks = Group::cyclic(parameters.elements).develop(&set);
            return Some((Construction::Singer, blocks));
        }
    }
    None
}

fn residues(parameters: Parameters) -> Option<Found> {
    let n = parameters.elements;
    if !matches!(singer::prime_power(n), Some((_, 1))) {
        return None;
    }
    let quadratic =
        n % 4 == 3 && (parameters.block_size, parameters.sigma) == ((n - 1) / 2, (n - 3) / 4);
    let is_4xx_plus_1 = || (1..n).step_by(2).any(|x| 4 * x * x + 1 == n);
    let quartic =
        n % 16 == 5 && (parameters.block_size, parameters.sigma) == ((n - 1) / 4, (n - 5) / 16);
    let (construction, power) = if quadratic {
        (Construction::QuadraticResidues, 2)
    } else if quartic && is_4xx_plus_1() {
        (Construction::QuarticResidues, 4)
    } else {
        return None;
    };
    let blocks = Group::cyclic(n).develop(&power_residues(n, power));
    Some((construction, blocks))
}

/// N = q²(q + 2), m = q(q + 1), σ = q for a prime q.
fn lines_over_a_group(parameters: Parameters) -> Option<Found> {
    let q = parameters.sigma;
    let fits = (parameters.elements, parameters.block_size) == (q * q * (q + 2), q * (q + 1));
    if !fits || !matches!(singer::prime_power(q), Some((_, 1))) {
        return None;
    }
    let (group, set) = mcfarland(q);
    Some((Construction::McFarland, group.develop(&set)))
}

fn neighbourhoods(parameters: Parameters) -> Option<Found> {
    (parameters == Parameters::new(56, 11, 2))
        .then(|| (Construction::Gewirtz, gewirtz::closed_neighbourhoods()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Construction::{
        Complement, Full, Gewirtz, IncidenceList, McFarland, MissingOne, PaperTable,
        QuadraticResidues, QuarticResidues, Singer,
    };

    #[test]
    fn every_existing_design_of_tables_6_and_7_is_constructed() {
        let expected = [
            (3, 2, 1, MissingOne),
            (7, 3, 1, Singer),
            (13, 4, 1, Singer),
            (21, 5, 1, Singer),
            (31, 6, 1, Singer),
            (57, 8, 1, Singer),
            (73, 9, 1, Singer),
            (91, 10, 1, Singer),
            (133, 12, 1, Singer),
            (2, 2, 2, Full),
            (4, 3, 2, MissingOne),
            (7, 4, 2, PaperTable),
            (11, 5, 2, QuadraticResidues),
            (16, 6, 2, McFarland),
            (37, 9, 2, QuarticResidues),
            (56, 11, 2, Gewirtz),
            (3, 3, 3, Full),
            (5, 4, 3, MissingOne),
            (11, 6, 3, Complement),
            (15, 7, 3, Singer),
            (25, 9, 3, IncidenceList),
            (31, 10, 3, IncidenceList),
            (45, 12, 3, McFarland),
        ];
        for (n, m, sigma, construction) in expected {
            let design = construct(Parameters::new(n, m, sigma));
            let design = design.unwrap_or_else(|refusal| panic!("{refusal}"));
            assert_eq!(
                design.construction(),
                construction,
                "{}",
                design.parameters()
            );
        }
    }

    #[test]
    fn every_parameter_set_of_up_to_16_ports_is_built_refuted_or_said_to_be_open() {
        let mut open = Vec::new();
        for block_size in 2..=16 {
            for sigma in 1..=block_size {
                if block_size * (block_size - 1) % sigma != 0 {
                    continue;
                }
                let elements = block_size * (block_size - 1) / sigma + 1;
                match construct(Parameters::new(elements, block_size, sigma)) {
                    Err(refusal) if !refusal.is_proof() => open.push((elements, block_size, sigma)),
                    _ => {}
                }
            }
        }
        // Some exist elsewhere (27 and 36 elements, for two), some nobody has decided (157, 13, 1).
        let expected = [
            (157, 13, 1),
            (79, 13, 2),
            (27, 13, 6),
            (27, 14, 7),
            (71, 15, 3),
            (36, 15, 6),
            (241, 16, 1),
            (121, 16, 2),
            (81, 16, 3),
            (61, 16, 4),
            (49, 16, 5),
            (41, 16, 6),
        ];
        assert_eq!(open, expected);
    }
}
