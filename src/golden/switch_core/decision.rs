//! What one cycle of allocation decides for one output (1.6), before the state takes it over.

use super::shape::Request;

/// What the cycle decides for one output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Decision {
    /// Its grant is accepted.
    pub accepted: bool,
    /// `popped[o]` at the end of the cycle, as all that follows.
    pub popped: Option<Request>,
    pub flow: Option<Request>,
    pub grant: Option<Request>,
    pub grant_pointer: usize,
    /// Bit w: `watched[o][w]` stays.
    pub watches_on: u32,
    /// Bit w: `overdue[o][w]` at the end of the cycle.
    pub overdue: u32,
    /// Some request is waiting, and none is popped.
    pub stalls: bool,
}
