//! What disturbs a network that runs.

use crate::network::control_traffic::ControlTraffic;
use crate::network::disturbance::{CableFaults, CableLosses};

/// What disturbs a network.
pub struct Disturber {
    pub cables: Option<CableFaults>,
    pub control: Option<ControlTraffic>,
    pub losses: CableLosses,
    /// Disturbances may begin; otherwise they only end.
    pub active: bool,
}
