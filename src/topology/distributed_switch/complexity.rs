//! Crosspoints and channels as the paper counts them (`docs/design/sources.md`, complexity), for any number of cascades.
//!
//! A channel is a pair of one way up and one way down, as the paper's w; a POK has m crosspoints as a
//! splitter and m as a combiner; a spine switch has m².

use serde::Serialize;

use super::DistributedSwitch;

/// The paper's s, w against S, W of the complete digraph of as many terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Complexity {
    /// POK units, duplex: one per terminal and one per port of every copy.
    #[serde(rename = "rok_units")]
    pub pok_units: u64,
    /// m×m switches.
    pub spine_switches: u64,
    /// s: crosspoints of all POK units and spine switches.
    pub crosspoints: u64,
    /// w: channels between POK units and spine switches.
    pub channels: u64,
    /// S = R(R − 1): crosspoints of the complete digraph.
    pub direct_crosspoints: u64,
    /// W = R(R − 1): its channels.
    pub direct_channels: u64,
}

impl Complexity {
    /// Counts of `switch`: s = 2mN + N·m² and w = mN for one cascade on a digraph.
    pub fn of(switch: &DistributedSwitch) -> Self {
        let m = u64::from(switch.ports());
        let terminals = u64::from(switch.terminals());
        let units_of = |cascade| {
            u64::from(switch.copies_at(cascade)) * u64::from(switch.stage(cascade).terminals())
        };
        let pok_units = (1..=switch.cascades()).map(units_of).sum();
        let spine_switches = u64::from(switch.spine_switches());
        Self {
            pok_units,
            spine_switches,
            crosspoints: 2 * m * pok_units + spine_switches * m * m,
            channels: m * pok_units,
            direct_crosspoints: terminals * (terminals - 1),
            direct_channels: terminals * (terminals - 1),
        }
    }
}
