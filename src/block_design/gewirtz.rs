//! The blocks of B(56,11,2): closed neighbourhoods of the Gewirtz graph.
//!
//! The octads of the extended binary Golay code (a quadratic-residue code of length 23 and a parity bit)
//! that hold two given places are the 77 blocks of S(3,6,22); the 56 of them that miss a third place are
//! the vertices, adjacent where disjoint (Brouwer & Haemers, Spectra of Graphs, 9.1.7).

/// Generator polynomial of the binary Golay code, bit i for x^i.
const GENERATOR: u32 = 0b1100_0111_0101;
/// Number of message bits.
const DIMENSION: u32 = 12;
/// Two places that all blocks of S(3,6,22) hold, and one that the vertices miss.
const HELD: u32 = 1 << 23 | 1 << 22;
const MISSED: u32 = 1 << 21;

/// The 56 closed neighbourhoods, 11 vertices each.
pub fn closed_neighbourhoods() -> Vec<Vec<u32>> {
    let vertices: Vec<u32> = octads()
        .filter(|octad| octad & HELD == HELD && octad & MISSED == 0)
        .collect();
    let neighbourhood = |at: usize| {
        let near = |other: &usize| *other == at || vertices[*other] & vertices[at] & !HELD == 0;
        let near = (0..vertices.len()).filter(near);
        near.map(|other| other as u32).collect()
    };
    (0..vertices.len()).map(neighbourhood).collect()
}

/// Words of weight 8 of the extended Golay code.
fn octads() -> impl Iterator<Item = u32> {
    let word = |message: u32| {
        let product = (0..DIMENSION)
            .filter(|bit| message >> bit & 1 == 1)
            .fold(0, |sum, bit| sum ^ GENERATOR << bit);
        product | (product.count_ones() % 2) << 23
    };
    (0..1 << DIMENSION)
        .map(word)
        .filter(|word| word.count_ones() == 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_golay_code_has_759_octads_and_the_graph_degree_10() {
        assert_eq!(octads().count(), 759);
        let neighbourhoods = closed_neighbourhoods();
        assert_eq!(neighbourhoods.len(), 56);
        assert!(neighbourhoods.iter().all(|near| near.len() == 11));
    }
}
