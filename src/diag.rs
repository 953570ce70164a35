//! A diagnostic: code, place, fact, remedy. The one module that every other may import.
//!
//! Library modules return typed errors that hold or convert to [`Diagnostic`]; only `cli` renders
//! them. Every code is explained by `mkns explain CODE`.

use std::fmt;

/// Where in the user's input a diagnostic points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// File path as the user wrote it, or the notation string itself; empty when there is none.
    pub source: String,
    /// Byte range in the source text.
    pub span: Option<std::ops::Range<usize>>,
    /// Field path such as `dimensions[2].size`; empty when no field is concerned.
    pub field: String,
}

/// One clear message: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code such as `E0207`; see [`crate::diag`] and `mkns explain`.
    pub code: &'static str,
    pub place: Place,
    /// What is wrong: field, value and allowed range; lower case, no trailing period.
    pub fact: String,
    /// What to do; lower case, no trailing period.
    pub remedy: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.fact)
    }
}

impl std::error::Error for Diagnostic {}
