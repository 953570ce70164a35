//! What a core shows to its block: a switch core (sections 1 and 2), or splitter and combiner (6.3 and 6.4).

use mkns_design::{ComputedRoutes, PathRegister};

use crate::Flit;

/// Inputs of a core in a cycle. Ports 0…d−1 are network ports, PCIe ports follow.
#[derive(Debug, Clone, Default)]
pub struct CoreInputs {
    /// `rx_*` of port p, when rx_valid is 1.
    pub rx: Vec<Option<Flit>>,
    /// `tx_credit` of port p, bit v.
    pub tx_credit: Vec<u32>,
    /// Bit p.
    pub link_up: u32,
}

/// What a cycle shows in the registers ERRORS and FIRST_DROP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Events {
    /// Bits of ERRORS.
    pub errors: u32,
    /// Of the lowest input, when several drop in one cycle.
    pub first_drop: Option<DroppedHeader>,
}

/// The header of a packet that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedHeader {
    /// Input port.
    pub port: usize,
    pub header: u64,
}

pub trait Core: Send {
    /// A cycle with `rst`.
    fn reset(&mut self, link_up: u32);

    /// The tx pins of a port.
    fn tx(&self, port: usize) -> Option<&Flit>;

    /// The rx_credit pins of a port, bit v.
    fn rx_credit(&self, port: usize) -> u32;

    /// Inputs whose header waits in this cycle (1.8), bit i; only adaptive switch cores let any wait.
    fn held(&self, _inputs: &CoreInputs) -> u32 {
        0
    }

    /// The edge of a cycle without `rst`.
    fn clock(&mut self, inputs: &mut CoreInputs) -> Events;

    /// Counter c of a port (section 4).
    fn counter(&self, port: usize, c: usize) -> u32;

    /// A STEP or TURNS register or a table entry; only switch cores have them.
    fn read(&self, _register: PathRegister) -> Option<u32> {
        None
    }

    /// The end of a cycle in which the control port carries out a write; splitters have nothing to write.
    fn write(&mut self, _register: PathRegister, _value: u32) {}

    /// From now on `routes` decide, whatever the tables hold; splitters have no routes.
    fn compute_routes(&mut self, _routes: ComputedRoutes) {}

    /// What differs from reset, in words.
    fn describe(&self) -> String;
}
