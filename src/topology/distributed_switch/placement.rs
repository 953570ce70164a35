//! Which terminals fit the last group of ports when it has fewer than m columns, which the paper does "by hand"
//! (`docs/design/sources.md`, block designs).
//!
//! A terminal added there must meet every other terminal in at least σ copies. Counting shows that in a
//! symmetric design the only sets of m copies which do are those of the design's own elements (the
//! excess over σ sums to m − σ and its squares to (m − σ)²), so a placement is a list of elements,
//! repeats allowed, that loads no copy with more than the free columns. The longest list is searched
//! for; the bound says whether it is proved to be the longest.

use serde::Serialize;

use super::Stage;

/// Steps after which the search gives up proving. Chosen so that a spec is read without a pause.
const STEPS: u32 = 300_000;

/// Terminals for the free columns of the last group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placement {
    /// Free columns of every copy, below m.
    pub columns: u32,
    /// Element of the pattern that each added terminal is attached like.
    pub elements: Vec<u32>,
    /// Whether no placement has more terminals.
    pub is_optimal: bool,
}

/// A placement with as many terminals as the search finds, the first in lexicographic order, different
/// elements preferred.
pub fn place(base: &Stage, columns: u32) -> Placement {
    let mut search = Search {
        base,
        bound: bound(base, columns),
        free: vec![columns; base.copies() as usize],
        chosen: Vec::new(),
        best: Vec::new(),
        steps: STEPS,
    };
    search.grow(0, 1);
    let exhausted = search.steps == 0;
    search.steps = STEPS;
    // Repeats are worth a search only where different elements leave room.
    search.grow(0, 0);
    let exhausted = exhausted || search.steps == 0;
    Placement {
        columns,
        is_optimal: !exhausted || search.best.len() == search.bound,
        elements: search.best,
    }
}

/// No placement is longer: each terminal takes m of the N·f columns, and, since the pairs within copies
/// number at least σ·x(x − 1), σ(x − 1) ≤ m(f − 1).
fn bound(base: &Stage, columns: u32) -> usize {
    if columns == 0 {
        return 0;
    }
    let (m, n) = (base.copy_ports(), base.copies());
    // In a design every pair of elements shares m(m − 1)/(N − 1) copies.
    let by_columns = n * columns / m;
    let by_pairs = 1 + (columns - 1) * (n - 1) / (m - 1);
    by_columns.min(by_pairs) as usize
}

struct Search<'a> {
    base: &'a Stage,
    bound: usize,
    /// Free columns of each copy.
    free: Vec<u32>,
    chosen: Vec<u32>,
    best: Vec<u32>,
    /// Steps left.
    steps: u32,
}

impl Search<'_> {
    /// Extends `chosen` by elements from `first` on, each `stride` further than the one before: 1 for
    /// different elements, 0 for repeats.
    fn grow(&mut self, first: u32, stride: u32) {
        if self.chosen.len() > self.best.len() {
            self.best.clone_from(&self.chosen);
        }
        for element in first..self.base.terminals() {
            let most = self.chosen.len() + (self.base.terminals() - element) as usize;
            let hopeless = stride == 1 && most <= self.best.len();
            if self.best.len() == self.bound || self.steps == 0 || hopeless {
                return;
            }
            self.steps -= 1;
            if self.take(element) {
                self.grow(element + stride, stride);
                self.give_back(element);
            }
        }
    }

    fn take(&mut self, element: u32) -> bool {
        let copies = self.base.up(element).iter().map(|at| at.copy as usize);
        if copies.clone().any(|copy| self.free[copy] == 0) {
            return false;
        }
        copies.for_each(|copy| self.free[copy] -= 1);
        self.chosen.push(element);
        true
    }

    fn give_back(&mut self, element: u32) {
        self.chosen.pop();
        for at in self.base.up(element) {
            self.free[at.copy as usize] += 1;
        }
    }
}
