//! What adaptive blocks chose for the headers that left by a network port: counters 9 to 11 of section 1.8 of
//! `docs/microarchitecture.md`, of all ports together.

use std::iter::Sum;
use std::ops::{Add, Sub};

use serde::Serialize;

/// Headers by the way that they took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// A shortest path that had room.
    pub adaptive: u64,
    /// The path of the escape engine.
    pub escape: u64,
    /// Those of the escape whose host allows another order: they found no room.
    pub detours: u64,
}

impl Choices {
    /// None where nothing was chosen.
    pub fn if_any(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    fn by_field(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            adaptive: of(self.adaptive, other.adaptive),
            escape: of(self.escape, other.escape),
            detours: of(self.detours, other.detours),
        }
    }
}

impl Add for Choices {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.by_field(other, |a, b| a + b)
    }
}

impl Sub for Choices {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.by_field(other, |a, b| a - b)
    }
}

impl Sum for Choices {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::add)
    }
}
