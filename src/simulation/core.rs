//! The inside of a block: a switch core, or splitter and combiner, behind the same calls.

use super::flit::{FlitTag, TransmittedFlit};
use super::pin_core::PinCore;
use super::pin_rok::PinRok;
use super::switch_core::{CoreEvents, CreditVector, bits};
use mkns_design::BlockModule;
use mkns_design::ComputedRoutes;
use mkns_routing::BlockTables;

/// What moves a block's flits from port to port.
#[derive(Debug, Clone)]
pub enum Core {
    Switch(PinCore),
    Rok(Box<PinRok>),
}

/// Calls the same method on either core.
macro_rules! either {
    ($core:expr, $inner:ident => $call:expr) => {
        match $core {
            Core::Switch($inner) => $call,
            Core::Rok($inner) => $call,
        }
    };
}

impl Core {
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Core {
        match module.rok {
            Some(shape) => Core::Rok(Box::new(PinRok::new(module, shape))),
            None => Core::Switch(PinCore::new(module, tables)),
        }
    }

    /// `link_up` of the cycle covers all core ports.
    pub fn reset(&mut self, link_up: u32) {
        match self {
            Core::Switch(core) => core.reset(link_up),
            Core::Rok(core) => core.reset(),
        }
    }

    /// First part of a cycle; `link_up` covers all core ports.
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        either!(self, core => core.start_cycle(link_up, tx_credit));
    }

    /// A flit on the rx pins of a core port. Called in ascending order of ports.
    #[inline]
    pub fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]) {
        either!(self, core => core.receive(port, tag, data));
    }

    /// Last part of a cycle.
    pub fn end_cycle(&mut self) {
        if let Core::Switch(core) = self {
            core.end_cycle();
        }
    }

    /// Flits on the tx pins in this cycle, by port; read before [`Self::start_cycle`].
    pub fn transmitted(&self) -> impl Iterator<Item = (usize, TransmittedFlit<'_>)> {
        bits(self.tx_valid()).map(|port| (port, either!(self, core => core.transmitted(port))))
    }

    /// The flit on the tx pins of one port in this cycle; read before [`Self::start_cycle`].
    #[inline]
    pub fn transmitted_at(&self, port: usize) -> Option<TransmittedFlit<'_>> {
        let valid = self.tx_valid() >> port & 1 == 1;
        valid.then(|| either!(self, core => core.transmitted(port)))
    }

    /// Ports with a flit on the tx pins in this cycle.
    pub fn tx_valid(&self) -> u32 {
        either!(self, core => core.tx_valid())
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing but what [`Self::rest`] does.
    pub fn is_at_rest(&self) -> bool {
        either!(self, core => core.is_at_rest())
    }

    /// A cycle at rest.
    pub fn rest(&mut self) {
        if let Core::Switch(core) = self {
            core.rest();
        }
    }

    /// `link_up` of the last cycle.
    pub fn last_link_up(&self) -> u32 {
        either!(self, core => core.last_link_up())
    }

    pub fn events(&self) -> CoreEvents {
        match self {
            Core::Switch(core) => core.events,
            Core::Rok(core) => core.events(),
        }
    }

    /// The rx_credit registers.
    pub fn rx_credit(&self) -> CreditVector {
        match self {
            Core::Switch(core) => core.rx_credit,
            Core::Rok(core) => core.rx_credit(),
        }
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        either!(self, core => core.counter(port, counter))
    }

    pub fn describe(&self) -> String {
        either!(self, core => core.describe())
    }

    /// Row of the `step` matrix; blocks without a switch core have none.
    pub fn step_row(&self, input: usize) -> u32 {
        match self {
            Core::Switch(core) => core.step_row(input),
            Core::Rok(_) => 0,
        }
    }

    /// Replaces a row of the `step` matrix at the end of the cycle.
    pub fn write_step_row(&mut self, input: usize, row: u32) {
        if let Core::Switch(core) = self {
            core.write_step_row(input, row);
        }
    }

    /// Writes a table entry at the end of the cycle; false when there is no such entry.
    pub fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        match self {
            Core::Switch(core) => core.write_table(table, index, entry),
            Core::Rok(_) => false,
        }
    }

    /// Routes come from `routes` instead of the tables from now on.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        if let Core::Switch(core) = self {
            core.compute_routes(routes);
        }
    }
}
