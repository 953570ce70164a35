//! What a run of a unit has shown.

use super::messages::{Message, OWN_NOTICE};

/// What a run has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManagementReport {
    pub cycles: u64,
    /// The first cycle in which an output differs from the golden model, and how.
    pub difference: Option<(u64, String)>,
    /// Messages of links that the unit has passed on, answered or dropped.
    pub released: u64,
    /// Sent over links: by operation, and errors and answers by status 0…15.
    pub sent: [u64; 4],
    pub statuses: [u64; 16],
    /// Notices of the unit itself among them.
    pub notices: u64,
    /// Accesses of the control port.
    pub accesses: u64,
    pub resets: u64,
}

impl ManagementReport {
    pub(super) fn count(&mut self, message: &Message) {
        self.sent[(message[0] >> 8 & 3) as usize] += 1;
        if message[7] == OWN_NOTICE && message[0] >> 8 & 15 == 6 {
            self.notices += 1;
        }
        if message[0] & 1 << 9 != 0 {
            self.statuses[(message[6] >> 20 & 15) as usize] += 1;
        }
    }
}
