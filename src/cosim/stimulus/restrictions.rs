//! What the traffic of a lone block leaves out, so that a failure shows under as little as possible.

use serde::{Deserialize, Serialize};

/// Everything is on by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Restrictions {
    /// Nothing is read or written on the control port under traffic.
    pub no_control_traffic: bool,
    /// No link goes down.
    pub no_link_faults: bool,
    /// Hosts damage no packet.
    pub no_damaged_packets: bool,
    /// Idle inputs are 0.
    pub no_noise: bool,
    /// Receivers and hosts hold nothing back.
    pub prompt_receivers: bool,
    /// The maximum number of flits per packet, header included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_packet: Option<u32>,
    /// Ports that begin no packet: network ports, then PCIe ports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub silent_ports: Vec<usize>,
}

impl Restrictions {
    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
