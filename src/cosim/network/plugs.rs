//! What happens to the serial cables of a run: bit errors, plugs that are pulled and put in again, plugs that are put
//! into each other's sockets.

use mkns_design::{Plan, serial_link};
use mkns_topology::Network;
use serde::{Deserialize, Serialize};

/// A plug is pulled; without `to` it stays out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unplugged {
    /// Index of the cable in the network.
    pub cable: u32,
    /// Counted from the first cycle of traffic.
    pub from: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

/// The plugs at the second ends of two cables are pulled, and put into each other's sockets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swapped {
    pub cables: [u32; 2],
    pub from: u64,
    pub to: u64,
}

impl Swapped {
    /// Cycles for which plugs have to be out: longer than the silence after which link ports give their session up. A
    /// plug that comes into a live link sooner may be taken for the old one (7.6).
    pub const LEAST_CYCLES: u64 = 10_000;
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CableFaultPlan {
    /// Of bits on every serial line, 66 a word; at most [`Self::MOST_ERRORS`].
    pub bit_error_rate: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unplugged: Vec<Unplugged>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub swapped: Vec<Swapped>,
}

/// What is done to plugs in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlugChange {
    Plug { cable: u32, is_in: bool },
    Swap([u32; 2]),
}

impl CableFaultPlan {
    /// Highest rate of bit errors.
    pub const MOST_ERRORS: f64 = 1e-3;

    /// Whether nothing happens.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// What of it a network cannot have.
    pub fn misfit(&self, plan: &Plan) -> Option<String> {
        let (rate, most) = (self.bit_error_rate, Self::MOST_ERRORS);
        if !(0.0..=most).contains(&rate) {
            return Some(format!(
                "`cables.bit_error_rate` is {rate}, but it must be 0 to {most}"
            ));
        }
        let is_serial = |&&cable: &&u32| {
            let cable = plan.network.cables.get(cable as usize);
            cable.is_some_and(|cable| serial_link(&plan.spec, cable).is_some())
        };
        let unplugged = self.unplugged.iter().map(|one| &one.cable);
        let named = unplugged.chain(self.swapped.iter().flat_map(|one| &one.cables));
        let wrong = named.into_iter().find(|cable| !is_serial(cable))?;
        Some(format!(
            "`cables`: cable {wrong} is not a serial cable of the network"
        ))
    }

    /// Whether plugs are moved, so that packets may be lost.
    pub fn moves_plugs(&self) -> bool {
        !self.unplugged.is_empty() || !self.swapped.is_empty()
    }

    /// Cables whose plugs are pulled.
    pub fn cables_moved(&self) -> u64 {
        (self.unplugged.len() + 2 * self.swapped.len()) as u64
    }

    /// What happens in a cycle of traffic.
    pub fn changes(&self, cycle: u64) -> Vec<PlugChange> {
        let pulled = self.unplugged.iter().filter_map(|one| {
            let is_in = one.to == Some(cycle);
            let cable = one.cable;
            (is_in || one.from == cycle).then_some(PlugChange::Plug { cable, is_in })
        });
        let swapped = self.swapped.iter().flat_map(|one| {
            let out = one.cables.map(|cable| PlugChange::Plug {
                cable,
                is_in: false,
            });
            let swap = PlugChange::Swap(one.cables);
            let out = (one.from == cycle).then_some(out).into_iter().flatten();
            out.chain((one.to == cycle).then_some(swap))
        });
        pulled.chain(swapped).collect()
    }

    /// Whether a cable works again in the end.
    pub fn ends_joined(&self, cable: u32) -> bool {
        let stays_out = |one: &Unplugged| one.cable == cable && one.to.is_none();
        let is_swapped = |one: &Swapped| one.cables.contains(&cable);
        !self.unplugged.iter().any(stays_out) && !self.swapped.iter().any(is_swapped)
    }

    /// Whether all do.
    pub fn all_end_joined(&self, network: &Network) -> bool {
        (0..network.cables.len() as u32).all(|cable| self.ends_joined(cable))
    }
}
