//! Section 1, the switch core: P ports, virtual output queues in front of a full crossbar.
//!
//! Every part of a cycle is computed from the state at its start. [`SwitchCore::clock`] first lets
//! the parts decide that look at several ports, then finishes port by port, in an order in which a
//! part reads what an earlier one has changed only where the page says so.

mod allocation;
mod credits;
mod decision;
mod describe;
mod lookup;
mod pop;
mod queues;
mod rest;
mod route_tables;
mod shape;
mod state;
mod watch;

use mkns_design::{ComputedRoutes, PathRegister};

use crate::{CoreInputs, Flit, PathEvents};

pub use route_tables::RouteTables;
pub use state::SwitchCore;

impl SwitchCore {
    /// The tx pins of a port.
    pub fn tx(&self, port: usize) -> Option<&Flit> {
        self.tx[port].as_ref()
    }

    /// The rx_credit pins of a port, bit v.
    pub fn rx_credit(&self, port: usize) -> u32 {
        self.rx_credit[port]
    }

    /// The edge of a cycle without `rst`.
    pub fn clock(&mut self, inputs: &mut CoreInputs) -> PathEvents {
        let mut events = PathEvents::default();
        if self.is_at_rest(inputs) {
            self.watch_nothing();
            return events;
        }
        let mut decisions = std::mem::take(&mut self.decisions);
        self.allocate(&mut decisions);
        self.count_stage1(&mut events);
        self.return_credits();
        for i in 0..self.shape.ports {
            let stage1 = self.look_up(i, inputs.rx[i].take());
            self.push(i);
            self.stage1[i] = stage1;
        }
        for (o, decision) in decisions.iter().enumerate() {
            self.finish_output(o, decision, inputs.tx_credit[o], &mut events);
        }
        self.decisions = decisions;
        self.up = inputs.link_up;
        events
    }

    /// Counter c of a port (section 4).
    pub fn counter(&self, port: usize, c: usize) -> u32 {
        self.counters.count(port, c)
    }

    /// `step[i]` of all outputs, bit o.
    pub fn step_row(&self, i: usize) -> u32 {
        self.step[i]
    }

    /// The end of a cycle in which the control port carries out a write.
    pub fn write(&mut self, register: PathRegister, value: u32) {
        match register {
            PathRegister::Step { row } => self.step[row] = value & ((1 << self.shape.ports) - 1),
            PathRegister::Table { n, index } => self.tables.write(n, index, value as u16),
            _ => {}
        }
    }

    /// From now on `routes` decide; writes to tables change nothing.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.tables.compute(routes);
    }
}
