//! The core of a block: a switch core (sections 2 and 3), or splitter and combiner (6.3 and 6.4).

use mkns_design::{BlockModule, ComputedRoutes, PathRegister};
use mkns_routing::BlockTables;

use crate::switch_core::{RouteTables, SwitchCore};
use crate::{CoreInputs, Flit, PathEvents, Pok};

/// Either core; both have the same face.
#[expect(clippy::large_enum_variant, reason = "a block has one core")]
pub enum Core {
    Switch(SwitchCore),
    Pok(Pok),
}

impl Core {
    /// With the tables and `STEP` of power-up.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Self {
        if module.kind.is_pok() {
            return Self::Pok(Pok::new(module));
        }
        let contents = RouteTables::new(module, tables);
        Self::Switch(SwitchCore::new(module, contents, step(module, tables)))
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self, link_up: u32) {
        match self {
            Self::Switch(core) => core.reset(link_up),
            Self::Pok(core) => core.reset(link_up),
        }
    }

    /// The tx pins of a port.
    pub fn tx(&self, port: usize) -> Option<&Flit> {
        match self {
            Self::Switch(core) => core.tx(port),
            Self::Pok(core) => core.tx(port),
        }
    }

    /// The rx_credit pins of a port, bit v.
    pub fn rx_credit(&self, port: usize) -> u32 {
        match self {
            Self::Switch(core) => core.rx_credit(port),
            Self::Pok(core) => core.rx_credit(port),
        }
    }

    /// The edge of a cycle without `rst`.
    pub fn clock(&mut self, inputs: &mut CoreInputs) -> PathEvents {
        match self {
            Self::Switch(core) => core.clock(inputs),
            Self::Pok(core) => core.clock(inputs),
        }
    }

    /// Counter c of a port.
    pub fn counter(&self, port: usize, c: usize) -> u32 {
        match self {
            Self::Switch(core) => core.counter(port, c),
            Self::Pok(core) => core.counter(port, c),
        }
    }

    /// A STEP register; only switch cores have them.
    pub fn step_row(&self, row: usize) -> Option<u32> {
        match self {
            Self::Switch(core) => Some(core.step_row(row)),
            Self::Pok(_) => None,
        }
    }

    /// The end of a cycle in which the control port writes; splitters have nothing to write.
    pub fn write(&mut self, register: PathRegister, value: u32) {
        if let Self::Switch(core) = self {
            core.write(register, value);
        }
    }

    /// Routes from elsewhere than tables; splitters have none.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        if let Self::Switch(core) = self {
            core.compute_routes(routes);
        }
    }

    /// What differs from reset, in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Switch(core) => core.describe(),
            Self::Pok(core) => core.describe(),
        }
    }
}

/// `STEP`: row i, bit o.
fn step(module: &BlockModule, tables: Option<&BlockTables>) -> Vec<u32> {
    let mut rows = vec![0; module.core_ports() as usize];
    let given = tables.iter().flat_map(|tables| &tables.step);
    for (row, outputs) in rows.iter_mut().zip(given) {
        for (o, &up) in outputs.iter().enumerate() {
            *row |= u32::from(up) << o;
        }
    }
    rows
}
