//! A symmetric block design: its parameters, where it comes from, its blocks, verified.

use std::fmt;

use serde::Serialize;

/// Parameters of a symmetric block design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Parameters {
    /// N: number of elements, and of blocks.
    pub elements: u32,
    /// m: elements in a block, and blocks that hold an element.
    pub block_size: u32,
    /// σ: blocks that hold a given pair of different elements.
    pub sigma: u32,
}

/// Where a design comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Construction {
    /// Table 5 of the paper, block by block.
    PaperTable,
    /// Every block holds every element (σ = m = N).
    Full,
    /// Every block misses one element (σ = m − 1 = N − 2).
    MissingOne,
    /// Hyperplanes of a projective geometry as a cyclic difference set (Singer 1938).
    Singer,
    /// Quadratic residues modulo a prime N ≡ 3 mod 4 (Paley 1933).
    QuadraticResidues,
    /// Quartic residues modulo a prime N = 4x² + 1, x odd (Chowla 1944).
    QuarticResidues,
    /// Lines of the plane over a prime field, spread over a cyclic group (McFarland 1973).
    McFarland,
    /// Closed neighbourhoods of the Gewirtz graph, from the octads of the Golay code.
    Gewirtz,
    /// An incidence list found by a SAT solver, kept in `incidence_lists`.
    IncidenceList,
    /// Complements of the blocks of a design constructed otherwise.
    Complement,
}

/// A symmetric 2-design, verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockDesign {
    parameters: Parameters,
    construction: Construction,
    /// Elements of each block, ascending, 0-based.
    blocks: Vec<Vec<u32>>,
}

impl BlockDesign {
    /// The design with these blocks, or the first way in which they fail to be one.
    pub fn new(
        parameters: Parameters,
        construction: Construction,
        mut blocks: Vec<Vec<u32>>,
    ) -> Result<Self, DesignFault> {
        for block in &mut blocks {
            block.sort_unstable();
        }
        verify(parameters, &blocks)?;
        Ok(Self {
            parameters,
            construction,
            blocks,
        })
    }

    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    pub fn construction(&self) -> Construction {
        self.construction
    }

    /// Elements of each block, ascending, 0-based.
    pub fn blocks(&self) -> &[Vec<u32>] {
        &self.blocks
    }
}

/// Why a list of blocks is no symmetric design of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DesignFault {
    #[error("{found} blocks where N = {expected} are needed")]
    Blocks { found: usize, expected: u32 },
    #[error("block {block} does not hold m different elements below N")]
    Block { block: usize },
    #[error("element {element} is in {found} blocks, not in m")]
    Element { element: u32, found: u32 },
    #[error("elements {a} and {b} share {found} blocks, not σ")]
    Pair { a: u32, b: u32, found: u32 },
}

/// Whether sorted `blocks` are a symmetric 2-design: counted pair by pair, nothing assumed.
fn verify(parameters: Parameters, blocks: &[Vec<u32>]) -> Result<(), DesignFault> {
    let (elements, block_size, sigma) = parameters.numbers();
    let (found, expected) = (blocks.len(), elements);
    if found != expected as usize {
        return Err(DesignFault::Blocks { found, expected });
    }
    let count = elements as usize;
    let mut shared = vec![0; count * count];
    for (at, block) in blocks.iter().enumerate() {
        let rising = block.windows(2).all(|pair| pair[0] < pair[1]);
        let in_range = block.last().is_some_and(|last| *last < elements);
        if block.len() != block_size as usize || !rising || !in_range {
            return Err(DesignFault::Block { block: at });
        }
        for &a in block {
            for &b in block {
                shared[a as usize * count + b as usize] += 1;
            }
        }
    }
    for a in 0..elements {
        for b in 0..elements {
            let found = shared[a as usize * count + b as usize];
            if a == b && found != block_size {
                return Err(DesignFault::Element { element: a, found });
            }
            if a != b && found != sigma {
                return Err(DesignFault::Pair { a, b, found });
            }
        }
    }
    Ok(())
}

impl Parameters {
    /// B(N, m, σ).
    pub fn new(elements: u32, block_size: u32, sigma: u32) -> Self {
        Self {
            elements,
            block_size,
            sigma,
        }
    }

    /// N, m and σ.
    pub fn numbers(self) -> (u32, u32, u32) {
        (self.elements, self.block_size, self.sigma)
    }

    /// n = m − σ, the order of the design.
    pub fn order(self) -> u32 {
        self.block_size - self.sigma
    }

    /// The parameters of the complements of the blocks; `None` where they make no sense.
    pub(crate) fn complement(self) -> Option<Self> {
        let block_size = self.elements.checked_sub(self.block_size)?;
        let sigma = (self.elements + self.sigma).checked_sub(2 * self.block_size)?;
        (block_size > 0 && sigma > 0).then_some(Self::new(self.elements, block_size, sigma))
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B({},{},{})", self.elements, self.block_size, self.sigma)
    }
}

impl fmt::Display for Construction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PaperTable => "table 5 of the paper",
            Self::Full => "trivial: every block holds every element",
            Self::MissingOne => "trivial: every block misses one element",
            Self::Singer => "Singer difference set",
            Self::QuadraticResidues => "quadratic residues",
            Self::QuarticResidues => "quartic residues",
            Self::McFarland => "McFarland difference set",
            Self::Gewirtz => "closed neighbourhoods of the Gewirtz graph",
            Self::IncidenceList => "incidence list found by a SAT solver",
            Self::Complement => "complement of a constructed design",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct;

    /// What is wrong with B(7,4,2) when some elements (block, place) are replaced.
    fn fault_of(replaced: &[(usize, usize, u32)]) -> DesignFault {
        let design = construct(Parameters::new(7, 4, 2)).expect("it exists");
        let mut blocks = design.blocks().to_vec();
        for &(block, place, element) in replaced {
            blocks[block][place] = element;
        }
        let spoilt = BlockDesign::new(design.parameters(), Construction::PaperTable, blocks);
        spoilt.expect_err("no design")
    }

    #[test]
    fn a_swapped_element_is_caught() {
        let fault = fault_of(&[(6, 0, 1)]);
        assert!(matches!(fault, DesignFault::Element { .. }), "{fault:?}");
    }

    #[test]
    fn exchanged_elements_of_two_blocks_are_caught() {
        // Block 0 = 0 1 2 3, block 5 = 1 3 4 5: every element keeps its m blocks, pairs do not.
        let fault = fault_of(&[(0, 0, 5), (5, 3, 0)]);
        assert!(matches!(fault, DesignFault::Pair { .. }), "{fault:?}");
    }
}
